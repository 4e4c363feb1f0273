// Numbers as people say them: 'a hundred and five', 'twenty third', 'one point five'.
import words from './reading/words.json' with { type: 'json' }

interface SpokenNumber {
  value: number
  isOrdinal: boolean
  /** How many words the number takes up. */
  length: number
}

const UNITS = words.numbers.units.split(' ')
const TENS = words.numbers.tens.split(' ')
const ORDINALS = words.numbers.ordinals.split(' ')

const SMALL = new Map(UNITS.map((word, value) => [word, value]))
const TEN = new Map([...TENS.map((word, index): [string, number] => [word, index * 10 + 20]), ['fourty', 40]])
const ORDINAL = new Map([
  ...ORDINALS.map((word, value): [string, number] => [word, value]),
  ...TENS.map((word, index): [string, number] => [word.replace(/y$/, 'ieth'), index * 10 + 20]),
  ['ninteenth', 19],
  ['twelth', 12],
])

/**
 * The number that starts at the given word, including all the words that are part of it; undefined if there
 * isn't one. Words have to be lowercase.
 */
export function numberAt(words: readonly string[], index: number): SpokenNumber | undefined {
  const word = words[index] ?? ''
  const digits = /^(\d[\d,]*(?:\.\d+)?|\.\d+)(st|nd|rd|th)?$/.exec(word)
  if (digits) {
    const value = Number(digits[1]?.replaceAll(',', ''))
    if (digits[2]) return { value, isOrdinal: true, length: 1 }
    return words[index + 1] === 'hundred' && value < 100
      ? withRest(words, index, value * 100, 2)
      : { value, isOrdinal: false, length: 1 }
  }
  const ordinal = ORDINAL.get(word)
  if (ordinal !== undefined) return { value: ordinal, isOrdinal: true, length: 1 }
  if (word === 'point') return decimals(words, index, 0, 0)
  const article = (word === 'a' || word === 'an') && /^(hundred|thousand)$/.test(words[index + 1] ?? '')
  const small = article ? { value: 1, isOrdinal: false, length: 1 } : belowHundred(words, index)
  const start = word === 'hundred' ? { value: 1, isOrdinal: false, length: 0 } : small
  if (!start || start.isOrdinal) return start
  const after = words[index + start.length]
  if (after === 'hundred') return withRest(words, index, start.value * 100, start.length + 1)
  if (after === 'thousand') return withRest(words, index, start.value * 1000, start.length + 1)
  return after === 'point' ? decimals(words, index, start.value, start.length) : start
}

function belowHundred(words: readonly string[], index: number): SpokenNumber | undefined {
  const word = words[index] ?? ''
  const small = SMALL.get(word)
  if (small !== undefined) return { value: small, isOrdinal: false, length: 1 }
  const ten = TEN.get(word)
  if (ten === undefined) return undefined
  const next = words[index + 1] ?? ''
  const unit = SMALL.get(next)
  if (unit !== undefined && unit > 0 && unit < 10) return { value: ten + unit, isOrdinal: false, length: 2 }
  const last = ORDINAL.get(next)
  return last !== undefined && last > 0 && last < 10
    ? { value: ten + last, isOrdinal: true, length: 2 }
    : { value: ten, isOrdinal: false, length: 1 }
}

function withRest(words: readonly string[], index: number, value: number, length: number): SpokenNumber {
  const joined = words[index + length] === 'and' ? length + 1 : length
  const rest = belowHundred(words, index + joined)
  if (value >= 1000 && words[index + length + (rest?.length ?? 1)] === 'hundred') {
    const hundreds = numberAt(words, index + length)
    if (hundreds)
      return {
        value: value + hundreds.value,
        isOrdinal: hundreds.isOrdinal,
        length: length + hundreds.length,
      }
  }
  return rest && rest.value > 0
    ? { value: value + rest.value, isOrdinal: rest.isOrdinal, length: joined + rest.length }
    : { value, isOrdinal: false, length }
}

function decimals(
  words: readonly string[],
  index: number,
  whole: number,
  length: number,
): SpokenNumber | undefined {
  let text = ''
  let used = length + 1
  for (
    let part = belowHundred(words, index + used);
    part && !part.isOrdinal && text.length < 2;
    part = belowHundred(words, index + used)
  ) {
    text += String(part.value)
    used += part.length
  }
  if (text !== '') return { value: Number(`${whole}.${text}`), isOrdinal: false, length: used }
  return length === 0 ? undefined : { value: whole, isOrdinal: false, length }
}
