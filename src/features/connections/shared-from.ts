// Formats the first day that a connection shares.
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'

/**
 * "sessions from Nov 1", with the year if it isn't the current one, or "all sessions" if all are shared.
 * @param today the reader's date
 */
export function sharedFromWords(day: string | null, today: CalendarDay): string {
  if (day === null) return 'all sessions'
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  const words = formatDay(day as CalendarDay, {
    month: 'short',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
  return `sessions from ${words}`
}
