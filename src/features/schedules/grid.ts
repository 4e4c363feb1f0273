// The days in the week and month views, and where a class stands in a day's column. In a month, weeks start on
// the reader's first weekday; the week view starts with today.
import { addDays, type CalendarDay, daysOfMonth, monthOf, weekOf } from '#kernel/calendar-day.ts'
import { addMonths } from '#kernel/month.ts'
import { reader } from '#kernel/reader.ts'

/** All days of the full weeks that contain the given day's month. */
export function weeksOfMonth(day: CalendarDay): CalendarDay[][] {
  const weeks: CalendarDay[][] = []
  let week = weekOf(monthsAway(day, 0), reader().firstWeekday)
  while (week[0] && monthOf(week[0]) <= monthOf(day)) {
    weeks.push(week)
    week = week.map((each) => addDays(each, 7))
  }
  return weeks
}

/** The first day of the month that's `months` months after the given day's month, or before it if negative. */
export function monthsAway(day: CalendarDay, months: number): CalendarDay {
  return `${addMonths(monthOf(day), months)}-01` as CalendarDay
}

/** The seven days that are this many weeks after today, or before it if negative. */
export function weekFrom(today: CalendarDay, weeks: number): CalendarDay[] {
  return Array.from({ length: 7 }, (_, at) => addDays(today, weeks * 7 + at))
}

interface Timed {
  start_time: string
  /** Hours. */
  duration: number
}

/** The shortest height of a class in a day's column. Anything lower couldn't be pressed. */
const LEAST_MINUTES = 30
/** How far the hours go past midnight. A class that ends later is cut off, but says how long it takes. */
const LATEST_HOUR = 27

/** Minutes since midnight of the day on which the class starts, also if it ends after midnight. */
function minutesOf({ start_time: start, duration }: Timed): { start: number; end: number } {
  const at = minutesOfDay(start)
  return { start: at, end: at + Math.max(duration * 60, LEAST_MINUTES) }
}

/** "16:30" as minutes since midnight. */
export function minutesOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** The whole hours that show all of these classes, with some room before and after. */
export function hoursOf(classes: readonly Timed[]): { from: number; to: number } {
  if (classes.length === 0) return { from: 12, to: 18 }
  const times = classes.map(minutesOf)
  const first = Math.min(...times.map(({ start }) => start))
  const last = Math.max(...times.map(({ end }) => end))
  return {
    from: Math.max(0, Math.ceil(first / 60) - 1),
    to: Math.min(LATEST_HOUR, Math.max(Math.floor(last / 60) + 1, Math.ceil(first / 60) + 3)),
  }
}

interface Placed<Class> {
  one: Class
  /** Minutes since midnight. */
  start: number
  minutes: number
  /** Which of `columns` equally wide columns it's in. Classes that overlap are next to each other. */
  column: number
  columns: number
}

/** Places a day's classes so that none covers another. */
export function placedInDay<Class extends Timed>(classes: readonly Class[]): Placed<Class>[] {
  const sorted = classes
    .map((one) => ({ one, ...minutesOf(one) }))
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  const placed: Placed<Class>[] = []
  /** Classes that overlap, also by way of others. All have the same number of columns. */
  let group: Placed<Class>[] = []
  let ends: number[] = []
  for (const { one, start, end } of sorted) {
    if (ends.every((taken) => taken <= start)) [group, ends] = [[], []]
    const free = ends.findIndex((taken) => taken <= start)
    const column = free === -1 ? ends.length : free
    ends[column] = end
    group.push({ one, start, minutes: Math.min(end, LATEST_HOUR * 60) - start, column, columns: 1 })
    for (const each of group) each.columns = ends.length
    placed.push(group.at(-1) as Placed<Class>)
  }
  return placed
}

/**
 * Returns the day to move to when a key is pressed, or undefined for other keys. Arrow keys move by a day or
 * a week, Home and End to the start or end of the week, Page Up and Page Down by a month.
 */
export function dayForKey(day: CalendarDay, key: string): CalendarDay | undefined {
  const days = weekOf(day, reader().firstWeekday)
  const month = (by: number) => {
    const { to: last } = daysOfMonth(addMonths(monthOf(day), by))
    const same = `${monthOf(last)}${day.slice(7)}` as CalendarDay
    return same > last ? last : same
  }
  const targets: Record<string, CalendarDay | undefined> = {
    ArrowLeft: addDays(day, -1),
    ArrowRight: addDays(day, 1),
    ArrowUp: addDays(day, -7),
    ArrowDown: addDays(day, 7),
    Home: days[0],
    End: days[6],
    PageUp: month(-1),
    PageDown: month(1),
  }
  return targets[key]
}
