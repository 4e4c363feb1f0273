// What each side says about a session: nothing yet, confirmed, or disputed with a note. A side writes only its own word.
import * as z from 'zod/mini'
import { type CalendarDay, dayIn, weekOf } from '#kernel/calendar-day.ts'
import { endpoint } from '#kernel/endpoint.ts'
import { cents, centsOfDollars, Currency, formatMoney } from '#kernel/money.ts'
import { requiredText } from '#kernel/text.ts'
import { lessonWords, Month, Session } from './session.ts'

/** A side's word, for the facts as they are now: a word on earlier facts counts as none. */
export type Word = 'none' | 'confirmed' | 'disputed'

/** Where a session stands between the two sides; 'own' is in this log only, so there's nothing to confirm (decisions section 4). */
export const STANDINGS = ['verified', 'waiting', 'disputed', 'leaving', 'own'] as const
export type Standing = (typeof STANDINGS)[number]

/** Where a session stands. It stays verified when the two sides part, and a dispute that can no longer be settled blocks nothing. */
export function standingOf(
  session: Pick<Session, 'verified_by_tutor' | 'status' | 'is_shared' | 'deletion_asked_by'>,
): Standing {
  if (session.deletion_asked_by) return 'leaving'
  if (session.verified_by_tutor) return 'verified'
  if (!session.is_shared) return 'own'
  return session.status === 'disputed' ? 'disputed' : 'waiting'
}

/** What a side sees of the words on a session. */
export interface Words {
  own: Word
  /** Whether the other side has answered this side's dispute since. */
  isAnswered: boolean
  /** Which side asked to delete it. */
  deletionAskedBy: 'you' | 'other' | null
}

/** Whether a shared session is waiting for this side's confirmation. */
export function waitsForYou({ own, isAnswered, deletionAskedBy }: Words): boolean {
  if (deletionAskedBy) return deletionAskedBy === 'other'
  return own === 'none' || (own === 'disputed' && isAnswered)
}

/** A reminder goes out this many days after an answer began to be missing, and none later than the second. */
export const REMINDER_DAYS = [3, 10] as const
/** How many days a side has to answer, at least this many of them after each reminder (decisions section 4). */
export const ANSWER_DAYS = 14
export const REMINDED_DAYS = 3
/**
 * The same where the reminders did not go out, because nobody on that side wants emails or none could be written. An email that
 * was not sent is no reminder, but such a side sees in the app what waits, and nobody waits forever.
 */
export const UNREMINDED_DAYS = 28
/** A daily job, so a reminder that is two days late was not sent. */
const LATE_DAYS = 2

/** Since when an answer to a session is missing, and the reminders of it; as the database counts them (db/repeatable/waiting.sql). */
export type Asked = Pick<Session, 'date' | 'asked_at' | 'reminders' | 'reminded_at' | 'deletion_asked_by'>

const DAY_MS = 86_400_000

/** The day since which an answer is missing, where the reader is; undefined where none is. A lesson is confirmed from its day on. */
export function askedSince(asked: Asked): CalendarDay | undefined {
  if (asked.asked_at === null) return undefined
  const day = dayIn(new Date(asked.asked_at))
  return asked.deletion_asked_by === null && asked.date > day ? (asked.date as CalendarDay) : day
}

/**
 * Until when a side has time to answer; undefined where no answer is missing. It is two weeks where the reminders go out as they
 * should, and later where they did not (db/repeatable/splitting.sql has it too, for leave_session).
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

/** Whether a side let its time to answer pass. It never counts as a yes: nothing but what the screens say depends on it. */
export function isUnanswered(asked: Asked, now: Date): boolean {
  const due = answerDue(asked, now)
  return due !== undefined && due <= now
}

/** What a side can do to its own word. */
export type WordChange = 'confirm' | 'withdraw' | 'dispute'

/** A side's word after a change; undefined if nothing changes, so that a double tap is one entry. */
export function wordAfter(own: Word, change: WordChange): Word | undefined {
  const next: Word = change === 'confirm' ? 'confirmed' : change === 'dispute' ? 'disputed' : 'none'
  return next === own && change !== 'dispute' ? undefined : next
}

/** A shared session as the other side may see it: never notes, surnames, phone numbers or other tutors (promise T8). */
export const SharedSession = z.object({
  id: z.string(),
  connection_id: z.string(),
  /** What the reader knows the other side as: the family's name where it gave one, or the tutor as the family calls them. */
  other_name: z.nullable(z.string()),
  /** The child, as the reader knows it; to an emailed page the first name. */
  student_name: z.nullable(z.string()),
  date: z.string(),
  /** Hours. */
  duration: z.number(),
  /** Dollars an hour, and dollars. */
  rate: z.nullable(z.number()),
  total_amount: z.nullable(z.number()),
  currency: Currency,
  subject: z.nullable(z.string()),
  /** The wall clock at which it began, HH:MM. */
  start_time: z.nullable(z.string()),
  /** What was done and what comes next, as either side wrote it. */
  summary: z.nullable(z.string()),
  homework: z.nullable(z.string()),
  own_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  other_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  /** Whether both confirmed it. */
  verified_by_tutor: z.boolean(),
  status: z.string(),
  /** Whether it is on the list of what waits for the reader. */
  waits_for_you: z.boolean(),
  deletion_asked_by: z.nullable(z.enum(['you', 'other'])),
  dispute_note: z.nullable(z.string()),
  answer_note: z.nullable(z.string()),
  /** Since when an answer is missing, an instant: the reader's, else the other side's; how many reminders of it went out, and when the last did. */
  asked_at: z.nullable(z.string()),
  reminders: z.number(),
  reminded_at: z.nullable(z.string()),
  /** The other side's account was deleted or disabled: it can be read, and not answered. */
  is_read_only: z.boolean(),
  version: z.number(),
})
export type SharedSession = z.output<typeof SharedSession>

/** What's waiting up to today, split into this week's and earlier sessions; future sessions, by the reader's date, wait for their day. */
export function byWeek<Waiting extends { date: string }>(
  sessions: Waiting[],
  today: CalendarDay,
): { thisWeek: Waiting[]; earlier: Waiting[] } {
  const [sunday = today] = weekOf(today)
  return {
    thisWeek: sessions.filter(({ date }) => date >= sunday && date <= today),
    earlier: sessions.filter(({ date }) => date < sunday),
  }
}

/** The oldest first. */
export function byDay<Dated extends { date: string }>(sessions: readonly Dated[]): Dated[] {
  return [...sessions].sort((one, other) => one.date.localeCompare(other.date))
}

/** What sessions come to: "$157.50"; of several currencies "$90.00 and €40.00", which are never added up. */
export function totalInWords(sessions: readonly Pick<SharedSession, 'total_amount' | 'currency'>[]): string {
  const totals = new Map<Currency, number>()
  for (const { total_amount: amount, currency } of sessions)
    totals.set(currency, (totals.get(currency) ?? 0) + centsOfDollars(amount ?? 0))
  return [...totals].map(([currency, total]) => formatMoney(cents(total), currency)).join(' and ')
}

/** Sessions with the versions that were seen: only what was seen is confirmed. */
export const SeenSessions = z
  .array(z.strictObject({ id: z.uuid(), version: z.number() }))
  .check(z.minLength(1, 'Name at least one session'), z.maxLength(500, 'Name at most 500 sessions'))
export const DisputeNote = requiredText(500, 'Say in a few words what is not right')

export const OTHER_CLOSED = {
  other_closed: {
    status: 409,
    title:
      'The other side closed its account. You can still read what you share, but nothing can be changed.',
  },
} as const
export const ANSWERED_LATE = {
  changed: { status: 409, title: 'This session was changed in the meantime. Please look again.' },
  not_shared: { status: 409, title: 'Nobody else takes part in this session' },
  too_early: { status: 409, title: 'A session can be confirmed from its day on' },
  ...OTHER_CLOSED,
} as const

/** The sessions that one answer took, and those that changed since they were seen. */
export const Confirmed = z.object({ confirmed: z.array(z.string()), changed: z.array(z.string()) })

export const ListShared = endpoint({
  operation: 'ListConfirmations',
  summary: 'What the two sides share, newest first: what waits for the caller, or all of a month',
  method: 'GET',
  path: '/api/v1/confirmations',
  access: 'confirmed',
  closedTo: ['caregiver'],
  input: z.strictObject({ month: z.optional(Month), waiting: z.optional(z.literal('true')) }),
  output: z.object({ sessions: z.array(SharedSession) }),
})
export const ConfirmSession = endpoint({
  operation: 'ConfirmSession',
  summary: 'Confirm a session for your side, and save what was done and what comes next if given',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/sessions/:id/confirm',
  access: ['parent', 'tutor', 'admin'],
  isFree: true,
  input: z.strictObject(lessonWords),
  output: Session,
  refusals: ANSWERED_LATE,
})
export const WithdrawConfirmation = endpoint({
  operation: 'WithdrawConfirmation',
  summary: "Take back your side's confirmation or dispute",
  method: 'DELETE',
  meetsClosedMonths: true,
  path: '/api/v1/sessions/:id/confirm',
  access: ['parent', 'tutor', 'admin'],
  isFree: true,
  input: z.strictObject({}),
  output: Session,
  refusals: ANSWERED_LATE,
})
export const DisputeSession = endpoint({
  operation: 'DisputeSession',
  summary: 'Send a session back with a note',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/sessions/:id/dispute',
  access: ['parent', 'tutor', 'admin'],
  isFree: true,
  input: z.strictObject({ note: DisputeNote }),
  output: Session,
  refusals: ANSWERED_LATE,
})
export const ConfirmSessions = endpoint({
  operation: 'ConfirmSessions',
  summary: 'Confirm several sessions as they were seen, a whole month for instance',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/confirmations',
  access: ['parent', 'tutor', 'admin'],
  isFree: true,
  input: z.strictObject({ sessions: SeenSessions }),
  output: Confirmed,
  refusals: OTHER_CLOSED,
})
export const KeepSession = endpoint({
  operation: 'KeepSession',
  summary: 'Keep a session that one side asked to delete: the asker takes it back, or the other side refuses',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/sessions/:id/keep',
  access: ['parent', 'tutor', 'admin'],
  isFree: true,
  input: z.strictObject({}),
  output: Session,
  refusals: {
    changed: ANSWERED_LATE.changed,
    not_asked: { status: 409, title: 'Nobody asked to delete this session' },
    ...OTHER_CLOSED,
  },
})

/** The note that sends a session back: its draft, and what the form asks for. */
export function disputeNote(sessionId: string) {
  return {
    draft: `dispute:${sessionId}`,
    help: 'For example: it was one hour, not one and a half',
    maxLength: 500,
    missing: 'Say in a few words what is not right',
  }
}
