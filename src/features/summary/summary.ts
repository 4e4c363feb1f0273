// The month in totals: how many sessions, how long, how much, by tutor, by student and by week.
import * as z from 'zod/mini'
import { addDays, type CalendarDay, daysInMonth } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { endpoint } from '#kernel/endpoint.ts'
import { type Cents, cents, centsOfDollars, dollars } from '#kernel/money.ts'
import { monthsBack } from '#kernel/month.ts'
import { Month } from '#features/sessions/session.ts'
import type { Standing } from '#features/sessions/word.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'

/** Hours are exact here and rounded to one decimal on the screen; amounts are dollars. */
const Group = z.object({
  id: z.nullable(z.string()),
  name: z.string(),
  sessions: z.number(),
  hours: z.number(),
  amount: z.number(),
})
export type Group = z.output<typeof Group>

/** The parts of an amount: agreed by both sides, waiting for the other side, sent back, and in this log only. */
export const AMOUNTS = {
  verified_amount: z.number(),
  waiting_amount: z.number(),
  disputed_amount: z.number(),
  own_amount: z.number(),
}
export type Amounts = { [part in keyof typeof AMOUNTS]: number }

const Week = z.object({
  from: z.string(),
  to: z.string(),
  sessions: z.number(),
  hours: z.number(),
  ...AMOUNTS,
})
export type Week = z.output<typeof Week>

export const Summary = z.object({
  month: z.string(),
  total_sessions: z.number(),
  total_hours: z.number(),
  total_amount: z.number(),
  ...AMOUNTS,
  by_tutor: z.array(Group),
  by_student: z.array(Group),
  by_week: z.array(Week),
})
export type Summary = z.output<typeof Summary>

export const ReadSummary = endpoint({
  operation: 'ReadSummary',
  summary: "A month's totals",
  method: 'GET',
  path: '/api/v1/summary',
  access: 'confirmed',
  input: z.strictObject({ month: Month }),
  output: Summary,
})

/** The current month and the 11 before it, newest first (product.md section 9). */
export function selectableMonths(current: string): string[] {
  return monthsBack(current, 12)
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

/** Some sessions of one tutor, one student and one week, added up by the database. */
export interface Portion {
  tutor_id: string | null
  tutor_name: string | null
  student_id: string | null
  student_name: string | null
  /** Counts from 0: the weeks of a month (days 1 to 7, 8 to 14, ...), or the months of a year. */
  part: number
  standing: Standing
  sessions: number
  minutes: number
  amount_cents: number
}

/** Adds the portions of a month up to its totals, in whole minutes and cents until the very end. */
export function summarize(month: string, portions: Portion[]): Summary {
  return {
    month,
    ...totalsOf(portions),
    by_week: weeksOf(month).map(({ from, to }, week) => {
      const own = portions.filter((portion) => portion.part === week)
      const { sessions, minutes } = sumOf(own)
      return { from, to, sessions, hours: hours(minutes), ...amountsOf(own) }
    }),
  }
}

/** The totals of any sessions, and the same by tutor and by student; the screen and the statements take theirs from here. */
export function totalsOf(portions: Omit<Portion, 'part'>[]): Omit<Summary, 'month' | 'by_week'> {
  const total = sumOf(portions)
  return {
    total_sessions: total.sessions,
    total_hours: hours(total.minutes),
    total_amount: dollars(total.amount),
    ...amountsOf(portions),
    by_tutor: grouped(portions, (portion) => [portion.tutor_id, portion.tutor_name ?? UNKNOWN_TUTOR]),
    by_student: grouped(portions, (portion) => [portion.student_id, portion.student_name ?? UNKNOWN_STUDENT]),
  }
}

/** All parts of an amount together, in dollars. */
export function sumOfAmounts(parts: Amounts): number {
  const inCents = [parts.verified_amount, parts.waiting_amount, parts.disputed_amount, parts.own_amount]
  return dollars(cents(inCents.reduce((sum, part) => sum + centsOfDollars(part), 0)))
}

/** Whether there is a word to say on verification: somebody else can confirm, or did. */
export function hasOtherSide(parts: Amounts): boolean {
  return parts.verified_amount !== 0 || parts.waiting_amount !== 0 || parts.disputed_amount !== 0
}

function amountsOf(portions: Omit<Portion, 'part'>[]): Amounts {
  const amount = (standing: Standing) =>
    dollars(sumOf(portions.filter((portion) => portion.standing === standing)).amount)
  return {
    verified_amount: amount('verified'),
    waiting_amount: amount('waiting'),
    disputed_amount: amount('disputed'),
    own_amount: amount('own'),
  }
}

function sumOf(portions: Omit<Portion, 'part'>[]): { sessions: number; minutes: Minutes; amount: Cents } {
  const add = (field: 'sessions' | 'minutes' | 'amount_cents') =>
    portions.reduce((sum, portion) => sum + portion[field], 0)
  return { sessions: add('sessions'), minutes: add('minutes') as Minutes, amount: cents(add('amount_cents')) }
}

// Largest amount first; all that were deleted share one line.
function grouped(
  portions: Omit<Portion, 'part'>[],
  keyOf: (portion: Omit<Portion, 'part'>) => [string | null, string],
): Group[] {
  const groups = new Map<string | null, { name: string; own: Omit<Portion, 'part'>[] }>()
  for (const portion of portions) {
    const [id, name] = keyOf(portion)
    const group = groups.get(id) ?? { name, own: [] }
    group.own.push(portion)
    groups.set(id, group)
  }
  return [...groups]
    .map(([id, { name, own }]) => {
      const { sessions, minutes, amount } = sumOf(own)
      return { id, name, sessions, hours: hours(minutes), amount: dollars(amount) }
    })
    .sort((a, b) => b.amount - a.amount || b.sessions - a.sessions || a.name.localeCompare(b.name))
}
