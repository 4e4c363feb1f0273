// A tutor's classes today: what each comes to, which of them have ended and can be logged at once, and the day's sum.
import { isOver, type Moment, type Occurrence, yourDay } from '#features/schedules/occurrence.ts'
import { totalInWords } from '#features/sessions/confirmation.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { amountAt, type PossiblePrices, priceThatCounts } from '#features/prices/price.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, cents, type Currency, dollars, formatMoney } from '#kernel/money.ts'
import type { TodayClass } from './dashboard.ts'

/** A schedule's prices. */
interface Rates extends Omit<PossiblePrices, 'override'> {
  schedule_id: string
  currency: Currency
}

/** What was logged for a class. */
interface Logged {
  id: string
  amount: Cents | null
  currency: Currency
}

/** Adds what each class comes to: what was logged, or what it will be by the rule that applies when it's logged. */
export function withAmounts(
  classes: readonly Occurrence[],
  rates: readonly Rates[],
  logged: readonly Logged[],
): TodayClass[] {
  const ratesOf = new Map(rates.map((one) => [one.schedule_id, one]))
  const loggedAs = new Map(logged.map((one) => [one.id, one]))
  return classes.map((one) => {
    const session = one.session_id === null ? undefined : loggedAs.get(one.session_id)
    const planned = ratesOf.get(one.schedule_id)
    const amount =
      one.session_id !== null
        ? (session?.amount ?? null)
        : planned
          ? amountAt(
              priceThatCounts(planned, one.date as CalendarDay),
              (one.duration * 60) as Minutes,
              planned.currency,
            )
          : null
    return {
      ...one,
      amount: amount === null ? null : dollars(amount),
      currency: session?.currency ?? planned?.currency ?? null,
    }
  })
}

/** Today's classes by the clock, each part in order of time. */
interface Day<Class extends TodayClass> {
  /** Classes that have ended, or that were logged or canceled. */
  past: Class[]
  /** Classes that haven't ended and that nobody answered yet. */
  later: Class[]
  /** Classes that have ended and that nobody answered yet. */
  open: Class[]
}

export function dayAt<Class extends TodayClass>(classes: readonly Class[], moment: Moment): Day<Class> {
  const ofToday = classes.filter((one) => yourDay(one) === moment.today)
  const isLater = (one: Class) => one.status === 'planned' && !isOver(one, moment)
  const past = ofToday.filter((one) => !isLater(one))
  return { past, later: ofToday.filter(isLater), open: past.filter(({ status }) => status === 'planned') }
}

/** What classes come to, such as "$157.50" or "$90.00 and €40.00". Undefined if none of them has a rate. */
export function sumInWords(classes: readonly Pick<TodayClass, 'amount' | 'currency'>[]): string | undefined {
  return totalInWords(
    classes.flatMap(({ amount, currency }) => (currency === null ? [] : { total_amount: amount, currency })),
  )
}

/**
 * The day's sum: "$340.00 of $420.00", or just "$420.00" once everything is logged. Canceled classes don't
 * count. Undefined if no class has a rate.
 */
export function daySum(classes: readonly TodayClass[]): string | undefined {
  const held = classes.filter(({ status, amount }) => status !== 'canceled' && amount !== null)
  const currencies = new Set(held.flatMap(({ currency }) => currency ?? []))
  const sums = [...currencies].map((currency) => {
    const inIt = held.filter((one) => one.currency === currency)
    const all = sumInWords(inIt)
    const done =
      sumInWords(inIt.filter(({ status }) => status === 'logged')) ?? formatMoney(cents(0), currency)
    return done === all ? all : `${done} of ${all}`
  })
  return sums.length > 0 ? sums.join(' and ') : undefined
}

/** What happened to a class since the page opened, as long as the loaded dashboard doesn't show it. */
export type Attempt = { state: 'sending' | 'logged' } | { state: 'failed'; reason: string; isSame: boolean }

/** Identifies a class among all occurrences. */
export const keyOf = (one: Pick<Occurrence, 'schedule_id' | 'original_date'>): string =>
  `${one.schedule_id} ${one.original_date}`
