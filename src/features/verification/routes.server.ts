// The routes of the tutor's side: the list, the answers, and the same from a mailed link.
import type { FastifyInstance } from 'fastify'
import { answerLink, linkOfToken, readFamily } from '#features/links/queries.server.ts'
import { addressHash, insertOptOut } from '#features/notices/queries.server.ts'
import { addDays, dayIn, daysOfMonth } from '#kernel/calendar-day.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { done, refused } from '#kernel/outcome.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { serve, type Services } from '#platform/http/serve.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { giveWord, listLinkedSessions, readLinkedSession, type Word } from './queries.server.ts'
import {
  ConfirmByMail,
  ConfirmSession,
  ConfirmSessions,
  DisputeByMail,
  DisputeSession,
  EndByMail,
  type LinkedSession,
  ListLinkedSessions,
  OpenMailedLink,
  WithdrawByMail,
  WithdrawConfirmation,
} from './verification.ts'

const CONFIRMED: Word = { verified_by_tutor: true, status: 'completed', dispute_note: null }
const WITHDRAWN: Word = { verified_by_tutor: false, status: 'completed', dispute_note: null }
const sentBack = (note: string): Word => ({
  verified_by_tutor: false,
  status: 'disputed',
  dispute_note: note,
})

/** Adds the routes of the tutor's answers. */
export function addVerificationRoutes(app: FastifyInstance, services: Services): void {
  // A lesson is confirmed once it took place; somebody's today may be a day ahead of the server's.
  const latest = () => addDays(dayIn(services.now(), 'UTC'), 1)

  serve(app, services, ListLinkedSessions, async ({ tx, input }) => {
    const isWaiting = input.waiting === 'true'
    const range = input.month
      ? { from: `${input.month}-01` as CalendarDay, to: daysOfMonth(input.month).to }
      : { to: latest() }
    return done({ sessions: await listLinkedSessions(tx, { ...range, isWaiting }) })
  })

  serve(app, services, ConfirmSession, async ({ tx, params, expectedVersion }) =>
    answered(await answer(tx, params.id, expectedVersion, CONFIRMED)),
  )
  serve(app, services, WithdrawConfirmation, async ({ tx, params, expectedVersion }) =>
    answered(await answer(tx, params.id, expectedVersion, WITHDRAWN)),
  )
  serve(app, services, DisputeSession, async ({ tx, params, input, expectedVersion }) =>
    answered(await answer(tx, params.id, expectedVersion, sentBack(input.note))),
  )
  serve(app, services, ConfirmSessions, async ({ tx, input }) => {
    const result = await confirmAll(tx, input.sessions)
    return result === 'family_closed' ? refused(result) : done(result)
  })

  serve(app, services, OpenMailedLink, async ({ tx, input }) => {
    const link = await linkOfToken(tx, tokenHash(input.token), services.now())
    if (!link) return refused('link_gone')
    return done(
      await services.db.asTutor({ linkId: link.id }, async (side) => ({
        family_name: (await readFamily(side, link.id))?.name ?? null,
        sessions: await listLinkedSessions(side, { to: latest() }),
      })),
    )
  })

  /** Runs an answer as the link of a token; the first answer accepts what the family asked. */
  async function byMail<Result>(
    tx: Tx,
    token: string,
    work: (side: Tx) => Promise<Result>,
  ): Promise<Result | undefined> {
    const link = await linkOfToken(tx, tokenHash(token), services.now())
    if (!link) return undefined
    return services.db.asTutor({ linkId: link.id }, async (side) => {
      const result = await work(side)
      await answerLink(side, link.id, 'active', null)
      return result
    })
  }

  serve(app, services, ConfirmByMail, async ({ tx, input }) => {
    const result = await byMail(tx, input.token, (side) => confirmAll(side, input.sessions))
    return result && result !== 'family_closed' ? done(result) : refused('link_gone')
  })
  serve(app, services, WithdrawByMail, async ({ tx, input }) => {
    const result = await byMail(tx, input.token, (side) => answer(side, input.id, input.version, WITHDRAWN))
    return result ? answered(result) : refused('link_gone')
  })
  serve(app, services, DisputeByMail, async ({ tx, input }) => {
    const result = await byMail(tx, input.token, (side) =>
      answer(side, input.id, input.version, sentBack(input.note)),
    )
    return result ? answered(result) : refused('link_gone')
  })

  serve(app, services, EndByMail, async ({ tx, input }) => {
    const link = await linkOfToken(tx, tokenHash(input.token), services.now())
    if (!link) return refused('link_gone')
    await services.db.asTutor({ linkId: link.id }, (side) => answerLink(side, link.id, 'ended', null))
    if (input.forget && link.email) await insertOptOut(tx, addressHash(link.email))
    return done(undefined)
  })

  /** Gives a word on one session as it was seen; the session as it is now where that was no longer so. */
  async function answer(tx: Tx, id: string, version: number | undefined, word: Word): Promise<Answered> {
    const before = await readLinkedSession(tx, id)
    if (!before || before.date > latest()) throw notFound()
    if (before.is_read_only) return 'family_closed'
    // A word that stands already is not given twice: a double tap is one entry.
    const stands =
      before.verified_by_tutor === word.verified_by_tutor &&
      before.status === word.status &&
      (word.status === 'completed' || before.dispute_note === word.dispute_note)
    const isTaken = stands || (await giveWord(tx, id, version ?? before.version, word))
    const session = await readLinkedSession(tx, id)
    if (!session) throw notFound()
    return { isTaken, session }
  }

  async function confirmAll(
    tx: Tx,
    seen: { id: string; version: number }[],
  ): Promise<{ confirmed: string[]; changed: string[] } | 'family_closed'> {
    const result = { confirmed: [] as string[], changed: [] as string[] }
    // Always in the same order, so that two that confirm the same sessions wait for each other and do not deadlock.
    for (const { id, version } of [...seen].sort((a, b) => a.id.localeCompare(b.id))) {
      const answered = await answer(tx, id, version, CONFIRMED)
      if (answered === 'family_closed') return answered
      result[answered.isTaken ? 'confirmed' : 'changed'].push(id)
    }
    return result
  }
}

/** The session as it is after an answer, and whether that was taken; or that its family is gone. */
type Answered = { isTaken: boolean; session: LinkedSession } | 'family_closed'

function answered(answer: Answered) {
  if (answer === 'family_closed') return refused(answer)
  return answer.isTaken ? done(answer.session) : refused('changed')
}
