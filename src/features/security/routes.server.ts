// The route for an account's own part of the security log.
import type { FastifyInstance } from 'fastify'
import type { Services } from '#features/access/admission.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import { done } from '#kernel/outcome.ts'
import { type EventKind, ListActivity } from './event.ts'
import { listEvents } from './queries.server.ts'

const PAGE = 10

export function addSecurityRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListActivity, WITHIN, async ({ tx, user, input }) => {
    const rows = await listEvents(tx, user.id, input.cursor, PAGE + 1)
    const events = rows.slice(0, PAGE).map((row) => ({
      ...row,
      kind: row.kind as EventKind,
      happened_at: row.happened_at.toISOString(),
    }))
    return done({ events, next_cursor: rows.length > PAGE ? (events.at(-1)?.id ?? null) : null })
  })
}
