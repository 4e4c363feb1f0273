// What each side says about something both agree on: a session, a payment or terms. For stored rows, the database decides
// what waits for whom and what the status is (db/repeatable/agreements.sql).
import { type CalendarDay, dayIn } from '#kernel/calendar-day.ts'

/** A side's answer about the current facts. When the facts change, the answer no longer counts. */
export type Answer = 'none' | 'confirmed' | 'disputed'

/**
 * The status between the two sides. An 'own' entry is in the records of one side only, so nobody else can
 * confirm it (docs/product-decisions.md, section 4).
 */
export const STANDINGS = ['verified', 'waiting', 'disputed', 'leaving', 'own'] as const
export type Standing = (typeof STANDINGS)[number]

/** What a response says about an entry that two sides agree on. Lists of shared entries leave out `is_shared`. */
export interface Agreed {
  own_confirmation: Answer
  other_confirmation: Answer
  is_shared?: boolean
  deletion_asked_by: 'you' | 'other' | null
}

/**
 * The status of an entry in a response, which standing_of in db/repeatable/agreements.sql says of stored ones
 * (agreements.test.ts compares the two).
 */
export function standingOf({ is_shared: isShared = true, ...entry }: Agreed): Standing {
  const answers = [entry.own_confirmation, entry.other_confirmation]
  if (entry.deletion_asked_by) return 'leaving'
  if (answers.every((answer) => answer === 'confirmed')) return 'verified'
  if (answers.includes('disputed')) return 'disputed'
  return isShared ? 'waiting' : 'own'
}

/**
 * Which way a deletion goes: true if it asks the other side, which confirmed the entry at some time, false if it
 * takes effect at once. The policies in db/repeatable/policies.sql refuse the rest.
 */
export function asksToDelete(entry: {
  is_shared: boolean
  other_took_part: boolean
  deletion_asked_by: 'you' | 'other' | null
}): boolean {
  return entry.is_shared && entry.other_took_part && entry.deletion_asked_by !== 'other'
}

/** Whether the reader is asked to confirm an entry, for responses that don't have waits_for_you. */
export function isToConfirm(entry: Agreed): boolean {
  return standingOf(entry) === 'waiting' && entry.own_confirmation === 'none'
}

/** When each reminder is sent, in days after an answer was first needed. There are only two reminders. */
export const REMINDER_DAYS = [3, 10] as const
/**
 * How many days a side has to answer. At least REMINDED_DAYS of them are left after each reminder
 * (docs/product-decisions.md, section 4).
 */
export const ANSWER_DAYS = 14
export const REMINDED_DAYS = 3
/**
 * How many days a side has to answer if no reminder was sent, because everyone on that side opted out of
 * emails or sending failed. They can still see in the app what's waiting, and the other side shouldn't have
 * to wait forever.
 */
export const UNREMINDED_DAYS = 28
/** A daily job sends the reminders. If a reminder is this many days late, it's skipped. */
const LATE_DAYS = 2

/** When an answer was first needed and which reminders were sent. Calculated by the database. */
export interface Asked {
  date: string
  asked_at: string | null
  reminders: number
  reminded_at: string | null
  deletion_asked_by: 'you' | 'other' | null
}

const DAY_MS = 86_400_000

/**
 * The first day on which an answer was needed, in the reader's time zone. Never before the day of the lesson.
 * Undefined if no answer is pending.
 */
export function askedSince(asked: Asked): CalendarDay | undefined {
  if (asked.asked_at === null) return undefined
  const day = dayIn(new Date(asked.asked_at))
  return asked.deletion_asked_by === null && asked.date > day ? (asked.date as CalendarDay) : day
}

/**
 * The deadline for an answer: two weeks if the reminders were sent, longer if they weren't. Undefined if no
 * answer is pending. is_overdue in db/repeatable/agreements.sql says when the asker may leave (agreements.test.ts
 * compares the two).
 */
export function answerDue(asked: Asked, now: Date): Date | undefined {
  if (asked.asked_at === null) return undefined
  const asks = Date.parse(asked.asked_at)
  const since = asked.deletion_asked_by === null ? Math.max(asks, Date.parse(asked.date)) : asks
  const after = (days: number) => since + days * DAY_MS
  const next = REMINDER_DAYS[asked.reminders]
  if (next !== undefined)
    return new Date(after(now.getTime() < after(next + LATE_DAYS) ? ANSWER_DAYS : UNREMINDED_DAYS))
  const reminded = Date.parse(asked.reminded_at ?? asked.asked_at)
  return new Date(
    Math.min(Math.max(after(ANSWER_DAYS), reminded + REMINDED_DAYS * DAY_MS), after(UNREMINDED_DAYS)),
  )
}

/** Whether the deadline has passed. Not answering never counts as a yes; it only changes the on-screen text. */
export function isUnanswered(asked: Asked, now: Date): boolean {
  const due = answerDue(asked, now)
  return due !== undefined && due <= now
}

/** How a side can change its answer. */
export type AnswerChange = 'confirm' | 'withdraw' | 'dispute'

/**
 * A side's answer after a change. Undefined if the answer stays the same, so that a double tap adds only one
 * history entry.
 */
export function answerAfter(own: Answer, change: AnswerChange): Answer | undefined {
  const next: Answer = change === 'confirm' ? 'confirmed' : change === 'dispute' ? 'disputed' : 'none'
  return next === own && change !== 'dispute' ? undefined : next
}

/** What a dispute proposes: other facts, by the names of their columns, or that the entry should go. */
export type Proposal<Facts extends ProposedFacts = ProposedFacts> = Facts | { is_removed: true }
export type ProposedFacts = Readonly<Record<string, string | number | boolean | object | null>>

export function isRemoval(proposal: Proposal): proposal is { is_removed: true } {
  return 'is_removed' in proposal
}

/** Why a dispute is refused that says nothing, and a proposal that can't be accepted. */
export const SAYS_NOTHING = {
  says_nothing: {
    status: 422,
    title: 'Say what would be right, or write a short note',
    field: 'note',
  },
} as const
export const NOT_PROPOSED = {
  not_proposed: {
    status: 409,
    title: 'This was answered or changed in the meantime. Please check it again.',
  },
} as const

export const OTHER_CLOSED = {
  other_closed: {
    status: 409,
    title:
      'The other person closed their account. You can still read what you share, but nothing can be changed.',
  },
} as const
