/** The name of the constraint that made the database refuse a statement; undefined for any other error. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined
}
