// When a month's money is due under terms that say so.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { addMonths } from '#kernel/month.ts'
import type { Rules } from './rules.ts'

/** The day on which a month's money is due; undefined if the terms don't say. */
export function dueDayOf({ due_day: day, fee }: Rules, month: string): CalendarDay | undefined {
  if (!day) return undefined
  return `${addMonths(month, fee?.is_in_advance ? 0 : 1)}-${String(day).padStart(2, '0')}` as CalendarDay
}
