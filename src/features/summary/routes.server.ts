// The route of the monthly summary.
import type { FastifyInstance } from 'fastify'
import { done } from '#kernel/outcome.ts'
import { serve, type Services } from '#platform/http/serve.server.ts'
import { monthPortions } from './queries.server.ts'
import { ReadSummary, summarize, weeksOf } from './summary.ts'

/** Adds /api/v1/summary. */
export function addSummaryRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ReadSummary, async ({ tx, user, input }) => {
    const weeks = weeksOf(input.month)
    const [first, last] = [weeks[0], weeks.at(-1)]
    if (!first || !last) throw new Error('a month has weeks')
    return done(summarize(input.month, await monthPortions(tx, user.id, first.from, last.to)))
  })
}
