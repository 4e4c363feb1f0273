// A connection: a family and a tutor's practice that share their sessions. One side may be just an email
// address without an account. One side sends a request, the other accepts it, and either can end the
// connection. After that, each side keeps a copy of what was shared.
import * as z from 'zod/mini'
import { Day } from '#kernel/calendar-day.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { Currency } from '#kernel/money.ts'
import { emailAddress, optionalText } from '#kernel/text.ts'
import { HandedLink } from './handed.ts'

const CONNECTION_STATES = ['asked', 'active', 'declined', 'ended'] as const

/** A connection event that triggers an email. */
export type ConnectionNews = 'accepted' | 'declined' | 'ended'

/** A child whose sessions are shared. The practice gets only the first name. */
const Person = z.object({
  id: z.string(),
  first_name: z.string(),
  /** The matching child or student in the reader's own list; null until they're matched. */
  student_id: z.nullable(z.string()),
})
export type Person = z.output<typeof Person>

/** A connection, as one side sees it. */
export const Connection = z.object({
  id: z.string(),
  state: z.enum(CONNECTION_STATES),
  /** Whether the reader's side sent the request. */
  is_asked_by_you: z.boolean(),
  /** Whether the reader has already answered by email from this address. Accepting keeps those answers. */
  is_answered: z.boolean(),
  /**
   * For a tutor who answered by email and hasn't accepted yet: the number of sessions that come along, and
   * the latest rate, in the currency's main unit per hour.
   */
  arriving: z.nullable(z.object({ sessions: z.number(), hourly_rate: z.nullable(z.number()) })),
  /**
   * For a practice, the name that the family gave. For a family, the name that the tutor gave in the request
   * or, once the request is accepted, the name in the family's own records.
   */
  other_name: z.nullable(z.string()),
  /** For a family, the tutor's id in its records. */
  tutor_id: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /**
   * For whoever asked by a link to hand over: what became of it. Null once the other side has an email address or
   * an account, and if it was asked by email.
   */
  link: z.nullable(HandedLink),
  asked_at: z.string(),
  /** Sessions are shared from this day on; null shares all of them. */
  shared_from: z.nullable(z.string()),
  ended_by: z.nullable(z.enum(['you', 'other'])),
  people: z.array(Person),
  /** The number of unanswered pairs of sessions that look like the same lesson. */
  pairs: z.number(),
  /** Whether the other side's account was deleted or disabled, which makes everything shared read-only. */
  is_read_only: z.boolean(),
  version: z.number(),
})
export type Connection = z.output<typeof Connection>

/**
 * How long an emailed link works, and how long we keep the address of someone who never answered (promise
 * P9).
 */
export const TOKEN_DAYS = 45
export const UNANSWERED_DAYS = 30

export const ListConnections = endpoint({
  operation: 'ListConnections',
  summary: "List the workspace's connections, open requests first; only the latest with each tutor or family",
  method: 'GET',
  path: '/api/v1/connections',
  access: ['parent', 'tutor', 'admin'],
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.array(Connection),
})
/** The maximum number of students in a request, and of children in an answer. */
const MOST_PEOPLE = 40

export const AskConnection = endpoint({
  operation: 'AskConnection',
  summary:
    "Ask the other side to share and confirm sessions. A family asks a tutor at the email in the tutor's " +
    "record; a practice asks a student's family by email. Either can ask by a link to hand over instead (MakeLink)",
  method: 'POST',
  path: '/api/v1/connections',
  access: ['parent', 'tutor'],
  closedTo: ['assistant'],
  needsAllStudents: true,
  creates: true,
  input: z.strictObject({
    /** For a family, the tutor to ask. */
    tutor_id: z.optional(z.uuid({ error: 'Please select a tutor' })),
    /**
     * For a practice, the family's address and its students. More students can be added as long as that
     * address has no account.
     */
    email: z.optional(emailAddress('Enter the family’s email address')),
    student_ids: z.optional(
      z
        .array(z.uuid({ error: 'Choose someone from your list' }))
        .check(
          z.minLength(1, 'Choose at least one student'),
          z.maxLength(MOST_PEOPLE, `Choose at most ${MOST_PEOPLE} students`),
        ),
    ),
    /** Asks without an email: the link to hand over is then made with MakeLink. */
    by_link: z._default(z.boolean(), false),
    /** Sessions are shared from this day on; if omitted, all are shared. */
    shared_from: z.optional(Day),
    /** The name to show the other side, if the workspace doesn't have one yet. */
    name: optionalText(120),
  }),
  output: Connection,
  limit: { hits: 60, seconds: 3600 },
  refusals: {
    no_tutor: { status: 422, title: 'Please select a tutor', field: 'tutor_id' },
    unknown_tutor: { status: 422, title: 'This tutor is no longer on your list', field: 'tutor_id' },
    no_email: { status: 422, title: 'Add an email address to this tutor first', field: 'email' },
    no_address: { status: 422, title: 'Enter the family’s email address', field: 'email' },
    no_students: { status: 422, title: 'Choose at least one student', field: 'student_ids' },
    unknown_student: {
      status: 422,
      title: 'This student is no longer on your list',
      field: 'student_ids',
    },
    own_address: {
      status: 422,
      title: 'This address belongs to you or another member. Enter the other person’s.',
      field: 'email',
    },
    already_asked: { status: 409, title: "You've already sent a request to this address" },
    already_handed: {
      status: 409,
      title: 'You’ve already made a link for this student that nobody has opened. Make a new one there.',
      field: 'student_ids',
    },
    asked_too_often: {
      status: 429,
      title: 'This address has received several requests today. Please wait a day.',
    },
    opted_out: {
      status: 422,
      title: 'This person has opted out of emails from Tutorlog. Please contact them directly.',
    },
  },
})
export const AnswerConnection = endpoint({
  operation: 'AnswerConnection',
  summary: "Accept or decline a request, and match the other side's children or students with yours",
  method: 'PATCH',
  path: '/api/v1/connections/:id',
  access: ['parent', 'tutor'],
  needsAllStudents: true,
  closedTo: ['assistant'],
  input: z.strictObject({
    state: z.optional(
      z.enum(['active', 'declined'], { error: 'Use "active" to accept or "declined" to decline' }),
    ),
    /**
     * A child or student without a match is added as a new one with the same first name. If omitted, each one is
     * matched with the only person on the list who has that first name.
     */
    people: z.optional(
      z
        .array(z.strictObject({ id: z.uuid(), student_id: z.nullable(z.uuid()) }))
        .check(z.maxLength(MOST_PEOPLE, `Choose at most ${MOST_PEOPLE} children`)),
    ),
  }),
  output: Connection,
  refusals: {
    changed: { status: 409, title: 'This request has already been answered' },
    not_connected: { status: 409, title: 'Accept the request first' },
    unknown_student: { status: 422, title: 'This student is no longer on your list', field: 'people' },
    matched_twice: {
      status: 422,
      title: 'Two of them can’t be the same person. Choose someone else for one of them.',
      field: 'people',
    },
    own_family: {
      status: 409,
      title: 'You belong to both the family and the practice, and no one can confirm for both sides.',
    },
    already_connected: { status: 409, title: 'You are already connected with this tutor' },
    other_currency: {
      status: 409,
      title:
        'This tutor and your family use different currencies. Amounts in two currencies can’t be shared.',
    },
    too_many: { status: 422, title: 'Your list is full. Delete or archive someone first.' },
    other_closed: {
      status: 409,
      title:
        'The other person closed their account. You can still read what you share, but nothing can be changed.',
    },
  },
})
export const EndConnection = endpoint({
  operation: 'EndConnection',
  summary: 'End a connection; each side keeps a copy of every shared session',
  method: 'DELETE',
  path: '/api/v1/connections/:id',
  access: ['parent', 'tutor', 'admin'],
  needsAllStudents: true,
  closedTo: ['assistant'],
  isFree: true,
  input: z.strictObject({}),
  output: z.undefined(),
})

/** One side's version of a lesson that both sides seem to have logged. */
const PairSide = z.object({
  date: z.string(),
  /** In hours; the rate is in dollars. */
  duration: z.number(),
  rate: z.nullable(z.number()),
  /** The price per lesson that applies without a rate, in dollars, and how many minutes the lesson has. */
  lesson_price: z.nullable(z.number()),
  lesson_minutes: z.nullable(z.number()),
  total_amount: z.nullable(z.number()),
  currency: Currency,
  subject: z.nullable(z.string()),
  /** HH:MM. */
  start_time: z.nullable(z.string()),
})
export const SessionPair = z.object({
  id: z.string(),
  /** The id of the caller's session. */
  session_id: z.string(),
  first_name: z.nullable(z.string()),
  /** What the two sides share amounts in. A session in another currency can't be shared. */
  currency: Currency,
  yours: PairSide,
  theirs: PairSide,
  /**
   * Whether the dates, durations, prices and currencies match. If they do, merging verifies the session right
   * away.
   */
  is_equal: z.boolean(),
  /**
   * The session left out of all totals until someone resolves the pair; null if each session counts in its
   * own log.
   */
  held: z.nullable(z.enum(['yours', 'theirs'])),
})
export type SessionPair = z.output<typeof SessionPair>

export const ListPairs = endpoint({
  operation: 'ListPairs',
  summary: 'List pairs of sessions, one from each side, that look like the same lesson',
  method: 'GET',
  path: '/api/v1/connections/:id/pairs',
  access: ['parent', 'tutor', 'admin'],
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({ pairs: z.array(SessionPair) }),
})
export const AnswerPairs = endpoint({
  operation: 'AnswerPairs',
  summary: 'Mark each pair as one lesson, counted once, or as two',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/connections/:id/pairs',
  access: ['parent', 'tutor', 'admin'],
  needsAllStudents: true,
  closedTo: ['assistant'],
  input: z.strictObject({
    same: z._default(z.array(z.uuid()).check(z.maxLength(500, 'Send at most 500 pairs')), []),
    different: z._default(z.array(z.uuid()).check(z.maxLength(500, 'Send at most 500 pairs')), []),
  }),
  output: z.object({
    answered: z.number(),
    /** How many sessions stay in their own side's log because they're in another currency, if any do. */
    other_currency: z.optional(z.number()),
  }),
  refusals: {
    copies: {
      status: 409,
      title: 'These are copies of a session you already shared, so they are the same lesson.',
    },
    other_closed: AnswerConnection.refusals.other_closed,
  },
})
