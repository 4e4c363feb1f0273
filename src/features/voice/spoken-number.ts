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
const tens = (names: string[]): [string, number][] => names.map((word, index) => [word, index * 10 + 20])

const VALUE = new Map([
  ...UNITS.map((word, value): [string, number] => [word, value]),
  ...tens(TENS),
  ['fourty', 40],
])
const ORDINAL = new Map([
  ...words.numbers.ordinals.split(' ').map((word, value): [string, number] => [word, value]),
  ...tens(TENS.map((word) => word.replace(/y$/, 'ieth'))),
  ['ninteenth', 19],
  ['twelth', 12],
])

/** A word that is a number itself, in words or digits. */
function part(word: string): { value: number; isOrdinal: boolean } | undefined {
  const digits = /^(\d[\d,]*(?:\.\d+)?|\.\d+)(st|nd|rd|th)?$/.exec(word)
  if (digits) return { value: Number(digits[1]?.replaceAll(',', '')), isOrdinal: digits[2] !== undefined }
  const [value, ordinal] = [VALUE.get(word), ORDINAL.get(word)]
  if (ordinal !== undefined) return { value: ordinal, isOrdinal: true }
  return value === undefined ? undefined : { value, isOrdinal: false }
}

/** What a number that follows has to be below: in 'a hundred and five' a hundred, in 'twenty five' ten. */
function room(value: number): number {
  if (value % 100 === 0) return value % 1000 === 0 ? 1000 : 100
  return value % 10 === 0 && value % 100 >= 20 ? 10 : 1
}

/** A number with the next word, if that's part of it: 'two' and 'hundred', 'twenty' and 'five'. */
function grown(value: number | undefined, word: string): { value: number; isOrdinal: boolean } | undefined {
  const large = { hundred: 100, thousand: 1000 }[word]
  const [so, rest] = [value ?? 1, (value ?? 1) % 1000]
  if (large !== undefined) {
    const isMultiplied = rest > 0 && rest < large && (large === 100 || so < 1000)
    return isMultiplied ? { value: so - rest + rest * large, isOrdinal: false } : undefined
  }
  const next = part(word)
  if (!next || value === undefined) return next
  const isMore = next.value > 0 && next.value < room(value)
  return isMore ? { value: value + next.value, isOrdinal: next.isOrdinal } : undefined
}

/**
 * The number that starts at the given word, including all the words that are part of it; undefined if there
 * isn't one. Words have to be lowercase.
 * @param joinsTens whether thirty five is 'thirty and five'
 */
export function numberAt(
  words: readonly string[],
  index: number,
  joinsTens = false,
): SpokenNumber | undefined {
  const isAnd = (at: number, value: number): boolean =>
    words[at] === 'and' && room(value) >= (joinsTens ? 10 : 100)
  const isArticle = (at: number): boolean =>
    /^an?$/.test(words[at] ?? '') && /^(hundred|thousand)$/.test(words[at + 1] ?? '')
  let value: number | undefined
  let [isOrdinal, at] = [false, index]
  while (!isOrdinal) {
    const skipped = Number(value === undefined ? isArticle(at) : isAnd(at, value))
    const more = grown(value, words[at + skipped] ?? '')
    if (!more) break
    value = more.value
    isOrdinal = more.isOrdinal
    at += skipped + 1
  }
  if (words[at] === 'point' && !isOrdinal) return decimals(words, index, value, at - index + 1)
  return value === undefined ? undefined : { value, isOrdinal, length: at - index }
}

function decimals(
  words: readonly string[],
  index: number,
  whole: number | undefined,
  length: number,
): SpokenNumber | undefined {
  let text = ''
  let used = length
  while (text.length < 2) {
    const more = numberAt(words.slice(index + used, index + used + 2), 0)
    if (!more || more.isOrdinal) break
    text += String(more.value)
    used += more.length
  }
  if (text !== '') return { value: Number(`${whole ?? 0}.${text}`), isOrdinal: false, length: used }
  return whole === undefined ? undefined : { value: whole, isOrdinal: false, length: length - 1 }
}
