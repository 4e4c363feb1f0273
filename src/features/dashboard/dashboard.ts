// The first screen: the month so far, a few counts, recent sessions, and the next setup steps.
import * as z from 'zod/mini'
import { type CalendarDay, Day, weekOf } from '#kernel/calendar-day.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { type Cents, cents, centsOfDollars, Currency } from '#kernel/money.ts'
import { isOver, type Moment, Occurrence, yourDay } from '#features/schedules/occurrence.ts'
import { TimeOfDay } from '#features/schedules/schedule.ts'
import { type Standing, STANDINGS } from '#features/agreements/answer.ts'
import { Month, Session } from '#features/sessions/session.ts'

/** Recent Sessions covers 7 days and lists at most 3 (docs/product.md, section 9). */
export const RECENT_DAYS = 7
export const RECENT_SESSIONS = 3

/** A month's sessions that have the same currency and status. */
const MonthAmount = z.object({
  standing: z.enum(STANDINGS),
  currency: Currency,
  sessions: z.number(),
  /** In the currency's main unit. Sessions without a rate count as 0. */
  amount: z.number(),
})
export type MonthAmount = z.output<typeof MonthAmount>

/** A month that the other side wants you to close. */
const AskedMonth = z.object({
  connection_id: z.string(),
  /** Your name for the other side; null if you haven't given it one. */
  other_name: z.nullable(z.string()),
  month: Month,
  /** The time of the request, how many reminders followed, and when the last one was sent. */
  asked_at: z.string(),
  reminders: z.number(),
  reminded_at: z.nullable(z.string()),
})
export type AskedMonth = z.output<typeof AskedMonth>

/** One of today's classes, with what it comes to. */
const TodayClass = z.extend(Occurrence, {
  /**
   * What was logged, or what logging it as scheduled comes to, in the currency's main unit. Null without a
   * rate, and for members who can't see amounts.
   */
  amount: z.nullable(z.number()),
  currency: z.nullable(Currency),
})
export type TodayClass = z.output<typeof TodayClass>

export const Dashboard = z.object({
  total_students: z.number(),
  active_tutors: z.number(),
  active_schedules: z.number(),
  sessions_this_month: z.number(),
  /** Amounts for this month's sessions; null for members who can't see amounts. */
  month_amounts: z.nullable(z.array(MonthAmount)),
  /**
   * Sessions waiting for you: since Sunday (sessions_to_confirm), and in total up to today
   * (sessions_waiting).
   */
  sessions_to_confirm: z.number(),
  sessions_waiting: z.number(),
  /** Sessions that the other side sent back and that haven't been answered since. */
  sessions_sent_back: z.number(),
  /** Pairs of sessions that look like the same lesson and need an answer. */
  session_pairs: z.number(),
  /** What the other side proposes about shared schedules and their classes. */
  schedule_questions: z.number(),
  /** Oldest first. Empty for members who can't close months. */
  months_asked: z.array(AskedMonth),
  recent_sessions: z.array(Session),
  /** Recent classes that nobody logged, including today's. The screen hides those that haven't ended yet. */
  due: z.array(Occurrence),
  /** All of a practice's classes today, also logged and canceled ones, in order of time. Empty for a family. */
  today: z.array(TodayClass),
  /** The next class on each active schedule, soonest first. Excludes classes that are over or logged. */
  upcoming: z.array(Occurrence),
  /** True for a tutor without an hourly rate. */
  needs_rate: z.boolean(),
  has_sessions: z.boolean(),
  has_schedules: z.boolean(),
  has_verified_sessions: z.boolean(),
  onboarding_dismissed: z.boolean(),
})
export type Dashboard = z.output<typeof Dashboard>

export const ReadDashboard = endpoint({
  operation: 'ReadDashboard',
  summary:
    "Get counts, this month's amounts, recent sessions and setup steps; 'today' and 'time' are the caller's local date and time",
  method: 'GET',
  path: '/api/v1/dashboard',
  access: 'confirmed',
  input: z.strictObject({ today: z.optional(Day), time: z.optional(TimeOfDay) }),
  output: Dashboard,
})

/** Display names for the parts of a month's total. */
export type Part = 'agreed' | 'waiting' | 'not right' | 'only yours'

/** A month's total in one currency. The parts add up to the total, except for what's not right. */
export interface MonthTotal {
  currency: Currency
  total: Cents
  /** Empty if nobody else can confirm any of these sessions, since there's nothing to agree on. */
  parts: { part: Part; amount: Cents }[]
  /** Sessions that one side asked to delete. They don't count toward the total or any of its parts. */
  leaving: { sessions: number; amount: Cents }
}

const PARTS: [Part, Standing][] = [
  ['agreed', 'verified'],
  ['waiting', 'waiting'],
  ['not right', 'disputed'],
  ['only yours', 'own'],
]

/** Shown even at 0, so that confirming the last session doesn't remove a line. */
const ALWAYS: ReadonlySet<Part> = new Set(['agreed', 'waiting'])

/**
 * A month's totals by currency: the workspace's currency first, then the others by code. Like the summary's
 * Total Amount, they leave out what's disputed, which is a part beside the total.
 */
export function monthTotals(amounts: readonly MonthAmount[], own: Currency): MonthTotal[] {
  const others = [...new Set(amounts.map(({ currency }) => currency))].filter((currency) => currency !== own)
  const isOwnUsed = others.length === 0 || amounts.some(({ currency }) => currency === own)
  return [...(isOwnUsed ? [own] : []), ...others.sort()].map((currency) => {
    const inIt = amounts.filter((one) => one.currency === currency)
    const sum = (standing: Standing) => {
      const those = inIt.filter((one) => one.standing === standing)
      return {
        sessions: those.reduce((count, { sessions }) => count + sessions, 0),
        amount: cents(those.reduce((total, { amount }) => total + centsOfDollars(amount), 0)),
      }
    }
    const parts = PARTS.map(([part, standing]) => ({ part, amount: sum(standing).amount }))
    const hasOtherSide = inIt.some(({ standing }) => standing !== 'own')
    return {
      currency,
      total: cents(
        parts.reduce((total, { part, amount }) => (part === 'not right' ? total : total + amount), 0),
      ),
      parts: hasOtherSide ? parts.filter(({ part, amount }) => ALWAYS.has(part) || amount > 0) : [],
      leaving: sum('leaving'),
    }
  })
}

/**
 * A tutor's 'This Week' count: sessions waiting for the tutor, plus classes since Sunday that are over but
 * haven't been logged.
 */
export function toConfirmThisWeek(
  state: Pick<Dashboard, 'sessions_to_confirm' | 'due'>,
  moment: Moment,
): number {
  const [sunday = moment.today] = weekOf(moment.today as CalendarDay)
  return (
    state.sessions_to_confirm +
    state.due.filter((one) => yourDay(one) >= sunday && isOver(one, moment)).length
  )
}

export interface Step {
  label: string
  to: string
  /** True if the link leads to the first question on the dashboard. */
  asks?: boolean
  isDone: boolean
}

/**
 * A role's setup steps, in order (docs/product.md, Onboarding checklist). The last step is never marked as
 * done.
 */
export function onboardingSteps(role: 'parent' | 'tutor', state: Dashboard): Step[] {
  if (role === 'parent') {
    return [
      { label: 'Add a Child', to: '/children?new=first', isDone: state.total_students > 0 },
      { label: 'Add a Tutor', to: '/tutors?new=first', isDone: state.active_tutors > 0 },
      { label: 'Log Your First Session', to: '/add-session', isDone: state.has_sessions },
      { label: 'View Monthly Summary', to: '/summary', isDone: false },
    ]
  }
  return [
    { label: 'Add a Student', to: '/students', isDone: state.total_students > 0 },
    { label: 'Create Your First Schedule', to: '/schedules', isDone: state.has_schedules },
    { label: 'Confirm a Class Happened', to: '/dashboard', asks: true, isDone: state.has_verified_sessions },
    { label: 'View Your Session Log', to: '/summary', isDone: false },
  ]
}

/**
 * Whether to show the checklist: until half of the steps are done or it's dismissed (docs/product.md,
 * Onboarding checklist).
 */
export function showsOnboarding(steps: Step[], isDismissed: boolean): boolean {
  return !isDismissed && steps.filter((step) => step.isDone).length * 2 < steps.length
}
