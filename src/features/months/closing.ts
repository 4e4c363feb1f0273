// Closing a month: once both sides agree on everything in it, one side asks and the other
// confirms. See month-page.ts for the frozen page.
import * as z from 'zod/mini'
import { addDays, type CalendarDay, dayIn, daysOfMonth, formatDay, monthOf } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { type Cents, Currency, dollars } from '#kernel/money.ts'
import { addMonths, monthLabel } from '#kernel/month.ts'
import { requiredText } from '#kernel/text.ts'
import {
  type Entry,
  type Figures,
  figuresBetween,
  inDollars,
  ledgerOf,
  type Line,
} from '#features/payments/balance.ts'
import type { Method, PaymentKind, Reason } from '#features/payments/payment.ts'
import type { Standing } from '#features/agreements/answer.ts'
import { PASSKEY_REFUSED, UsedPasskey, UsingOptions } from '#features/passkeys/passkey.ts'
import { Month } from '#features/sessions/session.ts'
import type { PasskeyProof } from './agreed.ts'

/** The two sides of a connection, as stored in the database. */
export type Side = 'family' | 'practice'

/** Where a row stands between the two sides, as the database decides it for the reader. */
export interface AgreedRow {
  standing: Standing
  waits_for_you: boolean
  /** When each side answered; ISO 8601. */
  family_at: string | null
  practice_at: string | null
}

/** A session shared through a connection. */
export interface MonthSession extends AgreedRow {
  id: string
  day: CalendarDay
  minutes: Minutes
  rate_cents: Cents | null
  /** The price per lesson that applies instead, and how long that lesson is. Missing on pages closed before there were any. */
  lesson_price_cents?: Cents | null
  lesson_price_minutes?: Minutes | null
  total_cents: Cents | null
  currency: Currency
  subject: string | null
  /** Whether it makes up for a missed class. Missing on pages closed before there were make-ups. */
  is_make_up?: boolean
  first_name: string | null
}

/** A payment shared through a connection. */
export interface MonthPayment extends AgreedRow {
  id: string
  day: CalendarDay
  kind: PaymentKind
  amount_cents: Cents
  prepaid_minutes: Minutes | null
  method: Method | null
  currency: Currency
  first_name: string | null
}

/** A charge or credit shared through a connection. */
export interface MonthCharge extends AgreedRow {
  id: string
  day: CalendarDay
  amount_cents: Cents
  reason: Reason
  label: string | null
  currency: Currency
  first_name: string | null
}

/** One closing of a month. A month has several if it was reopened and closed again; only the latest counts. */
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
  /** How many reminders about the request have been sent, and when the last one was. */
  reminders: number
  reminded_at: string | null
  version: number
  /** The figures on the month's page, once it has one. */
  figures?: PageFigures | null
  /** The signature of the side that asked, if it signed, until the other side confirms. */
  asked_proof?: PasskeyProof | null
}

/** Everything the two sides share through the end of a month, as one of them sees it. */
export interface MonthRows {
  side: Side
  is_over: boolean
  is_other_closed: boolean
  currency: Currency
  family_name: string | null
  tutor_name: string | null
  /** The family owner's time zone, or else the practice owner's; null if neither is known. */
  time_zone: string | null
  /** Where that owner's way of writing is from; null if unknown. */
  region?: string | null
  /** The side that answers by handed-over link; null if there's none. */
  handed_side?: Side | null
  /** The side that answers by emailed link; null if there's none. */
  emailed_side?: Side | null
  sessions: MonthSession[]
  payments: MonthPayment[]
  charges: MonthCharge[]
  /** The number of unanswered pairs that include a session in the month. */
  pairs: number
  /** Oldest first. */
  closings: Closing[]
}

/** The balance figures on a month's page: amounts in cents, and the prepaid minutes that are left. */
export type PageFigures = Omit<Figures, 'debts' | 'charges' | 'prepaid' | 'onItsWay'>

export const MAX_REASON = 300

/** Changes to a month that the other side gets an email about. */
export type MonthNews = 'asked' | 'closed' | 'reopened'

/** The reasons why a session, payment, charge or pair can keep a month from being closed. */
const OBSTACLES = ['waits_for_you', 'waits_for_other', 'sent_back', 'deletion_asked', 'same_lesson'] as const
const Obstacle = z.object({
  what: z.enum(['session', 'payment', 'charge']),
  why: z.enum(OBSTACLES),
  count: z.number(),
})
export type Obstacle = z.output<typeof Obstacle>

/** The state of a month between two sides, as one of them sees it. */
const MONTH_STATES = ['open', 'asked_by_you', 'asked_by_other', 'closed', 'reopened'] as const
const PastClosing = z.object({
  code: z.string(),
  closed_at: z.string(),
  reopened_at: z.string(),
  reopened_by: z.enum(['you', 'other']),
  reason: z.string(),
})
export const ClosedMonth = z.object({
  connection_id: z.string(),
  /** For a family, its tutor; for a practice, the family's name if it gave one. */
  other_name: z.nullable(z.string()),
  month: z.string(),
  state: z.enum(MONTH_STATES),
  /**
   * True if the month can be closed now. It has to be over and not empty, and both sides have to agree on
   * everything in it.
   */
  can_close: z.boolean(),
  /** The first day on which the month can be closed; null from that day on. */
  closes_from: z.nullable(z.string()),
  sessions: z.number(),
  payments: z.number(),
  charges: z.number(),
  /** How many of them the two sides don't agree on yet. */
  open_sessions: z.number(),
  open_payments: z.number(),
  open_charges: z.number(),
  in_the_way: z.array(Obstacle),
  sessions_amount: z.number(),
  /** The part of sessions_amount that was paid with prepaid hours. */
  covered_amount: z.number(),
  /** The price of prepaid hours, any earlier debts, and charges less credits. */
  other_amount: z.number(),
  /** The part of other_amount that comes from earlier debts. */
  debts_amount: z.number(),
  /** The part of other_amount that comes from charges and credits; the rest is the price of prepaid hours. */
  charges_amount: z.number(),
  paid_amount: z.number(),
  carried_over: z.number(),
  /** What is owed at the end of the month; negative if paid ahead. */
  balance: z.number(),
  /** The current balance, if a change to an earlier month has affected it since this month was closed. */
  balance_now: z.nullable(z.number()),
  currency: Currency,
  /**
   * When one side was asked to close the month, how many reminders have been sent since, and when the last
   * one was.
   */
  asked_at: z.nullable(z.string()),
  reminders: z.number(),
  reminded_at: z.nullable(z.string()),
  code: z.nullable(z.string()),
  closed_at: z.nullable(z.string()),
  /** Why it was last reopened; null once it's closed again. */
  reason: z.nullable(z.string()),
  /**
   * Closings that were reopened, newest first. Anyone who looks up one of their codes sees that the month has
   * changed.
   */
  earlier: z.array(PastClosing),
  is_read_only: z.boolean(),
  version: z.number(),
})
export type ClosedMonth = z.output<typeof ClosedMonth>

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
type KeptMonth = z.output<typeof KeptMonth>

const both = ['parent', 'tutor', 'admin'] as const
const bothAndLinks = [...both, 'link'] as const
export const OfMonth = { connection_id: z.uuid({ error: 'Specify a connection' }), month: Month }
const refusals = {
  still_open: { status: 409, title: 'This month still has open items' },
  nothing_to_close: { status: 409, title: 'This month has nothing to close' },
  not_over: { status: 409, title: "This month isn't over yet" },
  changed: { status: 409, title: 'This month has changed since you opened it. Please check it again.' },
  other_closed: {
    status: 409,
    title:
      'The other person closed their account. You can still read what they shared, but nothing can be changed.',
  },
} as const

/** A passkey's signature of a month, and the nonce that StartMonthSignature returned. */
const SignedAnswer = z.extend(UsedPasskey, { nonce: z.string().check(z.regex(/^[\w-]{43}$/)) })
export type SignedAnswer = z.output<typeof SignedAnswer>

export const ListMonths = endpoint({
  operation: 'ListMonths',
  summary:
    "Get a month's status with each connected tutor or family: what keeps it open or, once it's closed, its code",
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
  summary: 'List closed months, newest first, including those with former connections',
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
  access: bothAndLinks,
  needsAllStudents: true,
  closedTo: ['assistant'],
  isFree: true,
  input: z.strictObject({
    ...OfMonth,
    version: z.optional(z.number().check(z.int(), z.nonnegative())),
    /** Signs the answer. */
    passkey: z.optional(SignedAnswer),
  }),
  output: ClosedMonth,
  refusals: { ...refusals, ...PASSKEY_REFUSED },
})
export const StartMonthSignature = endpoint({
  operation: 'StartMonthSignature',
  summary: 'Get what a browser needs to sign with a passkey what CloseMonth would answer now',
  method: 'POST',
  path: '/api/v1/months/sign',
  access: both,
  needsAllStudents: true,
  closedTo: ['assistant'],
  isFree: true,
  input: z.strictObject(OfMonth),
  output: z.object({ nonce: z.string(), options: UsingOptions }),
  limit: { hits: 60, seconds: 600 },
  refusals: { ...refusals, no_passkey: { status: 409, title: 'Your account has no passkey' } },
})
export const WithdrawMonth = endpoint({
  operation: 'WithdrawMonth',
  summary: 'Withdraw your request to close a month before the other side confirms it',
  method: 'DELETE',
  path: '/api/v1/months/close',
  access: bothAndLinks,
  needsAllStudents: true,
  closedTo: ['assistant'],
  isFree: true,
  input: z.strictObject(OfMonth),
  output: ClosedMonth,
  refusals: {
    already_closed: {
      status: 409,
      title: 'The other person already confirmed, so this month is closed. To reopen it, give a reason.',
    },
    not_asked: { status: 409, title: "You haven't asked to close this month" },
    other_closed: refusals.other_closed,
  },
})
export const ReopenMonth = endpoint({
  operation: 'ReopenMonth',
  summary: 'Reopen a closed month for both sides; its code then shows that the month has changed',
  method: 'POST',
  path: '/api/v1/months/reopen',
  access: bothAndLinks,
  needsAllStudents: true,
  closedTo: ['assistant'],
  isFree: true,
  input: z.strictObject({
    ...OfMonth,
    reason: requiredText(MAX_REASON, "Briefly say why you're reopening the month"),
  }),
  output: ClosedMonth,
  refusals: {
    not_closed: { status: 409, title: "This month isn't closed" },
    other_closed: refusals.other_closed,
  },
})

/** Why a row keeps its month open; undefined if it doesn't. */
function obstacleOf({ standing, waits_for_you: waits }: AgreedRow): Obstacle['why'] | undefined {
  if (standing === 'verified') return undefined
  if (standing === 'leaving') return 'deletion_asked'
  if (standing === 'disputed') return 'sent_back'
  return waits ? 'waits_for_you' : 'waits_for_other'
}

/**
 * What keeps a month from being closed, as one side sees it: a count for each reason, in the order of
 * OBSTACLES, sessions first.
 */
export function inTheWay(rows: MonthRows, month: string): Obstacle[] {
  const { sessions, payments, charges } = rowsOf(rows, month)
  const reasons = {
    session: [...sessions.map(obstacleOf), ...Array<Obstacle['why']>(rows.pairs).fill('same_lesson')],
    payment: payments.map(obstacleOf),
    charge: charges.map(obstacleOf),
  }
  return (['session', 'payment', 'charge'] as const).flatMap((what) =>
    OBSTACLES.map((why) => ({ what, why, count: reasons[what].filter((own) => own === why).length })).filter(
      ({ count }) => count > 0,
    ),
  )
}

/** An obstacle in words, such as "2 sessions for you to confirm". */
export function obstacleInWords({ what, why, count }: Obstacle, other: string): string {
  const things = count === 1 ? `1 ${what}` : `${count} ${what}s`
  return {
    waits_for_you: `${things} for you to confirm`,
    waits_for_other: `${things} waiting for ${other}`,
    sent_back: `${things} not right`,
    deletion_asked: `${things} with a deletion request`,
    same_lesson: `${things} may be logged twice`,
  }[why]
}

/**
 * The first day on which a month can be closed: its last day, because there may be more sessions before then.
 * The user's date may be a day ahead of the server's, so this uses the time zone that's furthest ahead.
 */
function closesFrom(month: string): CalendarDay {
  return daysOfMonth(month).to
}

/** From this day on, closing the month comes first on its summary. */
const CLOSING_DAY = 25

/**
 * Whether closing a month comes first on its summary: for the current month from the 25th on, and for the one
 * before until it's closed with everyone.
 */
export function comesFirst(
  month: string,
  today: CalendarDay,
  months: readonly Pick<ClosedMonth, 'state' | 'sessions' | 'payments' | 'charges'>[],
): boolean {
  if (month === monthOf(today)) return Number(today.slice(8)) >= CLOSING_DAY
  return (
    month === addMonths(monthOf(today), -1) && months.some((one) => isShown(one) && one.state !== 'closed')
  )
}

/** Whether a month has anything to close, or has been asked about or closed before. */
export function isShown({
  state,
  sessions,
  payments,
  charges,
}: Pick<ClosedMonth, 'state' | 'sessions' | 'payments' | 'charges'>): boolean {
  return state !== 'open' || sessions + payments + charges > 0
}

/** True if a month can be closed at this time. */
export function isOver(month: string, now: Date): boolean {
  return addDays(dayIn(now, 'UTC'), 1) >= closesFrom(month)
}

/** For example, "November 2026 is not over yet. You can close it starting Nov 30." */
export function notOverInWords(month: string): string {
  return `${monthLabel(month)} is not over yet. You can close it starting ${formatDay(closesFrom(month), { month: 'short', day: 'numeric' })}.`
}

export function rowsOf(
  { sessions, payments, charges }: Pick<MonthRows, 'sessions' | 'payments' | 'charges'>,
  month: string,
) {
  const isIn = ({ day }: { day: CalendarDay }) => monthOf(day) === month
  return { sessions: sessions.filter(isIn), payments: payments.filter(isIn), charges: charges.filter(isIn) }
}

/**
 * A connection's account for one month. Sessions count unless they were sent back or one side asked to delete
 * them. Payments and charges count once both sides have confirmed them; until then, they're pending. Leaves out amounts
 * that aren't in the connection's currency.
 */
export function figuresOf(rows: MonthRows, month: string): Figures {
  const { from, to } = daysOfMonth(month)
  return figuresBetween(ledgerOfRows(rows), from, to)
}

/** What the two sides owe each other as of a day of the month that was read, like the first figure on screens. */
export function figuresAsOf(rows: MonthRows, today: CalendarDay): Figures {
  return figuresBetween(ledgerOfRows(rows), daysOfMonth(monthOf(today)).from, today)
}

/** The account's lines, oldest first. */
export function ledgerOfRows({ sessions, payments, charges, currency }: MonthRows): Line[] {
  const isOwn = (row: { currency: Currency }) => row.currency === currency
  const entries: Entry[] = [
    ...sessions
      .filter((row) => isOwn(row) && row.standing !== 'disputed' && row.standing !== 'leaving')
      .map((row): Entry => ({
        id: row.id,
        kind: 'session',
        day: row.day,
        minutes: row.minutes,
        rate: row.rate_cents ?? row.lesson_price_cents ?? null,
        stated: row.rate_cents === null ? (row.lesson_price_minutes ?? null) : null,
        amount: row.total_cents,
      })),
    ...payments.filter(isOwn).map((row): Entry => ({
      id: row.id,
      kind: row.kind,
      counts: row.standing === 'verified',
      standing: row.standing,
      day: row.day,
      minutes: row.prepaid_minutes ?? (0 as Minutes),
      rate: null,
      amount: row.amount_cents,
    })),
    ...charges.filter(isOwn).map((row): Entry => ({
      id: row.id,
      kind: 'charge',
      counts: row.standing === 'verified',
      standing: row.standing,
      day: row.day,
      minutes: 0 as Minutes,
      rate: null,
      amount: row.amount_cents,
    })),
  ]
  return ledgerOf(entries, currency)
}

/** The latest closing. It determines the month's state. */
export function latest(closings: readonly Closing[]): Closing | undefined {
  return closings.at(-1)
}

function stateOf(closing: Closing | undefined, side: Side): ClosedMonth['state'] {
  if (!closing) return 'open'
  if (closing.state !== 'asked') return closing.state
  return closing.asked_by === side ? 'asked_by_you' : 'asked_by_other'
}

/** When one side was asked to close the month, and how many reminders have been sent since. */
function questionOf(
  closing: Closing | undefined,
): Pick<ClosedMonth, 'asked_at' | 'reminders' | 'reminded_at'> {
  return closing?.state === 'asked'
    ? { asked_at: closing.asked_at, reminders: closing.reminders, reminded_at: closing.reminded_at }
    : { asked_at: null, reminders: 0, reminded_at: null }
}

/** The code of a closed month, and how it was closed and reopened before. */
function answersOf({
  closings,
  side,
}: MonthRows): Pick<ClosedMonth, 'code' | 'closed_at' | 'reason' | 'earlier'> {
  const closing = latest(closings)
  const before = closings.filter(({ state }) => state === 'reopened').reverse()
  const isClosed = closing?.state === 'closed'
  return {
    code: isClosed ? closing.code : null,
    closed_at: isClosed ? closing.answered_at : null,
    reason: isClosed ? null : (before[0]?.reason ?? null),
    earlier: before.map((one) => ({
      code: one.code ?? '',
      closed_at: one.answered_at ?? '',
      reopened_at: one.reopened_at ?? '',
      reopened_by: one.reopened_by === side ? 'you' : 'other',
      reason: one.reason ?? '',
    })),
  }
}

/**
 * A month's state as one side sees it.
 * @param otherName what that side calls the other side
 */
export function standingOfMonth(
  connectionId: string,
  otherName: string | null,
  rows: MonthRows,
  month: string,
  now: Date,
): ClosedMonth {
  const { sessions, payments, charges } = rowsOf(rows, month)
  const obstacles = inTheWay(rows, month)
  const closing = latest(rows.closings)
  const state = stateOf(closing, rows.side)
  const current = figuresOf(rows, month)
  const live = inDollars(current)
  // For a closed month, show the figures from its page.
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
      sessions.length + payments.length + charges.length > 0 &&
      !rows.is_other_closed &&
      state !== 'closed',
    closes_from: over ? null : closesFrom(month),
    sessions: sessions.length,
    payments: payments.length,
    charges: charges.length,
    open_sessions: openOf('session'),
    open_payments: openOf('payment'),
    open_charges: openOf('charge'),
    in_the_way: obstacles,
    sessions_amount: figures.sessions_amount,
    covered_amount: figures.covered_amount,
    other_amount: figures.other_amount,
    debts_amount: dollars(current.debts),
    charges_amount: dollars(current.charges),
    paid_amount: figures.paid_amount,
    carried_over: figures.carried_over,
    balance: figures.balance,
    balance_now: live.balance === figures.balance ? null : live.balance,
    currency: rows.currency,
    ...questionOf(closing),
    ...answersOf(rows),
    is_read_only: rows.is_other_closed,
    version: closing?.version ?? 0,
  }
}
