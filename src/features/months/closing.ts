// Closing a month: when both sides agree on every session and payment of it, one asks and the other confirms. What both keep is one
// page, frozen with the second confirmation, and its code.
import * as z from 'zod/mini'
import { addDays, type CalendarDay, dayIn, daysOfMonth, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { endpoint } from '#kernel/endpoint.ts'
import { type Cents, cents, Currency, dollars } from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import { plainName } from '#kernel/plain-name.ts'
import { requiredText } from '#kernel/text.ts'
import { type Entry, type Figures, figuresBetween, inDollars, ledgerOf } from '#features/payments/balance.ts'
import { METHODS, type Method, PAYMENT_KINDS, type PaymentKind } from '#features/payments/payment.ts'
import type { Word } from '#features/sessions/confirmation.ts'
import { Month } from '#features/sessions/session.ts'

/** The two sides of a connection, as rows name them. */
type Side = 'family' | 'practice'

/** What both sides say about a row; both may read it. */
interface Said {
  family_says: Word
  practice_says: Word
  /** When each side said so; ISO 8601. */
  family_at: string | null
  practice_at: string | null
  deletion_asked_by: Side | null
}

/** A session under a connection. */
export interface MonthSession extends Said {
  id: string
  day: CalendarDay
  minutes: Minutes
  rate_cents: Cents | null
  total_cents: Cents | null
  currency: Currency
  subject: string | null
  first_name: string | null
}

/** A payment under a connection. */
export interface MonthPayment extends Said {
  id: string
  day: CalendarDay
  kind: PaymentKind
  amount_cents: Cents
  prepaid_minutes: Minutes | null
  method: Method | null
  currency: Currency
  first_name: string | null
}

/** One closing of a month. A month that was reopened and closed again has several; the last one counts. */
export interface Closing {
  id: string
  month: string
  state: 'asked' | 'closed' | 'reopened'
  asked_by: Side
  asked_at: string
  answered_at: string | null
  code: string | null
  reopened_by: Side | null
  reopened_at: string | null
  reason: string | null
  /** How many reminders of the question went out, and when the last did. */
  reminders: number
  reminded_at: string | null
  version: number
  /** What its page says, once there is one. */
  figures?: MonthContent['figures'] | null
}

/** What two sides share up to the end of a month, as one of them sees it. */
export interface MonthRows {
  side: Side
  is_over: boolean
  is_other_closed: boolean
  currency: Currency
  family_name: string | null
  tutor_name: string | null
  sessions: MonthSession[]
  payments: MonthPayment[]
  /** Unanswered pairs with a session in the month. */
  pairs: number
  /** Oldest first. */
  closings: Closing[]
}

export const MAX_REASON = 300

/** What an email to the other side says of a month. */
export type MonthNews = 'asked' | 'closed' | 'reopened'

/** Why a session, a payment or a pair keeps a month from being closed. */
export const OBSTACLES = [
  'waits_for_you',
  'waits_for_other',
  'sent_back',
  'deletion_asked',
  'same_lesson',
] as const
const Obstacle = z.object({
  what: z.enum(['session', 'payment']),
  why: z.enum(OBSTACLES),
  count: z.number(),
})
export type Obstacle = z.output<typeof Obstacle>

/** The state of a month between two sides, as one of them sees it. */
export const MONTH_STATES = ['open', 'asked_by_you', 'asked_by_other', 'closed', 'reopened'] as const
const PastClosing = z.object({
  code: z.string(),
  closed_at: z.string(),
  reopened_at: z.string(),
  reopened_by: z.enum(['you', 'other']),
  reason: z.string(),
})
export const ClosedMonth = z.object({
  connection_id: z.string(),
  /** To a family its tutor, to a practice the family where it gave a name. */
  other_name: z.nullable(z.string()),
  month: z.string(),
  state: z.enum(MONTH_STATES),
  /** Whether it can be closed now: it is over, and holds something that both agree on. */
  can_close: z.boolean(),
  /** The first day it can be closed; null once that day has come. */
  closes_from: z.nullable(z.string()),
  sessions: z.number(),
  payments: z.number(),
  /** How many of them are in the way. */
  open_sessions: z.number(),
  open_payments: z.number(),
  in_the_way: z.array(Obstacle),
  sessions_amount: z.number(),
  paid_amount: z.number(),
  carried_over: z.number(),
  /** Owed at the end; negative is paid ahead. */
  balance: z.number(),
  /** What is owed at the end by now, where an earlier month changed after this one was closed. */
  balance_now: z.nullable(z.number()),
  currency: Currency,
  /** Since when a side is asked to close it, an instant; how many reminders of that went out, and when the last did. */
  asked_at: z.nullable(z.string()),
  reminders: z.number(),
  reminded_at: z.nullable(z.string()),
  code: z.nullable(z.string()),
  closed_at: z.nullable(z.string()),
  /** Why it was reopened last, until it is closed again. */
  reason: z.nullable(z.string()),
  /** The closings that were reopened, newest first; their codes say that the month changed since. */
  earlier: z.array(PastClosing),
  is_read_only: z.boolean(),
  version: z.number(),
})
export type ClosedMonth = z.output<typeof ClosedMonth>

/** A line of the list of all closed months. */
const KeptMonth = z.object({
  connection_id: z.string(),
  other_name: z.nullable(z.string()),
  month: z.string(),
  state: z.enum(['closed', 'reopened']),
  code: z.string(),
  closed_at: z.string(),
  reopened_by: z.nullable(z.enum(['you', 'other'])),
  reason: z.nullable(z.string()),
})
export type KeptMonth = z.output<typeof KeptMonth>

const confirmed = { confirmed_by_family_at: z.string(), confirmed_by_tutor_at: z.string() }
/** The page of a closed month as it travels: dollars and hours. */
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
      duration: z.number(),
      rate: z.nullable(z.number()),
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
  carried_over: z.number(),
  sessions_amount: z.number(),
  covered_amount: z.number(),
  other_amount: z.number(),
  paid_amount: z.number(),
  balance: z.number(),
  hours_left: z.number(),
  asked_by: z.enum(['family', 'tutor']),
  asked_at: z.string(),
  closed_at: z.string(),
  code: z.string(),
  url: z.string(),
  reopened_by: z.nullable(z.enum(['you', 'other'])),
  reopened_at: z.nullable(z.string()),
  reason: z.nullable(z.string()),
})
export type MonthPage = z.output<typeof MonthPage>

const both = ['parent', 'tutor', 'admin'] as const
const Wanted = { connection_id: z.uuid({ error: 'Name a connection' }), month: Month }
const refusals = {
  still_open: { status: 409, title: 'Something in this month is still open' },
  nothing_to_close: { status: 409, title: 'There is nothing in this month to close' },
  not_over: { status: 409, title: 'This month is not over yet' },
  changed: { status: 409, title: 'This month changed in the meantime. Please look again.' },
  other_closed: {
    status: 409,
    title:
      'The other side closed its account. You can still read what it shared, but nothing can be changed.',
  },
} as const

export const ListMonths = endpoint({
  operation: 'ListMonths',
  summary:
    'The state of a month with each connected tutor or family: what keeps it open, and the code once it is closed',
  method: 'GET',
  path: '/api/v1/months',
  access: both,
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({ month: Month }),
  output: z.object({ months: z.array(ClosedMonth) }),
})
export const ListClosedMonths = endpoint({
  operation: 'ListClosedMonths',
  summary: 'The closed months, newest first, including those of connections that ended',
  method: 'GET',
  path: '/api/v1/months/closed',
  access: both,
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({ months: z.array(KeptMonth) }),
})
export const CloseMonth = endpoint({
  operation: 'CloseMonth',
  summary: 'Ask the other side to close a month, or close it if the other side asked',
  method: 'POST',
  path: '/api/v1/months/close',
  access: both,
  needsAllStudents: true,
  closedTo: ['assistant'],
  isFree: true,
  input: z.strictObject({ ...Wanted, version: z.optional(z.number().check(z.int(), z.nonnegative())) }),
  output: ClosedMonth,
  refusals,
})
export const WithdrawMonth = endpoint({
  operation: 'WithdrawMonth',
  summary: 'Withdraw your request to close a month, until the other side confirms it',
  method: 'DELETE',
  path: '/api/v1/months/close',
  access: both,
  needsAllStudents: true,
  closedTo: ['assistant'],
  isFree: true,
  input: z.strictObject(Wanted),
  output: ClosedMonth,
  refusals: {
    already_closed: {
      status: 409,
      title:
        'The other side has already confirmed, so this month is closed. You can reopen it with a reason.',
    },
    not_asked: { status: 409, title: 'You have not asked to close this month' },
    other_closed: refusals.other_closed,
  },
})
export const ReopenMonth = endpoint({
  operation: 'ReopenMonth',
  summary: 'Reopen a closed month for both sides; its code then says that the month has changed',
  method: 'POST',
  path: '/api/v1/months/reopen',
  access: both,
  needsAllStudents: true,
  closedTo: ['assistant'],
  isFree: true,
  input: z.strictObject({
    ...Wanted,
    reason: requiredText(MAX_REASON, 'Say in a few words why the month changes'),
  }),
  output: ClosedMonth,
  refusals: {
    not_closed: { status: 409, title: 'This month is not closed' },
    other_closed: refusals.other_closed,
  },
})
export const ReadMonthPage = endpoint({
  operation: 'ReadMonthPage',
  summary: 'The page of a closed month; with a code, the page of an earlier closing',
  method: 'GET',
  path: '/api/v1/months/page',
  access: both,
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({ ...Wanted, code: z.optional(z.string().check(z.maxLength(20))) }),
  output: MonthPage,
})
export const DownloadMonthPage = endpoint({
  operation: 'DownloadMonthPage',
  summary: 'The page of a closed month as a PDF; both sides get the same bytes',
  method: 'GET',
  path: '/api/v1/months/page.pdf',
  access: both,
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: ReadMonthPage.input,
  output: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  produces: 'application/pdf',
  limit: { hits: 120, seconds: 3600 },
})

/** Whether both confirmed a row as it is and nobody asked to delete it. */
export function isAgreed({ family_says, practice_says, deletion_asked_by }: Said): boolean {
  return family_says === 'confirmed' && practice_says === 'confirmed' && !deletion_asked_by
}

/** Why a row keeps its month open for a side; undefined if it doesn't. */
function obstacleOf(row: Said, side: Side): Obstacle['why'] | undefined {
  if (isAgreed(row)) return undefined
  if (row.deletion_asked_by) return 'deletion_asked'
  if (row.family_says === 'disputed' || row.practice_says === 'disputed') return 'sent_back'
  const own = side === 'family' ? row.family_says : row.practice_says
  return own === 'none' ? 'waits_for_you' : 'waits_for_other'
}

/** What keeps a month from being closed, as one side reads it: counts by reason, in the order of OBSTACLES, sessions first. */
export function inTheWay(rows: MonthRows, month: string): Obstacle[] {
  const { sessions, payments } = rowsOf(rows, month)
  const reasons = {
    session: [
      ...sessions.map((row) => obstacleOf(row, rows.side)),
      ...Array<Obstacle['why']>(rows.pairs).fill('same_lesson'),
    ],
    payment: payments.map((row) => obstacleOf(row, rows.side)),
  }
  return (['session', 'payment'] as const).flatMap((what) =>
    OBSTACLES.map((why) => ({ what, why, count: reasons[what].filter((own) => own === why).length })).filter(
      ({ count }) => count > 0,
    ),
  )
}

/** What is in the way, in words: "2 sessions for you to confirm". */
export function obstacleInWords({ what, why, count }: Obstacle, other: string): string {
  const things = count === 1 ? `1 ${what}` : `${count} ${what}s`
  return {
    waits_for_you: `${things} for you to confirm`,
    waits_for_other: `${things} waiting for ${other}`,
    sent_back: `${things} sent back`,
    deletion_asked: `${things} with a request to delete`,
    same_lesson: `${things} may be logged twice`,
  }[why]
}

/**
 * The first day a month may be closed: its last, because until then something may still happen in it. Someone's today may be a day
 * ahead of the server's, so the day counts in the time zone that is furthest ahead.
 */
export function closesFrom(month: string): CalendarDay {
  return daysOfMonth(month).to
}

/** Whether a month may be closed at a moment. */
export function isOver(month: string, now: Date): boolean {
  return addDays(dayIn(now, 'UTC'), 1) >= closesFrom(month)
}

/** "November 2026 is not over yet. You can close it starting Nov 30." */
export function notOverInWords(month: string): string {
  return `${monthLabel(month)} is not over yet. You can close it starting ${formatDay(closesFrom(month), { month: 'short', day: 'numeric' })}.`
}

function rowsOf({ sessions, payments }: Pick<MonthRows, 'sessions' | 'payments'>, month: string) {
  const isIn = ({ day }: { day: CalendarDay }) => monthOf(day) === month
  return { sessions: sessions.filter(isIn), payments: payments.filter(isIn) }
}

/**
 * The account of a connection in a month. Sessions count unless they were sent back or are to be deleted, payments once both
 * confirmed them, until then they are on their way; amounts in another currency than the connection's stay out.
 */
export function figuresOf({ sessions, payments, currency }: MonthRows, month: string): Figures {
  const isOwn = (row: { currency: Currency }) => row.currency === currency
  const isDisputed = (row: Said) => row.family_says === 'disputed' || row.practice_says === 'disputed'
  const entries: Entry[] = [
    ...sessions
      .filter((row) => isOwn(row) && !isDisputed(row) && !row.deletion_asked_by)
      .map((row): Entry => ({
        id: row.id,
        kind: 'session',
        day: row.day,
        minutes: row.minutes,
        rate: row.rate_cents,
        amount: row.total_cents,
      })),
    ...payments.filter(isOwn).map((row): Entry => ({
      id: row.id,
      kind: row.kind,
      counts: isAgreed(row),
      standing: isDisputed(row) ? 'disputed' : row.deletion_asked_by ? 'leaving' : 'waiting',
      day: row.day,
      minutes: row.prepaid_minutes ?? (0 as Minutes),
      rate: null,
      amount: row.amount_cents,
    })),
  ]
  const { from, to } = daysOfMonth(month)
  return figuresBetween(ledgerOf(entries), from, to)
}

/** The closing that says how a month stands: the newest. */
export function latest(closings: readonly Closing[]): Closing | undefined {
  return closings.at(-1)
}

function stateOf(closing: Closing | undefined, side: Side): ClosedMonth['state'] {
  if (!closing) return 'open'
  if (closing.state !== 'asked') return closing.state
  return closing.asked_by === side ? 'asked_by_you' : 'asked_by_other'
}

/** Since when a side is asked to close a month, and the reminders of it. */
function questionOf(
  closing: Closing | undefined,
): Pick<ClosedMonth, 'asked_at' | 'reminders' | 'reminded_at'> {
  return closing?.state === 'asked'
    ? { asked_at: closing.asked_at, reminders: closing.reminders, reminded_at: closing.reminded_at }
    : { asked_at: null, reminders: 0, reminded_at: null }
}

/** How a month stands to one side. @param otherName what that side calls the other */
export function standingOfMonth(
  connectionId: string,
  otherName: string | null,
  rows: MonthRows,
  month: string,
  now: Date,
): ClosedMonth {
  const { sessions, payments } = rowsOf(rows, month)
  const obstacles = inTheWay(rows, month)
  const closing = latest(rows.closings)
  const state = stateOf(closing, rows.side)
  const before = rows.closings.filter(({ state: own }) => own === 'reopened').reverse()
  const live = inDollars(figuresOf(rows, month))
  // A closed month says what its page says.
  const kept = state === 'closed' && closing?.figures
  const figures = kept ? inDollars({ ...kept, onItsWay: 0 as Cents }) : live
  const openOf = (what: Obstacle['what']) =>
    obstacles.filter((one) => one.what === what).reduce((sum, { count }) => sum + count, 0)
  const over = isOver(month, now)
  return {
    connection_id: connectionId,
    other_name: otherName,
    month,
    state,
    can_close:
      over &&
      obstacles.length === 0 &&
      sessions.length + payments.length > 0 &&
      !rows.is_other_closed &&
      state !== 'closed',
    closes_from: over ? null : closesFrom(month),
    sessions: sessions.length,
    payments: payments.length,
    open_sessions: openOf('session'),
    open_payments: openOf('payment'),
    in_the_way: obstacles,
    sessions_amount: figures.sessions_amount,
    paid_amount: figures.paid_amount,
    carried_over: figures.carried_over,
    balance: figures.balance,
    balance_now: live.balance === figures.balance ? null : live.balance,
    currency: rows.currency,
    ...questionOf(closing),
    code: state === 'closed' ? (closing?.code ?? null) : null,
    closed_at: state === 'closed' ? (closing?.answered_at ?? null) : null,
    reason: state === 'closed' ? null : (before[0]?.reason ?? null),
    earlier: before.map((one) => ({
      code: one.code ?? '',
      closed_at: one.answered_at ?? '',
      reopened_at: one.reopened_at ?? '',
      reopened_by: one.reopened_by === rows.side ? 'you' : 'other',
      reason: one.reason ?? '',
    })),
    is_read_only: rows.is_other_closed,
    version: closing?.version ?? 0,
  }
}

type OnPage<Row extends Said> = Omit<Row, 'family_says' | 'practice_says' | 'deletion_asked_by'>

/** What the page of a closed month says. It is kept as it is; the page and the PDF are made of it alone. */
export interface MonthContent {
  format: 1
  month: string
  currency: Currency
  family: string
  tutor: string
  sessions: OnPage<MonthSession>[]
  payments: OnPage<MonthPayment>[]
  /** Cents, and minutes that are left of those paid in advance. */
  figures: Omit<Figures, 'prepaid' | 'onItsWay'>
  asked_by: Side
  asked_at: string
  closed_at: string
  code: string
  url: string
}

/** The page of a month that is closed now, of rows that both sides agree on. */
export function contentOf(
  rows: MonthRows,
  month: string,
  closing: { askedBy: Side; askedAt: string; closedAt: string; code: string; url: string },
): MonthContent {
  const { prepaid: _p, onItsWay: _o, ...figures } = figuresOf(rows, month)
  const { sessions, payments } = rowsOf(rows, month)
  const onPage = <Row extends MonthSession | MonthPayment>(row: Row) => {
    const { family_says: _f, practice_says: _p, deletion_asked_by: _d, ...kept } = row
    return { ...kept, first_name: plainName(row.first_name, '') || null }
  }
  return {
    format: 1,
    month,
    currency: rows.currency,
    family: plainName(rows.family_name, 'A family'),
    tutor: plainName(rows.tutor_name, 'A tutor'),
    sessions: sessions.map(onPage),
    payments: payments.map(onPage),
    figures,
    asked_by: closing.askedBy,
    asked_at: closing.askedAt,
    closed_at: closing.closedAt,
    code: closing.code,
    url: closing.url,
  }
}

/** The text of a page whose hash is kept with it: every value in a fixed order, whatever order the database keeps them in. */
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
    ...content.sessions
      .toSorted(byId)
      .flatMap((row) => [
        line(['session', row.id, row.day, row.minutes, row.rate_cents, row.total_cents, row.currency]),
        line([row.subject, row.first_name, row.family_at, row.practice_at]),
      ]),
    ...content.payments
      .toSorted(byId)
      .flatMap((row) => [
        line(['payment', row.id, row.day, row.kind, row.amount_cents, row.prepaid_minutes, row.method]),
        line([row.currency, row.first_name, row.family_at, row.practice_at]),
      ]),
  ].join('\n')
}

/** The page of a closing as it travels to one side. */
export function toPage(
  connectionId: string,
  content: MonthContent,
  closing: Pick<Closing, 'state' | 'reopened_by' | 'reopened_at' | 'reason'>,
  side: Side,
): MonthPage {
  const { figures } = content
  const inMoney = (amount: Cents | null) => (amount === null ? null : dollars(amount))
  const words = (row: Pick<Said, 'family_at' | 'practice_at'>) => ({
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
      duration: hours(row.minutes),
      rate: inMoney(row.rate_cents),
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
    ...inDollars({ ...figures, onItsWay: cents(0) }),
    hours_left: hours(figures.left),
    asked_by: content.asked_by === 'family' ? 'family' : 'tutor',
    asked_at: content.asked_at,
    closed_at: content.closed_at,
    code: content.code,
    url: content.url,
    reopened_by: closing.reopened_by && (closing.reopened_by === side ? 'you' : 'other'),
    reopened_at: closing.reopened_at,
    reason: closing.reason,
  }
}

/** The name of the file of a month's page. */
export function monthFileName(month: string): string {
  return `Tutorlog ${month} closed.pdf`
}
