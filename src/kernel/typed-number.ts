// Numbers as people type them into forms.

const DECIMAL = /^\d{1,9}(\.\d{1,4})?$/

/**
 * Parses a number that was typed into a form. Returns any other text unchanged, so that the schema can reject
 * it with its own message.
 */
export function typedNumber(text: string): number | string {
  const plain = text.trim()
  return DECIMAL.test(plain) ? Number(plain) : text
}

/** Like typedNumber, but for an optional field: blank becomes null. */
export function typedNumberOrNull(text: string): number | string | null {
  return text.trim() === '' ? null : typedNumber(text)
}
