// Turns a typed phone number into a link.

/**
 * A link that calls a phone number, including an extension if there is one; undefined if the text isn't a
 * phone number.
 */
export function callLink(phone: string): string | undefined {
  const [number = '', extension = ''] = phone.split(/(?:ext|x|#)[.:\s]*/i)
  const digits = number.replace(/[^\d+]/g, '')
  const after = extension.replace(/\D/g, '')
  // If the text has words in it, as in "evenings 5 to 7", it isn't a phone number.
  if (/\p{L}/u.test(number) || !/^\+?\d{3,15}$/.test(digits)) return undefined
  return `tel:${digits}${after ? `;ext=${after}` : ''}`
}
