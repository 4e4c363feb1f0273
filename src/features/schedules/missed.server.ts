// What agreed terms say about a class of a shared schedule that didn't take place. Pure: the database says what decides
// about it (missed_class in db/repeatable/missed.sql), and the rule is that of terms.
import { rulesOn } from '#features/terms/fees.ts'
import { halfYearOf, outcomeOf, shareOf } from '#features/terms/missed.ts'
import type { Outcome } from '#features/terms/outcome.ts'
import type { PeriodFee, Rules } from '#features/terms/rules.ts'
import { termOf } from '#features/terms/term.ts'
import type { applyingOn } from '#features/terms/terms.ts'
import { type CalendarDay, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import type { Cents, Currency } from '#kernel/money.ts'
import { instantOf } from '#platform/zoned-time.server.ts'
import { plannedPrice, type Priced } from './planned-price.ts'
import { daysOfSeries } from './recurrence.ts'
import { recurrenceOf } from './schedule.ts'

/** A class of a shared schedule, as it ended, and everything that decides what that costs. */
export interface MissedFacts extends Priced {
  outcome: Outcome | null
  /** When that was recorded. ISO 8601. */
  at: string | null
  /** Where the class takes place. */
  date: CalendarDay
  start_time: string
  time_zone: string
  currency: Currency
  /** The days of other classes that the family canceled for free. */
  free_days: readonly CalendarDay[]
  /** The rules of all schedules that the two sides share. */
  series: readonly Parameters<typeof recurrenceOf>[0][]
  /** All versions, newest first. */
  terms: readonly (Parameters<typeof applyingOn>[0][number] & { rules: Rules })[]
}

interface Said {
  /** Negative for a credit. */
  charge: Cents
  usesFree: boolean
  because: string
}

const MINUTE = 60_000

/** What the terms of the class's day say about how it ended; undefined if it's planned, or if no terms apply. */
export function saidByTerms(missed: MissedFacts): Said | undefined {
  const { outcome, at, date } = missed
  const rules = rulesOn(missed.terms, date)
  if (!outcome || !at || !rules) return undefined
  const begins = instantOf(date, missed.start_time, missed.time_zone)
  const { from, to } = halfYearOf(date)
  const { charge, usesFree, because } = outcomeOf(rules, {
    outcome,
    noticeMinutes: Math.floor((begins.getTime() - Date.parse(at)) / MINUTE),
    price: rules.fee ? partOfFee(rules, rules.fee, missed) : plannedPrice(missed, date, missed.currency),
    currency: missed.currency,
    freeUsed: missed.free_days.filter((day) => day >= from && day <= to).length,
    makeUpsCounted: 0,
  })
  return { charge, usesFree, because }
}

/** The class's share of its month's or term's fee. */
function partOfFee(rules: Rules, fee: PeriodFee, { date, series, currency }: MissedFacts): Cents {
  const { from, to } = fee.per === 'term' ? termOf(rules, date) : daysOfMonth(monthOf(date))
  const planned = series.reduce((sum, one) => sum + daysOfSeries(recurrenceOf(one), from, to).length, 0)
  return shareOf(fee, planned, currency)
}
