// The fields of the session form. Hours, dollars and dates are strings.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { durationInHours, formatHours, hours, type Minutes } from '#kernel/duration.ts'
import {
  amountInField,
  type Cents,
  centsOfDollars,
  centsOfText,
  type Currency,
  dollars,
} from '#kernel/money.ts'
import { typedNumber, typedNumberOrNull } from '#kernel/typed-number.ts'
import {
  amountAt,
  type CountingPrice,
  priceAfterChange,
  pricesOfPair,
  priceThatCounts,
} from '#features/prices/price.ts'
import type { ListedStudent } from '#features/students/student.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { eachWords, WORDS_FIELDS, type WordsField } from './lesson-words.ts'
import type { Session } from './session.ts'
import { type KeptPrice, keptPriceIn } from './session-price.ts'
import { capital } from './standing-text.ts'
import type { WaitingSession } from './waiting.ts'

export interface SessionFields extends Record<WordsField, string> {
  student_id: string
  tutor_id: string
  date: string
  duration: string
  hourly_rate: string
  subject: string
  /** HH:MM; empty if unknown. */
  start_time: string
  notes: string
  /**
   * Used when several families share the student: the connection with the lesson's family, empty until one is
   * chosen.
   */
  connection_id?: string
  /** The missed class that the session makes up for; empty if none. */
  makes_up?: string
  /** The schedule's id if the session is for one of its classes. */
  schedule_id?: string
  occurrence_date?: string
  /** The ids of other students in the lesson, with a space between them. Each gets a session of its own. */
  others?: string
  /** Whether each of them pays the full price, or they share one. */
  price_for?: 'each' | 'shared'
  /** The schedule's rate in dollars per hour. Shown, but not sent. */
  schedule_rate?: number | null
}

/** An empty form for the given day. */
export function emptySession(today: string, tutorId = ''): SessionFields {
  return {
    student_id: '',
    tutor_id: tutorId,
    date: today,
    duration: '1',
    hourly_rate: '',
    subject: '',
    start_time: '',
    ...eachWords(() => ''),
    notes: '',
    connection_id: '',
    makes_up: '',
    others: '',
    price_for: 'each',
  }
}

/** The form filled in from a session. */
export function fieldsOf(session: Session): SessionFields {
  return {
    student_id: session.student_id ?? '',
    tutor_id: session.tutor_id ?? '',
    date: session.date,
    duration: formatHours((session.duration * 60) as Minutes),
    hourly_rate: amountInField(session.hourly_rate, session.currency),
    subject: session.subject ?? '',
    start_time: session.start_time ?? '',
    ...eachWords((field) => session[field] ?? ''),
    notes: session.notes ?? '',
    ...(session.is_shared ? {} : { connection_id: '' }),
  }
}

/** Explains how saving affects the confirmations. Undefined if it doesn't. */
export function changeNotice(session: Session, typed: SessionFields, other: string): string | undefined {
  if (session.is_read_only || !changesFacts(session, typed)) return undefined
  if (session.is_shared) return `${capital(other)} will be asked to confirm the change.`
  return session.verified_by_tutor
    ? `${capital(other)} confirmed this session as it was. Once you change it, it won't be agreed anymore.`
    : undefined
}

/** Whether any of the facts that both sides confirm has changed. */
function changesFacts(session: Session, typed: SessionFields): boolean {
  const before = fieldsOf(session)
  return (
    (['student_id', 'tutor_id', 'date'] as const).some((fact) => typed[fact] !== before[fact]) ||
    (['duration', 'hourly_rate'] as const).some(
      (fact) => typedNumberOrNull(typed[fact]) !== typedNumberOrNull(before[fact]),
    )
  )
}

/** The form filled in from a session that's waiting to be sent. */
export function fieldsOfWaiting({ input, others, sharesOnePrice }: WaitingSession): SessionFields {
  const {
    duration,
    hourly_rate: rate,
    subject,
    start_time: start,
    notes,
    is_another: _another,
    is_late: _late,
    ...rest
  } = input
  return {
    ...rest,
    duration: String(duration),
    hourly_rate: rate == null ? '' : String(rate),
    subject: subject ?? '',
    start_time: start ?? '',
    ...eachWords((field) => input[field] ?? ''),
    notes: notes ?? '',
    connection_id: rest.connection_id ?? '',
    makes_up: rest.makes_up ?? '',
    ...(others && {
      others: others.map(({ student_id: id }) => id).join(' '),
      price_for: sharesOnePrice ? 'shared' : 'each',
    }),
  }
}

/**
 * A session to store on the device until it can be sent.
 * @param usual the price that applies without an override, and its currency
 * @param tries how many times it was sent without getting a response
 */
export function toWaiting(
  id: string,
  fields: SessionFields,
  people: { student: string; tutor: string },
  usual: { price: UsualPrice; currency: Currency },
  tries: number,
): WaitingSession {
  const total = runningTotal(fields, usual.price, usual.currency)
  const minutes = Hours.safeParse(fields.duration)
  return {
    id,
    input: toNewSession(fields),
    tries,
    notBefore: 0,
    shown: {
      ...people,
      date: fields.date,
      hours: minutes.success ? hours(minutes.data) : 0,
      subject: fields.subject.trim() || null,
      amount: total ? dollars(total.amount) : null,
    },
  }
}

/**
 * The request that logs a session. Leaves out an empty rate and empty texts (docs/product.md, section 5).
 * If the session is for a class, an empty start time is sent as null, so that the server doesn't fill in the
 * planned one.
 */
export function toNewSession(fields: SessionFields) {
  const {
    student_id,
    tutor_id,
    date,
    duration,
    hourly_rate: rate,
    start_time: start,
    connection_id: family,
    makes_up: makesUp,
    schedule_id: schedule,
    occurrence_date: day,
  } = fields
  return {
    student_id,
    tutor_id,
    date,
    ...(family ? { connection_id: family } : {}),
    ...(makesUp ? { makes_up: makesUp } : {}),
    duration: typedNumber(duration),
    ...(schedule && day ? { schedule_id: schedule, occurrence_date: day } : {}),
    ...(rate.trim() ? { hourly_rate: typedNumber(rate) } : {}),
    ...(start ? { start_time: start } : schedule && day ? { start_time: null } : {}),
    ...textsIn(fields),
  }
}

const TEXTS = ['subject', ...WORDS_FIELDS, 'notes'] as const

function textsIn(fields: SessionFields): Partial<Record<(typeof TEXTS)[number], string>> {
  const written = TEXTS.filter((field) => fields[field].trim() !== '')
  return Object.fromEntries(written.map((field) => [field, fields[field]]))
}

/**
 * The request that changes a session. Cleared fields are sent as null. If the student or tutor was deleted,
 * that field is left out unless a replacement was chosen.
 */
export function toSessionChanges(fields: SessionFields) {
  const {
    student_id: student,
    tutor_id: tutor,
    hourly_rate: rate,
    connection_id: family,
    schedule_id: _schedule,
    occurrence_date: _day,
    schedule_rate: _rate,
    makes_up: _makesUp,
    others: _others,
    price_for: _priceFor,
    duration,
    ...rest
  } = fields
  return {
    ...rest,
    duration: typedNumber(duration),
    ...(family ? { connection_id: family } : {}),
    ...(student ? { student_id: student } : {}),
    ...(tutor ? { tutor_id: tutor } : {}),
    hourly_rate: typedNumberOrNull(rate),
  }
}

const Hours = durationInHours(0.25, 0, 'Please enter duration')

/** The price that applies without an override. Its source is null if the other side set it. */
export type UsualPrice = CountingPrice | KeptPrice | null

/** The total above the buttons: hours, price and amount. Undefined until all three are known. */
export function runningTotal(
  fields: Pick<SessionFields, 'duration' | 'hourly_rate'>,
  usual: UsualPrice,
  currency: Currency,
): { minutes: Minutes; price: NonNullable<UsualPrice>; amount: Cents } | undefined {
  const minutes = Hours.safeParse(fields.duration)
  const override = fields.hourly_rate.trim() === '' ? null : centsOfText(fields.hourly_rate, currency)
  if (!minutes.success || override === undefined) return undefined
  const price =
    override === null
      ? usual
      : { cents: override, lesson_minutes: null, source: 'override' as const, since: null }
  const amount = amountAt(price, minutes.data, currency)
  return price === null || amount === null ? undefined : { minutes: minutes.data, price, amount }
}

/** The fields of an edited session that determine its price. */
export type KeptSession = Pick<
  Session,
  | 'student_id'
  | 'tutor_id'
  | 'date'
  | 'default_rate'
  | 'lesson_price'
  | 'lesson_minutes'
  | 'price_source'
  | 'price_since'
>

type PricedStudent = Pick<ListedStudent, 'id' | 'hourly_rate'> & Partial<Pick<ListedStudent, 'prices'>>

/**
 * The price that applies without an override.
 * @param kept the session being edited, if any
 */
export function usualPriceOf(
  fields: Pick<SessionFields, 'student_id' | 'tutor_id' | 'date' | 'schedule_rate'>,
  students: readonly PricedStudent[],
  tutors: readonly Pick<Tutor, 'id' | 'hourly_rate'>[],
  kept?: KeptSession,
): UsualPrice {
  const centsOrNull = (rate: number | null | undefined) => (rate == null ? null : centsOfDollars(rate))
  const pricesOf = (studentId: string | null, tutorId: string | null) => {
    const student = students.find(({ id }) => id === studentId)
    const prices = pricesOfPair(student?.prices ?? [], tutorId ?? '')
    return { student: centsOrNull(student?.hourly_rate), prices }
  }
  const tutor = centsOrNull(tutors.find(({ id }) => id === fields.tutor_id)?.hourly_rate)
  const possible = { ...pricesOf(fields.student_id, fields.tutor_id), tutor }
  const day = fields.date as CalendarDay
  if (!kept) return priceThatCounts({ ...possible, schedule: centsOrNull(fields.schedule_rate) }, day)
  const { student_id: studentId, tutor_id: tutorId } = kept
  return priceAfterChange(
    keptPriceIn(kept),
    { studentId, tutorId, day: kept.date as CalendarDay, ...pricesOf(studentId, tutorId) },
    // If the student or tutor was deleted, the field stays empty until a replacement is chosen.
    { studentId: fields.student_id || null, tutorId: fields.tutor_id || null, day, ...possible },
  )
}
