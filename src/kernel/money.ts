// Money is in whole cents (docs/product-decisions.md, section 3). No amount is calculated as a float or shown
// without its currency.
import * as z from 'zod/mini'
import { type Currency, hasDecimals } from './currency.ts'
import { reader } from './reader.ts'
import { readingsOf } from './typed-number.ts'

export { Currency, currencyOf } from './currency.ts'

/** Whole cents. The currency is stored next to the amount. */
export type Cents = number & { readonly unit: 'cents' }

/**
 * The highest rate we accept. 500,000.00 an hour is far above any tutor's rate, also in won, and a day at that rate is
 * below what an integer column can store.
 */
export const MAX_RATE: Cents = cents(50_000_000)
/** The highest amount of a payment or charge, likewise. */
export const MAX_AMOUNT: Cents = cents(2_000_000_000)

/** Digits, and decimals that say nothing: 3000 and 3000.00. */
const WHOLE = /^-?\d+(?:\.0{1,2})?$/
const DOLLARS = /^(\d+)(?:\.(\d{1,2}))?$/
/** Far above any limit, and far below the largest number of cents that can be represented exactly. */
const MOST_DIGITS = 9

/** Marks a whole number as cents. Throws a RangeError for any other number. */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not whole cents: ${value}`)
  return value as Cents
}

/**
 * Parses a typed amount with at most two decimals, digit by digit, so nothing is rounded. Returns undefined for
 * any other text, for one that could mean two amounts, for decimals that its currency doesn't have, and for a
 * billion or more.
 */
export function centsOfText(text: string, currency: Currency): Cents | undefined {
  const typed = amountAsTyped(text, currency)
  const [reading = '', ...others] = 'amount' in typed ? readingsOf(typed.amount) : []
  return others.length === 0 ? centsOfReading(reading) : undefined
}

/**
 * What someone typed as an amount, or why it can't be one in this currency. Without decimals, "1,234" isn't doubtful,
 * so it becomes "1234"; anything else stays as it was typed, and its schema says what's wrong with it.
 */
export function amountAsTyped(text: string, currency: Currency): { amount: string } | { problem: string } {
  if (hasDecimals(currency)) return { amount: text }
  const readings = readingsOf(text)
  const whole = readings.find((reading) => WHOLE.test(reading))
  if (whole !== undefined) return { amount: whole.replace(/\..*/, '') }
  if (readings.length > 0) return { problem: noDecimals(currency) }
  return text.trim() === '' ? { amount: text } : { problem: NOT_A_WHOLE_AMOUNT }
}

/** Why an amount with decimals is refused. */
export function noDecimals(currency: Currency): string {
  return `${currency} has no decimals. ${NOT_A_WHOLE_AMOUNT}`
}

/** What an amount's schema says about a text, in words that fit the currency. */
export function amountProblem(message: string, currency: Currency): string {
  return message === NOT_AN_AMOUNT && !hasDecimals(currency) ? NOT_A_WHOLE_AMOUNT : message
}

/**
 * The two amounts that a text such as "1,234" can mean: with thousands, and with decimals, of which the third
 * is dropped. Undefined if it's clear.
 */
export function twoAmountsOf(text: string): [Cents, Cents] | undefined {
  const [whole, decimal] = readingsOf(text)
  if (whole === undefined || decimal === undefined) return undefined
  const both = [centsOfReading(whole), centsOfReading(decimal.slice(0, -1))]
  return both[0] === undefined || both[1] === undefined ? undefined : [both[0], both[1]]
}

function centsOfReading(reading: string): Cents | undefined {
  const [, whole = '', decimals = ''] = DOLLARS.exec(reading) ?? []
  if (whole === '' || whole.length > MOST_DIGITS) return undefined
  return cents(Number(whole) * 100 + Number(decimals.padEnd(2, '0')))
}

/** Converts cents to dollars, the unit in JSON. */
export function dollars(amount: Cents): number {
  return amount / 100
}

/** Converts a dollar amount from our API, which has at most two decimals, to cents. */
export function centsOfDollars(amount: number): Cents {
  return cents(Math.round(amount * 100))
}

/** A currency's smallest amount: a cent, or 1.00 for those without decimals. */
export function leastAmountOf(currency: Currency): Cents {
  return cents(hasDecimals(currency) ? 1 : 100)
}

/**
 * The price of a duration at a price for a stated one, an hour if none is stated, rounded half up to the currency's
 * smallest amount (docs/product-decisions.md, section 3). The database does the same in price_of.
 */
export function priceOf(price: Cents, minutes: number, currency: Currency, statedMinutes = 60): Cents {
  return partOf(price, minutes, statedMinutes, currency)
}

/** Some parts of an amount out of a whole number of them, rounded half up to the currency's smallest amount. */
export function partOf(amount: Cents, parts: number, of: number, currency: Currency): Cents {
  const least = leastAmountOf(currency)
  const whole = of * least
  return cents(Math.floor((amount * parts * 2 + whole) / (2 * whole)) * least)
}

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const { locale } = reader()
  const key = locale + JSON.stringify(options)
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  formats.set(key, format)
  return format
}

function inCurrencyOf(currency: Currency): Intl.NumberFormat {
  const digits = decimalsOf(currency)
  return formatOf({
    style: 'currency',
    currency,
    // British English says JP¥, but of the currencies that we offer, only yen have this sign.
    ...(currency === 'JPY' && { currencyDisplay: 'narrowSymbol' }),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

function decimalsOf(currency: Currency): 0 | 2 {
  return hasDecimals(currency) ? 2 : 0
}

/** Formats cents for their reader, like "$1,234.50" or "€45.00", and "¥1,234" in a currency without decimals. */
export function formatMoney(amount: Cents, currency: Currency): string {
  // Negative zero would show up as "-$0.00".
  return inCurrencyOf(currency).format(amount === 0 ? 0 : amount / 100)
}

/** Formats an amount from JSON, which is in dollars, for display. */
export function formatAmount(amount: number, currency: Currency): string {
  return formatMoney(centsOfDollars(amount), currency)
}

/** Formats cents without a currency, for a field whose label names it: "1,234.50". */
export function formatPlainAmount(amount: Cents): string {
  return formatOf({ minimumFractionDigits: 2 }).format(amount / 100)
}

/** An amount from JSON in plain digits, for fields, files and other programs: "45.50", or "4500" without decimals. */
export function amountInDigits(amount: number, currency: Currency): string {
  return amount.toFixed(decimalsOf(currency))
}

/** The same for a field's first value, which is empty if there's no amount. */
export function amountInField(amount: number | null | undefined, currency: Currency): string {
  return amount === null || amount === undefined ? '' : amountInDigits(amount, currency)
}

/** Converts cents to the currency's smallest unit, as payment providers count it: cents for dollars, yen for yen. */
export function smallestUnits(amount: Cents, currency: Currency): number {
  return amount / leastAmountOf(currency)
}

/** Converts an amount in its currency's smallest unit to cents. */
export function centsOfSmallest(amount: number, currency: Currency): Cents {
  return cents(amount * leastAmountOf(currency))
}

/** The symbol shown with an amount: "$", "€", or the currency's code if it doesn't have a symbol. */
function symbolOf(currency: Currency): string {
  return symbolIn(inCurrencyOf(currency))
}

/** The symbol used within the currency's own country: "$" for every dollar, "kr" for every krone. */
export function narrowSymbolOf(currency: Currency): string {
  return symbolIn(formatOf({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' }))
}

function symbolIn(format: Intl.NumberFormat): string {
  return format
    .formatToParts(0)
    .filter(({ type }) => type === 'currency')
    .map(({ value }) => value)
    .join('')
}

/**
 * Replaces "$" with the currency's symbol in a label whose wording is fixed by docs/product.md
 * (docs/product-decisions.md, section 13).
 */
export function inCurrency(label: string, currency: Currency): string {
  return label.replaceAll('$', () => symbolOf(currency))
}

const NOT_AN_AMOUNT = 'Enter an amount such as 45 or 45.50'
const NOT_A_WHOLE_AMOUNT = 'Enter a whole amount such as 4500'

/** Asks which of two amounts was meant: "Is that 1,234.00 or 1.23?" */
export function whichAmount([one, other]: [Cents, Cents]): string {
  return `Is that ${formatPlainAmount(one)} or ${formatPlainAmount(other)}?`
}

/** Schema for an amount: dollars with at most two decimals, as a number or as typed text. Parses to cents. */
export function amountUpTo(most: Cents, { negative, tooLarge }: { negative: string; tooLarge: string }) {
  return z.pipe(
    z.union([z.number(), z.string()], { error: NOT_AN_AMOUNT }),
    z.transform((value, context): Cents => {
      const readings = typeof value === 'number' ? [String(value)] : readingsOf(value)
      const amount = readings.length === 1 ? centsOfReading(readings[0] ?? '') : undefined
      if (amount !== undefined && amount <= most) return amount
      context.issues.push({ code: 'custom', message: problemWith(readings, String(value)), input: value })
      return z.NEVER
    }),
  )

  function problemWith([reading = '', ...others]: string[], text: string): string {
    if (reading.startsWith('-')) return negative
    if (others.length === 0) return DOLLARS.test(reading) ? tooLarge : NOT_AN_AMOUNT
    const both = twoAmountsOf(text)
    return both && both[0] <= most ? whichAmount(both) : NOT_AN_AMOUNT
  }
}

export const Rate = amountUpTo(MAX_RATE, {
  negative: "The rate can't be negative",
  tooLarge: 'The rate can be at most 500,000 an hour',
})
