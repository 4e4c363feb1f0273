import { refused } from '#kernel/outcome.ts'

/** The name of the constraint that made the database refuse a statement; undefined for any other error. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined
}

/**
 * Runs a change and refuses it with this reason if the database refuses it because of the constraint. The
 * transaction then has to be rolled back.
 */
export async function refusedBy<Result, Reason extends string>(
  constraint: string,
  reason: Reason,
  change: () => Promise<Result>,
): Promise<Result | { ok: false; reason: Reason }> {
  try {
    return await change()
  } catch (error) {
    if (constraintOf(error) === constraint) return refused(reason)
    throw error
  }
}
