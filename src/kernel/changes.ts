/** What a partial change names: fields that were left out stay as they are, null empties them. */
export function given<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Values>
}
