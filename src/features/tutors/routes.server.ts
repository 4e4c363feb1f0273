// Routes for tutors.
import type { FastifyInstance } from 'fastify'
import { columnsOf } from '#features/people/person.ts'
import { done, refused } from '#kernel/outcome.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import type { Services } from '#features/access/admission.server.ts'
import {
  deleteTutor,
  insertTutor,
  insertTutors,
  listTutors,
  readTutor,
  updateTutor,
} from './queries.server.ts'
import { AddTutor, AddTutors, DeleteTutor, ListTutors, MAX_TUTORS, ReadTutor, UpdateTutor } from './tutor.ts'

/** Adds the routes under /api/v1/tutors. */
export function addTutorRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListTutors, WITHIN, async ({ tx, workspace, input }) =>
    done(await listTutors(tx, workspace, input.archived)),
  )

  serve(app, services, ReadTutor, WITHIN, async ({ tx, workspace, params }) => {
    const tutor = await readTutor(tx, workspace, params.id)
    if (!tutor) throw notFound()
    return done(tutor)
  })

  serve(app, services, AddTutor, WITHIN, async ({ tx, workspace, input }) => {
    const tutor = await insertTutor(tx, workspace, columnsOf(input), MAX_TUTORS)
    return tutor ? done(tutor) : refused('too_many_rows')
  })

  serve(app, services, AddTutors, WITHIN, async ({ tx, workspace, input }) => {
    const rows = input.names.map((name) => ({ name }))
    const tutors = await insertTutors(tx, workspace, rows, MAX_TUTORS)
    return tutors ? done({ tutors }) : refused('too_many_rows')
  })

  serve(app, services, UpdateTutor, WITHIN, async ({ tx, workspace, params, input, expectedVersion }) => {
    if (input.archived && (await readTutor(tx, workspace, params.id))?.is_self) return refused('own_row')
    const tutor = await updateTutor(tx, workspace, params.id, columnsOf(input), expectedVersion)
    if (tutor) return done(tutor)
    if (!(await readTutor(tx, workspace, params.id))) throw notFound()
    return refused('changed')
  })

  serve(app, services, DeleteTutor, WITHIN, async ({ tx, workspace, params, expectedVersion }) => {
    if (await deleteTutor(tx, workspace, params.id, expectedVersion)) return done(undefined)
    const tutor = await readTutor(tx, workspace, params.id)
    if (!tutor) throw notFound()
    return refused(tutor.is_self ? 'own_row' : 'changed')
  })
}
