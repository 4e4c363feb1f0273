// From which day on a connection shares sessions, in words.
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'

/** "from Nov 1", with the year where it is not this one; "all sessions" where none is left out. @param today the reader's day */
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
