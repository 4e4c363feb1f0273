// The link out of what was typed as a phone number.

/** A link that calls a phone number, with its extension if it has one; undefined if the text holds no number. */
export function callLink(phone: string): string | undefined {
  const [number = '', extension = ''] = phone.split(/(?:ext|x|#)[.:\s]*/i)
  const digits = number.replace(/[^\d+]/g, '')
  const after = extension.replace(/\D/g, '')
  // Words around a number, as in "evenings 5 to 7", make it no number to call.
  if (/\p{L}/u.test(number) || !/^\+?\d{3,15}$/.test(digits)) return undefined
  return `tel:${digits}${after ? `;ext=${after}` : ''}`
}
