// When terms (half-years, semesters) begin and end. Pure: everything is passed in.
import { addDays, type CalendarDay, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { addMonths } from '#kernel/month.ts'

/** A term's first and last day. */
export interface Term {
  from: CalendarDay
  to: CalendarDay
}

/** What of rules says when terms begin. */
export interface TermMonths {
  term_months?: readonly number[] | null | undefined
}

/** The half-years', where rules don't say another. */
export const USUAL_TERM_MONTHS: readonly number[] = [1, 7]

/** The months in which terms begin, 1 to 12. */
export function termMonthsOf({ term_months: months }: TermMonths): readonly number[] {
  return months?.length ? months : USUAL_TERM_MONTHS
}

/** The term of a day. Terms begin on the first of their months, each year. */
export function termOf(rules: TermMonths, day: CalendarDay): Term {
  const from = monthsFrom(rules, monthOf(day), -1)
  return { from: firstOf(from), to: addDays(firstOf(monthsFrom(rules, addMonths(from, 1), 1)), -1) }
}

/** The nearest month in which a term begins, from one on, going back or ahead. */
function monthsFrom(rules: TermMonths, month: string, step: 1 | -1): string {
  const begins = termMonthsOf(rules)
  let at = month
  while (!begins.includes(Number(at.slice(5)))) at = addMonths(at, step)
  return at
}

const firstOf = (month: string) => `${month}-01` as CalendarDay

/** Whether what these rules say needs to know when a term begins. */
export function dependsOnTerm({
  fee,
  make_ups: makeUps,
}: {
  fee?: { per: string } | null | undefined
  make_ups?: { per?: string | undefined; most?: unknown; until?: unknown } | null | undefined
}): boolean {
  return fee?.per === 'term' || makeUps?.until === 'term' || Boolean(makeUps?.most && makeUps.per === 'term')
}

/** Months in the order of a school year: "September and February". */
export function inSchoolYear(months: readonly number[]): number[] {
  const AUGUST = 8
  const rank = (month: number) => (month - AUGUST + 12) % 12
  return months.toSorted((one, other) => rank(one) - rank(other))
}

/** "September". */
export function monthName(month: number): string {
  return formatDay(`2026-${String(month).padStart(2, '0')}-01` as CalendarDay, { month: 'long' })
}
