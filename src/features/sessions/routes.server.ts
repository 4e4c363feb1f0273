// The routes of the sessions.
import type { FastifyInstance } from 'fastify'
import { daysOfMonth } from '#kernel/calendar-day.ts'
import { given } from '#kernel/changes.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Cents } from '#kernel/money.ts'
import { done, refused } from '#kernel/outcome.ts'
import { studentRate } from '#features/students/queries.server.ts'
import { tutorRate } from '#features/tutors/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { serve, type Services, speakerOf } from '#platform/http/serve.server.ts'
import { ReadHistory } from './history.ts'
import {
  deleteSession,
  insertSession,
  listSessions,
  lockSession,
  readHistory,
  readSession,
  scheduleRate,
  type SessionRow,
  updateSession,
} from './queries.server.ts'
import { rateAfterChange, rateThatApplies } from './rate.ts'
import {
  AnswerDispute,
  DeleteSession,
  ListSessions,
  LogSession,
  ReadSession,
  sessionDay,
  UpdateSession,
} from './session.ts'

/** Adds the routes under /api/v1/sessions. */
export function addSessionRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListSessions, async ({ tx, workspace, input }) => {
    const [day, id] = input.cursor?.split('_') ?? []
    const sessions = await listSessions(
      tx,
      workspace,
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

  serve(app, services, ReadSession, async ({ tx, workspace, params }) => {
    const session = await readSession(tx, workspace, params.id)
    if (!session) throw notFound()
    return done(session)
  })

  serve(app, services, LogSession, async ({ tx, workspace, input }) => {
    const day = sessionDay(input.date, services.now())
    if (!day) return refused('too_far_ahead')
    const student = await studentRate(tx, workspace, input.student_id)
    if (student === undefined) return refused('unknown_student')
    const tutor = await tutorRate(tx, workspace, input.tutor_id)
    if (tutor === undefined) return refused('unknown_tutor')
    const ref =
      input.schedule_id && input.occurrence_date
        ? { schedule_id: input.schedule_id, occurrence_day: input.occurrence_date }
        : {}
    const schedule = ref.schedule_id ? await scheduleRate(tx, workspace, ref.schedule_id) : null
    if (schedule === undefined) return refused('unknown_schedule')
    const id = await insertSession(tx, workspace, {
      student_id: input.student_id,
      tutor_id: input.tutor_id,
      day,
      minutes: input.duration,
      rate_override_cents: input.hourly_rate ?? null,
      tutor_rate_cents: rateThatApplies({ schedule, student, tutor }),
      subject: input.subject ?? null,
      notes: input.notes ?? null,
      ...ref,
    })
    if (!id) return refused('already_logged')
    const session = await readSession(tx, workspace, id)
    if (!session) throw notFound()
    return done(session)
  })

  serve(app, services, UpdateSession, async ({ tx, workspace, params, input, expectedVersion }) => {
    const stored = await lockSession(tx, workspace, params.id)
    if (!stored) throw notFound()
    if (expectedVersion !== undefined && expectedVersion !== stored.version) return refused('changed')
    const day = input.date && sessionDay(input.date, services.now())
    if (input.date && !day) return refused('too_far_ahead')
    const changes: Partial<SessionRow> = given({
      student_id: input.student_id,
      tutor_id: input.tutor_id,
      day,
      minutes: input.duration,
      rate_override_cents: input.hourly_rate,
      subject: input.subject,
      notes: input.notes,
    })
    const [studentId, tutorId] = [input.student_id ?? stored.student_id, input.tutor_id ?? stored.tutor_id]
    if (studentId !== stored.student_id || tutorId !== stored.tutor_id) {
      const [student, tutor] = await ratesOf(tx, workspace, studentId, tutorId)
      if (student === undefined) return refused('unknown_student')
      if (tutor === undefined) return refused('unknown_tutor')
      const [before] = await ratesOf(tx, workspace, stored.student_id, null)
      changes.tutor_rate_cents = rateAfterChange<Cents>(
        stored.tutor_rate_cents,
        { studentId: stored.student_id, tutorId: stored.tutor_id, student: before ?? null },
        { studentId, tutorId, student, tutor },
      )
    }
    await updateSession(tx, workspace, params.id, changes)
    const session = await readSession(tx, workspace, params.id)
    if (!session) throw notFound()
    return done(session)
  })

  serve(app, services, AnswerDispute, async ({ tx, workspace, params, input, expectedVersion }) => {
    const stored = await lockSession(tx, workspace, params.id)
    if (!stored) throw notFound()
    if (expectedVersion !== undefined && expectedVersion !== stored.version) return refused('changed')
    if (stored.status !== 'disputed') return refused('not_disputed')
    await updateSession(tx, workspace, params.id, { answer_note: input.note })
    const session = await readSession(tx, workspace, params.id)
    if (!session) throw notFound()
    return done(session)
  })

  serve(app, services, ReadHistory, async ({ tx, user, workspace, params }) => {
    const own = await readHistory(tx, { accountId: user.id, workspaceId: workspace }, params.id)
    // What a link lets a tutor see is decided by the database, as for the session itself.
    const entries =
      own.length > 0
        ? own
        : await services.db.asTutor(speakerOf(user), (linked) => readHistory(linked, 'linked', params.id))
    if (entries.length === 0) throw notFound()
    return done({ entries })
  })

  serve(app, services, DeleteSession, async ({ tx, workspace, params, expectedVersion }) => {
    if (await deleteSession(tx, workspace, params.id, expectedVersion)) return done(undefined)
    if (!(await readSession(tx, workspace, params.id))) throw notFound()
    return refused('changed')
  })
}

/** The rates of a student and of a tutor now; undefined for one who is not the owner's, null for nobody or without a rate. */
async function ratesOf(
  tx: Tx,
  workspaceId: WorkspaceId,
  studentId: string | null,
  tutorId: string | null,
): Promise<(Cents | null | undefined)[]> {
  return [
    studentId === null ? null : await studentRate(tx, workspaceId, studentId),
    tutorId === null ? null : await tutorRate(tx, workspaceId, tutorId),
  ]
}
