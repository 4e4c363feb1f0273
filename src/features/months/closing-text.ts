// What the screens say of a month between two sides.
import { type CalendarDay, dayIn, daysOfMonth, formatDay } from '#kernel/calendar-day.ts'
import { monthLabel } from '#kernel/month.ts'

/** A month by its name, with the year where that is not this one: "November", "November 2025". */
export function monthName(month: string, today: CalendarDay = dayIn(new Date())): string {
  return month.slice(0, 4) === today.slice(0, 4)
    ? formatDay(daysOfMonth(month).from, { month: 'long' })
    : monthLabel(month)
}

/** What the other side is called in a sentence; to a tutor a family that gave no name is "the family". */
export function otherName(reader: 'parent' | 'tutor', name: string | null | undefined): string {
  return name ?? (reader === 'parent' ? 'the tutor' : 'the family')
}

/** "Nov 30, 2026", of a moment. */
export function dayOf(moment: string): string {
  return formatDay(dayIn(new Date(moment)), { month: 'short', day: 'numeric', year: 'numeric' })
}
