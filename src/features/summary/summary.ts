// The month in totals: how many sessions, how long, how much, by tutor, by student and by week.
import * as z from 'zod/mini'
import { addDays, type CalendarDay, daysInMonth } from '#kernel/calendar-day.ts'
import { endpoint } from '#kernel/endpoint.ts'
import { Month } from '#features/sessions/session.ts'

/** Hours are exact here and rounded to one decimal on the screen; amounts are dollars. */
const Group = z.object({ id: z.nullable(z.string()), name: z.string(), sessions: z.number(), hours: z.number(), amount: z.number() })
export type Group = z.output<typeof Group>

const Week = z.object({ from: z.string(), to: z.string(), sessions: z.number(), hours: z.number(), verified_amount: z.number(), waiting_amount: z.number() })
export type Week = z.output<typeof Week>

export const Summary = z.object({
  month: z.string(), total_sessions: z.number(), total_hours: z.number(), total_amount: z.number(), verified_amount: z.number(), waiting_amount: z.number(),
  by_tutor: z.array(Group), by_student: z.array(Group), by_week: z.array(Week),
})
export type Summary = z.output<typeof Summary>

export const UNKNOWN_TUTOR = 'Unknown Tutor'
export const UNKNOWN_STUDENT = 'Unknown Student'

export const ReadSummary = endpoint({
  operation: 'ReadSummary', summary: "A month's totals", method: 'GET', path: '/api/v1/summary', access: 'confirmed', input: z.strictObject({ month: Month }), output: Summary,
})

/** The month that lies some months after yyyy-MM, or before when negative. */
export function addMonths(month: string, months: number): string {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`
}

/** The current month and the 11 before it, newest first (product.md section 9). */
export function selectableMonths(current: string): string[] {
  return Array.from({ length: 12 }, (_, back) => addMonths(current, -back))
}

/** A month as the selector names it: 'June 2025'. */
export function monthLabel(month: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`))
}

/** The weeks of a month as day ranges: 1 to 7, 8 to 14, ... and the rest. */
export function weeksOf(month: string): { from: CalendarDay; to: CalendarDay }[] {
  const days = daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5)))
  const last = `${month}-${days}` as CalendarDay
  return Array.from({ length: Math.ceil(days / 7) }, (_, week) => {
    const from = `${month}-${String(week * 7 + 1).padStart(2, '0')}` as CalendarDay
    const to = addDays(from, 6)
    return { from, to: to > last ? last : to }
  })
}
