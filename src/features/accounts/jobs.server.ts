// These jobs decide which link an address gets. They run after the response is sent, so that response times
// reveal nothing (promise A1).
import { emailKey } from '#kernel/text.ts'
import type { Db, Tx } from '#platform/db/db.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { noteEvent } from '#features/security/commands.server.ts'
import type { Origin } from '#features/security/queries.server.ts'
import type { Admission } from './login.server.ts'
import { accountByEmail, signUpOfBrowser, signUpOfLink, signUpsOf } from './queries.server.ts'

export const MAIL_RESET_LINK = 'mail_reset_link'
export const MAIL_VERIFY_LINK = 'mail_verify_link'
/** How many of an address's sign-ups get a new link if the request doesn't say which one it's for. */
const MOST_LINKS = 3

interface ResetRequest {
  email: string
  /** Missing if an earlier version queued it. */
  origin?: Origin
}

/**
 * A request for a new confirmation link: the address and, if known, hashes that identify the browser and an
 * earlier link.
 */
export interface VerifyRequest {
  email: string
  browser?: string
  link?: string
}

export function accountJobs(
  db: Db,
  now: () => Date,
  admission: Admission,
): Record<string, (payload: unknown) => Promise<void>> {
  return {
    [MAIL_RESET_LINK]: (payload) =>
      db.asSystem((tx) => mailResetLink(tx, payload as ResetRequest, admission, now())),
    [MAIL_VERIFY_LINK]: (payload) => db.asSystem((tx) => mailVerifyLink(tx, payload as VerifyRequest, now())),
  }
}

async function mailResetLink(
  tx: Tx,
  { email, origin }: ResetRequest,
  admission: Admission,
  now: Date,
): Promise<void> {
  const account =
    (await accountByEmail(tx, email)) ??
    ((await admission.mayJoin(tx, email)) ? (await signUpsOf(tx, email, undefined, 1))[0] : undefined)
  if (!account || account.isDisabled) return
  await queueMail(tx, { userId: account.id, recipient: account.email, kind: 'reset_password' })
  const reset = { userId: account.id, kind: 'reset_asked', at: now, email: account.email } as const
  if (origin) await noteEvent(tx, origin, reset)
}

async function mailVerifyLink(tx: Tx, { email, browser, link }: VerifyRequest, now: Date): Promise<void> {
  const account = await accountByEmail(tx, email)
  if (account)
    return queueMail(tx, { userId: account.id, recipient: account.email, kind: 'already_registered' })
  const linked = link && (await signUpOfLink(tx, Buffer.from(link, 'base64url'), { now, mayBeOld: true }))
  const own =
    linked && emailKey(linked.email) === emailKey(email)
      ? linked
      : await signUpOfBrowser(tx, email, browser ? Buffer.from(browser, 'base64url') : undefined)
  const meant = own ? [own] : await signUpsOf(tx, email, undefined, MOST_LINKS)
  for (const signUp of meant)
    if (!signUp.isDisabled)
      await queueMail(tx, { userId: signUp.id, recipient: signUp.email, kind: 'verify_email' })
}
