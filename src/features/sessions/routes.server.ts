// The routes of the sessions.
import type { FastifyInstance } from 'fastify'
import { daysOfMonth } from '#kernel/calendar-day.ts'
import { given } from '#kernel/changes.ts'
import { done, refused } from '#kernel/outcome.ts'
import { readStudent } from '#features/students/queries.server.ts'
import { tutorRate } from '#features/tutors/queries.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { serve, type Services } from '#platform/http/serve.server.ts'
import { ReadHistory } from './history.ts'
import {
  deleteSession,
  hasSchedule,
  insertSession,
  listSessions,
  lockSession,
  readHistory,
  readSession,
  type SessionRow,
  updateSession,
} from './queries.server.ts'
import {
  AnswerDispute,
  DeleteSession,
  isTooFarAhead,
  ListSessions,
  LogSession,
  ReadSession,
  UpdateSession,
} from './session.ts'

/** Adds the routes under /api/v1/sessions. */
export function addSessionRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListSessions, async ({ tx, user, input }) => {
    const [day, id] = input.cursor?.split('_') ?? []
    const sessions = await listSessions(
      tx,
      user.id,
      { ...(input.month ? daysOfMonth(input.month) : {}), status: input.state },
      input.limit + 1,
      day && id ? { day, id } : undefined,
    )
    const page = sessions.slice(0, input.limit)
    const last = page.at(-1)
    return done({
      sessions: page,
      next_cursor: sessions.length > page.length && last ? `${last.date}_${last.id}` : null,
    })
  })

  serve(app, services, ReadSession, async ({ tx, user, params }) => {
    const session = await readSession(tx, user.id, params.id)
    if (!session) throw notFound()
    return done(session)
  })

  serve(app, services, LogSession, async ({ tx, user, input }) => {
    if (isTooFarAhead(input.date, services.now())) return refused('too_far_ahead')
    if (!(await readStudent(tx, user.id, input.student_id))) return refused('unknown_student')
    const rate = await tutorRate(tx, user.id, input.tutor_id)
    if (rate === undefined) return refused('unknown_tutor')
    const ref =
      input.schedule_id && input.occurrence_date
        ? { schedule_id: input.schedule_id, occurrence_day: input.occurrence_date }
        : {}
    if (ref.schedule_id && !(await hasSchedule(tx, user.id, ref.schedule_id)))
      return refused('unknown_schedule')
    const id = await insertSession(tx, user.id, {
      student_id: input.student_id,
      tutor_id: input.tutor_id,
      day: input.date,
      minutes: input.duration,
      rate_override_cents: input.hourly_rate ?? null,
      tutor_rate_cents: rate,
      subject: input.subject ?? null,
      notes: input.notes ?? null,
      ...ref,
    })
    if (!id) return refused('already_logged')
    const session = await readSession(tx, user.id, id)
    if (!session) throw notFound()
    return done(session)
  })

  serve(app, services, UpdateSession, async ({ tx, user, params, input, expectedVersion }) => {
    const stored = await lockSession(tx, user.id, params.id)
    if (!stored) throw notFound()
    if (expectedVersion !== undefined && expectedVersion !== stored.version) return refused('changed')
    if (input.date && isTooFarAhead(input.date, services.now())) return refused('too_far_ahead')
    const changes: Partial<SessionRow> = given({
      student_id: input.student_id,
      tutor_id: input.tutor_id,
      day: input.date,
      minutes: input.duration,
      rate_override_cents: input.hourly_rate,
      subject: input.subject,
      notes: input.notes,
    })
    if (
      changes.student_id &&
      changes.student_id !== stored.student_id &&
      !(await readStudent(tx, user.id, changes.student_id))
    )
      return refused('unknown_student')
    if (changes.tutor_id && changes.tutor_id !== stored.tutor_id) {
      const rate = await tutorRate(tx, user.id, changes.tutor_id)
      if (rate === undefined) return refused('unknown_tutor')
      changes.tutor_rate_cents = rate
    }
    await updateSession(tx, user.id, params.id, changes)
    const session = await readSession(tx, user.id, params.id)
    if (!session) throw notFound()
    return done(session)
  })

  serve(app, services, AnswerDispute, async ({ tx, user, params, input, expectedVersion }) => {
    const stored = await lockSession(tx, user.id, params.id)
    if (!stored) throw notFound()
    if (expectedVersion !== undefined && expectedVersion !== stored.version) return refused('changed')
    if (stored.status !== 'disputed') return refused('not_disputed')
    await updateSession(tx, user.id, params.id, { answer_note: input.note })
    const session = await readSession(tx, user.id, params.id)
    if (!session) throw notFound()
    return done(session)
  })

  serve(app, services, ReadHistory, async ({ tx, user, params }) => {
    const own = await readHistory(tx, { ownerId: user.id }, params.id)
    // What a link lets a tutor see is decided by the database, as for the session itself.
    const entries =
      own.length > 0
        ? own
        : await services.db.asTutor({ userId: user.id }, (linked) => readHistory(linked, 'linked', params.id))
    if (entries.length === 0) throw notFound()
    return done({ entries })
  })

  serve(app, services, DeleteSession, async ({ tx, user, params, expectedVersion }) => {
    if (await deleteSession(tx, user.id, params.id, expectedVersion)) return done(undefined)
    if (!(await readSession(tx, user.id, params.id))) throw notFound()
    return refused('changed')
  })
}
