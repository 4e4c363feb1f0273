/** Keeps only the fields present in a partial update: omitted fields don't change, and null clears a field. */
export function given<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Values>
}
