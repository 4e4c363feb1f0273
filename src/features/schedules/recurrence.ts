// Calculates the days of a recurring class (docs/product-decisions.md, section 3, RFC 5545). Uses only
// calendar arithmetic, without a clock or time zone.
import { addDays, type CalendarDay, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import { addMonths } from '#kernel/month.ts'

export const FREQUENCIES = ['weekly', 'bi-weekly', 'monthly', 'custom'] as const
export type Frequency = (typeof FREQUENCIES)[number]

export interface Recurrence {
  frequency: Frequency
  /** Used only if the frequency is 'custom'. */
  intervalDays: number | null
  /** 0 is Sunday and 6 is Saturday. */
  dayOfWeek: number
  start: CalendarDay
  /** The last day, inclusive; null if the series doesn't end. */
  end: CalendarDay | null
}

/** The day of the week for a date; 0 is Sunday. */
export function weekdayOf(day: CalendarDay): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

/**
 * The series' first class: the first day_of_week on or after the start. If that day is after the end, there
 * are no classes.
 */
export function firstDay({ start, dayOfWeek }: Pick<Recurrence, 'start' | 'dayOfWeek'>): CalendarDay {
  return addDays(start, (dayOfWeek - weekdayOf(start) + 7) % 7)
}

/** The series' days in a date range, inclusive, in order. */
export function daysOfSeries(series: Recurrence, from: CalendarDay, to: CalendarDay): CalendarDay[] {
  const first = firstDay(series)
  const last = series.end && series.end < to ? series.end : to
  const earliest = first > from ? first : from
  if (earliest > last) return []
  return series.frequency === 'monthly'
    ? monthlyDays(first, earliest, last)
    : everyFewDays(first, stepOf(series), earliest, last)
}

export function isDayOfSeries(series: Recurrence, day: CalendarDay): boolean {
  return daysOfSeries(series, day, day).length === 1
}

/**
 * A day's position among the same weekdays in its month: 2 for the second Tuesday. The fifth counts as the
 * last, returned as -1 (docs/product-decisions.md, section 3).
 */
export function weekOfMonth(day: CalendarDay): number {
  const week = Math.ceil(Number(day.slice(8)) / 7)
  return week === 5 ? -1 : week
}

/** The number of days between two consecutive classes. Doesn't work for monthly series. */
export function stepOf({ frequency, intervalDays }: Pick<Recurrence, 'frequency' | 'intervalDays'>): number {
  return frequency === 'weekly' ? 7 : frequency === 'bi-weekly' ? 14 : (intervalDays ?? 1)
}

function everyFewDays(first: CalendarDay, step: number, from: CalendarDay, to: CalendarDay): CalendarDay[] {
  const days: CalendarDay[] = []
  for (
    let day = addDays(first, Math.ceil(daysBetween(first, from) / step) * step);
    day <= to;
    day = addDays(day, step)
  )
    days.push(day)
  return days
}

function monthlyDays(first: CalendarDay, from: CalendarDay, to: CalendarDay): CalendarDay[] {
  const days: CalendarDay[] = []
  for (let month = monthOf(from); month <= monthOf(to); month = addMonths(month, 1)) {
    const day = nthWeekday(month, weekdayOf(first), weekOfMonth(first))
    if (day >= from && day <= to) days.push(day)
  }
  return days
}

// The nth occurrence of a weekday in a month, or the last one.
function nthWeekday(month: string, weekday: number, week: number): CalendarDay {
  const { from, to } = daysOfMonth(month)
  if (week === -1) return addDays(to, -((weekdayOf(to) - weekday + 7) % 7))
  return addDays(firstDay({ start: from, dayOfWeek: weekday }), (week - 1) * 7)
}

export function daysBetween(from: CalendarDay, to: CalendarDay): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)
}
