// Currency codes. They're kept out of money.ts so that pages without amounts don't have to load the
// formatting code.
import * as z from 'zod/mini'

const CODE = /^[A-Z]{3}$/

/** Currencies without decimals (ISO 4217). The database has the same list in least_amount, which a test compares. */
export const WITHOUT_DECIMALS: readonly string[] =
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')

export const Currency = z.string().check(z.regex(CODE, 'Enter a currency such as USD')).brand<'Currency'>()
export type Currency = z.output<typeof Currency>

/** Checks an ISO 4217 code. Throws a RangeError unless it's three capital letters. */
export function currencyOf(code: string): Currency {
  if (!CODE.test(code)) throw new RangeError(`not a currency: ${code}`)
  return code as Currency
}

export function hasDecimals(currency: Currency): boolean {
  return !WITHOUT_DECIMALS.includes(currency)
}
