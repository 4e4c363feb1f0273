// Charges said along with a lesson: 'plus 12 dollars for the book'. An amount is one only if its currency and what
// it's for were said. The rest is then read without it, so that it isn't taken for the lesson's price.
import { hasDecimals } from '#kernel/currency.ts'
import { type Cents, centsOfText, type Currency, currencyOf } from '#kernel/money.ts'
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
  ['$', /^(?:\$|dollars?|bucks?)$/i],
  ['€', /^(?:€|euros?|eur)$/i],
  ['£', /^(?:£|pounds?|quid)$/i],
  ['¥', /^(?:¥|yen)$/i],
  ['₩', /^(?:₩|won)$/i],
]
const NUMBER = String.raw`\d[\d.,]*(?<=\d)`
const SIGN = '[$€£¥₩]'
const NAME = '(?:dollars?|bucks?|euros?|eur|pounds?|quid|yen|won)'
const WORD = `(?:${`${words.numbers.units} ${words.numbers.tens}`.replaceAll(' ', '|')}|hundred|a(?= hundred))`
const WORDS = String.raw`${WORD}(?:[ -](?:and )?${WORD}){0,4}`
const AMOUNT = String.raw`(?:(?<sign>${SIGN}) ?(?<signed>${NUMBER})|(?<plain>${NUMBER}|${WORDS}) ?(?<unit>${SIGN}|${NAME}\b)(?: and (?<cents>\d{1,2}|${WORDS}) cents)?)`
const MATERIALS =
  '(?:text|work|exercise |note|score ?)?books?|worksheets?|materials?|supplies|sheet music|scores?|copies|printouts?|calculator|flashcards'
const TRAVEL =
  'travel(?:l?ing)?|the drive|gas|petrol|parking|mileage|(?:bus|train|tram|taxi)(?: fare| tickets?)?'
const WHAT = String.raw`(?:the |a |an |her |his |their |my |our |some |new |two )*(?:[a-z]+ )?(?:(?<materials>${MATERIALS})|(?<travel>${TRAVEL}))`
/** What may follow. 'For the book report' isn't for a book. */
const END = String.raw`(?=\s*(?:[.,;:!?)\n]|$)|\s+(?:and|plus|with|yesterday|today|on|last|this)\b)`
const CHARGE = new RegExp(
  String.raw`(?:(?<=^|[\s,.;])(?:and )?(?<plus>plus|(?:an )?extra)|(?:^|[,.;]|(?<=\s)and(?=\s))(?: and)?)\s*${AMOUNT}(?: extra| more)? for (?<label>${WHAT})${END}`,
  'giu',
)
/** What was paid isn't owed, a credit is the opposite, and what's corrected or planned isn't certain. */
const DOUBT =
  /\b(?:pa(?:id|y|ys|ying)|bought|buys?|spent|gave|give|got|owes?|refund(?:ed)?|back|discount|off|includ(?:ed|es|ing)|already|not?|never|without|didn't|don't|won't|wasn't|if|would|will|maybe|might|or|about|around|wait|sorry|actually|instead|mean|scratch|cancel\w*|except|less|minus)\b/iu

/** The charges in a text, and the text without those. */
export function chargesIn(text: string): { charges: SpokenCharge[]; rest: string } {
  const charges: SpokenCharge[] = []
  const plain = text.replaceAll('’', "'").replaceAll(/[\u00a0\t ]+/g, ' ')
  const rest = plain.replaceAll(CHARGE, (said: string, ...found: unknown[]) => {
    const groups = found.at(-1) as Record<string, string | undefined>
    const charge = chargeOf(groups, isDoubted(plain, said))
    if (!charge) return said
    charges.push(charge)
    return /^\s*[.;]/.test(said) ? '.' : ''
  })
  return charges.length === 0 ? { charges, rest: text } : { charges, rest: tidy(rest) }
}

function tidy(text: string): string {
  return text
    .replaceAll(/\s+(?=[\s,.;])/g, '')
    .replaceAll(/([,.;])(?:\s*[,.;])+/g, '$1')
    .replaceAll(/^[\s,.;]+|[\s,;]+$/g, '')
}

function isDoubted(text: string, said: string): boolean {
  const sentences = text.split(/(?<=[.!?;\n])\s+/)
  const around = sentences.filter((sentence) => sentence.includes(said.trim()) || said.includes(sentence))
  return around.length === 0 || around.some((sentence) => DOUBT.test(sentence))
}

function chargeOf(groups: Record<string, string | undefined>, isDoubtful: boolean): SpokenCharge | undefined {
  const { plus, sign, signed, plain = '', unit: name, cents, materials, label = '' } = groups
  const unit = UNITS.find(([, pattern]) => pattern.test(sign ?? name ?? ''))?.[0]
  const amount = unit && amountOf(signed ?? plain, cents, currencyOf(CURRENCY_OF[unit]))
  if (!unit || !amount) return undefined
  return {
    amount,
    unit,
    reason: materials === undefined ? 'travel' : 'materials',
    label: label.replace(/^(?:(?:the|a|an|her|his|their|my|our|some) )+/i, ''),
    isSure: plus !== undefined && !isDoubtful,
  }
}

/** Undefined for a number that could mean two, such as 1,250, except in yen and won. */
function amountOf(whole: string, part: string | undefined, currency: Currency): Cents | undefined {
  const amount = centsOfText(digitsOf(whole) ?? '', currency)
  if (part !== undefined && !hasDecimals(currency)) return undefined
  if (part === undefined || amount === undefined) return amount || undefined
  const more = Number(digitsOf(part))
  return amount % 100 === 0 && more > 0 && more < 100 ? ((amount + more) as Cents) : undefined
}

function digitsOf(said: string): string | undefined {
  if (/^\d/.test(said)) return said
  const words = said.toLowerCase().split(/[ -]/)
  const number = numberAt(words, 0)
  return number && !number.isOrdinal && number.length === words.length ? String(number.value) : undefined
}
