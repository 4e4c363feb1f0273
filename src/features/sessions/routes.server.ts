// The routes of the sessions.
import type { FastifyInstance } from 'fastify'
import { daysOfMonth } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { Cents } from '#kernel/money.ts'
import { done } from '#kernel/outcome.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { serve, type Services, speakerOf } from '#platform/http/serve.server.ts'
import { answerDispute, changeSession, logSession, removeSession } from './commands.server.ts'
import { ReadHistory } from './history.ts'
import { listSessions, readHistory, readSession } from './queries.server.ts'
import {
  AnswerDispute,
  DeleteSession,
  ListSessions,
  LogSession,
  ReadSession,
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

  serve(app, services, LogSession, async ({ tx, workspace, input }) =>
    logSession(
      { tx, workspace, now: services.now() },
      {
        ...lessonOf(input),
        ofClass:
          input.schedule_id && input.occurrence_date
            ? { schedule_id: input.schedule_id, occurrence_day: input.occurrence_date }
            : undefined,
      },
    ),
  )

  serve(app, services, UpdateSession, async ({ tx, workspace, params, input, expectedVersion: version }) =>
    found(changeSession({ tx, workspace, now: services.now() }, { ...params, version }, lessonOf(input))),
  )

  serve(app, services, AnswerDispute, async ({ tx, workspace, params, input, expectedVersion: version }) =>
    found(answerDispute({ tx, workspace, now: services.now() }, { ...params, version }, input.note)),
  )

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

  serve(app, services, DeleteSession, async ({ tx, workspace, params, expectedVersion: version }) =>
    found(removeSession({ tx, workspace, now: services.now() }, { ...params, version })),
  )
}

/** What the wire calls a session, as the commands call a lesson. */
function lessonOf<Input extends { duration?: Minutes; hourly_rate?: Cents | null }>({
  duration: minutes,
  hourly_rate: rate,
  ...rest
}: Input) {
  return { ...rest, minutes: minutes as Input['duration'], rate }
}

async function found<Value>(value: Promise<Value | undefined>): Promise<Value> {
  const answer = await value
  if (answer === undefined) throw notFound()
  return answer
}
