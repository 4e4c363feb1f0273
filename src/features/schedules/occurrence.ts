// An occurrence is one class of a schedule on one day. Occurrences are computed; we store only those that
// were skipped or moved.
import * as z from 'zod/mini'
import { addDays, type CalendarDay, Day } from '#kernel/calendar-day.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { compareNames } from '#kernel/names.ts'
import { type LastLesson, LogSession, Session, TOO_FAR_AHEAD } from '#features/sessions/session.ts'
import { emptySession, type SessionFields } from '#features/sessions/session-form.ts'
import { daysBetween, daysOfSeries, isDayOfSeries } from './recurrence.ts'
import { recurrenceOf, type Schedule, TimeOfDay } from './schedule.ts'

export const Occurrence = z.object({
  schedule_id: z.string(),
  /** The day the class takes place. */
  date: z.string(),
  /** The planned day; differs from `date` if the class was moved. */
  original_date: z.string(),
  start_time: z.string(),
  /** Hours. */
  duration: z.number(),
  student_id: z.string(),
  student_name: z.string(),
  tutor_id: z.string(),
  tutor_name: z.string(),
  subject: z.nullable(z.string()),
  hourly_rate: z.nullable(z.number()),
  /**
   * Used when several families share the student: the connection with the family that the schedule is for, or
   * null until one is chosen.
   */
  connection_id: z.nullable(z.string()),
  status: z.enum(['planned', 'logged', 'skipped']),
  session_id: z.nullable(z.string()),
  /**
   * Only for planned classes: the previous lesson's summary and homework, whichever side wrote them. Null if
   * both are missing.
   */
  last: z.nullable(
    z.object({ date: z.string(), summary: z.nullable(z.string()), homework: z.nullable(z.string()) }),
  ),
})
export type Occurrence = z.output<typeof Occurrence>

/** The longest range that one call can request: two years. */
const MAX_RANGE_DAYS = 732
/**
 * How far back, in days, we ask 'Did this class happen?'. Two weeks keeps a bi-weekly class listed until the
 * next one.
 */
export const ASKED_DAYS = 14
/** The maximum number of upcoming sessions shown (docs/product.md, section 9). */
const UPCOMING = 3
/** How many days ahead to look for a schedule's next class; longer than any custom interval. */
export const NEXT_WITHIN_DAYS = 400

const RANGE = "The range can be at most two years and can't end before it starts"
export const ListOccurrences = endpoint({
  operation: 'ListOccurrences',
  summary: 'List the classes from all active schedules in a date range',
  method: 'GET',
  path: '/api/v1/occurrences',
  access: 'confirmed',
  input: z.strictObject({ from: Day, to: Day }).check((context) => {
    const { from, to } = context.value
    if (to < from || daysBetween(from, to) > MAX_RANGE_DAYS)
      context.issues.push({ code: 'custom', path: ['to'], message: RANGE, input: context.value })
  }),
  output: z.array(Occurrence),
})

const refusals = {
  no_such_class: { status: 422, title: 'This schedule has no class on that day', field: 'date' },
} as const
const logged = { already_logged: { status: 409, title: 'This class is already in your log' } } as const
export const LogOccurrence = endpoint({
  operation: 'LogOccurrence',
  summary: 'Log a class as scheduled; repeated calls return the same session',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/schedules/:id/log',
  access: ['parent', 'tutor', 'admin'],
  isForCaregivers: true,
  creates: true,
  input: z.strictObject({
    date: Day,
    /**
     * Only for a practice: the connection with the family that the classes are for. It's saved for the whole
     * schedule.
     */
    connection_id: z.optional(z.uuid({ error: 'Choose a family' })),
  }),
  output: Session,
  refusals: {
    ...refusals,
    ...logged,
    ...TOO_FAR_AHEAD,
    unknown_connection: LogSession.refusals.unknown_connection,
    same_lesson: {
      status: 409,
      title: 'The other person already logged a lesson on this day. Is it the same lesson?',
    },
  },
})
export const ChangeOccurrence = endpoint({
  operation: 'ChangeOccurrence',
  summary: 'Skip, move or restore a class',
  method: 'PUT',
  path: '/api/v1/schedules/:id/occurrence',
  access: ['parent', 'tutor', 'admin'],
  input: z
    .strictObject({
      date: Day,
      status: z.enum(['planned', 'skipped', 'moved'], { error: 'Use planned, skipped or moved' }),
      /** The new day and time. Used only if `status` is 'moved'. */
      moved_to: z.optional(Day),
      start_time: z.optional(TimeOfDay),
    })
    .check((context) => {
      const { status, moved_to: to, start_time: time } = context.value
      for (const [field, value] of [
        ['moved_to', to],
        ['start_time', time],
      ] as const) {
        if ((value !== undefined) !== (status === 'moved'))
          context.issues.push({
            code: 'custom',
            path: [field],
            message:
              status === 'moved'
                ? 'Enter the new day and time'
                : 'Only a moved class can have a new day and time',
            input: value,
          })
      }
    }),
  output: z.object({ schedule_id: z.string(), date: z.string() }),
  refusals: { ...refusals, ...logged },
})

/** A skipped or moved class, as stored. */
export interface Change {
  schedule_id: string
  day: CalendarDay
  /** Null if the class is skipped. */
  moved_to: CalendarDay | null
  start_time: string | null
}

/** The fields of a session that are needed to match it to a class. */
export interface LoggedClass {
  id: string
  schedule_id: string | null
  occurrence_day: CalendarDay | null
  student_id: string | null
  tutor_id: string | null
  day: CalendarDay
  /** HH:MM. */
  start_time: string | null
}

/**
 * The classes of active schedules between two days, inclusive, sorted by day and time. Logged classes aren't
 * marked yet; withLog does that.
 */
export function occurrencesBetween(
  schedules: Schedule[],
  changes: Change[],
  from: CalendarDay,
  to: CalendarDay,
): Occurrence[] {
  return schedules
    .flatMap((schedule) => {
      if (!schedule.is_active || schedule.student_id === null || schedule.tutor_id === null) return []
      const own = new Map(
        changes.filter((change) => change.schedule_id === schedule.id).map((change) => [change.day, change]),
      )
      const planned = daysOfSeries(recurrenceOf(schedule), from, to).flatMap((day) => {
        const change = own.get(day)
        if (!change) return [occurrence(schedule, day, day, schedule.start_time, 'planned')]
        return change.moved_to === null
          ? [occurrence(schedule, day, day, schedule.start_time, 'skipped')]
          : []
      })
      // Editing a schedule can remove a moved class's original day from the series.
      const moved = [...own.values()].flatMap(({ day, moved_to: to_, start_time: time }) =>
        to_ !== null && to_ >= from && to_ <= to && isDayOfSeries(recurrenceOf(schedule), day)
          ? [occurrence(schedule, to_, day, time ?? schedule.start_time, 'planned')]
          : [],
      )
      return [...planned, ...moved]
    })
    .sort(byTime)
}

/**
 * Marks classes as logged: first the ones that a session is linked to, then the ones with the same student,
 * tutor and day as a session. If several sessions match, prefers one at the same time.
 */
export function withLog(occurrences: Occurrence[], sessions: LoggedClass[]): Occurrence[] {
  const byClass = new Map(
    sessions
      .filter((session) => session.schedule_id)
      .map((session) => [`${session.schedule_id} ${session.occurrence_day}`, session.id]),
  )
  const loose = sessions.filter((session) => !session.schedule_id)
  const logged = (one: Occurrence, id: string) => ({ ...one, status: 'logged' as const, session_id: id })
  // Each session matches only one class, so two classes on the same day need two sessions.
  const matched = (one: Occurrence, fits: (session: LoggedClass) => boolean): Occurrence => {
    if (one.status !== 'planned') return one
    const at = loose.findIndex(
      (session) =>
        session.student_id === one.student_id &&
        session.tutor_id === one.tutor_id &&
        session.day === one.date &&
        fits(session),
    )
    const [match] = at < 0 ? [] : loose.splice(at, 1)
    return match ? logged(one, match.id) : one
  }
  return occurrences
    .map((one) => {
      const linked = byClass.get(`${one.schedule_id} ${one.original_date}`)
      return linked ? logged(one, linked) : one
    })
    .map((one) => matched(one, (session) => session.start_time === one.start_time))
    .map((one) => matched(one, () => true))
}

/**
 * Adds the summary and homework from the most recent lesson with the same student and tutor to each planned
 * class.
 * @param lessons newest first
 */
export function remembering(occurrences: Occurrence[], lessons: readonly LastLesson[]): Occurrence[] {
  const planned = occurrences.filter(({ status }) => status === 'planned')
  const until = planned.reduce((latest, { date }) => (date > latest ? date : latest), '')
  const latest = new Map<string, LastLesson>()
  for (const lesson of lessons) {
    const pair = `${lesson.student_id} ${lesson.tutor_id}`
    if (lesson.date <= until && !latest.has(pair)) latest.set(pair, lesson)
  }
  return occurrences.map((one) => {
    const last = latest.get(`${one.student_id} ${one.tutor_id}`)
    if (one.status !== 'planned' || !last || last.date >= one.date) return one
    const { date, summary, homework } = last
    return summary === null && homework === null ? one : { ...one, last: { date, summary, homework } }
  })
}

interface UpcomingAt {
  today: CalendarDay
  time?: string | undefined
  /** Logged classes; must include today's. */
  logged?: Occurrence[]
}

/** The classes that come next, up to UPCOMING of them. */
export function upcoming(schedules: Schedule[], changes: Change[], at: UpcomingAt): Occurrence[] {
  return nextOfEach(schedules, changes, at).slice(0, UPCOMING)
}

/**
 * Each schedule's next class, soonest first. Skips classes that were logged or that are over by the user's
 * clock.
 */
export function nextOfEach(
  schedules: Schedule[],
  changes: Change[],
  { today, time, logged = [] }: UpcomingAt,
): Occurrence[] {
  const isLogged = (one: Occurrence): boolean =>
    logged.some((other) => other.schedule_id === one.schedule_id && other.original_date === one.original_date)
  return schedules
    .flatMap((schedule) => {
      const classes = occurrencesBetween([schedule], changes, today, addDays(today, NEXT_WITHIN_DAYS))
      return (
        classes.find(
          (one) => one.status === 'planned' && !(time && isOver(one, today, time)) && !isLogged(one),
        ) ?? []
      )
    })
    .sort(byTime)
}

/** Whether a class is over at the given local date (yyyy-MM-dd) and time (HH:mm). */
export function isOver(
  { date, start_time: start, duration }: Pick<Occurrence, 'date' | 'start_time' | 'duration'>,
  today: string,
  time: string,
): boolean {
  if (date !== today) return date < today
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))
  return minutes(start) + duration * 60 <= minutes(time)
}

/** Whether a class is waiting on this device to be sent. */
export function isWaitingClass(
  queue: readonly { input: { schedule_id?: string; occurrence_date?: string } }[],
  one: Pick<Occurrence, 'schedule_id' | 'original_date'>,
): boolean {
  return queue.some(
    ({ input }) => input.schedule_id === one.schedule_id && input.occurrence_date === one.original_date,
  )
}

/** Converts a class to the session form's fields. */
export function formOfOccurrence(one: Occurrence): SessionFields {
  return {
    ...emptySession(one.date, one.tutor_id),
    student_id: one.student_id,
    duration: String(one.duration),
    hourly_rate: one.hourly_rate?.toFixed(2) ?? '',
    subject: one.subject ?? '',
    start_time: one.start_time,
    connection_id: one.connection_id ?? '',
    schedule_id: one.schedule_id,
    occurrence_date: one.original_date,
    schedule_rate: one.hourly_rate,
  }
}

function byTime(a: Occurrence, b: Occurrence): number {
  return (
    a.date.localeCompare(b.date) ||
    a.start_time.localeCompare(b.start_time) ||
    compareNames(a.student_name, b.student_name)
  )
}

function occurrence(
  schedule: Schedule,
  date: CalendarDay,
  original: CalendarDay,
  time: string,
  status: 'planned' | 'skipped',
): Occurrence {
  return {
    schedule_id: schedule.id,
    date,
    original_date: original,
    start_time: time,
    duration: schedule.duration,
    student_id: schedule.student_id ?? '',
    student_name: schedule.student_name ?? '',
    tutor_id: schedule.tutor_id ?? '',
    tutor_name: schedule.tutor_name ?? '',
    subject: schedule.subject,
    hourly_rate: schedule.hourly_rate,
    connection_id: schedule.connection_id,
    status,
    session_id: null,
    last: null,
  }
}
