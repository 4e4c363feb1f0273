// What the screens say of a month between two sides.
import { type CalendarDay, dayIn, daysOfMonth, formatDay } from '#kernel/calendar-day.ts'
import { monthLabel } from '#kernel/month.ts'
import { capital, silence } from '#features/sessions/standing-text.ts'
import type { ClosedMonth } from './closing.ts'

/** A month by its name, with the year where that isn't this one: "November", "November 2025". */
export function monthName(month: string, today: CalendarDay = dayIn(new Date())): string {
  return month.slice(0, 4) === today.slice(0, 4)
    ? formatDay(daysOfMonth(month).from, { month: 'long' })
    : monthLabel(month)
}

/** What the other side is called in a sentence; to a tutor a family that gave no name is "the family". */
export function otherName(reader: 'parent' | 'tutor', name: string | null | undefined): string {
  return name ?? (reader === 'parent' ? 'the tutor' : 'the family')
}

/** What was asked about closing a month, by whom, and since when no answer came where it should have. @param other in a sentence */
export function askedInWords(
  { state, month, asked_at, reminders, reminded_at }: Asked,
  other: string,
  now = new Date(),
): string {
  const question = {
    date: asked_at?.slice(0, 10) ?? month,
    asked_at,
    reminders,
    reminded_at,
    deletion_asked_by: null,
  }
  const silent = silence(question, now)
  const name = monthName(month, dayIn(now))
  if (state === 'asked_by_other')
    return `${capital(other)} asks to close ${name}${silent ? `. Waiting for you ${silent}` : ''}`
  return `You asked to close ${name}. ${silent ? `No answer ${silent}` : `Waiting for ${other}`}`
}

type Asked = Pick<ClosedMonth, 'state' | 'month' | 'asked_at' | 'reminders' | 'reminded_at'>

/** "Nov 30, 2026", of a moment. */
export function dayOf(moment: string): string {
  return formatDay(dayIn(new Date(moment)), { month: 'short', day: 'numeric', year: 'numeric' })
}
