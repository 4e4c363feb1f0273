// The admin API: accounts, their status, and waiting emails and jobs. An administrator has to state a purpose
// before seeing anybody's entries (promise T14).
import * as z from 'zod/mini'
import { Role } from '#features/accounts/account.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { isStorable, requiredText, UNSTORABLE } from '#kernel/text.ts'

const ADMIN = ['admin'] as const

/** Whether a string is an RFC 3339 time in UTC. Zod's built-in check would add 400 bytes to every page. */
function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z$/.test(text) && !Number.isNaN(Date.parse(text))
}

export const AccountLine = z.object({
  id: z.string(),
  email: z.string(),
  full_name: z.nullable(z.string()),
  role: z.nullable(Role),
  created_at: z.string(),
  last_seen_at: z.nullable(z.string()),
  is_confirmed: z.boolean(),
  is_disabled: z.boolean(),
  is_leaving: z.boolean(),
})
export type AccountLine = z.output<typeof AccountLine>

/** Number of people per page. */
export const PAGE = 50

export const ListAccounts = endpoint({
  operation: 'ListAccounts',
  summary: 'Search accounts by name or email, newest first; every account returned is recorded as viewed',
  method: 'GET',
  path: '/api/v1/admin/people',
  access: ADMIN,
  input: z.strictObject({
    search: z.optional(z.string().check(z.maxLength(100), z.refine(isStorable, UNSTORABLE))),
    before: z.optional(z.string().check(z.refine(isInstant, 'Enter a time such as 2026-11-22T08:00:00Z'))),
  }),
  output: z.object({ people: z.array(AccountLine), has_more: z.boolean() }),
})

export const SetDisabled = endpoint({
  operation: 'SetDisabled',
  summary: 'Disable an account and sign it out everywhere, or enable it again',
  method: 'PATCH',
  path: '/api/v1/admin/people/:id',
  access: ADMIN,
  isFree: true,
  input: z.strictObject({ disabled: z.boolean() }),
  output: z.undefined(),
  refusals: { self: { status: 409, title: 'You can’t disable your own account.' } },
})

export const ResendFor = endpoint({
  operation: 'ResendFor',
  summary: 'Email someone a new confirmation link',
  method: 'POST',
  path: '/api/v1/admin/people/:id/verification',
  access: ADMIN,
  isFree: true,
  limit: { hits: 60, seconds: 600 },
  input: z.strictObject({}),
  output: z.undefined(),
  refusals: { confirmed: { status: 409, title: 'This address is already confirmed.' } },
})

export const Purpose = z.strictObject({ purpose: requiredText(500, 'Enter the reason you need to see it') })
export const ReadRecord = endpoint({
  operation: 'ReadRecord',
  summary: "View a person's records for a stated purpose; the person's export shows the visit",
  method: 'POST',
  path: '/api/v1/admin/people/:id/record',
  access: ADMIN,
  isFree: true,
  input: Purpose,
  output: z.object({
    students: z.array(z.object({ name: z.string(), grade: z.nullable(z.string()) })),
    tutors: z.array(z.object({ name: z.string() })),
    sessions: z.number(),
    schedules: z.number(),
  }),
})

export const Work = z.object({
  mails: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      recipient: z.string(),
      since: z.string(),
      attempts: z.number(),
      last_error: z.nullable(z.string()),
    }),
  ),
  jobs: z.array(
    z.object({
      id: z.string(),
      task: z.string(),
      run_at: z.string(),
      attempts: z.number(),
      max_attempts: z.number(),
      is_parked: z.boolean(),
      last_error: z.nullable(z.string()),
    }),
  ),
})
export type Work = z.output<typeof Work>

/** The newest backup that was restored for trial, or is being restored. */
const Drill = z.object({
  backup: z.string(),
  backup_at: z.string(),
  backup_bytes: z.number(),
  /** Null while it's running. */
  ended_at: z.nullable(z.string()),
  seconds: z.nullable(z.number()),
  /** What's wrong, in sentences. Empty if everything came back as it was. */
  findings: z.array(z.string()),
})

/** Nightly backups. Null with an external database, which has none. */
const Backups = z.nullable(z.object({ drill: z.nullable(Drill), last_good_at: z.nullable(z.string()) }))
export type Backups = z.output<typeof Backups>

export const ReadOverview = endpoint({
  operation: 'ReadOverview',
  summary:
    'Get account counts, any waiting or failed emails and jobs, and how the last backup was restored for trial',
  method: 'GET',
  path: '/api/v1/admin/overview',
  access: ADMIN,
  input: z.strictObject({}),
  output: z.object({
    people: z.number(),
    confirmed: z.number(),
    disabled: z.number(),
    signed_in: z.number(),
    subscribed: z.number(),
    work: Work,
    backups: Backups,
  }),
})

export const RetryJobs = endpoint({
  operation: 'RetryJobs',
  summary: 'Retry all failed jobs now',
  method: 'POST',
  path: '/api/v1/admin/retry',
  access: ADMIN,
  isFree: true,
  input: z.strictObject({}),
  output: z.object({ jobs: z.number() }),
})
