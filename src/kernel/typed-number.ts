// Numbers as people type them: "32,50", "1.234,50", "1 234,50", "1'234.50", "٣٢٫٥٠". A point or a comma can be
// the decimal mark (docs/product-decisions.md, section 13).

// Marks of other scripts and keyboards. The Arabic decimal mark isn't used for anything else, so it stays.
const MARKS: [RegExp, string][] = [
  [/\p{Default_Ignorable_Code_Point}/gu, ''],
  [/\s/g, ' '],
  [/[’‘ʼ٬]/g, "'"],
  [/[，،]/g, ','],
  [/．/g, '.'],
  [/−/g, '-'],
]
const WHOLE = /^\d+$/
// The second way is India's: 12,34,567.
const GROUPED = /^[1-9]\d{0,2}([ ',.])\d{3}(?:\1\d{3})*$|^[1-9]\d?([ ',.])(?:\d{2}\2)+\d{3}$/
const WITH_DECIMALS = /^(.+)([.,٫])(\d+)$/
/** Numbers in this form can be represented exactly enough to be sent as JSON numbers. */
const SHORT = /^\d{1,9}(\.\d{1,4})?$/

/**
 * What a typed number can mean, in plain notation such as "1234.50". Empty if it isn't a number. A number such
 * as "1,234" has two readings: 1234, then 1.234.
 */
export function readingsOf(text: string): string[] {
  const [, sign = '', typed = ''] = /^(-?)(.*)$/s.exec(inAscii(text)) ?? []
  const [, start = '', mark = '', decimals = ''] = WITH_DECIMALS.exec(typed) ?? []
  const whole = wholeOf(typed)
  const beforeDecimals = start.includes(mark) ? undefined : wholeOf(start)
  return [
    ...(whole === undefined ? [] : [sign + whole]),
    ...(mark === '' || beforeDecimals === undefined ? [] : [`${sign}${beforeDecimals}.${decimals}`]),
  ]
}

/**
 * The number typed into a form. Returns any other text unchanged, and one with two readings too, so that the
 * schema can reject it with its own message.
 */
export function typedNumber(text: string): number | string {
  const [reading = '', ...others] = readingsOf(text)
  return others.length === 0 && SHORT.test(reading) ? Number(reading) : text
}

export function typedNumberOrNull(text: string): number | string | null {
  return text.trim() === '' ? null : typedNumber(text)
}

function wholeOf(text: string): string | undefined {
  if (WHOLE.test(text)) return text
  return GROUPED.test(text) ? text.replaceAll(/\D/g, '') : undefined
}

function inAscii(text: string): string {
  return MARKS.reduce((plain, [mark, ascii]) => plain.replaceAll(mark, ascii), text)
    .trim()
    .replaceAll(/\p{Nd}/gu, digitOf)
}

// Unicode lists the ten digits of a script in a row, from 0 to 9.
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}
