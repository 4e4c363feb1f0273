// The emailed page, where a tutor or family without an account reads and answers. The link's token is sent in
// the body, never in a URL (promise W5).
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import type { Limit } from '#kernel/endpoint.ts'
import { inOneLine } from '#kernel/isolate.ts'
import {
  ANSWERED_LATE,
  Confirmed,
  DisputeNote,
  KeepSession,
  SeenSessions,
  SharedSession,
} from '#features/sessions/confirmation.ts'
import { lessonWords } from '#features/sessions/session.ts'

/** An emailed link's token. */
export const Token = z.string().check(z.minLength(20), z.maxLength(100))
export const LIMIT: Limit = { hits: 120, seconds: 60 }
/** Errors for an emailed link that no longer works, and for one opened by the side that sent it. */
export const gone = {
  link_gone: { status: 404, title: 'This link has expired or been turned off.' },
  own_link: {
    status: 403,
    title: "You're signed in to the account that sent this link. Only the person it was sent to can answer.",
  },
} as const
const late = { changed: ANSWERED_LATE.changed, too_early: ANSWERED_LATE.too_early } as const
const One = { token: Token, id: z.uuid(), version: z.number() }

/** A session on the emailed page. */
export const EmailedSession = z.extend(SharedSession, {
  /** The facts that this side confirmed, if the other side has changed them since. */
  confirmed_before: z.nullable(
    z.object({ date: z.string(), duration: z.number(), rate: z.nullable(z.number()) }),
  ),
})
export type EmailedSession = z.output<typeof EmailedSession>

export const OpenMailedLink = endpoint({
  operation: 'OpenMailedLink',
  summary: "List the sessions using an emailed link. Viewing them doesn't count as an answer",
  method: 'POST',
  path: '/api/confirm/open',
  access: 'anyone',
  limit: LIMIT,
  input: z.strictObject({ token: Token }),
  output: z.object({
    /** The reader of the page: the side without an account. */
    side: z.enum(['family', 'practice']),
    /** The name of the side that sent the request, if it gave one. */
    other_name: z.nullable(z.string()),
    /** The same name, if a family sent the request. */
    family_name: z.nullable(z.string()),
    sessions: z.array(EmailedSession),
    /** The first names of the children whose sessions are shared. */
    first_names: z.array(z.string()),
    /** The reader's address, to prefill the sign-up form; null once it has been deleted. */
    email: z.nullable(z.string()),
  }),
  refusals: gone,
})
export const ConfirmByMail = endpoint({
  operation: 'ConfirmByMail',
  summary: 'Confirm sessions using an emailed link',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/confirm/confirm',
  access: 'anyone',
  limit: LIMIT,
  input: z.strictObject({ token: Token, sessions: SeenSessions }),
  output: Confirmed,
  refusals: gone,
})
export const WriteByMail = endpoint({
  operation: 'WriteByMail',
  summary: 'Confirm a session using an emailed link, and add its summary and homework',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/confirm/write',
  access: 'anyone',
  limit: LIMIT,
  input: z.strictObject({ ...One, ...lessonWords }),
  output: SharedSession,
  refusals: { ...gone, ...late },
})
export const WithdrawByMail = endpoint({
  operation: 'WithdrawByMail',
  summary: 'Withdraw a confirmation using an emailed link',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/confirm/withdraw',
  access: 'anyone',
  limit: LIMIT,
  input: z.strictObject(One),
  output: SharedSession,
  refusals: { ...gone, ...late },
})
export const DisputeByMail = endpoint({
  operation: 'DisputeByMail',
  summary: 'Send a session back using an emailed link',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/confirm/dispute',
  access: 'anyone',
  limit: LIMIT,
  input: z.strictObject({ ...One, note: DisputeNote }),
  output: SharedSession,
  refusals: { ...gone, ...late },
})
export const DeleteByMail = endpoint({
  operation: 'DeleteByMail',
  summary: 'Agree to delete a session using an emailed link; it is deleted from both logs',
  method: 'POST',
  path: '/api/confirm/delete',
  access: 'anyone',
  limit: LIMIT,
  input: z.strictObject(One),
  output: z.undefined(),
  refusals: { ...gone, ...KeepSession.refusals },
})
export const KeepByMail = endpoint({
  operation: 'KeepByMail',
  summary: 'Keep a session that the other side asked to delete, using an emailed link',
  method: 'POST',
  path: '/api/confirm/keep',
  access: 'anyone',
  limit: LIMIT,
  input: z.strictObject(One),
  output: SharedSession,
  refusals: { ...gone, ...KeepSession.refusals },
})
export const EndByMail = endpoint({
  operation: 'EndByMail',
  summary:
    "End the connection using an emailed link; with 'forget', Tutorlog never emails this address again",
  method: 'POST',
  path: '/api/confirm/end',
  access: 'anyone',
  limit: LIMIT,
  input: z.strictObject({ token: Token, forget: z.boolean() }),
  output: z.undefined(),
  refusals: gone,
})

/**
 * The label of the confirm button in the email and on the page: "Confirm all 3, $157.50".
 * @param total an amount with its currency
 */
export function confirmLabel(sessions: number, total: string | undefined): string {
  return inOneLine([sessions === 1 ? 'Confirm 1 session' : `Confirm all ${sessions}`, total])
}
