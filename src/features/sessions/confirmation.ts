// Both sides' answers to a session: none yet, confirmed, or disputed with a note. Each side can set only its
// own answer.
import * as z from 'zod/mini'
import { type CalendarDay, Day, dayIn, monthOf, weekOf } from '#kernel/calendar-day.ts'
import { durationInHours } from '#kernel/duration.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { cents, centsOfDollars, Currency, formatMoney, Rate } from '#kernel/money.ts'
import { optionalText } from '#kernel/text.ts'
import { NOT_PROPOSED, OTHER_CLOSED, SAYS_NOTHING } from '#features/agreements/answer.ts'
import { lessonWords, storedWords } from './lesson-words.ts'
import { Month, Session } from './session.ts'

/**
 * A shared session as the other side sees it. Never includes private notes, last names, phone numbers or
 * other tutors (promise T8).
 */
export const SharedSession = z.object({
  id: z.string(),
  connection_id: z.string(),
  /**
   * The other side's name. Tutors see the family's name if it has one; families see the name they use for the
   * tutor.
   */
  other_name: z.nullable(z.string()),
  /** The name the reader uses for the child. On an emailed page, only the first name. */
  student_name: z.nullable(z.string()),
  date: z.string(),
  /** Hours. */
  duration: z.number(),
  /** `rate` is in dollars per hour, `total_amount` in dollars. */
  rate: z.nullable(z.number()),
  /** The price per lesson, in dollars, and how many minutes that has. It applies if there's no rate. */
  lesson_price: z.nullable(z.number()),
  lesson_minutes: z.nullable(z.number()),
  total_amount: z.nullable(z.number()),
  currency: Currency,
  subject: z.nullable(z.string()),
  /** HH:MM, in local time where the lesson takes place. */
  start_time: z.nullable(z.string()),
  /** The missed class that the session makes up for. */
  makes_up: z.nullable(z.string()),
  ...storedWords,
  own_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  other_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  /** Whether both sides confirmed the session. */
  verified_by_tutor: z.boolean(),
  status: z.string(),
  /** Whether the session is waiting for the reader's answer. */
  waits_for_you: z.boolean(),
  deletion_asked_by: z.nullable(z.enum(['you', 'other'])),
  dispute_note: z.nullable(z.string()),
  answer_note: z.nullable(z.string()),
  /**
   * What the open dispute proposes: the session as it should be, or that it should be deleted. If both sides
   * proposed something, it's the other side's.
   */
  proposal: z.nullable(
    z.object({
      by: z.enum(['you', 'other']),
      is_removal: z.boolean(),
      date: z.string(),
      duration: z.number(),
      rate: z.nullable(z.number()),
      total_amount: z.nullable(z.number()),
    }),
  ),
  /**
   * When an answer was first needed, how many reminders were sent, and when the last one was. Refers to the
   * reader's answer if that's still missing; otherwise, to the other side's.
   */
  asked_at: z.nullable(z.string()),
  reminders: z.number(),
  reminded_at: z.nullable(z.string()),
  /** True if the other side's account was deleted or disabled, so the session can be read but not answered. */
  is_read_only: z.boolean(),
  version: z.number(),
})
export type SharedSession = z.output<typeof SharedSession>

/** Splits waiting sessions into those from this week and earlier ones. Future sessions are left out. */
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

export function isThisMonth({ date }: { date: string }): boolean {
  return monthOf(date as CalendarDay) === monthOf(dayIn(new Date()))
}

/** Sorted by day, oldest first. */
export function byDay<Dated extends { date: string }>(sessions: readonly Dated[]): Dated[] {
  return [...sessions].sort((one, other) => one.date.localeCompare(other.date))
}

/**
 * The sessions' total amount, such as "$157.50" or, if they use several currencies, "$90.00 and €40.00".
 * Undefined if none of them has a rate.
 */
export function totalInWords(
  sessions: readonly Pick<SharedSession, 'total_amount' | 'currency'>[],
): string | undefined {
  const totals = new Map<Currency, number>()
  for (const { total_amount: amount, currency } of sessions)
    if (amount !== null) totals.set(currency, (totals.get(currency) ?? 0) + centsOfDollars(amount))
  if (totals.size === 0) return undefined
  return [...totals].map(([currency, total]) => formatMoney(cents(total), currency)).join(' and ')
}

/**
 * Sessions to confirm, with the version of each that the user saw. Sessions that have changed since aren't
 * confirmed.
 */
export const SeenSessions = z
  .array(z.strictObject({ id: z.uuid(), version: z.number() }))
  .check(z.minLength(1, 'Choose at least one session'), z.maxLength(500, 'Choose at most 500 sessions'))
/** What a dispute proposes: what would be right, or that the lesson didn't take place. */
const SessionProposal = z.strictObject({
  date: z.optional(Day),
  duration: z.optional(durationInHours(0.25, 0, 'Please enter duration')),
  rate: z.optional(Rate),
  is_removal: z.optional(z.literal(true)),
})

/** What a dispute says: a note, a proposal or both. */
export const SaidOfSession = z.strictObject({
  note: optionalText(500),
  proposal: z.optional(SessionProposal),
})
/** The same before it's checked: amounts and hours as they were typed. */
export type SaidOfSession = z.input<typeof SaidOfSession>

const ANSWERED_LATE = {
  changed: { status: 409, title: 'This session has changed since you opened it. Please check it again.' },
  not_shared: { status: 409, title: "This session isn't shared with anyone" },
  too_early: { status: 409, title: "A session can't be confirmed before it takes place" },
  ...OTHER_CLOSED,
} as const

/** Ids of the sessions that were confirmed, and of those that weren't because they had changed. */
const Confirmed = z.object({ confirmed: z.array(z.string()), changed: z.array(z.string()) })

export const ListShared = endpoint({
  operation: 'ListConfirmations',
  summary: 'List shared sessions, newest first: those waiting for you, or a whole month',
  method: 'GET',
  path: '/api/v1/confirmations',
  access: 'confirmed',
  closedTo: ['caregiver'],
  input: z.strictObject({ month: z.optional(Month), waiting: z.optional(z.literal('true')) }),
  output: z.object({ sessions: z.array(SharedSession) }),
})
export const ConfirmSession = endpoint({
  operation: 'ConfirmSession',
  summary: 'Confirm a session for your side and save its summary and homework, if given',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/sessions/:id/confirm',
  access: ['parent', 'tutor', 'admin', 'link'],
  isFree: true,
  input: z.strictObject(lessonWords),
  output: Session,
  refusals: ANSWERED_LATE,
})
export const WithdrawConfirmation = endpoint({
  operation: 'WithdrawConfirmation',
  summary: "Withdraw your side's confirmation or dispute",
  method: 'DELETE',
  meetsClosedMonths: true,
  path: '/api/v1/sessions/:id/confirm',
  access: ['parent', 'tutor', 'admin', 'link'],
  isFree: true,
  input: z.strictObject({}),
  output: Session,
  refusals: ANSWERED_LATE,
})
export const DisputeSession = endpoint({
  operation: 'DisputeSession',
  summary: 'Send a session back with a note, a proposal of what would be right, or both',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/sessions/:id/dispute',
  access: ['parent', 'tutor', 'admin', 'link'],
  isFree: true,
  input: SaidOfSession,
  output: Session,
  refusals: { ...ANSWERED_LATE, ...SAYS_NOTHING },
})
export const AcceptSession = endpoint({
  operation: 'AcceptSession',
  summary:
    'Accept what the other side proposed: the session changes and both have confirmed it, or it is deleted (204)',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/sessions/:id/accept',
  access: ['parent', 'tutor', 'admin', 'link'],
  isFree: true,
  input: z.strictObject({}),
  output: z.optional(Session),
  refusals: { changed: ANSWERED_LATE.changed, ...NOT_PROPOSED, ...OTHER_CLOSED },
})
export const ConfirmSessions = endpoint({
  operation: 'ConfirmSessions',
  summary: 'Confirm several sessions at once, such as a whole month, at the versions the user saw',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/confirmations',
  access: ['parent', 'tutor', 'admin', 'link'],
  isFree: true,
  input: z.strictObject({ sessions: SeenSessions }),
  output: Confirmed,
  isAnswer: ({ confirmed }) => confirmed.length > 0,
  refusals: OTHER_CLOSED,
})
export const KeepSession = endpoint({
  operation: 'KeepSession',
  summary:
    'Keep a session that someone asked to delete: either they withdraw the request or the other person declines it',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/sessions/:id/keep',
  access: ['parent', 'tutor', 'admin', 'link'],
  isFree: true,
  input: z.strictObject({}),
  output: Session,
  refusals: {
    changed: ANSWERED_LATE.changed,
    not_asked: { status: 409, title: 'No one has asked to delete this session' },
    ...OTHER_CLOSED,
  },
})

/** Whether a session that waits is answered with a checkbox. A deletion or a proposal has buttons of its own. */
export function isTickable({
  deletion_asked_by: leaving,
  proposal,
}: Pick<SharedSession, 'deletion_asked_by' | 'proposal'>): boolean {
  return leaving === null && proposal?.by !== 'other'
}
