// The question after a class, answered with the link of an email. Opening the link changes nothing.
import { OTHER_CLOSED } from '#features/agreements/answer.ts'
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { LogOccurrence, Occurrence } from '#features/schedules/occurrence.ts'
import { OUTCOMES } from '#features/terms/outcome.ts'
import { Day } from '#kernel/calendar-day.ts'

/** A class that an email asks about, and what was said of it. */
export const AskedClass = z.pick(Occurrence, {
  schedule_id: true,
  original_date: true,
  date: true,
  start_time: true,
  yours: true,
  duration: true,
  student_name: true,
  tutor_name: true,
  status: true,
  outcome: true,
})
export type AskedClass = z.output<typeof AskedClass>

/** Where a button of a message to a device sends its answer too. */
export const ANSWER_PATH = '/api/questions/answer'
const Token = z.string().check(z.minLength(1), z.maxLength(100))
const gone = { link_gone: { status: 404, title: 'This link has expired.' } } as const

export const OpenClassQuestions = endpoint({
  operation: 'OpenClassQuestions',
  summary: 'List the classes that an emailed question is about; changes nothing',
  method: 'POST',
  path: '/api/questions/open',
  access: 'anyone',
  input: z.strictObject({ token: Token }),
  output: z.object({
    classes: z.array(AskedClass),
    reader: z.enum(['parent', 'tutor']),
  }),
  limit: { hits: 120, seconds: 60 },
  refusals: gone,
})

export const AnswerClassQuestion = endpoint({
  operation: 'AnswerClassQuestion',
  summary: 'Say whether a class took place or how it ended, once, using an emailed link',
  method: 'POST',
  path: ANSWER_PATH,
  access: 'anyone',
  meetsClosedMonths: true,
  input: z.strictObject({
    token: Token,
    schedule_id: z.uuid(),
    /** The day that the schedule gives. */
    date: Day,
    /** How it ended; null if it took place. */
    outcome: z.nullable(z.enum(OUTCOMES, { error: 'Choose how the class ended' })),
  }),
  output: z.object({ status: z.enum(['logged', 'canceled']) }),
  limit: { hits: 120, seconds: 60 },
  refusals: {
    ...gone,
    already_answered: { status: 409, title: 'This class was already answered.' },
    ...OTHER_CLOSED,
    no_such_class: { status: 409, title: 'The schedule changed. There’s no such class any more.' },
    already_logged: { status: 409, title: 'This class was already answered.' },
    too_far_ahead: LogOccurrence.refusals.too_far_ahead,
    same_lesson: LogOccurrence.refusals.same_lesson,
    unknown_connection: {
      status: 422,
      title: 'Two families share this student. Open the app to say which one the class was with.',
    },
  },
})
