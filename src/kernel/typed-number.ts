// Numbers as people type them into forms.

const DECIMAL = /^\d{1,9}(\.\d{1,4})?$/

/** What a form sends for a number that was typed: the number, or the text as it is where it is none, for the schema to refuse in its own words. */
export function typedNumber(text: string): number | string {
  const plain = text.trim()
  return DECIMAL.test(plain) ? Number(plain) : text
}

/** The same where nothing may be typed: blank is null. */
export function typedNumberOrNull(text: string): number | string | null {
  return text.trim() === '' ? null : typedNumber(text)
}
