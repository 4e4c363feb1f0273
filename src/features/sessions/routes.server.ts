// Routes for sessions.
import type { FastifyInstance } from 'fastify'
import { given } from '#kernel/changes.ts'
import { addDays, type CalendarDay, dayIn, daysOfMonth } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { Cents } from '#kernel/money.ts'
import { done, refused } from '#kernel/outcome.ts'
import { found, notFound } from '#platform/http/problem.server.ts'
import { type Call, serve, WITHIN } from '#features/access/operation.server.ts'
import type { Services } from '#features/access/admission.server.ts'
import { acceptProposal, agreeToDelete, keep } from '#features/agreements/commands.server.ts'
import {
  answerDispute,
  changeSession,
  disputeSession,
  answerSession,
  type Lesson,
  logSession,
  removeSession,
  SESSION,
} from './commands.server.ts'
import { rateOf, repriceSessions, undoReprice } from './reprice-commands.server.ts'
import { logTogether } from './sibling-commands.server.ts'
import {
  AcceptSession,
  ConfirmSession,
  ConfirmSessions,
  DisputeSession,
  KeepSession,
  ListShared,
  WithdrawConfirmation,
} from './confirmation.ts'
import { ReadHistory } from './history.ts'
import { monthList } from './month-list.ts'
import { MOST_REPRICED, PreviewReprice, repriced, RepriceSessions, UndoReprice } from './reprice.ts'
import { pricedSessions } from './reprice-queries.server.ts'
import { LINES_AT_ONCE, listSessions, listShared, readHistory, readSession } from './queries.server.ts'
import { searchSessions } from './search-queries.server.ts'
import { isSearch, searchedWords } from './session-search.ts'
import {
  AnswerDispute,
  DeleteSession,
  ListHeld,
  ListSessions,
  LogSession,
  LogSessions,
  type NewSession,
  ReadSession,
  UpdateSession,
} from './session.ts'

/** Same as the limit on the number of lines in an import. */
const MOST_HELD = 5000

/** Adds the routes under /api/v1/sessions. */
export function addSessionRoutes(app: FastifyInstance, services: Services): void {
  serve(
    app,
    services,
    ListSessions,
    {
      ...WITHIN,
      atOnce({ month, limit, cursor, ...others }) {
        if (!month || Object.values(others).some((one) => one !== undefined)) return undefined
        const { from, to } = daysOfMonth(month)
        const [day = null, id = null] = cursor?.split('_') ?? []
        const finish = (answer: string) => monthList(answer, limit)
        return { statement: LINES_AT_ONCE, values: [from, to, limit, day, id], finish }
      },
    },
    pageOfSessions,
  )

  serve(app, services, ListHeld, WITHIN, async ({ tx, workspace }) =>
    done({ sessions: await listSessions(tx, workspace, { isHeld: true }, MOST_HELD) }),
  )

  serve(app, services, ReadSession, WITHIN, async ({ tx, workspace, params }) => {
    const session = await readSession(tx, workspace, params.id)
    if (!session) throw notFound()
    return done(session)
  })

  serve(app, services, LogSession, WITHIN, async ({ member, input }) => logSession(member, newLesson(input)))

  // If one session is rejected, the transaction is aborted, which also undoes the sessions logged before it.
  serve(app, services, LogSessions, WITHIN, async ({ member, input }) => {
    const outcome = await logTogether(member, input.sessions.map(newLesson), input.shares_one_price ?? false)
    return outcome.ok ? done({ sessions: outcome.value }) : outcome
  })

  serve(app, services, UpdateSession, WITHIN, async ({ member, params, input, expectedVersion: version }) =>
    found(changeSession(member, { ...params, version }, lessonOf(input))),
  )

  serve(
    app,
    services,
    PreviewReprice,
    WITHIN,
    async ({ member, input: { since, old_rate = null, ...input } }) => {
      if ((await rateOf(member, input)) === undefined) throw notFound()
      const { tx, workspace } = member
      const sessions = await pricedSessions(tx, workspace, { ...input, since }, MOST_REPRICED + 1)
      const isTooMany = sessions.length > MOST_REPRICED
      return done({ ...repriced(isTooMany ? [] : sessions, { ...input, old_rate }), is_too_many: isTooMany })
    },
  )
  serve(app, services, RepriceSessions, WITHIN, async ({ member, input }) => {
    const outcome = await found(repriceSessions(member, input))
    return outcome.ok ? done({ sessions: outcome.value }) : outcome
  })
  serve(app, services, UndoReprice, WITHIN, async ({ member, input }) => found(undoReprice(member, input)))

  serve(app, services, AnswerDispute, WITHIN, async ({ member, params, input, expectedVersion: version }) =>
    found(answerDispute(member, { ...params, version }, input.note)),
  )

  serve(app, services, ReadHistory, WITHIN, async ({ tx, user, workspace, params, caller }) => {
    const entries = await readHistory(
      tx,
      { accountId: user.id, workspaceId: workspace, side: caller.side },
      params.id,
    )
    if (entries.length === 0) throw notFound()
    return done({ entries })
  })

  serve(app, services, DeleteSession, WITHIN, async ({ caller, params, expectedVersion: version, reply }) => {
    const seen = { ...params, version }
    const outcome = caller.isLink
      ? await found(agreeToDelete(caller, SESSION, seen))
      : await found(removeSession(caller, seen))
    if (!outcome.ok) return outcome
    if (outcome.value === 'deleted') return done(undefined)
    reply.status(202)
    const session = await found(readSession(caller.tx, caller.workspace, params.id))
    return done({ code: 'deletion_requested' as const, version: session.version })
  })

  serve(app, services, KeepSession, WITHIN, async ({ caller, params, expectedVersion: version }) => {
    const outcome = await found(keep(caller, SESSION, { ...params, version }))
    return outcome.ok ? done(await found(readSession(caller.tx, caller.workspace, params.id))) : outcome
  })

  serve(app, services, ListShared, WITHIN, async ({ tx, workspace, input }) =>
    done({
      sessions: await listShared(tx, workspace, {
        ...(input.month ? daysOfMonth(input.month) : { to: latest() }),
        isWaiting: input.waiting === 'true',
      }),
    }),
  )

  serve(app, services, ConfirmSession, WITHIN, async ({ caller, params, input, expectedVersion: version }) =>
    found(answerSession(caller, { ...params, version }, 'confirm', latest(), input)),
  )
  serve(app, services, WithdrawConfirmation, WITHIN, async ({ caller, params, expectedVersion: version }) =>
    found(answerSession(caller, { ...params, version }, 'withdraw', latest())),
  )
  serve(
    app,
    services,
    DisputeSession,
    WITHIN,
    async ({ caller, params, input, expectedVersion: version }) => {
      const { note = null, proposal: { is_removal: isRemoval, date: day, duration: minutes, rate } = {} } =
        input
      const proposes = isRemoval ? 'removal' : given({ day, minutes, rate_cents: rate })
      return found(disputeSession(caller, { ...params, version }, latest(), { note, proposes }))
    },
  )
  serve(app, services, AcceptSession, WITHIN, async ({ caller, params, expectedVersion: version }) => {
    const outcome = await found(acceptProposal(caller, SESSION, { ...params, version }))
    if (!outcome.ok) return outcome
    return done(outcome.value === 'deleted' ? undefined : outcome.value)
  })
  serve(app, services, ConfirmSessions, WITHIN, async ({ caller, input }) => {
    const result = { confirmed: [] as string[], changed: [] as string[] }
    // Sorted so that two requests that lock the same sessions can't deadlock.
    for (const seen of [...input.sessions].sort((a, b) => a.id.localeCompare(b.id))) {
      const outcome = await found(answerSession(caller, seen, 'confirm', latest()))
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

// Used for lists that the database can't return in a single statement: all months, one person's sessions,
// searches, and sessions that were sent back.
async function pageOfSessions({ tx, workspace, input }: Call<typeof ListSessions>) {
  const [day, id] = input.cursor?.split('_') ?? []
  const after = day && id ? { day, id } : undefined
  const range = {
    ...(input.month ? daysOfMonth(input.month) : {}),
    ...given({ from: input.from, to: input.to, studentId: input.student_id, tutorId: input.tutor_id }),
  }
  const isSentBack = input.state !== undefined
  const search = { ...range, isSentBack, words: searchedWords(input.search), state: input.standing }
  const most = input.limit + 1
  const { sessions, found: all } = isSearch(input)
    ? await searchSessions(tx, workspace, search, { limit: most, after })
    : { sessions: await listSessions(tx, workspace, { ...range, isSentBack }, most, after) }
  const page = sessions.slice(0, input.limit)
  const last = page.at(-1)
  return done({
    sessions: page,
    next_cursor: sessions.length > page.length && last ? `${last.date}_${last.id}` : null,
    ...(all && { found: all }),
  })
}

function newLesson(input: NewSession): Lesson {
  return {
    ...lessonOf(input),
    isAnother: input.is_another,
    isLate: input.is_late,
    makesUp: input.makes_up?.toLowerCase(),
    ofClass:
      input.schedule_id && input.occurrence_date
        ? { schedule_id: input.schedule_id, occurrence_day: input.occurrence_date }
        : undefined,
  }
}

/** Renames the fields of a request to match the commands. */
function lessonOf<Input extends { date?: CalendarDay; duration?: Minutes; hourly_rate?: Cents | null }>({
  date: day,
  duration: minutes,
  hourly_rate: rate,
  ...rest
}: Input) {
  return { ...rest, day: day as Input['date'], minutes: minutes as Input['duration'], rate }
}
