// Payment options: how a practice wants to be paid, and what a family sees when an amount is due. Money never
// passes through Tutorlog.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { amountInDigits, dollars, formatMoney } from '#kernel/money.ts'
import { filledLink, readLink } from './payment-link.ts'
import {
  type Due,
  fitsCode,
  fitsSepa,
  messageOf,
  sepaPayload,
  swissPayload,
  upiPayload,
} from './transfer-code.ts'

export const WAY_KINDS = ['link', 'sepa', 'swiss', 'upi', 'text'] as const
export type WayKind = (typeof WAY_KINDS)[number]
export const KIND_NAMES: Record<WayKind, string> = {
  link: 'Payment link',
  sepa: 'Bank account (euros, SEPA)',
  swiss: 'Bank account (Switzerland, Liechtenstein)',
  upi: 'UPI',
  text: 'Something else',
}
const TITLES: Record<WayKind, string> = {
  link: 'Payment link',
  sepa: 'Bank transfer',
  swiss: 'Swiss QR bill',
  upi: 'UPI',
  text: 'Other',
}
/** More payment options than any family would want to read. */
export const MAX_WAYS = 6

const text = z.string()
const optional = z.nullable(z.string())
const SHAPES = [
  z.object({ kind: z.literal('link'), id: text, url: text }),
  z.object({ kind: z.literal('sepa'), id: text, holder: text, iban: text, bic: optional, message: optional }),
  z.object({
    kind: z.literal('swiss'),
    id: text,
    currency: z.enum(['CHF', 'EUR']),
    holder: text,
    street: optional,
    building: optional,
    postal_code: text,
    town: text,
    country: text,
    iban: text,
    reference: optional,
    message: optional,
  }),
  z.object({ kind: z.literal('upi'), id: text, name: text, address: text }),
  z.object({ kind: z.literal('text'), id: text, text }),
] as const
/** A payment option as stored: validated and in the format that banks and providers use. */
export const PaymentWay = z.discriminatedUnion('kind', SHAPES)
export type PaymentWay = z.output<typeof PaymentWay>

const Ways = z.array(PaymentWay)

export const OwnWays = z.object({
  ways: Ways,
  /** Incremented whenever the list changes; 0 before the first list is saved. */
  version: z.number(),
})
export type OwnWays = z.output<typeof OwnWays>

export const ListPaymentWays = endpoint({
  operation: 'ListPaymentWays',
  summary: "List a practice's payment options, in the order families see them",
  method: 'GET',
  path: '/api/v1/payment-ways',
  access: ['tutor', 'admin'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: OwnWays,
})
export const ListConnectionPaymentWays = endpoint({
  operation: 'ListConnectionPaymentWays',
  summary: "List a connected tutor's payment options",
  method: 'GET',
  path: '/api/v1/connections/:id/payment-ways',
  access: ['parent'],
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({
    ways: Ways,
    /** When the tutor last changed the options during the connection; null if never. */
    changed_at: z.nullable(z.string()),
    /** What a payment in this month is recognized by, such as "TL-7K3Q"; null without options. */
    reference: z.nullable(z.string()),
  }),
})

/** For this many days, families see a note that the payment options have changed. */
export const TOLD_DAYS = 14

/** A payment option as families see it: lines to copy and, for some options, a link and a QR code. */
export interface ShownWay {
  title: string
  /** `isFilled` is true if the link includes the amount. */
  link?: { href: string; label: string; isFilled: boolean }
  lines: { label: string; value: string; copy: string }[]
  /** Text that the tutor wrote. Nothing in it is turned into a link. */
  text?: string
  code?: { payload: string; label: string; isSwiss: boolean }
  /** Tells the payer what to type in or check, and why. */
  note?: string
}

/** A payment option as families see it, with the amount due filled in unless it's 0. */
export function shownWay(way: PaymentWay, due: Due): ShownWay {
  switch (way.kind) {
    case 'link':
      return shownLink(way.url, due)
    case 'sepa':
      return shownSepa(way, due)
    case 'swiss':
      return shownSwiss(way, due)
    case 'upi':
      return shownUpi(way, due)
    case 'text':
      return { title: TITLES.text, lines: [], text: way.text }
  }
}

/** A payment option on one line, for a list. */
export function summaryOf(way: PaymentWay): { title: string; line: string } {
  switch (way.kind) {
    case 'link': {
      const read = readLink(way.url)
      return { title: read.ok ? read.provider.name : TITLES.link, line: way.url.replace('https://', '') }
    }
    case 'text':
      return { title: TITLES.text, line: way.text }
    case 'upi':
      return { title: TITLES.upi, line: way.address }
    default:
      return { title: TITLES[way.kind], line: `${way.holder}, ${inGroups(way.iban)}` }
  }
}

function shownLink(url: string, due: Due): ShownWay {
  const filled = filledLink(url, due)
  // A link that was allowed when it was stored may have been disallowed since.
  if (!filled) return { title: TITLES.link, lines: [line('Address', url)] }
  const { href, provider, isFilled } = filled
  return {
    title: provider.name,
    link: { href, label: `Open ${provider.name}`, isFilled },
    lines: [],
    note:
      due.amount === 0
        ? undefined
        : !isFilled
          ? `Enter ${formatMoney(due.amount, due.currency)} there.`
          : provider.isToBeChecked
            ? 'Check the amount there before you pay.'
            : undefined,
  }
}

type Of<Kind extends WayKind> = Extract<PaymentWay, { kind: Kind }>

function shownSepa(own: Of<'sepa'>, due: Due): ShownWay {
  const way = {
    ...own,
    message: messageOf(own, due.reference, (message) => fitsSepa({ ...own, message })),
  }
  return {
    title: TITLES.sepa,
    lines: [
      line('Account holder', way.holder),
      line('IBAN', inGroups(way.iban), way.iban),
      ...optionalLine('BIC', way.bic),
      ...optionalLine('Message', way.message),
      ...amountLine(due),
    ],
    ...coded(due, 'EUR', 'euros', 'Transfer', () => sepaPayload(way, due.amount)),
  }
}

function shownSwiss(own: Of<'swiss'>, due: Due): ShownWay {
  const way = { ...own, message: messageOf(own, due.reference) }
  const street = [way.street, way.building].filter(Boolean).join(' ')
  const address = [street, `${way.postal_code} ${way.town}`].filter(Boolean).join(', ')
  return {
    title: TITLES.swiss,
    lines: [
      line('Account holder', way.holder),
      line('Address', address),
      line('IBAN', inGroups(way.iban), way.iban),
      ...(way.reference ? [line('Reference', inGroups(way.reference, 5, 2), way.reference)] : []),
      ...optionalLine('Message', way.message),
      ...amountLine(due),
    ],
    ...coded(
      due,
      way.currency,
      way.currency === 'EUR' ? 'euros' : 'Swiss francs',
      'Swiss QR',
      () => swissPayload(way, due),
      true,
    ),
  }
}

function shownUpi(way: Of<'upi'>, due: Due): ShownWay {
  const shown = coded(due, 'INR', 'Indian rupees', 'UPI', () => upiPayload(way, due))
  return {
    title: TITLES.upi,
    lines: [line('Name', way.name), line('UPI ID', way.address), ...amountLine(due)],
    ...shown,
    ...(shown.code && {
      link: { href: shown.code.payload, label: 'Open a UPI app', isFilled: due.amount > 0 },
    }),
  }
}

/**
 * A transfer's QR code or, if there isn't one, a note that explains why. QR codes require a particular
 * currency and have a maximum amount.
 */
function coded(
  due: Due,
  currency: string,
  inWords: string,
  name: string,
  payload: () => string,
  isSwiss = false,
): Pick<ShownWay, 'code' | 'note'> {
  if (due.currency !== currency)
    return { note: `The QR code works for ${inWords} only, and this amount is in ${due.currency}.` }
  if (!fitsCode(due.amount)) return { note: 'This amount is too large for a QR code.' }
  const amount = due.amount > 0 ? ` for ${formatMoney(due.amount, due.currency)}` : ''
  return { code: { payload: payload(), label: `${name} code${amount}`, isSwiss } }
}

function line(label: string, value: string, copy = value) {
  return { label, value, copy }
}

function optionalLine(label: string, value: string | null) {
  return value === null ? [] : [line(label, value)]
}

function amountLine({ amount, currency }: Due) {
  return amount > 0
    ? [line('Amount', formatMoney(amount, currency), amountInDigits(dollars(amount), currency))]
    : []
}

/**
 * Splits a long number into groups, which are easier to read and type.
 * @param first the size of the first group, if different
 */
function inGroups(number: string, size = 4, first = size): string {
  const rest = number.slice(first)
  return [number.slice(0, first), ...(rest.match(new RegExp(`.{1,${size}}`, 'g')) ?? [])].join(' ')
}
