// Turns a typed phone number into a link.

/**
 * A link that calls a phone number, with its extension if it has one; undefined if the text isn't a phone
 * number.
 */
export function callLink(phone: string): string | undefined {
  const [number = '', extension = ''] = phone.split(/(?:ext|x|#)[.:\s]*/i)
  const digits = number.replace(/[^\d+]/g, '')
  const after = extension.replace(/\D/g, '')
  // Text with words in it, such as "evenings 5 to 7", isn't a phone number.
  if (/\p{L}/u.test(number) || !/^\+?\d{3,15}$/.test(digits)) return undefined
  return `tel:${digits}${after ? `;ext=${after}` : ''}`
}
