// Numbers as people type them into forms.

const DECIMAL = /^\d{1,9}(\.\d{1,4})?$/

/** What a form sends for a typed number: the number, or the text itself if it isn't one, so that the schema refuses it with its own message. */
export function typedNumber(text: string): number | string {
  const plain = text.trim()
  return DECIMAL.test(plain) ? Number(plain) : text
}

/** The same for an optional field: blank is null. */
export function typedNumberOrNull(text: string): number | string | null {
  return text.trim() === '' ? null : typedNumber(text)
}
