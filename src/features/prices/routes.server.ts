// Routes for prices of pairs.
import type { FastifyInstance } from 'fastify'
import type { Services } from '#features/access/admission.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import { given } from '#kernel/changes.ts'
import { done, refused } from '#kernel/outcome.ts'
import { refusedBy } from '#platform/db/constraint.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { AddPrice, DeletePrice, UpdatePrice } from './price.ts'
import { deletePrice, insertPrice, isPrice, updatePrice } from './queries.server.ts'

/** The constraint on the price of a short lesson. */
const SHORT = 'prices_of_short_lessons'

/** Adds the routes under /api/v1/prices. */
export function addPriceRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, AddPrice, WITHIN, async ({ tx, workspace, input }) => {
    const { student_id, tutor_id, from, amount, lesson_minutes = null } = input
    const values = { student_id, tutor_id, from_day: from, amount_cents: amount, lesson_minutes }
    return refusedBy(SHORT, 'too_high', async () => {
      const added = await insertPrice(tx, workspace, values)
      return typeof added === 'string' ? refused(added) : done(added)
    })
  })

  serve(app, services, UpdatePrice, WITHIN, async ({ tx, workspace, params, input, expectedVersion }) => {
    const { from, amount, lesson_minutes } = input
    const changes = given({ from_day: from, amount_cents: amount, lesson_minutes })
    return refusedBy(SHORT, 'too_high', async () => {
      const changed = await updatePrice(tx, workspace, params.id, changes, expectedVersion)
      if (changed === 'same_day') return refused('same_day')
      if (changed) return done(changed)
      if (!(await isPrice(tx, workspace, params.id))) throw notFound()
      return refused('changed')
    })
  })

  serve(app, services, DeletePrice, WITHIN, async ({ tx, workspace, params, expectedVersion }) => {
    if (await deletePrice(tx, workspace, params.id, expectedVersion)) return done(undefined)
    if (!(await isPrice(tx, workspace, params.id))) throw notFound()
    return refused('changed')
  })
}
