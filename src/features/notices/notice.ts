// Notices: which mails somebody wants about sessions that wait for them.
import * as z from 'zod/mini'
import { endpoint } from '#kernel/endpoint.ts'

export const Notices = z.object({
  /** At most one mail a day, and only when something new waits. */
  daily_digest: z.boolean(),
  /** A mail when a month is over and can be confirmed. */
  month_ready: z.boolean(),
  version: z.number(),
})
export type Notices = z.output<typeof Notices>

export const ReadNotices = endpoint({
  operation: 'ReadNotices',
  summary: 'Which mails the user wants',
  method: 'GET',
  path: '/api/v1/notices',
  access: 'confirmed',
  input: z.strictObject({}),
  output: Notices,
})
export const UpdateNotices = endpoint({
  operation: 'UpdateNotices',
  summary: 'Choose which mails to get',
  method: 'PATCH',
  path: '/api/v1/notices',
  access: 'confirmed',
  input: z.strictObject({ daily_digest: z.optional(z.boolean()), month_ready: z.optional(z.boolean()) }),
  output: Notices,
  refusals: {
    changed: {
      status: 409,
      title: 'Your choices were changed elsewhere in the meantime. Please look again.',
    },
  },
})

/** A stream of server-sent events; declared for the OpenAPI document, served apart. */
export const StreamEvents = endpoint({
  operation: 'StreamEvents',
  summary: "Server-sent events: 'changed' each time something of the user's own should be read anew",
  method: 'GET',
  path: '/api/v1/events',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.string(),
  produces: 'text/event-stream',
  refusals: { origin: { status: 403, title: 'This call did not come from the app' } },
})
