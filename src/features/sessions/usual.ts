// Works out what someone usually logs, for the form's initial values and the chips above it. Also checks
// whether a lesson is already in the log.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { addDays, formatDay } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { typedNumber } from '#kernel/typed-number.ts'
import type { Session } from './session.ts'
import type { SessionFields } from './session-form.ts'
import type { WaitingSession } from './waiting.ts'

/** The fields copied from an earlier session to a new one. */
export type Usual = Pick<SessionFields, 'student_id' | 'tutor_id' | 'subject' | 'duration'>

/** A logged lesson, either on the server or still waiting on the device. */
export type Logged = Usual & {
  date: string
  schedule_id?: string | null
  /** Whether its rate was typed, instead of being the tutor's or the student's. */
  hasOwnRate?: boolean
}

/** A usual lesson and the day it probably took place. One tap logs it. */
export interface Offer extends Usual {
  date: CalendarDay
  /** Whether the pair usually meets on that weekday. */
  isUsualDay: boolean
}

interface Listed {
  id: string
}

/** The maximum number of chips to show. */
const CHIPS = 3
/** A pair usually meets on the weekdays of at least two of its last six days with a lesson. */
const DAYS_OF_RHYTHM = 6
/** After this many days without a lesson, nothing is usual anymore. */
const PAUSE_DAYS = 35

/**
 * All logged lessons, most recently logged first. The ones waiting on the device come before the ones on the
 * server.
 */
export function loggedOf(sessions: Session[], waiting: WaitingSession[] = []): Logged[] {
  const stored = sessions
    .toSorted((one, other) =>
      one.created_at < other.created_at ? 1 : one.created_at > other.created_at ? -1 : 0,
    )
    .map((session) => ({
      student_id: session.student_id ?? '',
      tutor_id: session.tutor_id ?? '',
      subject: session.subject ?? '',
      duration: formatHours((session.duration * 60) as Minutes),
      date: session.date,
      schedule_id: session.schedule_id,
      ...(session.hourly_rate === null ? {} : { hasOwnRate: true }),
    }))
  const unsent = waiting.toReversed().map(({ input, shown }) => ({
    student_id: input.student_id,
    tutor_id: input.tutor_id,
    subject: shown.subject ?? '',
    duration: formatHours((shown.hours * 60) as Minutes),
    date: shown.date,
    schedule_id: input.schedule_id,
    ...(input.hourly_rate == null ? {} : { hasOwnRate: true }),
  }))
  return [...unsent, ...stored]
}

/**
 * The most recent combinations, without duplicates. Skips 0-hour sessions and people who are no longer on the
 * lists.
 */
export function usualOf(logged: Logged[], students: Listed[], tutors: Listed[], most = CHIPS): Usual[] {
  const found = new Map<string, Usual>()
  for (const { student_id, tutor_id, subject, duration } of logged) {
    const key = JSON.stringify([student_id, tutor_id, subject.trim().toLowerCase(), duration])
    const isListed = has(students, student_id) && has(tutors, tutor_id)
    if (isListed && duration !== '0' && !found.has(key))
      found.set(key, { student_id, tutor_id, subject, duration })
    if (found.size === most) break
  }
  return [...found.values()]
}

/**
 * The form's initial values. If there's only one child or tutor, uses that one; otherwise, uses the one from
 * the most recently logged pair. Also includes the pair's latest subject and duration.
 */
export function startOf(logged: Logged[], students: Listed[], tutors: Listed[]): Partial<Usual> {
  const last = usualOf(logged, students, tutors, 1)[0]
  const student = only(students) ?? last?.student_id
  const tutor = only(tutors) ?? last?.tutor_id
  return {
    ...(student ? { student_id: student } : {}),
    ...(tutor ? { tutor_id: tutor } : {}),
    ...(student && tutor ? lastOf(logged, student, tutor) : {}),
  }
}

/** The subject and duration of a pair's latest session. Undefined if there isn't one. */
export function lastOf(
  logged: Logged[],
  studentId: string,
  tutorId: string,
): Pick<Usual, 'subject' | 'duration'> | undefined {
  const last = logged.find(
    ({ student_id: student, tutor_id: tutor, duration }) =>
      student === studentId && tutor === tutorId && duration !== '0',
  )
  return last && { subject: last.subject, duration: last.duration }
}

/** Whether a logged lesson was with this student and tutor. */
function isOf({ student_id, tutor_id }: Pick<Usual, 'student_id' | 'tutor_id'>) {
  return (one: Logged) => one.student_id === student_id && one.tutor_id === tutor_id
}

/** The last seven days on which a pair usually has lessons, today first. */
function usualDaysOf(lessons: readonly Logged[], today: CalendarDay): CalendarDay[] {
  const days = [...new Set(lessons.map(({ date }) => date as CalendarDay))]
    .filter((day) => day <= today)
    .sort((one, other) => (one < other ? 1 : -1))
    .slice(0, DAYS_OF_RHYTHM)
    .map(weekdayOf)
  return lastDays(today, 7).filter((day) => days.filter((one) => one === weekdayOf(day)).length > 1)
}

/** The latest day, today or before, on which a pair usually has lessons. */
export function usualDayOf(
  logged: Logged[],
  studentId: string,
  tutorId: string,
  today: CalendarDay,
): CalendarDay | undefined {
  return usualDaysOf(logged.filter(isOf({ student_id: studentId, tutor_id: tutorId })), today)[0]
}

/**
 * The usual lessons that one tap can log, each with its day: the latest of the pair's usual weekdays or, if it has
 * none, today or yesterday. Never a day on which the pair has a lesson already. Leaves out pairs that have
 * classes, because those ask by themselves, and lessons whose rate was typed.
 */
export function offersOf(
  logged: Logged[],
  students: Listed[],
  tutors: Listed[],
  today: CalendarDay,
): Offer[] {
  return usualOf(logged, students, tutors).flatMap((usual) => {
    const lessons = logged.filter(isOf(usual))
    const last = lessons.map(({ date }) => date).reduce((one, other) => (one > other ? one : other))
    const isAsked = lessons[0]?.schedule_id || lessons[0]?.hasOwnRate
    if (isAsked || last < addDays(today, -PAUSE_DAYS)) return []
    const usualDays = usualDaysOf(lessons, today)
    const isUsualDay = usualDays.length > 0
    const date = (isUsualDay ? usualDays : lastDays(today, 2)).find((day) =>
      lessons.every((lesson) => lesson.date !== day),
    )
    return date ? [{ ...usual, date, isUsualDay }] : []
  })
}

/** The offers that are likely enough for the dashboard: today's, or yesterday's if it's the usual day. */
export function onHome(offers: Offer[], today: CalendarDay): Offer[] {
  return offers.filter(
    ({ date, isUsualDay }) => date === today || (isUsualDay && date === addDays(today, -1)),
  )
}

const lastDays = (today: CalendarDay, count: number) =>
  Array.from({ length: count }, (_, back) => addDays(today, -back))
const weekdayOf = (day: CalendarDay) => formatDay(day, { weekday: 'long' })

/**
 * The warning to show before saving a 0-hour lesson, or one with the same people, day, duration and subject
 * as a lesson already logged. Undefined if there's nothing to warn about.
 */
export function doubtAbout(fields: SessionFields, logged: Logged[], today: string): string | undefined {
  const duration = typedNumber(fields.duration)
  if (duration === 0) return '0 h.'
  const isLogged = logged.some(
    (one) =>
      one.student_id === fields.student_id &&
      one.tutor_id === fields.tutor_id &&
      one.date === fields.date &&
      Number(one.duration) === duration &&
      one.subject.trim().toLowerCase() === fields.subject.trim().toLowerCase() &&
      // Two classes from different schedules count as two lessons, even on the same day.
      !(one.schedule_id && fields.schedule_id && one.schedule_id !== fields.schedule_id),
  )
  return isLogged
    ? `Already logged ${dayInWords(fields.date as CalendarDay, today as CalendarDay)}.`
    : undefined
}

/** For example, "yesterday" or "on Nov 3". */
export function dayInWords(day: CalendarDay, today: CalendarDay): string {
  if (day === today) return 'today'
  if (day === addDays(today, -1)) return 'yesterday'
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  return `on ${formatDay(day, { month: 'short', day: 'numeric', ...(isThisYear ? {} : { year: 'numeric' }) })}`
}

/**
 * A chip's label, such as "Maya, Ingrid, Algebra, 1 h, yesterday". Uses first names if they're unique. Leaves out
 * the tutor if that's always the user, and the day if there's none.
 */
export function chipText(
  usual: Usual & { date?: CalendarDay },
  students: { id: string; name: string }[],
  tutors: { id: string; name: string }[],
  isOwnTutor: boolean,
  today: CalendarDay,
): string {
  return [
    shortName(usual.student_id, students),
    isOwnTutor ? '' : shortName(usual.tutor_id, tutors),
    usual.subject.trim(),
    `${usual.duration} h`,
    usual.date && (usual.date < addDays(today, -1) ? weekdayOf(usual.date) : dayInWords(usual.date, today)),
  ]
    .filter(Boolean)
    .join(', ')
}

function shortName(id: string, people: { id: string; name: string }[]): string {
  const first = (name: string) => name.split(/\s+/)[0] ?? name
  const name = people.find((person) => person.id === id)?.name ?? ''
  const isShared = people.some((person) => person.id !== id && first(person.name) === first(name))
  // Keeps "Mr. Adeyemi" in full, because "Mr." alone could be anyone.
  return isShared || first(name).endsWith('.') ? name : first(name)
}

function has(list: Listed[], id: string): boolean {
  return list.some((one) => one.id === id)
}

function only(list: Listed[]): string | undefined {
  return list.length === 1 ? list[0]?.id : undefined
}
