// The content of the QR codes that fill in a transfer in a banking app. Pure functions; own-ways.ts has
// already validated the fields.
import type { Cents, Currency } from '#kernel/money.ts'

/** The amount to put in a QR code. If nothing is due, it's 0, and the payer's app asks for an amount. */
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

/** The largest amount that either of the two bank codes allows: 999,999,999.99. */
const MOST = 99_999_999_999
/**
 * EPC069-12, section 2: at most 331 bytes, so that the symbol is at most version 13 with error correction
 * level M.
 */
export const MAX_SEPA_BYTES = 331

/**
 * The European QR code for transfers in euros: EPC069-12, version 002, UTF-8, one line per element, without
 * trailing empty elements.
 */
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
    // Purpose and structured reference, both left empty.
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
    // The ultimate creditor, which is reserved for future use and left empty.
    ...Array<string>(7).fill(''),
    amount > 0 ? decimal(amount) : '',
    currency,
    // The debtor, left empty because the family's banking app fills it in.
    ...Array<string>(7).fill(''),
    account.reference ? 'QRR' : 'NON',
    account.reference ?? '',
    account.message ?? '',
    'EPD',
  ]
  return lines.join('\n')
}

/** A UPI link: NPCI's UPI Linking Specifications 1.6, "upi://pay" with payee, name, amount and currency. */
export function upiPayload({ address, name }: { address: string; name: string }, amount: Cents): string {
  const fields = [
    ['pa', address],
    ['pn', name],
    ...(amount > 0 ? [['am', decimal(amount)]] : []),
    ['cu', 'INR'],
  ]
  // Every app decodes %20, but some don't decode a plus sign as a space.
  return `upi://pay?${fields.map(([key, value = '']) => `${key}=${encodeURIComponent(value).replace('%40', '@')}`).join('&')}`
}

/** Whether the codes allow this amount. */
export function fitsCode(amount: Cents): boolean {
  return amount <= MOST
}

function decimal(amount: Cents): string {
  return (amount / 100).toFixed(2)
}
