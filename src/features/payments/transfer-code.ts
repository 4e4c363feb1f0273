// What's in the QR codes by which bank apps fill in a transfer. Pure; the fields were checked before (own-ways.ts).
import type { Cents, Currency } from '#kernel/money.ts'

/** What a code asks for; nothing if no amount is due, and then the payer's app asks. */
export interface Due {
  amount: Cents
  currency: Currency
}

export interface SepaAccount {
  holder: string
  iban: string
  bic: string | null
  message: string | null
}

/** The largest amount of both codes: 999,999,999.99. */
const MOST = 99_999_999_999
/** EPC069-12, section 2: at most 331 bytes, so that the symbol is no larger than version 13 with error correction M. */
export const MAX_SEPA_BYTES = 331

/** The European transfer code for euros: EPC069-12, version 002, UTF-8, a line per element; empty ones at the end are left off. */
export function sepaPayload({ holder, iban, bic, message }: SepaAccount, amount: Cents): string {
  const lines = [
    'BCD',
    '002',
    '1',
    'SCT',
    bic ?? '',
    holder,
    iban,
    amount > 0 ? `EUR${decimal(amount)}` : '',
    // Purpose and structured reference.
    '',
    '',
    message ?? '',
  ]
  return lines.join('\n').trimEnd()
}

export interface SwissAccount {
  holder: string
  street: string | null
  building: string | null
  postal_code: string
  town: string
  country: string
  iban: string
  reference: string | null
  message: string | null
}

/** The Swiss QR code: Swiss Implementation Guidelines QR-bill 2.3, section 4.2, with a structured address and no debtor. */
export function swissPayload(account: SwissAccount, { amount, currency }: Due): string {
  const lines = [
    'SPC',
    '0200',
    '1',
    account.iban,
    'S',
    account.holder,
    account.street ?? '',
    account.building ?? '',
    account.postal_code,
    account.town,
    account.country,
    // The ultimate creditor, which is reserved for later.
    ...Array<string>(7).fill(''),
    amount > 0 ? decimal(amount) : '',
    currency,
    // Who pays: the family's bank knows.
    ...Array<string>(7).fill(''),
    account.reference ? 'QRR' : 'NON',
    account.reference ?? '',
    account.message ?? '',
    'EPD',
  ]
  return lines.join('\n')
}

/** A UPI address: NPCI's UPI Linking Specifications 1.6, "upi://pay" with payee, name, amount and currency. */
export function upiPayload({ address, name }: { address: string; name: string }, amount: Cents): string {
  const fields = [
    ['pa', address],
    ['pn', name],
    ...(amount > 0 ? [['am', decimal(amount)]] : []),
    ['cu', 'INR'],
  ]
  // Apps read %20, and not every one a plus sign.
  return `upi://pay?${fields.map(([key, value = '']) => `${key}=${encodeURIComponent(value).replace('%40', '@')}`).join('&')}`
}

/** Whether an amount fits into the codes. */
export function fitsCode(amount: Cents): boolean {
  return amount <= MOST
}

function decimal(amount: Cents): string {
  return (amount / 100).toFixed(2)
}
