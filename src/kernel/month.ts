// Months as yyyy-MM text.
import { type CalendarDay, formatDay } from './calendar-day.ts'

export function addMonths(month: string, months: number): string {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`
}

/** The `count` months that end with `current`, newest first. */
export function monthsBack(current: string, count: number): string[] {
  return Array.from({ length: count }, (_, back) => addMonths(current, -back))
}

/** Formats a month, such as 'June 2025'. */
export function monthLabel(month: string): string {
  return formatDay(`${month}-01` as CalendarDay, { month: 'long', year: 'numeric' })
}
