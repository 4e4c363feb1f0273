// Charges said along with a lesson: 'plus 12 dollars for the book'. An amount is one only if its currency and what
// it's for were said. The rest is then read without it, so that it isn't taken for the lesson's price.
import { hasDecimals } from '#kernel/currency.ts'
import { type Cents, centsOfText, type Currency, currencyOf } from '#kernel/money.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import charges from './charges.json' with { type: 'json' }
import { OVER_ENGLISH } from './reading/language.ts'
import words from './reading/words.json' with { type: 'json' }
import { CURRENCY_OF, type SaidUnit } from './voice.ts'
import { numberAt } from './spoken-number.ts'

export interface SpokenCharge {
  amount: Cents
  /** What was said, as a symbol: several currencies are called dollars. */
  unit: SaidUnit
  reason: 'materials' | 'travel'
  /** What it's for, as it was said. */
  label: string
  /** False if other words leave open whether it's owed. It's then asked about, and not filled in. */
  isSure: boolean
}

const UNITS: [SpokenCharge['unit'], RegExp][] = [
  ['$', /^(?:\$|dollars?|bucks?|d[oó]lar(?:es)?|pesos?|varos?)$/i],
  ['€', /^(?:€|euros?|eur)$/i],
  ['£', /^(?:£|pounds?|quid|libras?)$/i],
  ['¥', /^(?:¥|yen)$/i],
  ['₩', /^(?:₩|won)$/i],
]
const NUMBER = String.raw`\d[\d.,]*(?<=\d)`
const SIGN = '[$€£¥₩]'
/** A word's edges, also beside an accented letter. */
const [START, STOP] = [String.raw`(?<![\p{L}\d])`, String.raw`(?![\p{L}\d])`]

interface Tongue {
  /** What's said as a number, in the reader's words. */
  meant: ReadonlyMap<string, string>
  charge: RegExp
  /** What was paid isn't owed, a credit is the opposite, and what's corrected or planned isn't certain. */
  doubt: RegExp
  /** What comes before a label and isn't part of it. */
  its: RegExp
}

/** How charges are said in a language. 'For the book report' isn't for a book. */
function tongue(said: (typeof charges)['en'], numbers: string[], meant: Tongue['meant']): Tongue {
  const word = `(?:${numbers.join('|')}|${said.numbers})`
  const words = `${word}(?:[ -](?:${said.and} )?${word}){0,4}`
  const cents = said.cents.replace('{words}', words)
  const amount = String.raw`(?:(?<sign>${SIGN}) ?(?<signed>${NUMBER})|(?<plain>${NUMBER}|${words}) ?(?<unit>${SIGN}|(?:${said.units})${STOP})(?: ${cents})?)`
  const before = said.before && `(?:${said.before} )?`
  const what = `(?:(?:${said.its}) )*${before}(?:(?<materials>${said.materials})|(?<travel>${said.travel}))`
  const end = String.raw`(?=\s*(?:[.,;:!?)\n]|$)|\s+(?:${said.follows})${STOP})`
  return {
    meant,
    charge: new RegExp(
      String.raw`(?:(?<=^|[\s,.;])(?:${said.and} )?(?<plus>${said.plus})|(?:^|[,.;]|(?<=\s)${said.and}(?=\s))(?: ${said.and})?)\s*${amount}(?: (?:${said.more}))? (?:${said.for}) (?<label>${what})${end}`,
      'giu',
    ),
    doubt: new RegExp(`${START}(?:${said.doubt})${STOP}`, 'iu'),
    its: new RegExp(`^(?:(?:${said.its}) )+`, 'i'),
  }
}

const IN_ENGLISH = `${words.numbers.units} ${words.numbers.tens}`.split(' ')
const TONGUES = [
  tongue(charges.en, IN_ENGLISH, new Map()),
  ...OVER_ENGLISH.map(({ name, meant }) =>
    tongue(
      charges[name],
      [...meant].flatMap(([word, number]) => (/^\d+$/.test(number) ? word : [])),
      meant,
    ),
  ),
]

/** The charges in a text, and the text without those. */
export function chargesIn(text: string): { charges: SpokenCharge[]; rest: string } {
  const found: SpokenCharge[] = []
  const plain = text.replaceAll('’', "'").replaceAll(/[\u00a0\t ]+/g, ' ')
  let rest = plain
  for (const said of TONGUES)
    rest = rest.replaceAll(said.charge, (words: string, ...groups: unknown[]) => {
      const one = groups.at(-1) as Record<string, string | undefined>
      const charge = chargeOf(one, said, isDoubted(plain, words, said.doubt))
      if (!charge) return words
      found.push(charge)
      return /^\s*[.;]/.test(words) ? '.' : ''
    })
  return found.length === 0 ? { charges: found, rest: text } : { charges: found, rest: tidy(rest) }
}

function tidy(text: string): string {
  return text
    .replaceAll(/\s+(?=[\s,.;])/g, '')
    .replaceAll(/([,.;])(?:\s*[,.;])+/g, '$1')
    .replaceAll(/^[\s,.;]+|[\s,;]+$/g, '')
}

function isDoubted(text: string, said: string, doubt: RegExp): boolean {
  const sentences = text.split(/(?<=[.!?;\n])\s+/)
  const around = sentences.filter((sentence) => sentence.includes(said.trim()) || said.includes(sentence))
  return around.length === 0 || around.some((sentence) => doubt.test(sentence))
}

function chargeOf(
  groups: Record<string, string | undefined>,
  { meant, its }: Tongue,
  isDoubtful: boolean,
): SpokenCharge | undefined {
  const { plus, sign, signed, plain = '', unit: name, cents, materials, label = '' } = groups
  const unit = UNITS.find(([, pattern]) => pattern.test(sign ?? name ?? ''))?.[0]
  const amount = unit && amountOf(signed ?? plain, cents, currencyOf(CURRENCY_OF[unit]), meant)
  if (!unit || !amount) return undefined
  return {
    amount,
    unit,
    reason: materials === undefined ? 'travel' : 'materials',
    label: label.replace(its, ''),
    isSure: plus !== undefined && !isDoubtful,
  }
}

/** Undefined for a number that could mean two, such as 1,250, except in yen and won. */
function amountOf(
  whole: string,
  part: string | undefined,
  currency: Currency,
  meant: Tongue['meant'],
): Cents | undefined {
  const amount = centsOfText(digitsOf(whole, meant) ?? '', currency)
  if (part !== undefined && !hasDecimals(currency)) return undefined
  if (part === undefined || amount === undefined) return amount || undefined
  const more = Number(digitsOf(part, meant))
  return amount % 100 === 0 && more > 0 && more < 100 ? ((amount + more) as Cents) : undefined
}

function digitsOf(said: string, meant: Tongue['meant']): string | undefined {
  if (/^\d/.test(said)) return said
  const words = said.split(/[ -]/).map((word) => meant.get(plainSpelling(word)) ?? word.toLowerCase())
  const number = numberAt(words, 0, meant.size > 0)
  return number && !number.isOrdinal && number.length === words.length ? String(number.value) : undefined
}
