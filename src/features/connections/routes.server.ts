// The routes of the connections: asking, answering, matching, merging and ending, with an account and from an emailed link.
import type { FastifyInstance } from 'fastify'
import { addDays, type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { done, refused } from '#kernel/outcome.ts'
import { emailKey } from '#kernel/text.ts'
import { addressHash, insertOptOut, isOptedOut } from '#features/notices/queries.server.ts'
import { agreeToDelete, keepSession } from '#features/sessions/commands.server.ts'
import { type SharedSession, wordAfter, type WordChange } from '#features/sessions/confirmation.ts'
import { listStudents } from '#features/students/queries.server.ts'
import { listMembers, shareMember } from '#features/workspaces/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { notFound, ProblemError } from '#platform/http/problem.server.ts'
import { hitLimit } from '#platform/http/rate-limit.server.ts'
import { type Desk, serve, type Services } from '#platform/http/serve.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import {
  AnswerConnection,
  AnswerPairs,
  AskTutor,
  EndConnection,
  ListConnections,
  ListPairs,
} from './connection.ts'
import {
  ConfirmByMail,
  DeleteByMail,
  DisputeByMail,
  EndByMail,
  KeepByMail,
  OpenMailedLink,
  WithdrawByMail,
} from './emailed.ts'
import {
  addressOfTutor,
  answerByMail,
  answerConnection,
  answerPair,
  connectionOfToken,
  emailedFamily,
  endConnection,
  familyOf,
  insertConnection,
  listConnections,
  listEmailed,
  listPairs,
  lockEmailed,
  matchChild,
  readConnection,
  readEmailed,
  shareSessions,
  writeEmailedWord,
} from './queries.server.ts'

/** Questions to one address, from whomever: an invitation is no way to fill a mailbox (promise I7). */
const ASKED = { hits: 3, seconds: 86_400 }

/** What connections replaced; programs that still call it learn that it is gone for good. */
const GONE = ['/api/v1/families', '/api/v1/links', '/api/v1/proposals'] as const

/** Adds the routes under /api/v1/connections, and those of the emailed page. */
export function addConnectionRoutes(app: FastifyInstance, services: Services): void {
  addAsking(app, services)
  addSharing(app, services)
  addEmailedPage(app, services)
  for (const path of GONE)
    for (const url of [path, `${path}/*`])
      app.all(url, () => {
        throw new ProblemError(
          410,
          'gone',
          'This is gone. See /api/v1/connections and /api/v1/confirmations.',
        )
      })
}

function addAsking(app: FastifyInstance, services: Services): void {
  serve(app, services, ListConnections, async ({ tx, desk }) => done(await listConnections(tx, desk)))

  serve(app, services, AskTutor, async ({ tx, user, workspace, desk, input }) => {
    const email = await addressOfTutor(tx, workspace, input.tutor_id)
    if (email === undefined) return refused('unknown_tutor')
    if (email === null) return refused('no_email')
    const key = emailKey(email)
    // Nobody ever confirms for both sides: a tutor at the address of a member is no other side.
    const members = await services.db.readAsSystem((system) => listMembers(system, workspace, user.id))
    if (members.some((one) => one.email !== null && emailKey(one.email) === key))
      return refused('own_address')
    const sharedFrom = input.shared_from ?? null
    const id = await insertConnection(tx, workspace, {
      tutorId: input.tutor_id,
      email,
      emailKey: key,
      sharedFrom,
    })
    if (!id) return refused('already_asked')
    const { isTooOften, isRefused } = await services.db.asSystem(async (system) => ({
      isRefused: await isOptedOut(system, email),
      isTooOften: (await hitLimit(system, `ask:${key}`, ASKED)) !== undefined,
    }))
    if (isRefused) return refused('opted_out')
    if (isTooOften) return refused('asked_too_often')
    await queueMail(tx, { userId: user.id, recipient: email, kind: 'ask_tutor', data: { link_id: id } })
    return done(await existing(readConnection(tx, desk, id)))
  })

  serve(app, services, AnswerConnection, async ({ tx, workspace, desk, params, input }) => {
    const before = await readConnection(tx, desk, params.id)
    if (!before) throw notFound()
    if (before.is_read_only) return refused('other_closed')
    const people = input.people ?? []
    const students = await listStudents(tx, workspace, 'all')
    const named = people.flatMap(({ student_id: id }) => id ?? [])
    if (named.some((id) => !students.some((student) => student.id === id))) return refused('unknown_student')
    const others = before.people.filter(({ id }) => !people.some((person) => person.id === id))
    const taken = [...named, ...others.flatMap(({ student_id: id }) => id ?? [])]
    if (new Set(taken).size < taken.length) return refused('matched_twice')
    if (input.state === 'active') {
      const family = await familyOf(tx, params.id)
      if (family && (await services.db.readAsSystem((system) => shareMember(system, workspace, family))))
        return refused('own_family')
    }
    if (input.state && !(await answerConnection(tx, workspace, params.id, input.state)))
      return refused('changed')
    if (input.state === 'declined') return done({ ...before, state: 'declined', ended_by: 'you' })
    if (!input.state && before.state !== 'active') return refused('not_connected')
    // Emptied first, so that two children may trade their students.
    for (const { id } of people) await matchChild(tx, params.id, id, null)
    for (const { id, student_id: student } of people) await matchChild(tx, params.id, id, student)
    await shareSessions(tx, params.id)
    return done(await existing(readConnection(tx, desk, params.id)))
  })

  serve(app, services, EndConnection, async ({ tx, desk, params }) => {
    if (!(await endConnection(tx, desk, params.id))) throw notFound()
    return done(undefined)
  })
}

function addSharing(app: FastifyInstance, services: Services): void {
  serve(app, services, ListPairs, async ({ tx, desk, params }) => {
    if (!(await readConnection(tx, desk, params.id))) throw notFound()
    return done({ pairs: await listPairs(tx, desk, params.id) })
  })

  serve(app, services, AnswerPairs, async ({ tx, desk, params, input }) => {
    const connection = await readConnection(tx, desk, params.id)
    if (!connection) throw notFound()
    if (connection.is_read_only) return refused('other_closed')
    let answered = 0
    const answers = [
      ...input.same.map((id) => [id, true] as const),
      ...input.different.map((id) => [id, false] as const),
    ]
    try {
      for (const [id, isSame] of answers) if (await answerPair(tx, params.id, id, isSame)) answered += 1
    } catch (error) {
      if (constraintOf(error) === 'session_pairs_copies') return refused('copies')
      throw error
    }
    return done({ answered })
  })
}

function addEmailedPage(app: FastifyInstance, services: Services): void {
  // A lesson is confirmed once it took place; somebody's today may be a day ahead of the server's.
  const latest = () => addDays(dayIn(services.now(), 'UTC'), 1)

  serve(app, services, OpenMailedLink, async ({ tx, input }) => {
    const link = await connectionOfToken(tx, tokenHash(input.token), services.now())
    if (!link) return refused('link_gone')
    return done(
      await services.db.asLink(link.id, async (side) => ({
        family_name: await emailedFamily(side),
        sessions: await listEmailed(side, latest()),
      })),
    )
  })

  /** Runs an answer as the connection of a token; the first answer accepts what the family asked. */
  async function byMail<Result>(
    tx: Tx,
    token: string,
    work: (side: Tx, desk: Desk) => Promise<Result>,
  ): Promise<Result | undefined> {
    const link = await connectionOfToken(tx, tokenHash(token), services.now())
    if (!link) return undefined
    return services.db.asLink(link.id, async (side) => {
      const result = await work(side, deskOfLink(side, link.id, services.now()))
      await answerByMail(side, link.id, 'active')
      return result
    })
  }

  serve(app, services, ConfirmByMail, async ({ tx, input }) => {
    const result = await byMail(tx, input.token, async (side) => {
      const taken = { confirmed: [] as string[], changed: [] as string[] }
      // Always in the same order, so that two that confirm the same sessions wait for each other and do not deadlock.
      for (const seen of [...input.sessions].sort((a, b) => a.id.localeCompare(b.id)))
        taken[(await giveWord(side, seen, 'confirm', latest())).isTaken ? 'confirmed' : 'changed'].push(
          seen.id,
        )
      return taken
    })
    return result ? done(result) : refused('link_gone')
  })
  serve(app, services, WithdrawByMail, async ({ tx, input }) => {
    const result = await byMail(tx, input.token, (side) => giveWord(side, input, 'withdraw', latest()))
    return result ? answered(result) : refused('link_gone')
  })
  serve(app, services, DisputeByMail, async ({ tx, input }) => {
    const result = await byMail(tx, input.token, (side) =>
      giveWord(side, input, 'dispute', latest(), input.note),
    )
    return result ? answered(result) : refused('link_gone')
  })

  serve(app, services, DeleteByMail, async ({ tx, input: { token, id, version } }) => {
    const result = await byMail(tx, token, (_side, desk) => existing(agreeToDelete(desk, { id, version })))
    if (!result) return refused('link_gone')
    return result.ok ? done(undefined) : result
  })
  serve(app, services, KeepByMail, async ({ tx, input: { token, id, version } }) => {
    const result = await byMail(tx, token, async (side, desk) => {
      const outcome = await existing(keepSession(desk, { id, version }))
      return outcome.ok ? done(await existing(readEmailed(side, id))) : outcome
    })
    return result ?? refused('link_gone')
  })

  serve(app, services, EndByMail, async ({ tx, input }) => {
    const link = await connectionOfToken(tx, tokenHash(input.token), services.now())
    if (!link) return refused('link_gone')
    await services.db.asLink(link.id, (side) => answerByMail(side, link.id, 'ended'))
    if (input.forget && link.email) await insertOptOut(tx, addressHash(link.email))
    return done(undefined)
  })
}

/** Where commands run for an emailed link: what it may see and write is its connection, and nothing of a workspace. */
function deskOfLink(tx: Tx, connectionId: string, now: Date): Desk {
  return { tx, workspace: connectionId as WorkspaceId, side: 'practice', seesAmounts: true, now }
}

/** The session as it is after an answer, and whether that was taken. */
interface Answered {
  isTaken: boolean
  session: SharedSession
}

/** Gives a word from an emailed page on a session as it was seen. Throws where the page shows no such session. */
async function giveWord(
  side: Tx,
  seen: { id: string; version: number },
  change: WordChange,
  latest: CalendarDay,
  note: string | null = null,
): Promise<Answered> {
  const stored = await lockEmailed(side, seen.id)
  if (!stored || stored.day > latest) throw notFound()
  const next = wordAfter(stored.own_says, change)
  const stands =
    next === undefined ||
    (next === 'disputed' && stored.own_says === next && stored.own_word_note === note && !stored.is_answered)
  const isTaken = stands || seen.version === stored.version
  if (isTaken && !stands)
    await writeEmailedWord(side, seen.id, {
      own_word: next === 'none' ? null : next,
      own_word_version: next === 'none' ? null : stored.facts_version,
      own_word_note: next === 'disputed' ? note : null,
    })
  return { isTaken, session: await existing(readEmailed(side, seen.id)) }
}

function answered({ isTaken, session }: Answered) {
  return isTaken ? done(session) : refused('changed')
}

function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined
}

async function existing<Found>(found: Promise<Found | undefined>): Promise<Found> {
  const value = await found
  if (!value) throw notFound()
  return value
}
