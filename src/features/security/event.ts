// What the security log knows of, and an account's own part of it.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'

/**
 * Every kind of event. A new one needs nothing but a name here, its words in ActivitySection.tsx and, if the owner is
 * emailed, its name in EMAILED and its words in settings/mail.server.ts.
 */
export const EVENT_KINDS = [
  'signed_in',
  'new_browser',
  'sign_in_failed',
  'proof_failed',
  'reset_asked',
  'recovered',
  'reported',
  'password_changed',
  'email_change_asked',
  'email_changed',
  'google_linked',
  'passkey_added',
  'passkey_removed',
  'second_step_on',
  'second_step_off',
  'second_step_failed',
  'recovery_code_used',
  'recovery_codes_made',
  'role_changed',
  'member_invited',
  'member_joined',
  'member_changed',
  'member_removed',
  'member_left',
  'handed_over',
  'exported',
  'deletion_asked',
  'deletion_undone',
  'restore_asked',
  'restore_undo_asked',
  'refused',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** What the owner hears of by email, with a link for "This wasn't me". */
export const EMAILED = [
  'new_browser',
  'password_changed',
  'email_changed',
  'google_linked',
  'passkey_added',
  'passkey_removed',
  'second_step_on',
  'second_step_off',
  'recovery_codes_made',
] as const satisfies EventKind[]
export type Emailed = (typeof EMAILED)[number]

/** How many days the link for "This wasn't me" works. */
export const NOT_ME_DAYS = 7
/**
 * How many days the address before can take the account back. Whoever left an address because somebody else reads it
 * has to be safe from it soon.
 */
export const FORMER_ADDRESS_DAYS = 3

/** What may happen any number of times, because someone guesses. The same in one hour is counted, not written again. */
export type Failure = 'sign_in_failed' | 'proof_failed' | 'second_step_failed' | 'refused'

const Event = z.object({
  id: z.string(),
  kind: z.enum(EVENT_KINDS),
  happened_at: z.string(),
  /** A range of addresses, such as 203.0.113.0/24. Null if it's unknown, and for what an operator did. */
  network: z.nullable(z.string()),
  /** For example, "Chrome on Windows". Null for what an operator did. */
  device: z.nullable(z.string()),
  /** How often in the hour before. */
  times: z.number(),
})
export type Event = z.output<typeof Event>

export const ListActivity = endpoint({
  operation: 'ListActivity',
  summary: "List what happened to the account's security in the last 12 months, newest first",
  method: 'GET',
  path: '/api/v1/me/activity',
  access: 'confirmed',
  input: z.strictObject({
    /** The last event of the page before. */
    cursor: z.optional(z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'This cursor is not valid'), z.uuid())),
  }),
  output: z.object({ events: z.array(Event), next_cursor: z.nullable(z.string()) }),
})
