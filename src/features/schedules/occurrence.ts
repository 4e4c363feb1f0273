// An occurrence is one class of a schedule on one day. Occurrences are computed; we store only those that
// were canceled or moved.
import { amountInField, type Currency } from '#kernel/money.ts'
import * as z from 'zod/mini'
import { addDays, type CalendarDay, Day, formatDay } from '#kernel/calendar-day.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { NOT_PROPOSED, OTHER_CLOSED } from '#features/agreements/answer.ts'
import { compareNames } from '#kernel/names.ts'
import { type LastLesson, LogSession, Session, TOO_FAR_AHEAD } from '#features/sessions/session.ts'
import { emptySession, type SessionFields } from '#features/sessions/session-form.ts'
import { type Outcome, OUTCOMES } from '#features/terms/outcome.ts'
import { consequence, DayRange } from './outcome.ts'
import { daysOfSeries, isDayOfSeries } from './recurrence.ts'
import { bothTimes, recurrenceOf, type Schedule, TimeOfDay } from './schedule.ts'

/** When a class starts for the reader, if their own time zone shows another day or time. */
const Yours = z.nullable(z.object({ date: z.string(), start_time: z.string() }))
const Place = z.object({ date: z.string(), start_time: z.string(), yours: Yours })
export type Place = z.output<typeof Place>

export const Occurrence = z.object({
  schedule_id: z.string(),
  /** The day the class takes place. */
  date: z.string(),
  /** The planned day; differs from `date` if the class was moved. */
  original_date: z.string(),
  /** HH:mm, in local time where the class takes place. */
  start_time: z.string(),
  /** Hours. */
  duration: z.number(),
  /** Where the class takes place: an IANA time zone. Null if it isn't known. */
  time_zone: z.nullable(z.string()),
  /** The moment the class ends; null if its time zone isn't known. */
  ends_at: z.nullable(z.string()),
  yours: Yours,
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
  status: z.enum(['planned', 'logged', 'canceled']),
  /** How a canceled class ended. */
  outcome: z.nullable(z.enum(OUTCOMES)),
  /** The side that recorded the outcome, and when. */
  outcome_by: z.nullable(z.enum(['family', 'practice'])),
  outcome_at: z.nullable(z.string()),
  /** Whether both sides of a connection have this class. */
  is_shared: z.boolean(),
  /** Where one side would like the class to be, until the other agrees. Without a day, it would stay as planned. */
  proposed: z.nullable(
    z.object({
      by: z.enum(['you', 'other']),
      date: z.nullable(z.string()),
      start_time: z.nullable(z.string()),
      yours: Yours,
    }),
  ),
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

/** A class in a list of days. */
const ListedClass = z.extend(Occurrence, {
  /** Whether its month is closed, so it stays as it is until that's reopened. */
  is_in_closed_month: z.boolean(),
})
export type ListedClass = z.output<typeof ListedClass>

/**
 * How far back, in days, we ask 'Did this class happen?'. Two weeks keeps a bi-weekly class listed until the
 * next one.
 */
export const ASKED_DAYS = 14
/** The maximum number of upcoming sessions shown (docs/product.md, section 9). */
const UPCOMING = 3
/** How many days ahead to look for a schedule's next class; longer than any custom interval. */
export const NEXT_WITHIN_DAYS = 400

export const ListOccurrences = endpoint({
  operation: 'ListOccurrences',
  summary: 'List the classes from all active schedules in a date range',
  method: 'GET',
  path: '/api/v1/occurrences',
  access: 'confirmed',
  input: DayRange,
  output: z.array(ListedClass),
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
  summary:
    "Say how a class that didn't take place ended, move a class, or put it back; in a shared schedule, a move counts once both agree",
  method: 'PUT',
  path: '/api/v1/schedules/:id/occurrence',
  access: ['parent', 'tutor', 'admin'],
  isForCaregivers: true,
  isFree: true,
  meetsClosedMonths: true,
  input: z
    .strictObject({
      /** The day that the schedule gives, also if the class was moved. */
      date: Day,
      /** A canceled class is put back to where it was planned, a moved one to its usual time. */
      status: z.enum(['planned', 'moved', 'canceled'], { error: 'Use planned, moved or canceled' }),
      /** The new day and time. Used only if `status` is 'moved'. */
      moved_to: z.optional(Day),
      start_time: z.optional(TimeOfDay),
      /** How the class ended. Used only if `status` is 'canceled'. */
      outcome: z.optional(z.enum(OUTCOMES, { error: 'Choose how the class ended' })),
      /** The outcome that the caller saw, if any. If somebody has said something else since, nothing changes. */
      was: z.optional(z.nullable(z.enum(OUTCOMES))),
    })
    .check((context) => {
      const { status, moved_to, start_time, outcome } = context.value
      const require = (
        fields: Record<string, unknown>,
        isNeeded: boolean,
        missing: string,
        unneeded: string,
      ) => {
        for (const [field, value] of Object.entries(fields))
          if ((value !== undefined) !== isNeeded)
            context.issues.push({
              code: 'custom',
              path: [field],
              message: isNeeded ? missing : unneeded,
              input: value,
            })
      }
      require({ moved_to, start_time }, status ===
        'moved', 'Enter the new day and time', 'Only a moved class can have a new day and time')
      require({ outcome }, status ===
        'canceled', 'Choose how the class ended', 'Only a canceled class has an outcome')
    }),
  output: z.object({
    schedule_id: z.string(),
    date: z.string(),
    outcome: z.nullable(z.enum(OUTCOMES)),
    ...consequence,
  }),
  refusals: {
    ...refusals,
    ...logged,
    ...OTHER_CLOSED,
    on_another: {
      status: 409,
      title: 'There is already a class with the same people at that time',
      field: 'start_time',
    },
    canceled: { status: 409, title: 'This class is canceled. Put it back to planned before you move it.' },
    not_begun: { status: 422, title: "This class hasn't begun yet", field: 'outcome' },
    answered: {
      status: 409,
      title: 'Someone answered this in the meantime. Please check it and try again.',
    },
    move_not_yours: { status: 403, title: "You can't move classes" },
  },
})
export const AnswerOccurrence = endpoint({
  operation: 'AnswerOccurrence',
  summary: 'Accept where the other side would like a class to be, or keep it; the proposer withdraws it',
  method: 'POST',
  meetsClosedMonths: true,
  isFree: true,
  path: '/api/v1/schedules/:id/occurrence/answer',
  access: ['parent', 'tutor', 'admin'],
  input: z.strictObject({
    date: Day,
    answer: z.enum(['accept', 'keep'], { error: 'Use accept or keep' }),
  }),
  output: z.object({ schedule_id: z.string(), date: z.string() }),
  refusals: { ...logged, ...NOT_PROPOSED, ...OTHER_CLOSED },
})

const MovedClass = z.object({
  schedule_id: z.string(),
  student_name: z.nullable(z.string()),
  tutor_name: z.nullable(z.string()),
  /** The day that the schedule gives, and where the class is now: without a day, it's canceled. */
  original_date: z.string(),
  now: z.nullable(Place),
  /** Where the other side would like the class to be. Without one, as the schedule says. */
  proposed: z.nullable(Place),
  /** Whether it's this side that proposed it, and the other side leaves the class where it is. */
  is_declined: z.boolean(),
})
export type MovedClass = z.output<typeof MovedClass>
export const ListMovedClasses = endpoint({
  operation: 'ListMovedClasses',
  summary: 'List the classes that the other side would like to move or not, in the order of their days',
  method: 'GET',
  path: '/api/v1/moved-classes',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.object({ classes: z.array(MovedClass) }),
})

/** Where one side would like a class to be. Without a day, as the rule says. */
export interface ClassQuestion {
  schedule_id: string
  original_date: string
  by: 'you' | 'other'
  date: string | null
  start_time: string | null
}

/** Adds what is proposed about each class. */
export function withQuestions(occurrences: Occurrence[], questions: readonly ClassQuestion[]): Occurrence[] {
  if (questions.length === 0) return occurrences
  const byClass = new Map(questions.map((one) => [`${one.schedule_id} ${one.original_date}`, one]))
  return occurrences.map((one) => {
    const asked = byClass.get(`${one.schedule_id} ${one.original_date}`)
    if (!asked) return one
    return { ...one, proposed: { by: asked.by, date: asked.date, start_time: asked.start_time, yours: null } }
  })
}

/** Whether two classes on the same day are at the same time, at least in part. */
export function overlapping(
  a: Pick<Occurrence, 'start_time' | 'duration'>,
  b: Pick<Occurrence, 'start_time' | 'duration'>,
): boolean {
  const [from, then] = [minutesOf(a.start_time), minutesOf(b.start_time)]
  return from < then + b.duration * 60 && then < from + a.duration * 60
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** A class that may be moved or canceled, or both, as stored. */
export interface Change {
  schedule_id: string
  day: CalendarDay
  /** Null if the class is on its usual day. */
  moved_to: CalendarDay | null
  start_time: string | null
  outcome: Outcome | null
  outcome_by: 'family' | 'practice' | null
  outcome_at: Date | null
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
        return change?.moved_to ? [] : [occurrence(schedule, day, day, schedule.start_time, change)]
      })
      // Editing a schedule can remove a moved class's original day from the series.
      const moved = [...own.values()].flatMap((change) => {
        const { day, moved_to: to_, start_time: time } = change
        return to_ !== null && to_ >= from && to_ <= to && isDayOfSeries(recurrenceOf(schedule), day)
          ? [occurrence(schedule, to_, day, time ?? schedule.start_time, change)]
          : []
      })
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
  // A session says that the class took place, whatever was recorded before.
  const logged = (one: Occurrence, id: string) => ({
    ...one,
    status: 'logged' as const,
    outcome: null,
    outcome_by: null,
    outcome_at: null,
    session_id: id,
  })
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
  now: Date
  /** Adds what follows from the class's time zone and the reader's (zones.server.ts). */
  place: (one: Occurrence) => Occurrence
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
  { today, time, now, place, logged = [] }: UpcomingAt,
): Occurrence[] {
  const isLogged = (one: Occurrence): boolean =>
    logged.some((other) => other.schedule_id === one.schedule_id && other.original_date === one.original_date)
  return schedules
    .flatMap((schedule) => {
      const classes = occurrencesBetween(
        [schedule],
        changes,
        addDays(today, -ZONE_DAYS),
        addDays(today, NEXT_WITHIN_DAYS),
      )
      for (const one of classes) {
        if (one.status !== 'planned' || isLogged(one)) continue
        const placed = place(one)
        if (!isOver(placed, { today, time: time ?? '00:00', now })) return placed
      }
      return []
    })
    .sort(byTime)
}

/** How many days two places on earth can be apart. */
export const ZONE_DAYS = 2

/** A moment, and what the reader's clock shows then. */
export interface Moment {
  today: string
  /** HH:mm. */
  time: string
  now: Date
}

/** Whether a class is over. Without a time zone, that's decided by the reader's clock. */
export function isOver(
  { date, start_time: start, duration, ends_at: end }: Occurrence,
  { today, time, now }: Moment,
): boolean {
  if (end !== null) return Date.parse(end) <= now.getTime()
  if (date !== today) return date < today
  return minutesOf(start) + duration * 60 <= minutesOf(time)
}

/** The day on which a class starts for the reader. */
export function yourDay({ date, yours }: Pick<Occurrence, 'date' | 'yours'>): CalendarDay {
  return (yours?.date ?? date) as CalendarDay
}

/** The time at which a class starts for the reader. */
export function yourTime({ start_time: time, yours }: Pick<Occurrence, 'start_time' | 'yours'>): string {
  return yours?.start_time ?? time
}

/**
 * When a class starts: "4:30 PM", "4:30 PM, 1:30 AM for you", or with both days if they differ: "Mon 4:30 PM, Tue
 * 1:30 AM for you".
 * @param isAfterDay whether the day where it takes place comes right before
 */
export function timesOf(one: Pick<Occurrence, 'date' | 'start_time' | 'yours'>, isAfterDay = false): string {
  const weekday = (day: string) => formatDay(day as CalendarDay, { weekday: 'short' })
  const day = yourDay(one)
  if (day === one.date) return bothTimes(one)
  return `${isAfterDay ? '' : `${weekday(one.date)} `}${bothTimes(one, weekday(day))}`
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
export function formOfOccurrence(one: Occurrence, currency: Currency): SessionFields {
  return {
    ...emptySession(one.date, one.tutor_id),
    student_id: one.student_id,
    duration: String(one.duration),
    hourly_rate: amountInField(one.hourly_rate, currency),
    subject: one.subject ?? '',
    start_time: one.start_time,
    connection_id: one.connection_id ?? '',
    schedule_id: one.schedule_id,
    occurrence_date: one.original_date,
    schedule_rate: one.hourly_rate,
  }
}

/** In the reader's order. */
export function byTime(a: Occurrence, b: Occurrence): number {
  return (
    yourDay(a).localeCompare(yourDay(b)) ||
    yourTime(a).localeCompare(yourTime(b)) ||
    compareNames(a.student_name, b.student_name)
  )
}

function occurrence(
  schedule: Schedule,
  date: CalendarDay,
  original: CalendarDay,
  time: string,
  change: Change | undefined,
): Occurrence {
  return {
    schedule_id: schedule.id,
    date,
    original_date: original,
    start_time: time,
    duration: schedule.duration,
    time_zone: schedule.time_zone,
    ends_at: null,
    yours: null,
    student_id: schedule.student_id ?? '',
    student_name: schedule.student_name ?? '',
    tutor_id: schedule.tutor_id ?? '',
    tutor_name: schedule.tutor_name ?? '',
    subject: schedule.subject,
    hourly_rate: schedule.hourly_rate,
    connection_id: schedule.connection_id,
    status: change?.outcome ? 'canceled' : 'planned',
    outcome: change?.outcome ?? null,
    outcome_by: change?.outcome_by ?? null,
    outcome_at: change?.outcome_at?.toISOString() ?? null,
    is_shared: schedule.is_shared,
    proposed: null,
    session_id: null,
    last: null,
  }
}
