// Notices: which reminders an account wants.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'

export const Notices = z.object({
  /** At most one email a day about what the other side did, and one when a class is canceled shortly before it begins. */
  daily_digest: z.boolean(),
  /** An email when a month is over and can be confirmed, and two reminders while there's something to do for it. */
  month_ready: z.boolean(),
  /** An email when the other side accepts, declines or ends a connection. */
  connection_changes: z.boolean(),
  /** A question when a class has ended and nobody has said whether it took place. */
  class_questions: z.boolean(),
  /** The next day's classes, in the evening. Off unless chosen. */
  classes_tomorrow: z.boolean(),
  /** A reminder when money is due by the terms, and twice more. */
  money_due: z.boolean(),
  /** When the last reminder reached the account; null if none has. */
  delivered_at: z.nullable(z.string()),
  version: z.number(),
})
export type Notices = z.output<typeof Notices>
export type NoticeName = Exclude<keyof Notices, 'version' | 'delivered_at'>

export const ReadNotices = endpoint({
  operation: 'ReadNotices',
  summary: "Get the user's email preferences",
  method: 'GET',
  path: '/api/v1/notices',
  access: 'confirmed',
  input: z.strictObject({}),
  output: Notices,
})
export const UpdateNotices = endpoint({
  operation: 'UpdateNotices',
  summary: 'Choose which emails to get',
  method: 'PATCH',
  path: '/api/v1/notices',
  access: 'confirmed',
  input: z.strictObject({
    daily_digest: z.optional(z.boolean()),
    month_ready: z.optional(z.boolean()),
    connection_changes: z.optional(z.boolean()),
    class_questions: z.optional(z.boolean()),
    classes_tomorrow: z.optional(z.boolean()),
    money_due: z.optional(z.boolean()),
  }),
  output: Notices,
  refusals: {
    changed: {
      status: 409,
      title: 'Your email settings were changed somewhere else. Please check them and try again.',
    },
  },
})

/** A stream of server-sent events. It's declared here for the OpenAPI document but served separately. */
export const StreamEvents = endpoint({
  operation: 'StreamEvents',
  summary: "Stream server-sent events: 'changed' whenever the user's data should be reloaded",
  method: 'GET',
  path: '/api/v1/events',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.string(),
  produces: 'text/event-stream',
  refusals: { origin: { status: 403, title: 'This request did not come from the app' } },
})
