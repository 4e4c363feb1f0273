// A closed month's page, which both sides keep. It's frozen when the second side confirms, and the screen and
// the PDF use only what's on it.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { hours } from '#kernel/duration.ts'
import { type Cents, cents, Currency, dollars } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'
import { compareNames } from '#kernel/names.ts'
import type { PasskeyProof } from './agreed.ts'
import { familyOf, tutorOf } from '#features/workspaces/sides.ts'
import { inDollars } from '#features/payments/balance.ts'
import { METHODS, PAYMENT_KINDS, REASONS } from '#features/payments/payment.ts'
import {
  type Closing,
  figuresOf,
  type MonthCharge,
  type MonthPayment,
  type MonthRows,
  type MonthSession,
  OfMonth,
  type PageFigures,
  rowsOf,
  type AgreedRow,
  type Side,
} from './closing.ts'

const confirmed = { confirmed_by_family_at: z.string(), confirmed_by_tutor_at: z.string() }
/** A closed month's page in the API, with amounts in dollars and durations in hours. */
export const MonthPage = z.object({
  connection_id: z.string(),
  month: z.string(),
  state: z.enum(['closed', 'reopened']),
  family_name: z.string(),
  tutor_name: z.string(),
  currency: Currency,
  sessions: z.array(
    z.object({
      id: z.string(),
      date: z.string(),
      student_name: z.nullable(z.string()),
      subject: z.nullable(z.string()),
      is_make_up: z.boolean(),
      duration: z.number(),
      rate: z.nullable(z.number()),
      lesson_price: z.nullable(z.number()),
      lesson_minutes: z.nullable(z.number()),
      total_amount: z.nullable(z.number()),
      currency: Currency,
      ...confirmed,
    }),
  ),
  payments: z.array(
    z.object({
      id: z.string(),
      date: z.string(),
      kind: z.enum(PAYMENT_KINDS),
      student_name: z.nullable(z.string()),
      amount: z.number(),
      hours: z.nullable(z.number()),
      method: z.nullable(z.enum(METHODS)),
      currency: Currency,
      ...confirmed,
    }),
  ),
  charges: z.array(
    z.object({
      id: z.string(),
      date: z.string(),
      student_name: z.nullable(z.string()),
      /** Negative for a credit. */
      amount: z.number(),
      reason: z.enum(REASONS),
      label: z.nullable(z.string()),
      currency: Currency,
      ...confirmed,
    }),
  ),
  carried_over: z.number(),
  sessions_amount: z.number(),
  covered_amount: z.number(),
  other_amount: z.number(),
  paid_amount: z.number(),
  balance: z.number(),
  hours_left: z.number(),
  asked_by: z.enum(['family', 'tutor']),
  /** The sides that signed their answer with a passkey. */
  signed_by: z.array(z.enum(['family', 'tutor'])),
  /** The side that answered by handed-over link, without an account; null if both had an account or an address. */
  handed_side: z.nullable(z.enum(['family', 'tutor'])),
  asked_at: z.string(),
  closed_at: z.string(),
  code: z.string(),
  url: z.string(),
  reopened_by: z.nullable(z.enum(['you', 'other'])),
  reopened_at: z.nullable(z.string()),
  reason: z.nullable(z.string()),
})
export type MonthPage = z.output<typeof MonthPage>

export const ReadMonthPage = endpoint({
  operation: 'ReadMonthPage',
  summary: "Get a closed month's page; with a code, get the page from an earlier closing",
  method: 'GET',
  path: '/api/v1/months/page',
  access: ['parent', 'tutor', 'admin', 'link'],
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({ ...OfMonth, code: z.optional(z.string().check(z.maxLength(20))) }),
  output: MonthPage,
})
export const PageBytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

export const DownloadMonthPage = endpoint({
  operation: 'DownloadMonthPage',
  summary: "Download a closed month's page as a PDF; both sides get the same file",
  method: 'GET',
  path: '/api/v1/months/page.pdf',
  access: ['parent', 'tutor', 'admin', 'link'],
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: ReadMonthPage.input,
  output: PageBytes,
  produces: 'application/pdf',
  limit: { hits: 120, seconds: 3600 },
})

type OnPage<Row extends AgreedRow> = Omit<Row, 'standing' | 'waits_for_you'>

/** Each side's signature by passkey of what the page says, if it signed its answer. */
type Proofs = Partial<Record<Side, PasskeyProof>>

/** A page's content, as stored. */
export interface MonthContent {
  format: 1
  month: string
  currency: Currency
  family: string
  tutor: string
  sessions: OnPage<MonthSession>[]
  payments: OnPage<MonthPayment>[]
  /** Pages closed before there were charges don't have any. */
  charges?: OnPage<MonthCharge>[]
  figures: PageFigures
  /** What the page's dates are written in. Pages closed before accounts had a time zone don't have one. */
  time_zone?: string
  /** The region (ISO 3166) whose way of writing dates and amounts the page uses. The United States' if it has none. */
  region?: string
  /** The side that answered by handed-over link, if one did. */
  handed_side?: Side
  /** The side that answered by emailed link, if one did. Pages closed before they were signed don't say it. */
  emailed_side?: Side
  /** Signatures by passkey, of the sides that signed. */
  proofs?: Proofs
  asked_by: Side
  asked_at: string
  closed_at: string
  code: string
  url: string
}

/** What the two sides agree to when they close a month. */
export function factsOf(rows: MonthRows, month: string) {
  const { debts: _d, charges: _c, prepaid: _p, onItsWay: _o, ...figures } = figuresOf(rows, month)
  const { sessions, payments, charges } = rowsOf(rows, month)
  const named = [...sessions, ...payments, ...charges].flatMap(({ first_name: name }) => name ?? [])
  const children = [...new Set(named)].sort(compareNames)
  const onPage = <Row extends MonthSession | MonthPayment | MonthCharge>(row: Row) => {
    const { standing: _s, waits_for_you: _w, ...kept } = row
    return { ...kept, first_name: plainName(row.first_name, '') || null }
  }
  return {
    month,
    currency: rows.currency,
    family: familyOf(rows.family_name, children),
    tutor: tutorOf(rows.tutor_name, children),
    sessions: sessions.map(onPage),
    payments: payments.map(onPage),
    ...(charges.length > 0 ? { charges: charges.map(onPage) } : {}),
    figures,
  }
}

/** Builds a month's page while the month is being closed. By then, both sides agree on all of the rows. */
export function contentOf(
  rows: MonthRows,
  month: string,
  closing: { askedBy: Side; askedAt: string; closedAt: string; code: string; url: string; proofs?: Proofs },
): MonthContent {
  const { proofs } = closing
  return {
    format: 1,
    ...factsOf(rows, month),
    time_zone: rows.time_zone ?? 'UTC',
    ...(rows.region && { region: rows.region }),
    ...(rows.handed_side && { handed_side: rows.handed_side }),
    ...(rows.emailed_side && { emailed_side: rows.emailed_side }),
    ...(proofs && Object.keys(proofs).length > 0 && { proofs }),
    asked_by: closing.askedBy,
    asked_at: closing.askedAt,
    closed_at: closing.closedAt,
    code: closing.code,
    url: closing.url,
  }
}

/**
 * The text from which the page's stored hash is computed. It lists all values in a fixed order, because the
 * database may reorder its JSON.
 */
export function contentText(content: MonthContent): string {
  const line = (values: (string | number | null)[]) =>
    values.map((value) => (value === null ? '-' : JSON.stringify(value))).join(' ')
  const { figures } = content
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  return [
    line([content.format, content.month, content.currency, content.family, content.tutor]),
    line([content.asked_by, content.asked_at, content.closed_at, content.code, content.url]),
    line([figures.carriedOver, figures.sessions, figures.covered, figures.other, figures.paid]),
    line([figures.balance, figures.left]),
    ...(content.time_zone === undefined ? [] : [line([content.time_zone])]),
    ...(content.region === undefined ? [] : [line(['region', content.region])]),
    ...(content.handed_side === undefined ? [] : [line(['by handed-over link', content.handed_side])]),
    ...(content.emailed_side === undefined ? [] : [line(['by emailed link', content.emailed_side])]),
    ...SIDES.flatMap((side) => {
      const proof = content.proofs?.[side]
      if (!proof) return []
      const { key, nonce, authenticator_data, client_data, signature } = proof
      return [
        line(['signed', side, nonce, authenticator_data, client_data, signature]),
        line([key.kty, key.crv ?? null, key.x ?? null, key.y ?? null, key.n ?? null, key.e ?? null]),
      ]
    }),
    ...content.sessions
      .toSorted(byId)
      .flatMap((row) => [
        line(['session', row.id, row.day, row.minutes, row.rate_cents, row.total_cents, row.currency]),
        line([
          row.subject,
          row.first_name,
          row.family_at,
          row.practice_at,
          ...(row.is_make_up ? ['make-up'] : []),
        ]),
      ]),
    ...content.payments
      .toSorted(byId)
      .flatMap((row) => [
        line(['payment', row.id, row.day, row.kind, row.amount_cents, row.prepaid_minutes, row.method]),
        line([row.currency, row.first_name, row.family_at, row.practice_at]),
      ]),
    ...(content.charges ?? [])
      .toSorted(byId)
      .flatMap((row) => [
        line(['charge', row.id, row.day, row.amount_cents, row.reason, row.label]),
        line([row.currency, row.first_name, row.family_at, row.practice_at]),
      ]),
  ].join('\n')
}

const SIDES: readonly Side[] = ['family', 'practice']

/** The sides that signed their answer with a passkey. */
export const signersOf = ({ proofs }: MonthContent) => SIDES.filter((side) => proofs?.[side])

const inMoney = (amount: Cents | null) => (amount === null ? null : dollars(amount))

/** What a line's lesson cost, in dollars: per hour or, without a rate, per lesson. */
export function priceOfLine(row: MonthContent['sessions'][number]) {
  const { rate_cents: rate, lesson_price_cents: price, lesson_price_minutes: minutes } = row
  return {
    rate: inMoney(rate),
    lesson_price: rate === null ? inMoney(price ?? null) : null,
    lesson_minutes: rate === null ? (minutes ?? null) : null,
  }
}

/** A side as a page calls it. */
const onPaper = (side: Side) => (side === 'family' ? 'family' : 'tutor')

/** A closing's page, as the API returns it to one side. */
export function toPage(
  connectionId: string,
  content: MonthContent,
  closing: Pick<Closing, 'state' | 'reopened_by' | 'reopened_at' | 'reason'>,
  side: Side,
): MonthPage {
  const { figures } = content
  const words = (row: Pick<AgreedRow, 'family_at' | 'practice_at'>) => ({
    confirmed_by_family_at: row.family_at ?? content.closed_at,
    confirmed_by_tutor_at: row.practice_at ?? content.closed_at,
  })
  return {
    connection_id: connectionId,
    month: content.month,
    state: closing.state === 'closed' ? 'closed' : 'reopened',
    family_name: content.family,
    tutor_name: content.tutor,
    currency: content.currency,
    sessions: content.sessions.map((row) => ({
      id: row.id,
      date: row.day,
      student_name: row.first_name,
      subject: row.subject,
      is_make_up: row.is_make_up ?? false,
      duration: hours(row.minutes),
      ...priceOfLine(row),
      total_amount: inMoney(row.total_cents),
      currency: row.currency,
      ...words(row),
    })),
    payments: content.payments.map((row) => ({
      id: row.id,
      date: row.day,
      kind: row.kind,
      student_name: row.first_name,
      amount: dollars(row.amount_cents),
      hours: row.prepaid_minutes === null ? null : hours(row.prepaid_minutes),
      method: row.method,
      currency: row.currency,
      ...words(row),
    })),
    charges: (content.charges ?? []).map((row) => ({
      id: row.id,
      date: row.day,
      student_name: row.first_name,
      amount: dollars(row.amount_cents),
      reason: row.reason,
      label: row.label,
      currency: row.currency,
      ...words(row),
    })),
    ...inDollars({ ...figures, onItsWay: cents(0) }),
    hours_left: hours(figures.left),
    asked_by: onPaper(content.asked_by),
    signed_by: signersOf(content).map(onPaper),
    handed_side: content.handed_side ? onPaper(content.handed_side) : null,
    asked_at: content.asked_at,
    closed_at: content.closed_at,
    code: content.code,
    url: content.url,
    reopened_by: closing.reopened_by && (closing.reopened_by === side ? 'you' : 'other'),
    reopened_at: closing.reopened_at,
    reason: closing.reason,
  }
}

/** What a paper says that a lesson was about: "Algebra, make-up". */
export function lessonOnPaper(subject: string | null, isMakeUp: boolean): string {
  if (!isMakeUp) return subject ?? ''
  return subject === null ? 'Make-up' : `${subject}, make-up`
}

/** What a page says of an answer that was signed. */
export const SIGNED = 'Signed with a passkey.'

export function monthFileName(month: string): string {
  return `Tutorlog ${month} closed.pdf`
}
