// The moment that a wall clock shows a time, and the wall clock at a moment. The only file that uses Temporal: Node
// doesn't have it yet, and the browser's bundle shouldn't carry it (docs/decisions/0034-zones-of-schedules.md).
import { Temporal } from 'temporal-polyfill'
import type { CalendarDay } from '#kernel/calendar-day.ts'

/**
 * The moment at which a wall clock in a time zone shows this day and time (HH:MM). If it shows it twice, because the
 * clock goes back, it's the first time. If it never does, because the clock jumps, the time counts as if the clock
 * jumped later: 2:30 AM is what's then called 3:30 AM. RFC 5545 says the same, and so do calendars.
 */
export function instantOf(day: CalendarDay, time: string, zone: string): Date {
  const wall = Temporal.PlainDateTime.from(`${day}T${time}`)
  return new Date(wall.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds)
}

/** What a wall clock in a time zone shows at a moment. */
export function wallClockIn(instant: Date, zone: string): { day: CalendarDay; time: string } {
  const wall = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone)
  return {
    day: wall.toPlainDate().toString() as CalendarDay,
    time: wall.toPlainTime().toString({ smallestUnit: 'minute' }),
  }
}

/** The clock of a time zone. */
export interface ZoneClock {
  local(instant: Date): { day: CalendarDay; time: string }
  instantOf(day: CalendarDay, time: string): Date
}

export function clockOf(zone: string): ZoneClock {
  return {
    local: (instant) => wallClockIn(instant, zone),
    instantOf: (day, time) => instantOf(day, time, zone),
  }
}
