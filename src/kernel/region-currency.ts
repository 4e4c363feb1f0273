// The currency that people in a region use (ISO 4217 and 3166, November 2026), as a first guess. Only currencies an
// account can have.
import { type Currency, currencyOf } from './currency.ts'

const REGIONS: Record<string, string> = {
  AUD: 'AU KI NR TV',
  BRL: 'BR',
  CAD: 'CA',
  CHF: 'CH LI',
  CZK: 'CZ',
  DKK: 'DK FO GL',
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM VA XK YT',
  GBP: 'GB GG IM JE',
  HKD: 'HK',
  ILS: 'IL PS',
  INR: 'IN',
  JPY: 'JP',
  KRW: 'KR',
  MXN: 'MX',
  MYR: 'MY',
  NOK: 'NO SJ',
  NZD: 'CK NU NZ PN TK',
  PHP: 'PH',
  PLN: 'PL',
  RON: 'RO',
  SEK: 'SE',
  SGD: 'SG',
  THB: 'TH',
  TRY: 'TR',
  ZAR: 'ZA',
}

/** US dollars if we don't offer the region's own currency or don't know the region. */
export function currencyIn(region: string | null): Currency {
  const [code = 'USD'] =
    Object.entries(REGIONS).find(([, regions]) => region && regions.split(' ').includes(region)) ?? []
  return currencyOf(code)
}
