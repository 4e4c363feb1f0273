// The days in the week and month views. Weeks start on Sunday (docs/product.md, section 9).
import { addDays, type CalendarDay, formatDay, weekOf } from '#kernel/calendar-day.ts'

/** All days of the full weeks that contain the given day's month. */
export function weeksOfMonth(day: CalendarDay): CalendarDay[][] {
  const weeks: CalendarDay[][] = []
  for (
    let first = weekOf(firstOfMonth(day))[0] as CalendarDay;
    first.slice(0, 7) <= day.slice(0, 7);
    first = addDays(first, 7)
  )
    weeks.push(weekOf(first))
  return weeks
}

function firstOfMonth(day: CalendarDay): CalendarDay {
  return `${day.slice(0, 7)}-01` as CalendarDay
}

/** The first day of the month that's `months` months after the given day's month, or before it if negative. */
export function monthsAway(day: CalendarDay, months: number): CalendarDay {
  const count = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}-01` as CalendarDay
}

/** Formats a week, such as "Nov 15 – 21, 2026". If the week spans two months, names both. */
export function weekLabel(days: CalendarDay[]): string {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return ''
  const end = formatDay(
    last,
    first.slice(0, 7) === last.slice(0, 7) ? { day: 'numeric' } : { month: 'short', day: 'numeric' },
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
    const first = monthsAway(day, by)
    const last = addDays(monthsAway(first, 1), -1)
    const same = `${first.slice(0, 7)}${day.slice(7)}` as CalendarDay
    return same > last ? last : same
  }
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'Home':
      return days[0]
    case 'End':
      return days[6]
    case 'PageUp':
      return month(-1)
    case 'PageDown':
      return month(1)
    default:
      return undefined
  }
}
