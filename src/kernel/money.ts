// Money is in whole cents (decisions, section 3). No amount is calculated as a float or shown without its
// currency.
import * as z from 'zod/mini'
import type { Currency } from './currency.ts'

export { Currency, currencyOf } from './currency.ts'

/** Whole cents. The currency is stored next to the amount. */
export type Cents = number & { readonly unit: 'cents' }

/**
 * The highest rate we accept. 10,000.00 an hour is far above any tutor's rate, and far below what an integer
 * column can store.
 */
export const MAX_RATE: Cents = cents(1_000_000)

const DOLLARS = /^\d{1,9}(\.\d{1,2})?$/

/** Marks a whole number as cents. Throws a RangeError for any other number. */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not whole cents: ${value}`)
  return value as Cents
}

/** Parses a dollar amount with at most two decimals, without rounding. Undefined for any other text. */
export function centsOfText(text: string): Cents | undefined {
  const plain = text.trim()
  if (!DOLLARS.test(plain)) return undefined
  const [whole = '0', fraction = ''] = plain.split('.')
  return cents(Number(whole) * 100 + Number(fraction.padEnd(2, '0')))
}

/** Converts cents to dollars, the unit in JSON. */
export function dollars(amount: Cents): number {
  return amount / 100
}

/** Converts a dollar amount from our API, which has at most two decimals, to cents. */
export function centsOfDollars(amount: number): Cents {
  return cents(Math.round(amount * 100))
}

/** The price of a duration at an hourly rate, rounded half up to a cent (decisions, section 3). */
export function priceOf(ratePerHour: Cents, minutes: number): Cents {
  return cents(Math.floor((ratePerHour * minutes * 2 + 60) / 120))
}

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: Currency, digits?: number): Intl.NumberFormat {
  const key = `${currency} ${digits}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  formats.set(key, made)
  return made
}

/**
 * Formats cents for display, like "$1,234.50" or "€45.00". There are always two decimals, because we store
 * cents in every currency.
 */
export function formatMoney(amount: Cents, currency: Currency): string {
  // Negative zero would show up as "-$0.00".
  return formatOf(currency, 2).format(amount === 0 ? 0 : amount / 100)
}

/** Formats an amount from JSON, which is in dollars, for display. */
export function formatAmount(amount: number, currency: Currency): string {
  return formatMoney(centsOfDollars(amount), currency)
}

/**
 * Formats the payment provider's price with the number of decimals that its currency has, like "$6.00" or
 * "¥900".
 */
export function formatPrice(amount: number, currency: Currency): string {
  return formatOf(currency).format(amount)
}

/** The number of decimals a currency has: 2 for dollars, 0 for yen (ISO 4217). */
export function decimalsOf(currency: Currency): number {
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2
}

/** The symbol shown with an amount: "$", "€", or the currency's code if it doesn't have a symbol. */
export function symbolOf(currency: Currency): string {
  return formatOf(currency)
    .formatToParts(0)
    .filter(({ type }) => type === 'currency')
    .map(({ value }) => value)
    .join('')
}

/**
 * Puts the currency's symbol in place of "$" in a label whose wording is fixed by product.md (decisions,
 * section 13).
 */
export function inCurrency(label: string, currency: Currency): string {
  return label.replaceAll('$', () => symbolOf(currency))
}

/** The schema for a rate: dollars with at most two decimals, as a number or text. Parses to cents. */
export const Rate = z.pipe(
  z.union([z.number(), z.string()], { error: 'Enter an amount such as 45 or 45.50' }),
  z.transform((value, context): Cents => {
    const amount = centsOfText(String(value))
    if (amount !== undefined && amount <= MAX_RATE) return amount
    const message = String(value).trim().startsWith('-')
      ? "The rate can't be negative"
      : amount === undefined
        ? 'Enter an amount such as 45 or 45.50'
        : 'The rate can be at most 10,000 an hour'
    context.issues.push({ code: 'custom', message, input: value })
    return z.NEVER
  }),
)
