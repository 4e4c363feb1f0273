// The first day a connection shares, in words.
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'

/** "sessions from Nov 1", with the year if it isn't this one; "all sessions" if all are shared. @param today the reader's day */
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
