// Making one schedule of both sides' own ones, or sharing one that only one side has: what's offered, and the answer.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { Rule } from './schedule.ts'

/**
 * 'alone': the other side has none of this lesson. 'twin': it has one, too. 'apart': it has one, and one of the two sides said
 * that they stay apart. 'asked': the reader's offer waits. 'declined': it was declined. 'waits': the other side's offer waits
 * for the reader.
 */
const STATES = ['alone', 'twin', 'apart', 'asked', 'declined', 'waits'] as const

const ScheduleOffer = z.object({
  state: z.enum(STATES),
  /** The reader's own schedule of this lesson, if there is one. */
  schedule_id: z.nullable(z.string()),
  connection_id: z.string(),
  student_id: z.nullable(z.string()),
  student_name: z.nullable(z.string()),
  tutor_id: z.nullable(z.string()),
  tutor_name: z.nullable(z.string()),
  /** The other side's schedule; its notes stay its own. */
  other: z.nullable(
    z.object({
      id: z.string(),
      /** The version that was seen. An answer says which one it's about. */
      version: z.number(),
      subject: z.nullable(z.string()),
      rule: z.object(Rule),
    }),
  ),
})
export type ScheduleOffer = z.output<typeof ScheduleOffer>

const WRITERS = ['parent', 'tutor', 'admin'] as const
const changed = {
  changed: {
    status: 409,
    title: 'This schedule was changed somewhere else. Please check it and try again.',
  },
} as const

export const ListScheduleOffers = endpoint({
  operation: 'ListScheduleOffers',
  summary: 'List the schedules that could be one of both sides, and what the other side offers',
  method: 'GET',
  path: '/api/v1/schedule-offers',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.object({ offers: z.array(ScheduleOffer) }),
})
export const OfferSchedule = endpoint({
  operation: 'OfferSchedule',
  summary:
    'Ask the other side to have your schedule, too, instead of its own; both stay as they are until it accepts',
  method: 'POST',
  path: '/api/v1/schedules/:id/offer',
  access: WRITERS,
  input: z.strictObject({}),
  output: z.object({ outcome: z.enum(['asked', 'joined']) }),
  refusals: {
    ...changed,
    not_connected: { status: 409, title: 'This schedule’s people aren’t connected any more' },
    asked_already: {
      status: 409,
      title: 'The other side has just asked you to make it one schedule. Please check its times.',
    },
  },
})
export const KeepScheduleApart = endpoint({
  operation: 'KeepScheduleApart',
  summary: 'Take an offer back, or keep your schedule your own',
  method: 'DELETE',
  path: '/api/v1/schedules/:id/offer',
  access: WRITERS,
  isFree: true,
  input: z.strictObject({}),
  output: z.undefined(),
})
export const AnswerScheduleOffer = endpoint({
  operation: 'AnswerScheduleOffer',
  summary: 'Make it one schedule, as the other side offers, or keep your own',
  method: 'POST',
  path: '/api/v1/schedule-offers/:id/answer',
  access: WRITERS,
  isFree: true,
  input: z.strictObject({
    answer: z.enum(['join', 'keep'], { error: 'Use join or keep' }),
    version: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
  }),
  output: z.object({ outcome: z.enum(['joined', 'kept']) }),
  refusals: changed,
})
