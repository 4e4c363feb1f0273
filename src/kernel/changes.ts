/** Keeps only the fields present in a partial update: fields left out stay as they are, null clears them. */
export function given<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Values>
}
