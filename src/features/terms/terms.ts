// Terms that a family and a tutor agree on, and their endpoints. Each entry is a version: it applies from the day on
// which both agreed to it, until they agree to a later one.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { NOT_PROPOSED, OTHER_CLOSED, SAYS_NOTHING } from '#features/agreements/answer.ts'
import { HistoryEntry } from '#features/agreements/history.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { Currency } from '#kernel/money.ts'
import { optionalText } from '#kernel/text.ts'
import { DEFAULT_NOTICE_HOURS, Rules } from './rules.ts'

/** The rules as JSON has them, amounts in dollars, and as sentences. */
const said = { rules: z.record(z.string(), z.unknown()), sentences: z.array(z.string()) }

export const Terms = z.object({
  id: z.string(),
  /** Null if they're only in your own records: a family's about a tutor, a practice's about a student. */
  connection_id: z.nullable(z.string()),
  tutor_id: z.nullable(z.string()),
  student_id: z.nullable(z.string()),
  /** What the reader calls the other side; null if it has no name. */
  other_name: z.nullable(z.string()),
  /** The day on which they were proposed. */
  date: z.string(),
  ...said,
  currency: Currency,
  /** The day from which they apply; null until both agree. */
  applies_from: z.nullable(z.string()),
  /** The day on which they ended, if it wasn't with a later version. */
  ended_on: z.nullable(z.string()),
  own_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  other_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  dispute_note: z.nullable(z.string()),
  /** What the open dispute proposes: other rules, or that there should be no terms. */
  proposal: z.nullable(z.object({ by: z.enum(['you', 'other']), is_removal: z.boolean(), ...said })),
  /** Who asks to end them. */
  deletion_asked_by: z.nullable(z.enum(['you', 'other'])),
  is_shared: z.boolean(),
  waits_for_you: z.boolean(),
  asked_at: z.nullable(z.string()),
  reminders: z.number(),
  reminded_at: z.nullable(z.string()),
  is_read_only: z.boolean(),
  version: z.number(),
})
export type Terms = z.output<typeof Terms>

/** More versions than anyone agrees on in a lifetime. Limits how much one account can store (promise I17). */
export const MAX_TERMS = 1000

/** Since when a version applies, and until when. */
export interface Span {
  applies_from: string | null
  ended_on: string | null
}

/** What decides which version applies. */
export interface Version extends Span {
  connection_id: string | null
  own_confirmation: string
  other_confirmation: string
}

/**
 * The version that applies on a day, of those about the same people; undefined if none does. Versions are in the
 * order of the API's list, which is newest first.
 */
export function applyingOn<One extends Version>(versions: readonly One[], day: CalendarDay): One | undefined {
  return latestOn(
    versions.filter((one) => one.connection_id === null || isAgreed(one)),
    day,
  )
}

/** Whether both sides agree on a version. */
export function isAgreed(one: Pick<Version, 'own_confirmation' | 'other_confirmation'>): boolean {
  return one.own_confirmation === 'confirmed' && one.other_confirmation === 'confirmed'
}

/** The same, if both sides agree on all of these versions. */
export function latestOn<One extends Span>(versions: readonly One[], day: CalendarDay): One | undefined {
  return versions
    .filter(
      (one) =>
        one.applies_from !== null && one.applies_from <= day && (one.ended_on === null || day < one.ended_on),
    )
    .toSorted((one, other) => (other.applies_from ?? '').localeCompare(one.applies_from ?? ''))[0]
}

/** A class, as its reader's records name who meets. */
export interface ClassOfPair {
  connection_id: string | null
  student_id: string | null
  tutor_id: string | null
  date: string
}

/**
 * How many hours before a class it can be canceled in time: what the terms of its day say, or else 24. Without a
 * connection, a family's terms are about the tutor, and a practice's about the student.
 */
export function noticeHoursOf(
  terms: readonly (Version & Pick<Terms, 'tutor_id' | 'student_id' | 'rules'>)[],
  { connection_id: connection, student_id: student, tutor_id: tutor, date }: ClassOfPair,
): number {
  const versions = terms.filter((one) =>
    connection === null
      ? one.connection_id === null && (one.tutor_id ? one.tutor_id === tutor : one.student_id === student)
      : one.connection_id === connection,
  )
  return Number(applyingOn(versions, date as CalendarDay)?.rules.notice_hours ?? DEFAULT_NOTICE_HOURS)
}

const callers = ['parent', 'tutor', 'admin'] as const
const changed = {
  changed: { status: 409, title: 'These terms have changed since you opened them. Please check them again.' },
  ...OTHER_CLOSED,
} as const
const STAY = {
  terms_stay: { status: 409, title: 'These terms already apply. Propose new ones instead.' },
} as const
const SAME = {
  same_terms: { status: 409, title: 'These are the terms that already apply', field: 'rules' },
} as const

export const ListTerms = endpoint({
  operation: 'ListTerms',
  summary: 'List all versions of your terms, newest first',
  method: 'GET',
  path: '/api/v1/terms',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({ terms: z.array(Terms) }),
})
export const ListWaitingTerms = endpoint({
  operation: 'ListWaitingTerms',
  summary: 'List the terms that are waiting for your answer or were declined by the other side, newest first',
  method: 'GET',
  path: '/api/v1/terms/waiting',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({ terms: z.array(Terms), sent_back: z.array(Terms) }),
})
export const ReadTerms = endpoint({
  operation: 'ReadTerms',
  summary: 'Get one version of your terms',
  method: 'GET',
  path: '/api/v1/terms/:id',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: Terms,
})
export const ProposeTerms = endpoint({
  operation: 'ProposeTerms',
  summary:
    "Propose terms to the other side. Earlier ones apply until it agrees. Without a connection, they're your own and apply from today",
  method: 'POST',
  path: '/api/v1/terms',
  access: callers,
  needsAllStudents: true,
  creates: true,
  input: z.strictObject({
    /** Whose terms they are: a family names its tutor, a practice its student. */
    tutor_id: z.optional(z.uuid({ error: 'Please select a tutor' })),
    student_id: z.optional(z.uuid({ error: 'Please select a student' })),
    /** Needed if the student has several connections. */
    connection_id: z.optional(z.uuid()),
    rules: Rules,
    /** If given, it has to be that of the connection, or of your records. */
    currency: z.optional(Currency),
  }),
  output: Terms,
  refusals: {
    no_tutor: { status: 422, title: 'Please select a tutor', field: 'tutor_id' },
    no_student: { status: 422, title: 'Please select a student', field: 'student_id' },
    unknown_tutor: { status: 422, title: 'This tutor is no longer on your list', field: 'tutor_id' },
    unknown_student: { status: 422, title: 'This student is no longer on your list', field: 'student_id' },
    not_connected: {
      status: 422,
      title: 'This connection has ended, or this student is not part of it',
      field: 'connection_id',
    },
    other_currency: { status: 422, title: 'These records are in another currency', field: 'currency' },
    terms_waiting: {
      status: 409,
      title: 'Other terms are still waiting for an answer. Change or withdraw those.',
    },
    too_many_rows: { status: 422, title: 'You have reached the limit of 1,000 versions of terms' },
    ...SAME,
  },
})
export const UpdateTerms = endpoint({
  operation: 'UpdateTerms',
  summary: "Change proposed terms. The other side's answer to the earlier ones no longer counts",
  method: 'PATCH',
  path: '/api/v1/terms/:id',
  access: callers,
  needsAllStudents: true,
  input: z.strictObject({ rules: Rules }),
  output: Terms,
  refusals: { ...changed, ...STAY, ...SAME },
})
export const DeleteTerms = endpoint({
  operation: 'DeleteTerms',
  summary:
    'Withdraw proposed terms, or end agreed ones. If the other side ever agreed and has to agree again, the response is 202 with code deletion_requested',
  method: 'DELETE',
  path: '/api/v1/terms/:id',
  access: [...callers, 'link'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.optional(z.object({ code: z.literal('deletion_requested'), version: z.number() })),
  refusals: {
    ...changed,
    not_asked: { status: 409, title: 'Nobody asks to end these terms' },
  },
})

const answered = {
  method: 'POST',
  access: [...callers, 'link'],
  needsAllStudents: true,
  isFree: true,
  output: Terms,
} as const
const late = {
  ...changed,
  not_shared: { status: 409, title: "These terms aren't shared with anyone" },
} as const

export const ConfirmTerms = endpoint({
  ...answered,
  operation: 'ConfirmTerms',
  summary: 'Agree to terms. Once both sides have, they apply from that day',
  path: '/api/v1/terms/:id/confirm',
  input: z.strictObject({}),
  refusals: late,
})
export const WithdrawTermsConfirmation = endpoint({
  ...answered,
  operation: 'WithdrawTermsConfirmation',
  summary: 'Take back your answer about terms',
  method: 'DELETE',
  path: '/api/v1/terms/:id/confirm',
  isAnswer: () => false,
  input: z.strictObject({}),
  refusals: late,
})
export const DisputeTerms = endpoint({
  ...answered,
  operation: 'DisputeTerms',
  summary: 'Decline terms, with a note, with other rules, or by saying that there should be none',
  path: '/api/v1/terms/:id/dispute',
  input: z.strictObject({
    note: optionalText(500),
    proposal: z.optional(
      z.strictObject({ rules: z.optional(Rules), is_removal: z.optional(z.literal(true)) }),
    ),
  }),
  refusals: { ...late, ...SAYS_NOTHING },
})
export const AcceptTerms = endpoint({
  ...answered,
  operation: 'AcceptTerms',
  summary: 'Accept what the other side proposed about terms: other rules, or that there should be none',
  path: '/api/v1/terms/:id/accept',
  input: z.strictObject({}),
  output: z.optional(Terms),
  refusals: { ...changed, ...NOT_PROPOSED },
})
export const KeepTerms = endpoint({
  ...answered,
  operation: 'KeepTerms',
  summary: 'Keep terms that either side asked to end',
  path: '/api/v1/terms/:id/keep',
  input: z.strictObject({}),
  refusals: { ...changed, not_asked: { status: 409, title: 'Nobody asks to end these terms' } },
})

export const TermsHistoryEntry = z.object({
  ...HistoryEntry.shape,
  date: z.string(),
  ...said,
  currency: Currency,
})
export type TermsHistoryEntry = z.output<typeof TermsHistoryEntry>
export const ReadTermsHistory = endpoint({
  operation: 'ReadTermsHistory',
  summary:
    'Get the history of one version of your terms, oldest entry first; both sides see the same history',
  method: 'GET',
  path: '/api/v1/terms/:id/history',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({ entries: z.array(TermsHistoryEntry) }),
})
