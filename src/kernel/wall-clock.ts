// The local time of day where the lesson takes place, as HH:MM without a time zone.
import { formatMoment } from './calendar-day.ts'
import { reader } from './reader.ts'

export const WALL_CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/

/** Formats a time for its reader: "16:30" becomes "4:30 PM" in the United States. */
export function formatTime(time: string): string {
  return formatMoment(`1970-01-01T${time.slice(0, 5)}Z`, {
    hour: hourDigits(),
    minute: '2-digit',
    timeZone: 'UTC',
  })
}

/** Formats an hour of the day, such as "4 PM" or "16:00". Hours past midnight go on counting: 25 is "1 AM". */
export function formatHour(hour: number): string {
  const time = `${String(hour % 24).padStart(2, '0')}:00`
  if (reader().hourCycle === 'h23') return formatTime(time)
  return formatMoment(`1970-01-01T${time}Z`, { hour: 'numeric', timeZone: 'UTC' })
}

/** Where the day has 24 hours, each has two digits: 09:30. */
function hourDigits(): '2-digit' | 'numeric' {
  return reader().hourCycle === 'h23' ? '2-digit' : 'numeric'
}

/** Shortens a time from the database, 16:30:00, to 16:30. */
export function wallClock(time: string | null): string | null {
  return time?.slice(0, 5) ?? null
}
