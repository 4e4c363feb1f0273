// Amounts in yen and won are a hundred times those in dollars, which the reader has learned. It's told "30 dollars"
// for ¥3,000, and what it reads is taken back.
import { hasDecimals } from '#kernel/currency.ts'
import { cents, centsOfText, type Currency, dollars, leastAmountOf } from '#kernel/money.ts'
import type { ReadingInput } from './reading/candidates.ts'
import type { Reading } from './reading/read.ts'

const NUMBER = String.raw`\d[\d.,]*(?<=\d)`
const OTHER = /[$€£]|\b(?:dollars?|bucks?|euros?|pounds?|quid)\b/i
/** With the currency's sign or name, or for an hour. */
const AMOUNT = new RegExp(
  String.raw`[¥￥₩￦] ?(?<signed>${NUMBER})|(?<![\d.,])(?<plain>${NUMBER})(?: ?(?:yen\b|円|won\b|원)|(?= ?(?:an|per|a) hour\b))`,
  'giu',
)

/** What the reader is told, by how much less its amounts are, and the words it was told others for. */
export function told(
  currency: Currency,
  input: ReadingInput,
): { input: ReadingInput; by: number; said: Map<string, string> } {
  if (hasDecimals(currency) || OTHER.test(input.transcript)) return { input, by: 1, said: new Map() }
  const by = leastAmountOf(currency)
  const said = new Map<string, string>()
  const transcript = input.transcript.replaceAll(AMOUNT, (words: string, ...found: unknown[]) => {
    const { signed, plain = '' } = found.at(-1) as Record<string, string | undefined>
    const amount = centsOfText(signed ?? plain, currency)
    if (amount === undefined) return words
    const dollarsTold = `${dollars(amount) / by} dollars`
    said.set(dollarsTold, words)
    return dollarsTold
  })
  // Amounts in words, in pesos, or 'quince lucas', are read as they are.
  if (said.size === 0) return { input, by: 1, said }
  const tutors = input.tutors.map((one) => ({ ...one, rate: one.rate && cents(Math.round(one.rate / by)) }))
  return { input: { ...input, transcript, tutors }, by, said }
}

/** Reads a text with amounts in a currency. */
export function readIn(
  currency: Currency,
  typed: ReadingInput,
  read: (input: ReadingInput) => Reading,
): Reading {
  const { input, by, said } = told(currency, typed)
  const reading = read(input)
  const asSaid = (text: string | null) =>
    text && [...said].reduce((all, [dollarsTold, words]) => all.replaceAll(dollarsTold, () => words), text)
  return {
    ...reading,
    unread: asSaid(reading.unread),
    paid: reading.paid && cents(reading.paid * by),
    sessions: reading.sessions.map((session) => ({
      ...session,
      notes: asSaid(session.notes),
      rate: session.rate === null ? null : cents(session.rate * by),
    })),
  }
}
