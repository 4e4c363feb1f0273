// The reference that a payer adds to a payment, so that the payee recognizes it. It follows from the connection and the
// month, so both sides know it without storing anything, and it's stored with the payment that is reported.

/** Letters and digits that nobody confuses, aloud or on paper: no 0, 1, I, L, O or U. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LEAST_LENGTH = 4
/** After so many months, a connection's references start again. */
const MONTHS = 24
/** Shares no divisor with a power of 30, so that numbers next to each other become references that look different. */
const SPREAD = 524_287

export const REFERENCE = new RegExp(`^TL-[${LETTERS}]{4,6}$`)

/** The reference that somebody may have typed, with or without its first letters; undefined if it can't be one. */
export function typedReference(typed: string): string | undefined {
  const letters = typed
    .trim()
    .toUpperCase()
    .replace(/^TL[-\s]?/, '')
  return REFERENCE.test(`TL-${letters}`) ? `TL-${letters}` : undefined
}

/** A connection's reference for a month, such as "TL-7K3Q": no other has the same within two years. */
export function referenceOf(connectionNumber: number, month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const value = connectionNumber * MONTHS + ((year * 12 + number) % MONTHS)
  let length = LEAST_LENGTH
  while (value >= LETTERS.length ** length) length++
  let rest = (value * SPREAD) % LETTERS.length ** length
  let letters = ''
  for (let at = 0; at < length; at++) {
    letters = (LETTERS[rest % LETTERS.length] ?? '') + letters
    rest = Math.floor(rest / LETTERS.length)
  }
  return `TL-${letters}`
}
