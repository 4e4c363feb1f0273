// Writing the security log. An event is written in the transaction of what it's about, and so is the email to the owner.
import type { FastifyRequest } from 'fastify'
import type { Services } from '#features/access/admission.server.ts'
import { deviceName } from '#kernel/device-name.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { hitLimit, rangeOf } from '#platform/http/rate-limit.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { EMAILED, type EventKind, type Failure, FORMER_ADDRESS_DAYS, NOT_ME_DAYS } from './event.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import { countFailure, insertEvent, insertNotMeLink, type Origin } from './queries.server.ts'

/** Where a request came from: a range of addresses, and a name from our own list. */
export function originOf(request: FastifyRequest): Origin {
  return { network: rangeOf(request.ip), device: deviceName(request.headers['user-agent'] ?? '') }
}

/** The origin of what an operator does with a command. */
export const ON_SERVER: Origin = { network: null, device: null }

interface Happened {
  userId: string
  kind: EventKind
  at: Date
  /**
   * Where the owner is emailed about it: the account's confirmed address or, after a change, the one before. Unused for
   * what isn't emailed.
   */
  email?: string
}

/** Limit on emails of one kind to an owner. Whoever knows a password must not be able to flood the mailbox. */
const MAILS = { hits: 20, seconds: 86_400 }

/**
 * Writes that something happened to an account, and queues the email to its owner if there is one about this. What's
 * emailed has to be written by the system.
 */
export async function noteEvent(tx: Tx, origin: Origin, { email, ...event }: Happened): Promise<void> {
  await insertEvent(tx, { ...event, ...origin })
  const { userId, kind, at } = event
  if (email === undefined || !(EMAILED as readonly EventKind[]).includes(kind)) return
  if ((await hitLimit(tx, `mail:${kind}:${userId}`, MAILS)) !== undefined) return
  const data = { at: at.toISOString(), device: origin.device }
  await queueMail(tx, { userId, recipient: email, kind, data })
}

/** Writes or counts a failure. It has no transaction of anybody's account, so the system's writes it. */
export async function noteFailure(
  tx: Tx,
  request: FastifyRequest,
  failure: { userId: string | undefined; kind: Failure; at: Date },
): Promise<void> {
  await countFailure(tx, { ...failure, ...originOf(request) })
}

/** Notes that a caller's role didn't allow a call. It never changes the answer. */
export async function noteRefusal(
  { db, now, currentUser }: Pick<Services, 'db' | 'now' | 'currentUser'>,
  request: FastifyRequest,
): Promise<void> {
  try {
    const user = await currentUser(request)
    await db.asSystem((tx) => noteFailure(tx, request, { userId: user?.id, kind: 'refused', at: now() }))
  } catch (error) {
    request.log.warn(
      { reason: error instanceof Error ? error.message : 'unknown' },
      'a refusal was not noted',
    )
  }
}

/** Makes what "This wasn't me" in an email leads to. */
export async function makeNotMeLink(
  tx: Tx,
  about: { userId: string; happenedAt: Date; formerEmail: string | undefined },
): Promise<{ token: string; days: number }> {
  const days = about.formerEmail === undefined ? NOT_ME_DAYS : FORMER_ADDRESS_DAYS
  const token = newToken()
  const expiresAt = new Date(about.happenedAt.getTime() + days * 86_400_000)
  await insertNotMeLink(tx, { ...about, hash: tokenHash(token) }, expiresAt)
  return { token, days }
}
