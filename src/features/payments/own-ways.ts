// Validates a practice's payment options. Separate from payment-way.ts, because the rules for account numbers
// around the world are more code than a family should have to load.
import { isQRIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools'
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { cents } from '#kernel/money.ts'
import { isStorable, requiredText, trimmed, UNSTORABLE, visibleOnly } from '#kernel/text.ts'
import { MAX_LINK, readLink } from './payment-link.ts'
import { MAX_WAYS, OwnWays } from './payment-way.ts'
import { MAX_SEPA_BYTES, sepaPayload } from './transfer-code.ts'

/** EPC069-12, version 002, makes the BIC optional in the European Economic Area. */
const EEA = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)
/** The characters allowed in a Swiss QR-bill: Swiss Implementation Guidelines QR-bill 2.3, section 4.1.1. */
const SWISS_LETTERS = /^[\u0020-\u007e\u00a0-\u017f\u0218-\u021b\u20ac]*$/
const UPI_ADDRESS = /^[a-z0-9][a-z0-9._-]{1,255}@[a-z][a-z0-9]{1,63}$/i
/**
 * ISO 13616: two letters, two digits, and up to 30 more characters. Spaces can make what the user types 25%
 * longer.
 */
const MAX_IBAN_TYPED = 60

/** Text on a single line. In the QR code, a line break would start another field. */
const oneLine = (most: number, missing: string) =>
  z.pipe(
    z.string({ error: missing }).check(z.maxLength(most * 2, `Use at most ${most} characters`)),
    z.transform((typed, context): string => {
      const value = trimmed(typed).replace(/\s+/g, ' ')
      const message =
        value === ''
          ? missing
          : value.length > most
            ? `Use at most ${most} characters`
            : isStorable(value)
              ? undefined
              : UNSTORABLE
      if (!message) return value
      context.issues.push({ code: 'custom', message, input: typed })
      return z.NEVER
    }),
  )
const optionalLine = (most: number) =>
  z.pipe(
    z.optional(z.nullable(z.string({ error: 'Enter text' }).check(z.maxLength(most * 2)))),
    z.transform((typed, context): string | null => {
      const value = trimmed(typed ?? '').replace(/\s+/g, ' ')
      if (value.length <= most && isStorable(value)) return value || null
      context.issues.push({ code: 'custom', message: `Use at most ${most} characters`, input: typed })
      return z.NEVER
    }),
  )

/**
 * A schema for a number or code that's stored in uppercase and without spaces. `problemOf` returns an error
 * message if the value is invalid.
 */
const compact = (most: number, missing: string, problemOf: (value: string) => string | undefined) =>
  z.pipe(
    z.string({ error: missing }).check(z.maxLength(most, missing)),
    z.transform((typed, context): string => {
      const value = compacted(typed)
      const message = value ? problemOf(value) : missing
      if (!message) return value
      context.issues.push({ code: 'custom', message, input: typed })
      return z.NEVER
    }),
  )
const optionalCompact = (most: number, problemOf: (value: string) => string | undefined) =>
  z.pipe(
    z.optional(z.nullable(z.string({ error: 'Enter text' }).check(z.maxLength(most, 'This is too long')))),
    z.transform((typed, context): string | null => {
      const value = compacted(typed ?? '')
      const message = value ? problemOf(value) : undefined
      if (!message) return value || null
      context.issues.push({ code: 'custom', message, input: typed })
      return z.NEVER
    }),
  )

function compacted(typed: string): string {
  return visibleOnly(typed)
    .replace(/[\s.-]/g, '')
    .toUpperCase()
}

const WRONG_IBAN = "This IBAN isn't valid. Please check its digits."
const Iban = (problemOf: (iban: string) => string | undefined) =>
  compact(MAX_IBAN_TYPED, 'Enter the IBAN', (iban) => (isValidIBAN(iban) ? problemOf(iban) : WRONG_IBAN))

const id = z.optional(z.uuid())
const Link = z.strictObject({
  kind: z.literal('link'),
  id,
  url: z.pipe(
    z.string({ error: 'Enter a payment link' }).check(z.maxLength(MAX_LINK, 'This address is too long')),
    z.transform((typed, context): string => {
      const read = readLink(typed)
      if (read.ok) return read.url
      context.issues.push({ code: 'custom', message: read.message, input: typed })
      return z.NEVER
    }),
  ),
})

const Sepa = z
  .strictObject({
    kind: z.literal('sepa'),
    id,
    currency: z.optional(z.literal('EUR', { error: 'The European transfer QR code works for euros only' })),
    holder: oneLine(70, 'Enter the account holder'),
    iban: Iban((iban) =>
      isSEPACountry(iban.slice(0, 2))
        ? undefined
        : 'The European transfer QR code works only for banks in the SEPA area',
    ),
    bic: optionalCompact(20, (bic) =>
      isValidBIC(bic) ? undefined : 'Enter a BIC of 8 or 11 characters such as NDEASESS',
    ),
    message: optionalLine(140),
  })
  .check((context) => {
    const { iban, bic, holder, message } = context.value
    if (!bic && !EEA.has(iban.slice(0, 2)))
      context.issues.push({
        code: 'custom',
        path: ['bic'],
        message: 'Banks in this country also need the BIC',
        input: bic,
      })
    const payload = sepaPayload({ iban, bic, holder, message }, cents(99_999_999_999))
    if (new TextEncoder().encode(payload).length > MAX_SEPA_BYTES)
      context.issues.push({
        code: 'custom',
        path: [message ? 'message' : 'holder'],
        message: 'This is too long for the QR code',
        input: message,
      })
  })

const Swiss = z
  .strictObject({
    kind: z.literal('swiss'),
    id,
    currency: z.enum(['CHF', 'EUR'], { error: 'The Swiss QR code works for Swiss francs and euros only' }),
    holder: oneLine(70, 'Enter the account holder'),
    street: optionalLine(70),
    building: optionalLine(16),
    postal_code: oneLine(16, 'Enter the postal code'),
    town: oneLine(35, 'Enter the city'),
    country: compact(4, 'Enter the country, for example CH', (code) =>
      /^[A-Z]{2}$/.test(code) ? undefined : 'Enter two letters such as CH',
    ),
    iban: Iban((iban) =>
      /^(CH|LI)/.test(iban) ? undefined : 'The Swiss QR code needs an IBAN that begins with CH or LI',
    ),
    reference: optionalCompact(40, (digits) =>
      isQrReference(digits) ? undefined : "This QR reference isn't valid. Please check its 27 digits.",
    ),
    message: optionalLine(140),
  })
  .check((context) => {
    const { iban, reference, ...words } = context.value
    const isQr = isQRIBAN(iban)
    if (isQr !== (reference !== null))
      context.issues.push({
        code: 'custom',
        path: ['reference'],
        message: isQr
          ? 'A QR-IBAN needs a 27-digit QR reference'
          : 'Only a QR-IBAN has a QR reference. Leave this empty.',
        input: reference,
      })
    for (const field of ['holder', 'street', 'building', 'postal_code', 'town', 'message'] as const)
      if (!SWISS_LETTERS.test(words[field] ?? ''))
        context.issues.push({
          code: 'custom',
          path: [field],
          message: 'Swiss banks accept only Latin letters',
          input: words[field],
        })
  })

const Upi = z.strictObject({
  kind: z.literal('upi'),
  id,
  name: oneLine(99, 'Enter the name'),
  address: z
    .string({ error: 'Enter the UPI ID' })
    .check(z.overwrite(trimmed), z.maxLength(255), z.regex(UPI_ADDRESS, 'Enter a UPI ID such as name@bank')),
})

const Text = z.strictObject({
  kind: z.literal('text'),
  id,
  text: requiredText(300, 'Enter how you want to be paid'),
})

/** Parses a payment option as typed, and returns it as stored. */
export const NewWay = z.discriminatedUnion('kind', [Link, Sepa, Swiss, Upi, Text], {
  error: 'Choose how you want to be paid',
})
export type NewWay = z.output<typeof NewWay>

export const SetPaymentWays = endpoint({
  operation: 'SetPaymentWays',
  summary: "Replace the practice's list of payment options (owner only)",
  method: 'PUT',
  path: '/api/v1/payment-ways',
  access: ['tutor', 'admin'],
  closedTo: ['assistant'],
  needsAllStudents: true,
  input: z.strictObject({
    ways: z.array(NewWay).check(z.maxLength(MAX_WAYS, `List at most ${MAX_WAYS} options`)),
  }),
  output: OwnWays,
  refusals: {
    changed: { status: 409, title: 'These were changed somewhere else. Please check them and try again.' },
    same_way: { status: 422, title: 'The same payment option is listed twice', field: 'ways' },
  },
})

/**
 * Whether the last of 27 digits is the correct check digit for the others: modulo 10, recursive (Swiss
 * Implementation Guidelines, annex B).
 */
export function isQrReference(digits: string): boolean {
  if (!/^\d{27}$/.test(digits)) return false
  const carry = Array.from(digits.slice(0, -1)).reduce(
    (sum, digit) => [0, 9, 4, 6, 8, 2, 7, 1, 3, 5][(sum + Number(digit)) % 10] ?? 0,
    0,
  )
  return (10 - carry) % 10 === Number(digits.at(-1))
}
