// What follows from where a class takes place: its moments, and the day and time it has for a reader elsewhere.
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { instantOf, wallClockIn } from '#platform/zoned-time.server.ts'
import { byTime, NEXT_WITHIN_DAYS, type Occurrence, overlapping, yourDay } from './occurrence.ts'
import { daysOfSeries, firstDay, weekdayOf } from './recurrence.ts'
import type { RuleFacts } from './proposal-text.ts'
import { recurrenceOf, type Schedule } from './schedule.ts'

type Timed = Pick<Occurrence, 'date' | 'start_time' | 'duration'>

/** The moments at which a class in a time zone starts and ends. */
export function spanIn(zone: string, { date, start_time: time, duration }: Timed) {
  const start = instantOf(date as CalendarDay, time, zone)
  return { start, end: new Date(start.getTime() + duration * 3_600_000) }
}

/** The moments at which a class starts and ends; undefined if nobody knows where it takes place. */
export function spanOf(one: Timed & Pick<Occurrence, 'time_zone'>) {
  return one.time_zone === null ? undefined : spanIn(one.time_zone, one)
}

/** Whether two classes are at the same time, at least in part: by the clock if nobody knows where one of them takes place. */
export function isAtOnce(
  one: Timed & Pick<Occurrence, 'time_zone'>,
  other: Timed & Pick<Occurrence, 'time_zone'>,
): boolean {
  const [first, second] = [spanOf(one), spanOf(other)]
  if (!first || !second) return one.date === other.date && overlapping(one, other)
  return first.start < second.end && second.start < first.end
}

interface Weekly {
  day_of_week: number
  start_time: string
  start_day: string
  time_zone?: string | null | undefined
}

/** Whether two weekly schedules have their classes at the same moment, each by the clock where it takes place. */
export function isSameHour(one: Weekly, other: Weekly): boolean {
  const [time, day] = [one.start_time.slice(0, 5), one.day_of_week]
  const there = { day: other.day_of_week, time: other.start_time.slice(0, 5) }
  if (!one.time_zone || !other.time_zone || one.time_zone === other.time_zone)
    return there.day === day && there.time === time
  const start = (one.start_day > other.start_day ? one : other).start_day as CalendarDay
  const first = firstDay({ start, dayOfWeek: there.day })
  const own = wallClockIn(instantOf(first, there.time, other.time_zone), one.time_zone)
  return weekdayOf(own.day) === day && own.time === time
}

/** Adds when a class ends, and when it starts for a reader whose clock shows another time. */
export function placedFor(reader: string | null): (one: Occurrence) => Occurrence {
  return (one) => {
    const span = spanOf(one)
    if (!span) return one
    const yours = (place: { date: string; start_time: string }) => yoursOf(reader, one.time_zone, place)
    const { proposed } = one
    const { date, start_time: time } = proposed ?? {}
    return {
      ...one,
      ends_at: span.end.toISOString(),
      yours: yours(one),
      proposed: proposed && { ...proposed, yours: date && time ? yours({ date, start_time: time }) : null },
    }
  }
}

/** When a class starts by a reader's clock; null if it's the same day and time there, or if nobody knows where either is. */
export function yoursOf(
  reader: string | null,
  zone: string | null,
  { date, start_time: time }: { date: string; start_time: string },
): Occurrence['yours'] {
  if (reader === null || zone === null || reader === zone) return null
  const own = wallClockIn(instantOf(date as CalendarDay, time, zone), reader)
  return own.day === date && own.time === time ? null : { date: own.day, start_time: own.time }
}

/** The classes that take place on a reader's days, inclusive, in the reader's order. */
export function onDaysOf(
  reader: string | null,
  classes: readonly Occurrence[],
  from: CalendarDay,
  to: CalendarDay,
): Occurrence[] {
  return classes
    .map(placedFor(reader))
    .filter((one) => yourDay(one) >= from && yourDay(one) <= to)
    .sort(byTime)
}

/** Adds when a schedule's next class starts for a reader whose clock shows another time that day. */
export function scheduleFor(reader: string | null, now: Date): (schedule: Schedule) => Schedule {
  const ruleFor = rulesFor(reader, now)
  return (schedule) => ({ ...ruleFor(schedule), proposal: schedule.proposal && ruleFor(schedule.proposal) })
}

/** Adds when the next class of a rule starts for a reader whose clock shows another time that day. */
export function rulesFor(reader: string | null, now: Date): <Rule extends RuleFacts>(rule: Rule) => Rule {
  return (rule) => {
    const { time_zone: zone, start_time } = rule
    if (zone === null) return rule
    const series = recurrenceOf(rule)
    const today = wallClockIn(now, zone).day
    const [next = firstDay(series)] = daysOfSeries(series, today, addDays(today, NEXT_WITHIN_DAYS))
    const yours = yoursOf(reader, zone, { date: next, start_time })
    return {
      ...rule,
      yours: yours && { day_of_week: weekdayOf(yours.date as CalendarDay), start_time: yours.start_time },
    }
  }
}
