// Routes for sessions.
import type { FastifyInstance } from 'fastify'
import { addDays, type CalendarDay, dayIn, daysOfMonth } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { Cents } from '#kernel/money.ts'
import { done, refused } from '#kernel/outcome.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { type Call, type Services, serveWithin } from '#platform/http/serve.server.ts'
import {
  answerDispute,
  changeSession,
  giveWord,
  keepSession,
  type Lesson,
  logSession,
  removeSession,
} from './commands.server.ts'
import {
  ConfirmSession,
  ConfirmSessions,
  DisputeSession,
  KeepSession,
  ListShared,
  WithdrawConfirmation,
} from './confirmation.ts'
import { ReadHistory } from './history.ts'
import { monthList } from './month-list.ts'
import { listSessions, listShared, readHistory, readSession } from './queries.server.ts'
import {
  AnswerDispute,
  DeleteSession,
  ListHeld,
  ListSessions,
  LogSession,
  LogSessions,
  type NewSession,
  ReadSession,
  type Session,
  UpdateSession,
} from './session.ts'

/** Same as the limit on the number of lines in an import. */
const MOST_HELD = 5000

/** Adds the routes under /api/v1/sessions. */
export function addSessionRoutes(app: FastifyInstance, services: Services): void {
  serveWithin(app, services, ListSessions, pageOfSessions, ({ month, state, limit, cursor }) => {
    if (!month || state) return undefined
    const { from, to } = daysOfMonth(month)
    const [day = null, id = null] = cursor?.split('_') ?? []
    const finish = (answer: string) => monthList(answer, limit)
    return { name: 'lines_of_month', values: [from, to, limit, day, id], finish }
  })

  serveWithin(app, services, ListHeld, async ({ tx, workspace }) =>
    done({ sessions: await listSessions(tx, workspace, { isHeld: true }, MOST_HELD) }),
  )

  serveWithin(app, services, ReadSession, async ({ tx, workspace, params }) => {
    const session = await readSession(tx, workspace, params.id)
    if (!session) throw notFound()
    return done(session)
  })

  serveWithin(app, services, LogSession, async ({ desk, input }) => logSession(desk, newLesson(input)))

  // If one session is rejected, the transaction is aborted, which also undoes the sessions logged before it.
  serveWithin(app, services, LogSessions, async ({ desk, input }) => {
    const sessions: Session[] = []
    for (const one of input.sessions) {
      const outcome = await logSession(desk, newLesson(one))
      if (!outcome.ok) return outcome
      sessions.push(outcome.value)
    }
    return done({ sessions })
  })

  serveWithin(app, services, UpdateSession, async ({ desk, params, input, expectedVersion: version }) =>
    found(changeSession(desk, { ...params, version }, lessonOf(input))),
  )

  serveWithin(app, services, AnswerDispute, async ({ desk, params, input, expectedVersion: version }) =>
    found(answerDispute(desk, { ...params, version }, input.note)),
  )

  serveWithin(app, services, ReadHistory, async ({ tx, user, workspace, params, desk }) => {
    const entries = await readHistory(
      tx,
      { accountId: user.id, workspaceId: workspace, side: desk.side },
      params.id,
    )
    if (entries.length === 0) throw notFound()
    return done({ entries })
  })

  serveWithin(app, services, DeleteSession, async ({ desk, params, expectedVersion: version, reply }) => {
    const outcome = await found(removeSession(desk, { ...params, version }))
    if (!outcome.ok) return outcome
    if (outcome.value === 'deleted') return done(undefined)
    reply.status(202)
    const session = await found(readSession(desk.tx, desk.workspace, params.id))
    return done({ code: 'deletion_requested' as const, version: session.version })
  })

  serveWithin(app, services, KeepSession, async ({ desk, params, expectedVersion: version }) => {
    const outcome = await found(keepSession(desk, { ...params, version }))
    return outcome.ok ? done(await found(readSession(desk.tx, desk.workspace, params.id))) : outcome
  })

  serveWithin(app, services, ListShared, async ({ tx, workspace, input }) =>
    done({
      sessions: await listShared(tx, workspace, {
        ...(input.month ? daysOfMonth(input.month) : { to: latest() }),
        isWaiting: input.waiting === 'true',
      }),
    }),
  )

  serveWithin(app, services, ConfirmSession, async ({ desk, params, input, expectedVersion: version }) =>
    found(giveWord(desk, { ...params, version }, 'confirm', latest(), input)),
  )
  serveWithin(app, services, WithdrawConfirmation, async ({ desk, params, expectedVersion: version }) =>
    found(giveWord(desk, { ...params, version }, 'withdraw', latest())),
  )
  serveWithin(app, services, DisputeSession, async ({ desk, params, input, expectedVersion: version }) =>
    found(giveWord(desk, { ...params, version }, 'dispute', latest(), input)),
  )
  serveWithin(app, services, ConfirmSessions, async ({ desk, input }) => {
    const result = { confirmed: [] as string[], changed: [] as string[] }
    // Sorted so that two requests that lock the same sessions can't deadlock.
    for (const seen of [...input.sessions].sort((a, b) => a.id.localeCompare(b.id))) {
      const outcome = await found(giveWord(desk, seen, 'confirm', latest()))
      if (!outcome.ok && outcome.reason === 'other_closed') return refused('other_closed')
      result[outcome.ok ? 'confirmed' : 'changed'].push(seen.id)
    }
    return done(result)
  })

  // A lesson can be confirmed starting on the day it takes place. The user's date may be a day ahead of the
  // server's.
  function latest(): CalendarDay {
    return addDays(dayIn(services.now(), 'UTC'), 1)
  }
}

// Used for lists that the database can't return in a single statement: all months, and sessions that were
// sent back.
async function pageOfSessions({ tx, workspace, input }: Call<typeof ListSessions>) {
  const [day, id] = input.cursor?.split('_') ?? []
  const sessions = await listSessions(
    tx,
    workspace,
    { ...(input.month ? daysOfMonth(input.month) : {}), isSentBack: input.state !== undefined },
    input.limit + 1,
    day && id ? { day, id } : undefined,
  )
  const page = sessions.slice(0, input.limit)
  const last = page.at(-1)
  return done({
    sessions: page,
    next_cursor: sessions.length > page.length && last ? `${last.date}_${last.id}` : null,
  })
}

function newLesson(input: NewSession): Lesson {
  return {
    ...lessonOf(input),
    isAnother: input.is_another,
    isLate: input.is_late,
    ofClass:
      input.schedule_id && input.occurrence_date
        ? { schedule_id: input.schedule_id, occurrence_day: input.occurrence_date }
        : undefined,
  }
}

/** Renames the fields of a request to match the commands. */
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
