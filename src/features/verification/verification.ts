// Confirming sessions: what a tutor sees of a linked family's sessions, and the tutor's answers, with and without an account.
import * as z from 'zod/mini'
import { FAMILY_CLOSED } from '#features/links/link.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { endpoint, type Limit } from '#kernel/endpoint.ts'
import { Currency } from '#kernel/money.ts'
import { requiredText } from '#kernel/text.ts'
import { weekOf } from '#features/schedules/grid.ts'
import { Month } from '#features/sessions/session.ts'

/** A session as its tutor sees it: never notes, surnames, phone numbers or other tutors (promise T8). */
export const LinkedSession = z.object({
  id: z.string(),
  family_id: z.string(),
  /** The family's name where it gave one, and the child's first name. */
  family_name: z.nullable(z.string()),
  student_first_name: z.nullable(z.string()),
  date: z.string(),
  /** Hours. */
  duration: z.number(),
  /** Dollars an hour, and dollars. */
  rate: z.nullable(z.number()),
  total_amount: z.nullable(z.number()),
  currency: Currency,
  subject: z.nullable(z.string()),
  status: z.string(),
  verified_by_tutor: z.boolean(),
  dispute_note: z.nullable(z.string()),
  answer_note: z.nullable(z.string()),
  /** The family's account was deleted or disabled: it can be read, and not answered. */
  is_read_only: z.boolean(),
  version: z.number(),
})
export type LinkedSession = z.output<typeof LinkedSession>

/** Sessions with the versions that were seen: only what was seen is confirmed. */
const Seen = z
  .array(z.strictObject({ id: z.uuid(), version: z.number() }))
  .check(z.minLength(1, 'Name at least one session'), z.maxLength(500, 'Name at most 500 sessions'))
const Note = requiredText(500, 'Say in a few words what is not right')
const changed = {
  changed: { status: 409, title: 'This session was changed in the meantime. Please look again.' },
  ...FAMILY_CLOSED,
} as const

/** The sessions that one answer took, and those that changed since they were seen. */
const Confirmed = z.object({ confirmed: z.array(z.string()), changed: z.array(z.string()) })

export const ListLinkedSessions = endpoint({
  operation: 'ListLinkedSessions',
  summary: "The linked families' sessions with this tutor, newest first: those that wait, or all of a month",
  method: 'GET',
  path: '/api/v1/confirmations',
  access: ['tutor', 'admin'],
  side: 'tutor',
  input: z.strictObject({ month: z.optional(Month), waiting: z.optional(z.literal('true')) }),
  output: z.object({ sessions: z.array(LinkedSession) }),
})
export const ConfirmSession = endpoint({
  operation: 'ConfirmSession',
  summary: "Confirm a linked family's session as its tutor",
  method: 'POST',
  path: '/api/v1/sessions/:id/confirm',
  access: ['tutor', 'admin'],
  side: 'tutor',
  input: z.strictObject({}),
  output: LinkedSession,
  refusals: changed,
})
export const WithdrawConfirmation = endpoint({
  operation: 'WithdrawConfirmation',
  summary: 'Take a confirmation back',
  method: 'DELETE',
  path: '/api/v1/sessions/:id/confirm',
  access: ['tutor', 'admin'],
  side: 'tutor',
  input: z.strictObject({}),
  output: LinkedSession,
  refusals: changed,
})
export const DisputeSession = endpoint({
  operation: 'DisputeSession',
  summary: 'Send a session back with a note',
  method: 'POST',
  path: '/api/v1/sessions/:id/dispute',
  access: ['tutor', 'admin'],
  side: 'tutor',
  input: z.strictObject({ note: Note }),
  output: LinkedSession,
  refusals: changed,
})
export const ConfirmSessions = endpoint({
  operation: 'ConfirmSessions',
  summary: 'Confirm several sessions as they were seen, a whole month for instance',
  method: 'POST',
  path: '/api/v1/confirmations',
  access: ['tutor', 'admin'],
  side: 'tutor',
  input: z.strictObject({ sessions: Seen }),
  output: Confirmed,
  refusals: FAMILY_CLOSED,
})

/** What waits up to today, parted into this week's and earlier sessions; what lies ahead by the tutor's own date waits for its day. */
export function byWeek<Waiting extends { date: string }>(
  sessions: Waiting[],
  today: CalendarDay,
): { thisWeek: Waiting[]; earlier: Waiting[] } {
  const [sunday = today] = weekOf(today)
  return {
    thisWeek: sessions.filter(({ date }) => date >= sunday && date <= today),
    earlier: sessions.filter(({ date }) => date < sunday),
  }
}

// Without an account: the token of the mailed link travels in the body, never in an address (promise W5).
const Token = z.string().check(z.minLength(20), z.maxLength(100))
const MAILED_LIMIT: Limit = { hits: 120, seconds: 60 }
const gone = { link_gone: { status: 404, title: 'This link has expired or was ended.' } } as const
const One = { token: Token, id: z.uuid(), version: z.number() }

export const OpenMailedLink = endpoint({
  operation: 'OpenMailedLink',
  summary: 'What a mailed link asks to confirm; asking answers nothing',
  method: 'POST',
  path: '/api/confirm/open',
  access: 'anyone',
  limit: MAILED_LIMIT,
  input: z.strictObject({ token: Token }),
  output: z.object({ family_name: z.nullable(z.string()), sessions: z.array(LinkedSession) }),
  refusals: gone,
})
export const ConfirmByMail = endpoint({
  operation: 'ConfirmByMail',
  summary: 'Confirm sessions from a mailed link',
  method: 'POST',
  path: '/api/confirm/confirm',
  access: 'anyone',
  limit: MAILED_LIMIT,
  input: z.strictObject({ token: Token, sessions: Seen }),
  output: Confirmed,
  refusals: gone,
})
export const WithdrawByMail = endpoint({
  operation: 'WithdrawByMail',
  summary: 'Take a confirmation back from a mailed link',
  method: 'POST',
  path: '/api/confirm/withdraw',
  access: 'anyone',
  limit: MAILED_LIMIT,
  input: z.strictObject(One),
  output: LinkedSession,
  refusals: { ...gone, ...changed },
})
export const DisputeByMail = endpoint({
  operation: 'DisputeByMail',
  summary: 'Send a session back from a mailed link',
  method: 'POST',
  path: '/api/confirm/dispute',
  access: 'anyone',
  limit: MAILED_LIMIT,
  input: z.strictObject({ ...One, note: Note }),
  output: LinkedSession,
  refusals: { ...gone, ...changed },
})
export const EndByMail = endpoint({
  operation: 'EndByMail',
  summary: 'End the link from its mail; with forget, Tutorlog never writes to this address again',
  method: 'POST',
  path: '/api/confirm/end',
  access: 'anyone',
  limit: MAILED_LIMIT,
  input: z.strictObject({ token: Token, forget: z.boolean() }),
  output: z.undefined(),
  refusals: gone,
})
