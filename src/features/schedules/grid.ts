// The days in the week and month views. Weeks start on Sunday (docs/product.md, section 9).
import { addDays, type CalendarDay, daysOfMonth, formatDay, monthOf, weekOf } from '#kernel/calendar-day.ts'
import { addMonths } from '#kernel/month.ts'

/** All days of the full weeks that contain the given day's month. */
export function weeksOfMonth(day: CalendarDay): CalendarDay[][] {
  const weeks: CalendarDay[][] = []
  for (
    let first = weekOf(monthsAway(day, 0))[0] as CalendarDay;
    monthOf(first) <= monthOf(day);
    first = addDays(first, 7)
  )
    weeks.push(weekOf(first))
  return weeks
}

/** The first day of the month that's `months` months after the given day's month, or before it if negative. */
export function monthsAway(day: CalendarDay, months: number): CalendarDay {
  return `${addMonths(monthOf(day), months)}-01` as CalendarDay
}

/** Formats a week, such as "Nov 15 – 21, 2026". If the week spans two months, names both. */
export function weekLabel(days: CalendarDay[]): string {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return ''
  const end = formatDay(
    last,
    monthOf(first) === monthOf(last) ? { day: 'numeric' } : { month: 'short', day: 'numeric' },
  )
  return `${formatDay(first, { month: 'short', day: 'numeric' })} – ${end}, ${last.slice(0, 4)}`
}

/**
 * Returns the day to move to when a key is pressed, or undefined for other keys. Arrow keys move by a day or
 * a week, Home and End to the start or end of the week, Page Up and Page Down by a month.
 */
export function dayForKey(day: CalendarDay, key: string): CalendarDay | undefined {
  const days = weekOf(day)
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
