// New terms are announced to everyone, once, and long enough before they take effect (promise P8).
import { addDays, type CalendarDay, calendarDay, formatDay } from '#kernel/calendar-day.ts'
import { NOTICE_DAYS } from './promise.ts'

export interface Announcement {
  version: string
  effectiveDay: CalendarDay
}

/** The announcement from a command's two arguments. Throws an Error with one clear line if it may not be made. */
export function readAnnouncement(version = '', day = '', today: CalendarDay): Announcement {
  if (!/^[\w.-]{1,40}$/.test(version))
    throw new Error('Name the version: letters, digits, dots and dashes, at most 40.')
  const effectiveDay = calendarDay(day)
  if (!effectiveDay) throw new Error('Name the day from which the new terms hold, as yyyy-MM-dd.')
  const earliest = addDays(today, NOTICE_DAYS)
  if (effectiveDay < earliest)
    throw new Error(
      `New terms are announced ${NOTICE_DAYS} days ahead: they can hold from ${earliest} at the earliest.`,
    )
  return { version, effectiveDay }
}

/** A day as an email writes it, for example "June 1, 2025". */
export function formatLongDay(day: string): string {
  return formatDay(day as CalendarDay, { month: 'long', day: 'numeric', year: 'numeric' })
}
