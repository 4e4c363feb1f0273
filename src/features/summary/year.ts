// The twelve months of a year, each with the amounts charged, paid and still due.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { cents, dollars } from '#kernel/money.ts'
import { AMOUNTS, type Portion, Summary, totalsOf } from './summary.ts'

const YearMonth = z.object({
  month: z.string(),
  sessions: z.number(),
  hours: z.number(),
  ...AMOUNTS,
  paid_amount: z.number(),
  /** Total dollars owed at the end of the month. Negative if paid ahead. */
  open_amount: z.number(),
})
export type YearMonth = z.output<typeof YearMonth>

const { month: _month, by_week: _weeks, ...totals } = Summary.shape
export const Year = z.object({
  year: z.string(),
  ...totals,
  paid_amount: z.number(),
  open_amount: z.number(),
  by_month: z.array(YearMonth),
})
export type Year = z.output<typeof Year>

export const ReadYear = endpoint({
  operation: 'ReadYear',
  summary: "Get a year's totals by month, excluding sessions that were sent back or marked for deletion",
  method: 'GET',
  path: '/api/v1/summary/year',
  access: 'confirmed',
  needsAllStudents: true,
  closedTo: ['caregiver'],
  input: z.strictObject({
    year: z
      .string({ error: 'Enter a year such as 2026' })
      .check(z.regex(/^(19\d\d|20\d\d|21\d\d)$/, 'Enter a year such as 2026')),
  }),
  output: Year,
})

/** How much was paid in a month and how much was still due at its end, in cents. */
interface MonthMoney {
  paid: number
  balance: number
}

/**
 * Adds up the figures for a year.
 * @param portions grouped by month; part 0 is January
 * @param money one entry for each of the twelve months
 */
export function summarizeYear(year: string, portions: Portion[], money: MonthMoney[]): Year {
  return {
    year,
    ...totalsOf(portions),
    paid_amount: dollars(cents(money.reduce((sum, { paid }) => sum + paid, 0))),
    open_amount: dollars(cents(money.at(-1)?.balance ?? 0)),
    by_month: money.map(({ paid, balance }, at) => {
      const own = totalsOf(portions.filter(({ part }) => part === at))
      return {
        month: `${year}-${String(at + 1).padStart(2, '0')}`,
        sessions: own.total_sessions,
        hours: own.total_hours,
        verified_amount: own.verified_amount,
        waiting_amount: own.waiting_amount,
        disputed_amount: own.disputed_amount,
        own_amount: own.own_amount,
        paid_amount: dollars(cents(paid)),
        open_amount: dollars(cents(balance)),
      }
    }),
  }
}
