// What is owed: sessions and payments in the order of their days, with the balance after each. Pure; shown on the summary, on Payments and on statements.
// A session that was sent back, or that one side asked to delete, is no entry until the two sides agree.
import * as z from 'zod/mini'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { endpoint } from '#kernel/endpoint.ts'
import { type Cents, cents, Currency, dollars, priceOf } from '#kernel/money.ts'
import { Month } from '#features/sessions/session.ts'
import { type Standing, STANDINGS } from '#features/sessions/confirmation.ts'
import { Payment, type PaymentKind } from './payment.ts'

/** What changes a balance: a session, or a payment of some kind. */
export interface Entry {
  id: string
  kind: 'session' | PaymentKind
  day: CalendarDay
  /** Taught, or bought in advance; 0 for money alone. */
  minutes: Minutes
  /** What counted for an hour of a session; null if there was no rate. */
  rate: Cents | null
  /** What a session came to (null if there was no rate), what was paid, or what was owed from before. */
  amount: Cents | null
  /** False for a payment that the two sides don't agree on: a line that changes no balance. */
  counts?: boolean
  /** Where it stands between the two sides. */
  standing?: Standing
}

/** An entry with what it did to the balance. */
export interface Line<E extends Entry = Entry> {
  entry: E
  /** The part of a session that prepaid hours covered. */
  covered: Minutes
  coveredAmount: Cents
  /** What the line added to what is owed: the uncovered part of a session, the price of hours, a debt from before. */
  charged: Cents
  paid: Cents
  /** Owed after this line; negative when more was paid than taught. */
  balance: Cents
  /** Prepaid time left after this line. */
  left: Minutes
}

const RANK = { opening: 0, hours: 1, payment: 2, session: 3 } as const

/** The lines of one account from its first day on. On one day money comes before lessons, so that what is paid on the day covers the day. */
export function ledgerOf<E extends Entry>(entries: readonly E[]): Line<E>[] {
  let balance = 0
  let left = 0
  return [...entries].sort(inOrder).map((entry) => {
    const effect = effectOf(entry, left as Minutes)
    balance += effect.charged - effect.paid
    left += (entry.kind === 'hours' && entry.counts !== false ? entry.minutes : 0) - effect.covered
    return { entry, ...effect, balance: cents(balance), left: left as Minutes }
  })
}

function inOrder(a: Entry, b: Entry): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1
  return RANK[a.kind] - RANK[b.kind] || (a.id < b.id ? -1 : 1)
}

function effectOf(entry: Entry, left: Minutes): Pick<Line, 'covered' | 'coveredAmount' | 'charged' | 'paid'> {
  const amount = entry.amount ?? cents(0)
  const none = { covered: 0 as Minutes, coveredAmount: cents(0), charged: cents(0), paid: cents(0) }
  if (entry.counts === false) return none
  if (entry.kind === 'payment') return { ...none, paid: amount }
  if (entry.kind === 'opening') return { ...none, charged: amount }
  // Hours are bought and paid at once; the lessons that they cover cost nothing more.
  if (entry.kind === 'hours') return { ...none, charged: amount, paid: amount }
  const covered = Math.min(entry.minutes, left) as Minutes
  const charged =
    covered === 0
      ? amount
      : covered === entry.minutes
        ? cents(0)
        : priceOf(entry.rate ?? cents(0), entry.minutes - covered)
  return { ...none, covered, charged, coveredAmount: cents(amount - charged) }
}

/** 'low' when what was paid in advance covers at most one more lesson like the last. */
export type Prepaid = 'none' | 'ample' | 'low' | 'used_up'

/** An account over some days: carriedOver + sessions - covered + other - paid = balance, to the cent. */
export interface Figures {
  carriedOver: Cents
  /** What the sessions came to, whatever paid for them. */
  sessions: Cents
  /** The part of it that prepaid hours covered. */
  covered: Cents
  /** The price of hours that were bought, and debts from before. */
  other: Cents
  paid: Cents
  balance: Cents
  /** What one side alone reported as paid: outside the balance until the other confirms it. */
  onItsWay: Cents
  left: Minutes
  prepaid: Prepaid
}

/** The figures of a ledger between two days, both included. */
export function figuresBetween(lines: readonly Line[], from: CalendarDay, to: CalendarDay): Figures {
  const before = lines.findLast(({ entry }) => entry.day < from)
  const until = lines.filter(({ entry }) => entry.day <= to)
  const within = until.filter(({ entry }) => entry.day >= from)
  const sum = (amountOf: (line: Line) => number) =>
    cents(within.reduce((total, line) => total + amountOf(line), 0))
  return {
    carriedOver: before?.balance ?? cents(0),
    sessions: sum(({ entry }) => (entry.kind === 'session' ? (entry.amount ?? 0) : 0)),
    covered: sum((line) => line.coveredAmount),
    other: sum(({ entry, charged }) => (entry.kind === 'session' ? 0 : charged)),
    paid: sum((line) => line.paid),
    balance: until.at(-1)?.balance ?? cents(0),
    onItsWay: cents(
      until.reduce((total, { entry }) => total + (isOnItsWay(entry) ? (entry.amount ?? 0) : 0), 0),
    ),
    left: until.at(-1)?.left ?? (0 as Minutes),
    prepaid: prepaidState(until),
  }
}

function isOnItsWay({ kind, counts, standing }: Entry): boolean {
  return counts === false && standing === 'waiting' && (kind === 'payment' || kind === 'hours')
}

/** How far what was paid in advance still reaches, at the end of a ledger. */
export function prepaidState(lines: readonly Line[]): Prepaid {
  const end = lines.at(-1)
  const lesson = lines.findLast(({ entry }) => entry.kind === 'session')
  if (!end) return 'none'
  if (end.left > 0) return lesson && end.left < 2 * lesson.entry.minutes ? 'low' : 'ample'
  if (lesson && lesson.covered > 0) return 'used_up'
  if (end.balance >= 0) return 'none'
  return lesson && -end.balance < 2 * lesson.charged ? 'low' : 'ample'
}

/** The figures of several accounts together; prepaid time isn't added, because hours with one tutor pay no other. */
export type Totals = Omit<Figures, 'left' | 'prepaid'>

/**
 * Whether an account counts in the total of a workspace: one in its currency, unless it holds only your own records about somebody with
 * whom both sides keep an account as well. Nobody else agreed on those, so they are told beside the total.
 */
export function countsInTotal(
  account: Pick<AccountName, 'currency' | 'is_only_yours'>,
  currency: Currency,
): boolean {
  return account.currency === currency && !account.is_only_yours
}

/** Adds accounts up. */
export function totalOf(figures: readonly Figures[]): Totals {
  const sum = (field: keyof Totals) => cents(figures.reduce((total, one) => total + one[field], 0))
  return {
    carriedOver: sum('carriedOver'),
    sessions: sum('sessions'),
    covered: sum('covered'),
    other: sum('other'),
    paid: sum('paid'),
    balance: sum('balance'),
    onItsWay: sum('onItsWay'),
  }
}

const amounts = {
  carried_over: z.number(),
  sessions_amount: z.number(),
  covered_amount: z.number(),
  other_amount: z.number(),
  paid_amount: z.number(),
  /** Dollars owed at the end; negative is credit. */
  balance: z.number(),
  /** Dollars that one side alone reported as paid, outside the balance. */
  on_its_way_amount: z.number(),
}
/** Whom an account is kept with. */
const account = {
  /** The tutor, or to a tutor the student; null for all who were deleted, and for a family with several students. */
  id: z.nullable(z.string()),
  /** The connection whose two sides keep this account together; null for an account of your own records. */
  connection_id: z.nullable(z.string()),
  name: z.string(),
  /** Whom a tutor's account with a family that gave its name is about; empty for every other account. */
  students: z.array(z.string()),
  currency: Currency,
  /** Whether these are your own records about people with whom there is an account of both sides as well. */
  is_only_yours: z.boolean(),
}
export const AccountName = z.object(account)
export type AccountName = z.output<typeof AccountName>
export const Balance = z.object({
  ...account,
  ...amounts,
  hours_left: z.number(),
  prepaid: z.enum(['none', 'ample', 'low', 'used_up']),
})
export type Balance = z.output<typeof Balance>

const LedgerLine = z.object({
  id: z.string(),
  kind: z.enum(['session', 'payment', 'hours', 'opening']),
  date: z.string(),
  /** The child, or to a tutor nobody more; null if they were deleted. */
  student_name: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  hours: z.number(),
  covered_hours: z.number(),
  /** What a session came to, or what was paid; null if there was no rate. */
  amount: z.nullable(z.number()),
  charged: z.number(),
  paid: z.number(),
  balance: z.number(),
  hours_left: z.number(),
  /** Where it stands between the two sides; a payment that isn't agreed on changes no balance. */
  standing: z.enum(STANDINGS),
  payment: z.nullable(Payment),
})
export type LedgerLine = z.output<typeof LedgerLine>

export const ReadBalances = endpoint({
  operation: 'ReadBalances',
  summary: 'What was paid and what is due in a month, with each tutor or, for a tutor, each student',
  method: 'GET',
  path: '/api/v1/balances',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({ month: Month }),
  output: z.object({
    month: z.string(),
    /** Of the accounts in the workspace's currency, without those that are only in your records. */
    total: z.object(amounts),
    balances: z.array(Balance),
    /** Every account, also one with nothing to show. */
    accounts: z.array(AccountName),
  }),
})
export const ReadLedger = endpoint({
  operation: 'ReadLedger',
  summary: 'The lines behind one balance in a month',
  method: 'GET',
  path: '/api/v1/balances/lines',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({
    month: Month,
    with: z.union([z.uuid(), z.literal('unknown')], {
      error: 'Name a connection, a tutor, a student or unknown',
    }),
  }),
  output: z.object({ month: z.string(), balance: Balance, lines: z.array(LedgerLine) }),
})

/** Figures as they travel: dollars and hours. */
export function toBalance(account: AccountName, figures: Figures): Balance {
  const { id, connection_id, name, students, currency, is_only_yours } = account
  return {
    id,
    connection_id,
    name,
    students,
    currency,
    is_only_yours,
    ...inDollars(figures),
    hours_left: hours(figures.left),
    prepaid: figures.prepaid,
  }
}

/** The amounts of figures in dollars. */
export function inDollars(figures: Totals) {
  return {
    carried_over: dollars(figures.carriedOver),
    sessions_amount: dollars(figures.sessions),
    covered_amount: dollars(figures.covered),
    other_amount: dollars(figures.other),
    paid_amount: dollars(figures.paid),
    balance: dollars(figures.balance),
    on_its_way_amount: dollars(figures.onItsWay),
  }
}

/** Whether an account has anything to show for the days of these figures. */
export function isWorthALine(figures: Figures): boolean {
  return [
    figures.carriedOver,
    figures.sessions,
    figures.other,
    figures.paid,
    figures.balance,
    figures.onItsWay,
    figures.left,
  ].some((value) => value !== 0)
}
