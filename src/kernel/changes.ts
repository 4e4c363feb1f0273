/**
 * Keeps only the fields that a partial update includes: a missing field doesn't change, and null clears the
 * field.
 */
export function given<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Values>
}
