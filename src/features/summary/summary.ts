// A month's totals for sessions, hours and amounts: overall, by tutor, by student and by week.
import * as z from 'zod/mini'
import { addDays, type CalendarDay, daysInMonth } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { type Cents, cents, centsOfDollars, Currency, dollars } from '#kernel/money.ts'
import { monthsBack } from '#kernel/month.ts'
import { compareNames } from '#kernel/names.ts'
import type { Standing } from '#features/agreements/answer.ts'
import { Month } from '#features/sessions/session.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'

/** Hours are exact here and rounded to one decimal place on the screen. Amounts are in dollars. */
const Group = z.object({
  id: z.nullable(z.string()),
  name: z.string(),
  sessions: z.number(),
  hours: z.number(),
  amount: z.number(),
})
export type Group = z.output<typeof Group>

/**
 * The parts of an amount: confirmed by both sides, waiting for confirmation, or only in this log. Amounts
 * that were sent back are separate and not included.
 */
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
  /**
   * Shared sessions in a currency other than the workspace's. No total includes them, because amounts in
   * different currencies can't be added up.
   */
  other_currencies: z.array(z.object({ currency: Currency, sessions: z.number(), amount: z.number() })),
})
export type Summary = z.output<typeof Summary>

export const ReadSummary = endpoint({
  operation: 'ReadSummary',
  summary: "Get a month's totals, excluding sessions that were sent back or marked for deletion",
  method: 'GET',
  path: '/api/v1/summary',
  access: 'confirmed',
  closedTo: ['caregiver'],
  input: z.strictObject({ month: Month }),
  output: Summary,
})

/** The current month and the 11 before it, newest first (docs/product.md, section 9). */
export function selectableMonths(current: string): string[] {
  return monthsBack(current, 12)
}

/** Splits a month into weeks by day: 1 to 7, 8 to 14, and so on. The last one has whatever days remain. */
export function weeksOf(month: string): { from: CalendarDay; to: CalendarDay }[] {
  const days = daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5)))
  const last = `${month}-${days}` as CalendarDay
  return Array.from({ length: Math.ceil(days / 7) }, (_, week) => {
    const from = `${month}-${String(week * 7 + 1).padStart(2, '0')}` as CalendarDay
    const to = addDays(from, 6)
    return { from, to: to > last ? last : to }
  })
}

/** Totals for all sessions with the same tutor, student and week. Calculated by the database. */
export interface Portion {
  tutor_id: string | null
  tutor_name: string | null
  student_id: string | null
  student_name: string | null
  /** The 0-based index of the week in the month (days 1 to 7, 8 to 14, ...) or of the month in the year. */
  part: number
  standing: Standing
  /** The currency of the amounts, or null if it's the workspace's. */
  other_currency: Currency | null
  sessions: number
  minutes: number
  amount_cents: number
}

type Summed = Omit<Portion, 'part'>

/**
 * The standings that count toward totals. Sessions that were sent back or that one side asked to delete don't
 * count.
 */
const COUNTED: ReadonlySet<Standing> = new Set(['verified', 'waiting', 'own'])
const counted = (portions: Summed[]) => portions.filter(({ standing }) => COUNTED.has(standing))

/** Adds up a month's portions. Works in whole minutes and cents and converts only at the end. */
export function summarize(month: string, portions: Portion[]): Summary {
  return {
    month,
    ...totalsOf(portions),
    by_week: weeksOf(month).map(({ from, to }, week) => {
      const own = portions.filter((portion) => portion.part === week)
      const { sessions, minutes } = sumOf(counted(own))
      return { from, to, sessions, hours: hours(minutes), ...amountsOf(own) }
    }),
  }
}

/** Session totals overall, by tutor and by student. Used by the screen and the statements. */
export function totalsOf(portions: Summed[]): Omit<Summary, 'month' | 'by_week'> {
  const own = counted(portions)
  const total = sumOf(own)
  return {
    total_sessions: total.sessions,
    total_hours: hours(total.minutes),
    total_amount: dollars(total.amount),
    ...amountsOf(portions),
    by_tutor: grouped(own, (portion) => [portion.tutor_id, portion.tutor_name ?? UNKNOWN_TUTOR]),
    by_student: grouped(own, (portion) => [portion.student_id, portion.student_name ?? UNKNOWN_STUDENT]),
    other_currencies: otherCurrencies(portions),
  }
}

function otherCurrencies(portions: Summed[]): Summary['other_currencies'] {
  const others = counted(portions)
  return [...new Set(others.flatMap(({ other_currency: currency }) => currency ?? []))]
    .sort()
    .map((currency) => {
      const { sessions, amount } = sumOf(
        others.filter(({ other_currency: other }) => other === currency),
        currency,
      )
      return { currency, sessions, amount: dollars(amount) }
    })
}

/** The sum of an amount's parts in dollars. Doesn't include amounts that were sent back. */
export function sumOfAmounts(parts: Amounts): number {
  const inCents = [parts.verified_amount, parts.waiting_amount, parts.own_amount]
  return dollars(cents(inCents.reduce((sum, part) => sum + centsOfDollars(part), 0)))
}

/**
 * Splits the sum of an amount's parts into the parts of its bar: solid, and hatched for what's waiting. What
 * nobody else can confirm counts as solid.
 */
export function barOf(parts: Amounts): { solid: number; hatched: number } {
  return { solid: parts.verified_amount + parts.own_amount, hatched: parts.waiting_amount }
}

/** Whether to show verification: true if someone else can confirm sessions or already has. */
export function hasOtherSide(parts: Amounts): boolean {
  return parts.verified_amount !== 0 || parts.waiting_amount !== 0 || parts.disputed_amount !== 0
}

function amountsOf(portions: Summed[]): Amounts {
  const amount = (standing: Standing) =>
    dollars(sumOf(portions.filter((portion) => portion.standing === standing)).amount)
  return {
    verified_amount: amount('verified'),
    waiting_amount: amount('waiting'),
    disputed_amount: amount('disputed'),
    own_amount: amount('own'),
  }
}

/** All sessions and minutes, and the amounts in one currency; null for the workspace's. */
function sumOf(
  portions: Summed[],
  currency: Currency | null = null,
): { sessions: number; minutes: Minutes; amount: Cents } {
  const add = (field: 'sessions' | 'minutes' | 'amount_cents') =>
    portions.reduce(
      (sum, portion) =>
        field === 'amount_cents' && portion.other_currency !== currency ? sum : sum + portion[field],
      0,
    )
  return { sessions: add('sessions'), minutes: add('minutes') as Minutes, amount: cents(add('amount_cents')) }
}

// Sorted by amount, largest first. All deleted people share one group.
function grouped(portions: Summed[], keyOf: (portion: Summed) => [string | null, string]): Group[] {
  const groups = new Map<string | null, { name: string; own: Summed[] }>()
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
    .sort((a, b) => b.amount - a.amount || b.sessions - a.sessions || compareNames(a.name, b.name))
}
