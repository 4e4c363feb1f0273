// Money as whole cents (decisions, section 3). A binary float never holds an amount.
import * as z from 'zod/mini'

/** Whole cents of the account's currency. */
export type Cents = number & { readonly unit: 'cents' }

/** The largest rate that is accepted: 10,000.00 an hour is far above any tutor and far below an integer column's limit. */
export const MAX_RATE: Cents = cents(1_000_000)

const DOLLARS = /^\d{1,9}(\.\d{1,2})?$/

/** Marks a whole number as cents; throws a RangeError for anything else. */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not whole cents: ${value}`)
  return value as Cents
}

/** Reads dollars with at most two decimals exactly, digit by digit; undefined when the text is no such amount. */
export function centsOfText(text: string): Cents | undefined {
  const plain = text.trim()
  if (!DOLLARS.test(plain)) return undefined
  const [whole = '0', fraction = ''] = plain.split('.')
  return cents(Number(whole) * 100 + Number(fraction.padEnd(2, '0')))
}

/** The number of dollars as it travels in JSON, for an amount in cents. */
export function dollars(amount: Cents): number {
  return amount / 100
}

/** The cents of a dollar number that came from our own server, where it has at most two decimals. */
export function centsOfDollars(amount: number): Cents {
  return cents(Math.round(amount * 100))
}

/** The price of a time at an hourly rate, rounded half up to a cent (decisions, section 3). */
export function priceOf(ratePerHour: Cents, minutes: number): Cents {
  return cents(Math.floor((ratePerHour * minutes * 2 + 60) / 120))
}

/** An amount in words of the screen: "$1,234.50". */
export function formatMoney(amount: Cents, currency = 'USD'): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100)
}

/** A rate on the wire: a number of dollars with at most two decimals, or the same as text; parsed to cents. */
export const Rate = z.pipe(
  z.union([z.number(), z.string()], { error: 'Enter an amount such as 45 or 45.50' }),
  z.transform((value, context): Cents => {
    const amount = centsOfText(String(value))
    if (amount !== undefined && amount <= MAX_RATE) return amount
    const message = String(value).trim().startsWith('-')
      ? 'The rate cannot be negative'
      : amount === undefined
        ? 'Enter an amount such as 45 or 45.50'
        : 'The rate can be at most $10,000 an hour'
    context.issues.push({ code: 'custom', message, input: value })
    return z.NEVER
  }),
)
