// Announces new terms to everyone once, well before they take effect (promise P8).
import { addDays, type CalendarDay, calendarDay, formatDay } from '#kernel/calendar-day.ts'
import { NOTICE_DAYS } from './promise.ts'

export interface Announcement {
  version: string
  effectiveDay: CalendarDay
}

/**
 * Parses the command's two arguments. If they aren't valid, or if the day is too soon, throws an Error with a
 * message for the operator.
 */
export function readAnnouncement(version = '', day = '', today: CalendarDay): Announcement {
  if (!/^[\w.-]{1,40}$/.test(version))
    throw new Error('Enter a version of up to 40 letters, digits, dots and dashes.')
  const effectiveDay = calendarDay(day)
  if (!effectiveDay) throw new Error('Enter the day the new terms take effect, as yyyy-MM-dd.')
  const earliest = addDays(today, NOTICE_DAYS)
  if (effectiveDay < earliest)
    throw new Error(
      `New terms must be announced ${NOTICE_DAYS} days ahead, so they can't take effect before ${earliest}.`,
    )
  return { version, effectiveDay }
}

/** Formats a day for an email, such as "June 1, 2025". */
export function formatLongDay(day: string): string {
  return formatDay(day as CalendarDay, { month: 'long', day: 'numeric', year: 'numeric' })
}
