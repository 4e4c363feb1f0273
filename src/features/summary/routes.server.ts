// Routes for the monthly and yearly summaries.
import type { FastifyInstance } from 'fastify'
import { type CalendarDay, daysOfMonth } from '#kernel/calendar-day.ts'
import { done } from '#kernel/outcome.ts'
import { countsInTotal, figuresBetween, totalOf } from '#features/payments/balance.ts'
import { keptWithOf } from '#features/payments/payment.ts'
import { readLedgers } from '#features/payments/balance-queries.server.ts'
import { readCurrency } from '#features/workspaces/queries.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import type { Services } from '#features/access/admission.server.ts'
import { monthPortions, PORTIONS_AT_ONCE } from './queries.server.ts'
import { type Portion, ReadSummary, summarize } from './summary.ts'
import { ReadYear, summarizeYear } from './year.ts'

export function addSummaryRoutes(app: FastifyInstance, services: Services): void {
  serve(
    app,
    services,
    ReadSummary,
    {
      ...WITHIN,
      atOnce({ month }) {
        const { from, to } = daysOfMonth(month)
        const finish = (answer: string) => JSON.stringify(summarize(month, JSON.parse(answer) as Portion[]))
        return { statement: PORTIONS_AT_ONCE, values: [from, to], finish }
      },
    },
    async ({ tx, workspace, input }) => {
      const { from, to } = daysOfMonth(input.month)
      return done(summarize(input.month, await monthPortions(tx, workspace, from, to)))
    },
  )

  serve(app, services, ReadYear, WITHIN, async ({ tx, user, workspace, input }) => {
    const [from, to] = [`${input.year}-01-01`, `${input.year}-12-31`] as [CalendarDay, CalendarDay]
    const portions = await monthPortions(tx, workspace, from, to, 'month')
    const currency = await readCurrency(tx, workspace)
    const ledgers = (await readLedgers(tx, workspace, keptWithOf(user.role), to)).filter((ledger) =>
      countsInTotal(ledger, currency),
    )
    const money = Array.from({ length: 12 }, (_, month) => {
      const { from: first, to: last } = daysOfMonth(`${input.year}-${String(month + 1).padStart(2, '0')}`)
      return totalOf(ledgers.map(({ lines }) => figuresBetween(lines, first, last)))
    })
    return done(summarizeYear(input.year, portions, money))
  })
}
