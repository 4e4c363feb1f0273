// Calculates what is owed: sessions, payments and charges in date order, with the balance after each. A pure function
// used by the summary, Payments and statements. Leaves out sessions that were sent back or that one side
// asked to delete, until both sides agree.
import * as z from 'zod/mini'
import { type CalendarDay, Day } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { type Cents, cents, Currency, dollars, priceOf } from '#kernel/money.ts'
import { Month } from '#features/sessions/session.ts'
import { type Standing, STANDINGS } from '#features/agreements/answer.ts'
import { Payment, type PaymentKind, REASONS } from './payment.ts'

/** Something that changes a balance: a session, a payment of any kind, or a charge or credit. */
export interface Entry {
  id: string
  kind: 'session' | 'charge' | PaymentKind
  day: CalendarDay
  /** Minutes taught, or minutes bought in advance; 0 for a payment that doesn't buy any. */
  minutes: Minutes
  /** A session's price; null if it had none. */
  rate: Cents | null
  /** How many minutes that's for, if not an hour. */
  stated?: Minutes | null
  /** A session's amount (null without a rate), or any other entry's amount: negative for a credit, never for others. */
  amount: Cents | null
  /** False for a payment or charge that the two sides don't agree on. It doesn't change the balance. */
  counts?: boolean
  /** Where it stands between the two sides. */
  standing?: Standing
}

/** An entry, with its effect on the balance. */
export interface Line<E extends Entry = Entry> {
  entry: E
  /** How much of a session was covered by prepaid hours. */
  covered: Minutes
  coveredAmount: Cents
  /**
   * How much this line added to what is owed: the part of a session that wasn't covered, the price of prepaid
   * hours, an earlier debt, or a charge. Negative for a credit.
   */
  charged: Cents
  paid: Cents
  /** What is owed after this line; negative if paid ahead. */
  balance: Cents
  /** Prepaid time left after this line. */
  left: Minutes
}

const RANK = { opening: 0, hours: 1, payment: 2, charge: 3, session: 4 } as const

/**
 * Returns all of an account's lines, oldest first. Within a day, payments come before lessons, so that a
 * payment can cover lessons on the same day.
 */
export function ledgerOf<E extends Entry>(entries: readonly E[], currency: Currency): Line<E>[] {
  let balance = 0
  let left = 0
  return [...entries].sort(inOrder).map((entry) => {
    const effect = effectOf(entry, left as Minutes, currency)
    balance += effect.charged - effect.paid
    left += (entry.kind === 'hours' && entry.counts !== false ? entry.minutes : 0) - effect.covered
    return { entry, ...effect, balance: cents(balance), left: left as Minutes }
  })
}

function inOrder(a: Entry, b: Entry): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1
  return RANK[a.kind] - RANK[b.kind] || (a.id < b.id ? -1 : 1)
}

function effectOf(
  entry: Entry,
  left: Minutes,
  currency: Currency,
): Pick<Line, 'covered' | 'coveredAmount' | 'charged' | 'paid'> {
  const amount = entry.amount ?? cents(0)
  const none = { covered: 0 as Minutes, coveredAmount: cents(0), charged: cents(0), paid: cents(0) }
  if (entry.counts === false) return none
  if (entry.kind === 'payment') return { ...none, paid: amount }
  if (entry.kind === 'opening' || entry.kind === 'charge') return { ...none, charged: amount }
  // Prepaid hours are paid for when they're bought, so there's no charge for the lessons they cover.
  if (entry.kind === 'hours') return { ...none, charged: amount, paid: amount }
  const covered = Math.min(entry.minutes, left) as Minutes
  const charged =
    covered === 0
      ? amount
      : covered === entry.minutes
        ? cents(0)
        : priceOf(entry.rate ?? cents(0), entry.minutes - covered, currency, entry.stated ?? undefined)
  return { ...none, covered, charged, coveredAmount: cents(amount - charged) }
}

/** 'low' means that what's left covers at most one more lesson like the last one. */
type Prepaid = 'none' | 'ample' | 'low' | 'used_up'

/**
 * An account's figures for a range of days: carriedOver + sessions - covered + other - paid = balance, to the
 * cent.
 */
export interface Figures {
  carriedOver: Cents
  /** The total for all sessions, however they were paid. */
  sessions: Cents
  /** The part that prepaid hours covered. */
  covered: Cents
  /** The price of prepaid hours, any earlier debts, and charges less credits. */
  other: Cents
  /** The part of `other` that comes from earlier debts. */
  debts: Cents
  /** The part of `other` that comes from charges and credits. */
  charges: Cents
  paid: Cents
  balance: Cents
  /**
   * Payments that only one side has reported. They're not part of the balance until the other side confirms
   * them.
   */
  onItsWay: Cents
  left: Minutes
  prepaid: Prepaid
}

/** A ledger's figures for a range of days, including the first and last day. */
export function figuresBetween(lines: readonly Line[], from: CalendarDay, to: CalendarDay): Figures {
  const before = lines.findLast(({ entry }) => entry.day < from)
  const until = lines.filter(({ entry }) => entry.day <= to)
  const within = until.filter(({ entry }) => entry.day >= from)
  const chargedFor = (kind: Entry['kind']) => sum(({ entry, charged }) => (entry.kind === kind ? charged : 0))
  const sum = (amountOf: (line: Line) => number) =>
    cents(within.reduce((total, line) => total + amountOf(line), 0))
  return {
    carriedOver: before?.balance ?? cents(0),
    sessions: sum(({ entry }) => (entry.kind === 'session' ? (entry.amount ?? 0) : 0)),
    covered: sum((line) => line.coveredAmount),
    other: sum(({ entry, charged }) => (entry.kind === 'session' ? 0 : charged)),
    debts: chargedFor('opening'),
    charges: chargedFor('charge'),
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

/** How much of the prepaid hours, or of the money paid ahead, is left at the end of a ledger. */
export function prepaidState(lines: readonly Line[]): Prepaid {
  const end = lines.at(-1)
  const lesson = lines.findLast(({ entry }) => entry.kind === 'session')
  if (!end) return 'none'
  if (end.left > 0) return lesson && end.left < 2 * lesson.entry.minutes ? 'low' : 'ample'
  if (lesson && lesson.covered > 0) return 'used_up'
  if (end.balance >= 0) return 'none'
  return lesson && -end.balance < 2 * lesson.charged ? 'low' : 'ample'
}

/**
 * The combined figures for several accounts. Prepaid time isn't added up, because hours bought from one tutor
 * can't be used with another.
 */
export type Totals = Omit<Figures, 'debts' | 'charges' | 'left' | 'prepaid'>

/**
 * Whether an account counts toward a workspace's total. It has to be in the workspace's currency. If someone
 * has both a shared account and one that's only in your records, the second one doesn't count, because the
 * other side hasn't agreed to it. It's shown next to the total instead.
 */
export function countsInTotal(
  account: Pick<AccountName, 'currency' | 'is_only_yours'>,
  currency: Currency,
): boolean {
  return account.currency === currency && !account.is_only_yours
}

/** Adds up the figures for several accounts. */
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
  /** Dollars owed at the end of the range; negative if paid ahead. */
  balance: z.number(),
  /** Dollars that only one side has reported as paid. Not part of the balance. */
  on_its_way_amount: z.number(),
}
/** Who the account is with. */
const account = {
  /**
   * The tutor's id or, in a tutor's workspace, the student's. Null if they were deleted, and for a family
   * with several students.
   */
  id: z.nullable(z.string()),
  /**
   * The connection through which two sides share this account; null for an account that's only in your
   * records.
   */
  connection_id: z.nullable(z.string()),
  name: z.string(),
  /** In a tutor's workspace, the names of a family's students if the family has its own name. Otherwise empty. */
  students: z.array(z.string()),
  currency: Currency,
  /** True if this account is only in your records even though the same people also have a shared account. */
  is_only_yours: z.boolean(),
}
export const AccountName = z.object(account)
export type AccountName = z.output<typeof AccountName>
export const Balance = z.object({
  ...account,
  ...amounts,
  /** The part of other_amount that comes from earlier debts. */
  debts_amount: z.number(),
  /** The part of other_amount that comes from charges and credits; the rest is the price of prepaid hours. */
  charges_amount: z.number(),
  hours_left: z.number(),
  prepaid: z.enum(['none', 'ample', 'low', 'used_up']),
})
export type Balance = z.output<typeof Balance>

/** What is owed in one currency, as of a day: the first figure on home, the summary and Payments. */
export const Owed = z.object({
  currency: Currency,
  total: z.object(amounts),
  /** The accounts that make up the total, except those with nothing to show. */
  accounts: z.array(
    z.extend(Balance, {
      /** The money that's due by the account's terms: what's still owed of it in dollars, by its day, earliest first. */
      due: z.array(z.object({ date: z.string(), amount: z.number() })),
    }),
  ),
})
export type Owed = z.output<typeof Owed>

/** What a ledger shows of a charge or credit. */
const LineCharge = z.object({
  reason: z.enum(REASONS),
  label: z.nullable(z.string()),
  counts: z.boolean(),
  ...z.pick(Payment, {
    currency: true,
    amount: true,
    own_confirmation: true,
    other_confirmation: true,
    deletion_asked_by: true,
    is_shared: true,
    asked_at: true,
    reminders: true,
    reminded_at: true,
  }).shape,
})
export type LineCharge = z.output<typeof LineCharge>

const LedgerLine = z.object({
  id: z.string(),
  kind: z.enum(['session', 'payment', 'hours', 'opening', 'charge']),
  date: z.string(),
  /** The child's or student's name; null if they were deleted, or if none was named. */
  student_name: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  hours: z.number(),
  covered_hours: z.number(),
  /** A session's price (null without a rate), or a payment's or charge's amount. */
  amount: z.nullable(z.number()),
  charged: z.number(),
  paid: z.number(),
  balance: z.number(),
  hours_left: z.number(),
  /** The status between the two sides. A payment that they don't agree on doesn't change the balance. */
  standing: z.enum(STANDINGS),
  payment: z.nullable(Payment),
  charge: z.nullable(LineCharge),
})
export type LedgerLine = z.output<typeof LedgerLine>

export const ReadBalances = endpoint({
  operation: 'ReadBalances',
  summary:
    "Get what is owed today, and what was paid and due in a month, for each of a family's tutors or a tutor's students; 'today' is the caller's local date",
  method: 'GET',
  path: '/api/v1/balances',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({ month: Month, today: z.optional(Day) }),
  output: z.object({
    month: z.string(),
    /** The day that 'owed' is for. */
    as_of: z.string(),
    /**
     * What is owed in all on that day, whichever month was asked for: one figure per currency, the workspace's
     * first. Each explains itself from the first of that day's month. Empty if there's nothing to add up yet.
     */
    owed: z.array(Owed),
    /** The total across all accounts in the workspace's currency, except those marked is_only_yours. */
    total: z.object(amounts),
    balances: z.array(Balance),
    /** All accounts, even those without any amounts or sessions to show. */
    accounts: z.array(AccountName),
  }),
})
export const ReadLedger = endpoint({
  operation: 'ReadLedger',
  summary: 'List the entries behind one balance for a month',
  method: 'GET',
  path: '/api/v1/balances/lines',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({
    month: Month,
    with: z.union([z.uuid(), z.literal('unknown')], {
      error: 'Specify a connection, a tutor, a student or unknown',
    }),
  }),
  output: z.object({ month: z.string(), balance: Balance, lines: z.array(LedgerLine) }),
})

/** Converts figures to dollars and hours for the API. */
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
    debts_amount: dollars(figures.debts),
    charges_amount: dollars(figures.charges),
    hours_left: hours(figures.left),
    prepaid: figures.prepaid,
  }
}

/** The figures that are amounts, converted to dollars. */
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

/** Whether any of these figures is worth showing. */
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
