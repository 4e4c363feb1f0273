/** Keeps only the fields included in a partial update: missing fields stay unchanged, and null clears a field. */
export function given<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Values>
}
