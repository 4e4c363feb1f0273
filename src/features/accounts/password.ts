// What counts as a password, for the pages and the server. Text is normalized before it's hashed, because
// systems type the same accents and spaces as different characters.

/** From docs/product.md, section 9. */
const MIN_PASSWORD_LENGTH = 6
/** From docs/product-decisions.md, section 1. */
const MAX_PASSWORD_LENGTH = 256
/** The longest text we normalize. An accented letter can take up to four characters before normalization. */
export const MAX_TYPED_LENGTH = 4 * MAX_PASSWORD_LENGTH
export const TOO_SHORT = 'Password must be at least 6 characters long'
export const TOO_LONG = 'Use at most 256 characters'
const NOT_TYPED = 'Use a password without tabs, line breaks and other control characters'

/**
 * The password in the form that's hashed: the OpaqueString profile (RFC 8265, section 4.2.2). Every kind of
 * space becomes a plain one, and accents are composed. Nothing else changes.
 */
export function opaqueString(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC')
}

/** What's wrong with a new password, if anything. Characters are counted after normalization. */
export function passwordProblem(password: string): string | undefined {
  if (password.length > MAX_TYPED_LENGTH) return TOO_LONG
  const opaque = opaqueString(password)
  // RFC 8264 excludes more, such as the invisible joiners that emoji need. Unlike those, a control character
  // can't be typed everywhere, and half a surrogate pair can't be encoded.
  if (/[\p{Cc}\p{Cs}]/u.test(opaque)) return NOT_TYPED
  const length = [...opaque].length
  if (length < MIN_PASSWORD_LENGTH) return TOO_SHORT
  return length > MAX_PASSWORD_LENGTH ? TOO_LONG : undefined
}
