// A session: one lesson that took place.
import * as z from 'zod/mini'
import { addDays, type CalendarDay, Day, dayIn } from '#kernel/calendar-day.ts'
import { durationInHours } from '#kernel/duration.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { PRICE_SOURCES } from '#features/prices/price.ts'
import { Currency, Rate } from '#kernel/money.ts'
import { isStorable, optionalText, requiredText, UNSTORABLE } from '#kernel/text.ts'
import { WALL_CLOCK } from '#kernel/wall-clock.ts'
import { lessonWords, storedWords } from './lesson-words.ts'
import { searchedWords, STATE_NAMES } from './session-search.ts'

export const Session = z.object({
  id: z.string(),
  user_id: z.string(),
  student_id: z.nullable(z.string()),
  student_name: z.nullable(z.string()),
  tutor_id: z.nullable(z.string()),
  tutor_name: z.nullable(z.string()),
  date: z.string(),
  /** Hours. */
  duration: z.number(),
  /** The override in dollars per hour. Null if the default rate applies. */
  hourly_rate: z.nullable(z.number()),
  /** The rate that applies without an override, in dollars per hour. Set when the session is logged. */
  default_rate: z.nullable(z.number()),
  /** In dollars per hour: the override, or the default rate if there's no override. */
  effective_rate: z.nullable(z.number()),
  /**
   * The price per lesson that applies without an override, in dollars, and the length in minutes of the lesson that it's
   * for. There's no default rate then. Null if the price is per hour.
   */
  lesson_price: z.nullable(z.number()),
  lesson_minutes: z.nullable(z.number()),
  /** Which of the reader's own prices was taken, and since when a pair's applies. Null if it was the other side's. */
  price_source: z.nullable(z.enum(PRICE_SOURCES)),
  price_since: z.nullable(z.string()),
  /** Dollars; null if there's no rate. */
  total_amount: z.nullable(z.number()),
  /** The currency of the amounts: the family's for a shared session, otherwise the workspace's. */
  currency: Currency,
  subject: z.nullable(z.string()),
  /**
   * HH:MM, in local time where the lesson took place. Null if unknown. Not one of the facts that both sides
   * confirm.
   */
  start_time: z.nullable(z.string()),
  ...storedWords,
  /** The reader's private notes. Never sent to the other side. */
  notes: z.nullable(z.string()),
  /** 'completed', or 'disputed' if either side sent it back. */
  status: z.string(),
  /** Whether both sides have confirmed the session. */
  verified_by_tutor: z.boolean(),
  /** The connection that shares the session. Null if the session is only in this log. */
  connection_id: z.nullable(z.string()),
  /** Whether there's another side that can confirm the session. */
  is_shared: z.boolean(),
  /** Each side's answer about the session's current facts. */
  own_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  other_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  /**
   * The note added when the session was sent back, and the reply to it. If both sides sent it back, this is
   * the other side's note.
   */
  dispute_note: z.nullable(z.string()),
  answer_note: z.nullable(z.string()),
  /** Whether the other side ever logged or confirmed the session. If so, deleting it needs its consent. */
  other_took_part: z.boolean(),
  /** Which side asked to delete the session. */
  deletion_asked_by: z.nullable(z.enum(['you', 'other'])),
  /**
   * When an answer was first needed, how many reminders were sent, and when the last one was. Refers to the
   * reader's answer if that's still missing; otherwise, to the other side's.
   */
  asked_at: z.nullable(z.string()),
  reminders: z.number(),
  reminded_at: z.nullable(z.string()),
  /**
   * True if the reader can't change the session. That's the case when the other side's account was deleted or
   * disabled, or when the reader is a caregiver who didn't log it.
   */
  is_read_only: z.boolean(),
  /**
   * True until someone says whether it's the same lesson that the other side logged that day. Until then, it
   * doesn't count in any total.
   */
  is_held: z.boolean(),
  /** The schedule and planned day of the class that the session was logged for. */
  schedule_id: z.nullable(z.string()),
  occurrence_date: z.nullable(z.string()),
  /** The missed class that the session makes up for. */
  makes_up: z.nullable(z.string()),
  /** When the session was logged. */
  created_at: z.string(),
  /** Incremented by every change both sides can see, and by changes to the reader's private notes. */
  version: z.number(),
})
export type Session = z.output<typeof Session>

/** The longest text, and the most words, that sessions are searched for. */
export const LONGEST_SEARCH = 100
const MOST_WORDS = 12

/**
 * What a search found in all. The hours and amounts leave out sessions that aren't right or that someone asked to
 * delete, like a month's totals.
 */
export const FoundSessions = z.object({
  sessions: z.number(),
  /** How many of them wait for an answer. They count. */
  waiting: z.number(),
  left_out: z.number(),
  hours: z.number(),
  /** Dollars, by currency. Empty if no session has an amount, or for those who see none. */
  amounts: z.array(z.object({ currency: Currency, amount: z.number() })),
})
export type FoundSessions = z.output<typeof FoundSessions>

/** Schema for a month, yyyy-MM. */
export const Month = z
  .string({ error: 'Enter a month such as 2026-11' })
  .check(z.regex(/^(19|20|21)\d\d-(0[1-9]|1[0-2])$/, 'Enter a month such as 2026-11'))

/**
 * The summary and homework from a student's most recent lesson with a tutor. Either side may have written
 * them.
 */
export interface LastLesson {
  student_id: string
  tutor_id: string
  date: string
  summary: string | null
  homework: string | null
}

/** Schema for an optional time. Empty and null both mean no time. */
const StartTime = z.optional(
  z.nullable(
    z.pipe(
      z
        .string({ error: 'Enter a time such as 16:30' })
        .check(z.refine((text) => text === '' || WALL_CLOCK.test(text), 'Enter a time such as 16:30')),
      z.transform((text): string | null => (text === '' ? null : text)),
    ),
  ),
)

const fields = {
  student_id: z.uuid({ error: 'Please select a student' }),
  tutor_id: z.uuid({ error: 'Please select a tutor' }),
  date: Day,
  /** In quarter-hour steps; 0 is allowed (docs/product-decisions.md, section 3). */
  duration: durationInHours(0.25, 0, 'Please enter duration'),
  hourly_rate: z.optional(z.nullable(Rate)),
  subject: optionalText(120),
  start_time: StartTime,
  ...lessonWords,
  notes: optionalText(4000),
  /** Only for a practice whose student is shared by several families: the connection with the lesson's family. */
  connection_id: z.optional(z.uuid({ error: 'Choose a family' })),
}
export const NewSession = z
  .strictObject({
    ...fields,
    /** The class that the session is logged for: the schedule and the class's planned day. */
    schedule_id: z.optional(z.uuid({ error: "This isn't a valid schedule" })),
    occurrence_date: z.optional(Day),
    /** The missed class that the session makes up for. If that class is paid for, the session costs nothing. */
    makes_up: z.optional(z.uuid({ error: "This isn't a valid class" })),
    /** True if the user said it's not the same lesson that the other side logged that day. */
    is_another: z.optional(z.boolean()),
    /**
     * True if an offline device sends the session late. If the other side logged a lesson that day, the
     * session is then held as a possible duplicate instead of being rejected.
     */
    is_late: z.optional(z.boolean()),
  })
  .check((context) => {
    const { schedule_id: schedule, occurrence_date: day } = context.value
    if ((schedule === undefined) !== (day === undefined))
      context.issues.push({
        code: 'custom',
        path: ['occurrence_date'],
        message: 'Send both the schedule and the day of the class, or neither',
        input: day,
      })
  })
export type NewSession = z.output<typeof NewSession>
export const SessionChanges = z.strictObject({
  ...fields,
  student_id: z.optional(fields.student_id),
  tutor_id: z.optional(fields.tutor_id),
  date: z.optional(fields.date),
  duration: z.optional(fields.duration),
})
export type SessionChanges = z.output<typeof SessionChanges>

export const TOO_FAR_AHEAD = {
  too_far_ahead: { status: 422, title: "A session can't be more than a year from now", field: 'date' },
} as const
const refusals = {
  unknown_student: { status: 422, title: 'This child is no longer on your list', field: 'student_id' },
  unknown_tutor: { status: 422, title: 'This tutor is no longer on your list', field: 'tutor_id' },
  unknown_connection: {
    status: 422,
    title: "You aren't connected to this family for this student",
    field: 'connection_id',
  },
  ...TOO_FAR_AHEAD,
} as const
/** Errors that only caregivers get, because they log sessions without seeing amounts. */
const RATE_NOT_YOURS = {
  rate_not_yours: {
    status: 422,
    title: 'Only parents can set rates. Leave this blank.',
    field: 'hourly_rate',
  },
} as const
const NOT_YOUR_ENTRY = {
  not_your_entry: {
    status: 403,
    title: 'You can only change sessions you logged yourself that nobody else has confirmed.',
  },
} as const
const changed = {
  changed: { status: 409, title: 'This session was changed somewhere else. Please check it and try again.' },
  other_closed: {
    status: 409,
    title:
      'The other person closed their account. You can still read what you share, but nothing can be changed.',
  },
} as const

export const ListSessions = endpoint({
  operation: 'ListSessions',
  summary:
    "List the user's sessions, newest first: for a month or for all time, with one person, or a search. The first page of a search says what it finds in all",
  method: 'GET',
  path: '/api/v1/sessions',
  access: 'confirmed',
  input: z.strictObject({
    month: z.optional(Month),
    /** Lists only sessions that the other side sent back and that nobody has answered since. */
    state: z.optional(z.literal('disputed')),
    student_id: z.optional(z.uuid({ error: "This isn't a valid student" })),
    tutor_id: z.optional(z.uuid({ error: "This isn't a valid tutor" })),
    /** Words to look for in what's written about a session, its people and its day (session-search.ts). */
    search: z.optional(
      z.string().check(
        z.maxLength(LONGEST_SEARCH, 'Search for less'),
        z.refine(isStorable, UNSTORABLE),
        z.refine((typed) => searchedWords(typed).length <= MOST_WORDS, 'Search for fewer words'),
      ),
    ),
    standing: z.optional(z.enum(STATE_NAMES, { error: 'Choose a state' })),
    from: z.optional(Day),
    to: z.optional(Day),
    limit: z._default(
      z.pipe(
        z.string(),
        z.transform((text, context) => {
          const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
          if (count >= 1 && count <= 200) return count
          context.issues.push({ code: 'custom', message: 'The limit must be between 1 and 200', input: text })
          return z.NEVER
        }),
      ),
      100,
    ),
    cursor: z.optional(
      z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}_[0-9a-f-]{36}$/, 'This cursor is not valid')),
    ),
  }),
  output: z.object({
    sessions: z.array(Session),
    next_cursor: z.nullable(z.string()),
    /** Only on the first page of a search. */
    found: z.optional(FoundSessions),
  }),
})
export const ListHeld = endpoint({
  operation: 'ListHeld',
  summary:
    "List sessions that may duplicate the other side's, newest first; they're left out of totals until someone answers",
  method: 'GET',
  path: '/api/v1/sessions/held',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.object({ sessions: z.array(Session) }),
})
export const ReadSession = endpoint({
  operation: 'ReadSession',
  summary: 'Get a session',
  method: 'GET',
  path: '/api/v1/sessions/:id',
  access: 'confirmed',
  input: z.strictObject({}),
  output: Session,
})
const logging = {
  method: 'POST',
  meetsClosedMonths: true,
  access: ['parent', 'tutor', 'admin'],
  creates: true,
  isForCaregivers: true,
  refusals: {
    ...refusals,
    ...RATE_NOT_YOURS,
    unknown_schedule: { status: 422, title: 'This schedule is no longer on your list', field: 'schedule_id' },
    make_up_gone: {
      status: 409,
      title: 'This make-up was used already, or it has lapsed by that day',
      field: 'makes_up',
    },
    already_logged: { status: 409, title: 'This class is already in your log' },
    same_lesson: {
      status: 409,
      title: 'The other person already logged a lesson on this day. Is it the same lesson?',
    },
  },
} as const
export const LogSession = endpoint({
  ...logging,
  operation: 'LogSession',
  summary: 'Log a session; the server computes its amount',
  path: '/api/v1/sessions',
  input: NewSession,
  output: Session,
})
/**
 * The maximum number of lessons that one tap can add from a voice entry. Nobody dictates more than that at
 * once.
 */
const MOST_AT_ONCE = 12
export const LogSessions = endpoint({
  ...logging,
  operation: 'LogSessions',
  summary: 'Log several sessions; if one is refused, none are saved',
  path: '/api/v1/sessions/several',
  input: z.strictObject({
    sessions: z
      .array(NewSession)
      .check(
        z.minLength(1, 'Send at least one session'),
        z.maxLength(MOST_AT_ONCE, 'Send at most 12 sessions'),
      ),
    /**
     * True if the sessions are one lesson of several students who share one price: that of the first by name. What can't be
     * split goes to the first, too.
     */
    shares_one_price: z.optional(z.boolean()),
  }),
  output: z.object({ sessions: z.array(Session) }),
  refusals: {
    ...logging.refusals,
    not_one_lesson: {
      status: 422,
      title:
        'To share one price, the students have to be different, and the tutor, day, duration and rate the same',
      field: 'shares_one_price',
    },
    other_currency: {
      status: 422,
      title: "These students pay in different currencies, so they can't share one price",
      field: 'shares_one_price',
    },
    too_much: { status: 422, title: 'The price of this lesson is too high', field: 'shares_one_price' },
  },
})
export const UpdateSession = endpoint({
  operation: 'UpdateSession',
  summary: 'Change a session',
  method: 'PATCH',
  meetsClosedMonths: true,
  path: '/api/v1/sessions/:id',
  access: ['parent', 'tutor', 'admin'],
  isForCaregivers: true,
  input: SessionChanges,
  output: Session,
  refusals: {
    ...refusals,
    ...changed,
    ...RATE_NOT_YOURS,
    ...NOT_YOUR_ENTRY,
    held: {
      status: 409,
      title: 'Answer “Same lessons?” first. Is this the lesson the other person logged?',
    },
    other_connection: {
      status: 422,
      title: 'This session is shared. To change who it was with, log a new one and delete this one.',
      field: 'student_id',
    },
  },
})
export const AnswerDispute = endpoint({
  operation: 'AnswerDispute',
  summary:
    'Reply to a session the other side sent back, without changing it; the other side then has to answer again',
  method: 'POST',
  path: '/api/v1/sessions/:id/answer',
  access: ['parent', 'tutor', 'admin'],
  input: z.strictObject({ note: requiredText(500, 'Write a short answer') }),
  output: Session,
  refusals: {
    ...changed,
    not_disputed: { status: 409, title: "The other person hasn't sent this session back" },
  },
})
export const DeleteSession = endpoint({
  operation: 'DeleteSession',
  summary:
    'Delete a session. If the other side has to agree first, the response is 202 with code deletion_requested',
  method: 'DELETE',
  meetsClosedMonths: true,
  path: '/api/v1/sessions/:id',
  access: ['parent', 'tutor', 'admin', 'link'],
  isForCaregivers: true,
  input: z.strictObject({}),
  output: z.optional(z.object({ code: z.literal('deletion_requested'), version: z.number() })),
  refusals: {
    ...changed,
    ...NOT_YOUR_ENTRY,
    /** On the emailed page, a session can be deleted only if the other side asked to. */
    not_asked: { status: 409, title: 'No one has asked to delete this session' },
  },
})

/**
 * A day on which a session can take place. Only sessionDay creates one. Every query that writes sessions
 * requires it, so none of them can skip the check.
 */
export type SessionDay = CalendarDay & { readonly rule: 'at most a year ahead' }

/**
 * Returns the day, or undefined if it's more than a year from now: 365 days, and one extra day because the
 * user's date may be ahead of the server's.
 */
export function sessionDay(day: CalendarDay, now: Date): SessionDay | undefined {
  return day > addDays(dayIn(now, 'UTC'), 366) ? undefined : (day as SessionDay)
}
