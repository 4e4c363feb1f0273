// What's in the QR codes that fill in a transfer in a banking app. Pure functions; own-ways.ts has already
// validated the fields.
import { type Cents, cents, type Currency } from '#kernel/money.ts'

/** The amount for a QR code: 0 if nothing is due, in which case the payer's app asks for an amount. */
export interface Due {
  amount: Cents
  currency: Currency
  /** What the payee recognizes the payment by. */
  reference?: string | null
}

/** The most characters that either of the two bank codes allows for a message. */
const MAX_MESSAGE = 140

/** The message of a transfer: the payee's own with the reference or, if both are too long, the reference. */
export function messageOf(
  { message }: { message: string | null },
  reference: string | null | undefined,
  fits: (message: string) => boolean = () => true,
): string | null {
  if (!reference) return message
  const both = message ? `${message} ${reference}` : reference
  return both.length <= MAX_MESSAGE && fits(both) ? both : reference
}

/** Whether the European code has room for this account. */
export function fitsSepa(account: SepaAccount): boolean {
  return new TextEncoder().encode(sepaPayload(account, cents(MOST))).length <= MAX_SEPA_BYTES
}

interface SepaAccount {
  holder: string
  iban: string
  bic: string | null
  message: string | null
}

/** The most that either of the two bank codes allows: 999,999,999.99. */
const MOST = 99_999_999_999
/**
 * EPC069-12, section 2: at most 331 bytes, so that a version 13 symbol with error correction level M is
 * enough.
 */
export const MAX_SEPA_BYTES = 331

/**
 * The European QR code for transfers in euros: EPC069-12, version 002, in UTF-8, with one line per element
 * and no empty elements at the end.
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
    // The purpose and the structured reference, both left empty.
    '',
    '',
    message ?? '',
  ]
  return lines.join('\n').trimEnd()
}

interface SwissAccount {
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

/**
 * The Swiss QR code: Swiss Implementation Guidelines QR-bill 2.3, section 4.2. It has a structured address
 * and no debtor.
 */
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
    // The ultimate creditor. It's reserved for future use and has to be empty.
    ...Array<string>(7).fill(''),
    amount > 0 ? decimal(amount) : '',
    currency,
    // The debtor. It's left empty, because the family's banking app fills it in.
    ...Array<string>(7).fill(''),
    account.reference ? 'QRR' : 'NON',
    account.reference ?? '',
    account.message ?? '',
    'EPD',
  ]
  return lines.join('\n')
}

/** A UPI link: NPCI's UPI Linking Specifications 1.6, "upi://pay" with payee, name, amount and currency. */
export function upiPayload(
  { address, name }: { address: string; name: string },
  { amount, reference }: Omit<Due, 'currency'>,
): string {
  const fields = [
    ['pa', address],
    ['pn', name],
    ...(amount > 0 ? [['am', decimal(amount)]] : []),
    ['cu', 'INR'],
    ...(reference ? [['tn', reference]] : []),
  ]
  // Every app decodes %20, but not every app decodes a plus sign as a space.
  return `upi://pay?${fields.map(([key, value = '']) => `${key}=${encodeURIComponent(value).replace('%40', '@')}`).join('&')}`
}

/** Whether the bank codes allow this amount. */
export function fitsCode(amount: Cents): boolean {
  return amount <= MOST
}

function decimal(amount: Cents): string {
  return (amount / 100).toFixed(2)
}
