// A schedule is a recurring class. People who are connected share theirs: one rule, which both sides see.
import * as z from 'zod/mini'
import { type CalendarDay, Day, formatDay } from '#kernel/calendar-day.ts'
import { durationInHours } from '#kernel/duration.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { NOT_PROPOSED, OTHER_CLOSED } from '#features/agreements/answer.ts'
import { HistoryEntry } from '#features/agreements/history.ts'
import { Currency, Rate } from '#kernel/money.ts'
import { compareNames } from '#kernel/names.ts'
import { reader } from '#kernel/reader.ts'
import { optionalText } from '#kernel/text.ts'
import { TimeZone } from '#kernel/time-zone.ts'
import { formatTime, WALL_CLOCK } from '#kernel/wall-clock.ts'
import { FREQUENCIES, type Frequency, type Recurrence } from './recurrence.ts'

/** What both sides agree on: when the classes are, and for how much. */
export const Rule = {
  day_of_week: z.number(),
  /** HH:mm, in local time where the class takes place. */
  start_time: z.string(),
  /** Hours. */
  duration: z.number(),
  /** Per hour, in the schedule's currency. If null, the tutor's rate applies. */
  hourly_rate: z.nullable(z.number()),
  frequency: z.enum(FREQUENCIES),
  custom_interval_days: z.nullable(z.number()),
  start_date: z.string(),
  end_date: z.nullable(z.string()),
  time_zone: z.nullable(z.string()),
  yours: z.nullable(z.object({ day_of_week: z.number(), start_time: z.string() })),
  is_active: z.boolean(),
}

export const Schedule = z.object({
  id: z.string(),
  created_by_user_id: z.string(),
  student_id: z.nullable(z.string()),
  student_name: z.nullable(z.string()),
  tutor_id: z.nullable(z.string()),
  tutor_name: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  day_of_week: z.number(),
  /** HH:mm, in local time where the class takes place. */
  start_time: z.string(),
  /** Hours. */
  duration: z.number(),
  /** Dollars per hour. If null, the tutor's rate applies. */
  hourly_rate: z.nullable(z.number()),
  frequency: z.enum(FREQUENCIES),
  custom_interval_days: z.nullable(z.number()),
  start_date: z.string(),
  end_date: z.nullable(z.string()),
  /** Always UTC; see time_zone (docs/product-decisions.md, section 3). */
  timezone: z.string(),
  /** Where the class takes place: an IANA name. Null until it's known; the classes then have no instant. */
  time_zone: z.nullable(z.string()),
  /**
   * When the next class starts for the reader, if their own time zone shows another time than start_time that day.
   */
  yours: z.nullable(z.object({ day_of_week: z.number(), start_time: z.string() })),
  is_active: z.boolean(),
  notes: z.nullable(z.string()),
  /**
   * Used by a practice when several families share the student: the connection with the family that the
   * classes are for, or null until one is chosen.
   */
  connection_id: z.nullable(z.string()),
  /** Whether both sides of a connection have this schedule. Its rule then changes once both agree. */
  is_shared: z.boolean(),
  /** The rule that one side proposes in a shared schedule. Until the other accepts it, the present one holds. */
  proposal: z.nullable(
    z.object({
      by: z.enum(['you', 'other']),
      /** Whether the other side keeps the rule as it is. The proposer is told until they've seen it. */
      is_declined: z.boolean(),
      ...Rule,
    }),
  ),
  /** The day on which the other side ended the schedule. This side may keep it. */
  ended_by_other: z.nullable(z.string()),
  /** The id that this side's calendar feed knows it by. */
  feed_id: z.string(),
  version: z.number(),
})
export type Schedule = z.output<typeof Schedule>

/** Shown when a schedule has no subject (docs/product.md, section 9). */
export const GENERAL_TUTORING = 'General Tutoring'
export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const
/** The weekdays' numbers (0 is Sunday), beginning with the reader's first. */
export function weekdaysInOrder(): number[] {
  return WEEKDAYS.map((_, at) => (at + reader().firstWeekday) % 7)
}
export const FREQUENCY_LABELS: Record<Frequency, string> = {
  weekly: 'Weekly',
  'bi-weekly': 'Bi-weekly',
  monthly: 'Monthly',
  custom: 'Custom',
}
/** More schedules than any tutor could fit in a week. Limits how much one account can store (promise I17). */
export const MAX_SCHEDULES = 500

export const TimeOfDay = z.string({ error: 'Please enter start time' }).check(
  z.regex(WALL_CLOCK, {
    error: (issue) => (issue.input === '' ? 'Please enter start time' : 'Enter a time such as 16:30'),
  }),
)

const INTERVAL = 'Enter 1 to 366 days'
const NO_DAY = 'Please select a day'
const weekly = {
  day_of_week: z.int({ error: NO_DAY }).check(z.minimum(0, NO_DAY), z.maximum(6, NO_DAY)),
  start_time: TimeOfDay,
}
const others = {
  student_id: z.uuid({ error: 'Please select a student' }),
  tutor_id: z.uuid({ error: 'Please select a tutor' }),
  subject: optionalText(120),
  /** In half-hour increments, at least half an hour (docs/product.md, section 9). */
  duration: durationInHours(0.5, 0.5, 'Please enter duration'),
  hourly_rate: z.optional(z.nullable(Rate)),
  frequency: z._default(z.enum(FREQUENCIES, { error: 'Please select a frequency' }), 'weekly'),
  custom_interval_days: z.optional(
    z.nullable(z.int({ error: INTERVAL }).check(z.minimum(1, INTERVAL), z.maximum(366, INTERVAL))),
  ),
  start_date: z.pipe(
    z.string({ error: 'Please select a start date' }).check(z.minLength(1, 'Please select a start date')),
    Day,
  ),
  end_date: z.optional(z.nullable(Day)),
  /** Has to be 'UTC' if present, and is ignored (docs/product-decisions.md, section 3). */
  timezone: z.optional(z.literal('UTC')),
  /** Where the class takes place. A new schedule without it has the time zone of its creator's account. */
  time_zone: z.optional(TimeZone),
  is_active: z.optional(z.boolean()),
  notes: optionalText(4000),
}
const fields = { ...weekly, ...others }

interface Span {
  start_date?: CalendarDay
  end_date?: CalendarDay | null
  frequency?: Frequency
  custom_interval_days?: number | null
}

const SPAN_REFUSALS = {
  ends_before_start: {
    status: 422,
    title: "The end date can't be before the start date",
    field: 'end_date',
  },
  no_interval: {
    status: 422,
    title: 'Please enter the number of days between classes',
    field: 'custom_interval_days',
  },
} as const

/** What's wrong with fields that depend on each other. */
export function spanProblems({
  start_date: start,
  end_date: end,
  frequency,
  custom_interval_days: interval,
}: Span): (keyof typeof SPAN_REFUSALS)[] {
  const isBackwards = start && end && end < start
  const lacksInterval = frequency === 'custom' && (interval === undefined || interval === null)
  return [
    ...(isBackwards ? (['ends_before_start'] as const) : []),
    ...(lacksInterval ? (['no_interval'] as const) : []),
  ]
}

const checkSpan: z.core.CheckFn<Span> = (context) => {
  for (const problem of spanProblems(context.value)) {
    const { field, title } = SPAN_REFUSALS[problem]
    context.issues.push({ code: 'custom', path: [field], message: title, input: context.value })
  }
}

export const NewSchedule = z.strictObject(fields).check(checkSpan)
const NewSchedules = z
  .strictObject({
    ...others,
    times: z.array(z.strictObject(weekly), { error: NO_DAY }).check(
      z.minLength(1, NO_DAY),
      z.refine((times) => new Set(times.map((one) => one.day_of_week)).size === times.length, {
        error: 'Select each day once',
      }),
    ),
  })
  .check(checkSpan)
const ScheduleChanges = z.extend(z.partial(z.strictObject(fields)), {
  frequency: z.optional(z.enum(FREQUENCIES, { error: 'Please select a frequency' })),
})

const refusals = {
  unknown_student: { status: 422, title: 'This student is no longer on your list', field: 'student_id' },
  unknown_tutor: { status: 422, title: 'This tutor is no longer on your list', field: 'tutor_id' },
} as const
const changed = {
  changed: {
    status: 409,
    title: 'This schedule was changed somewhere else. Please check it and try again.',
  },
} as const
const tooMany = {
  too_many_rows: { status: 422, title: `You've reached the limit of ${MAX_SCHEDULES} schedules` },
} as const
const same = {
  same_schedule: {
    status: 409,
    title: 'You already share a weekly schedule with the same people at that time',
    field: 'start_time',
  },
} as const
const WRITERS = ['parent', 'tutor', 'admin'] as const

export const ListSchedules = endpoint({
  operation: 'ListSchedules',
  summary: "List the user's schedules, latest start date first",
  method: 'GET',
  path: '/api/v1/schedules',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.array(Schedule),
})
export const ReadSchedule = endpoint({
  operation: 'ReadSchedule',
  summary: 'Get a schedule',
  method: 'GET',
  path: '/api/v1/schedules/:id',
  access: 'confirmed',
  input: z.strictObject({}),
  output: Schedule,
})
export const CreateSchedule = endpoint({
  operation: 'CreateSchedule',
  summary: 'Create a recurring schedule',
  method: 'POST',
  path: '/api/v1/schedules',
  access: WRITERS,
  creates: true,
  input: NewSchedule,
  output: Schedule,
  refusals: { ...refusals, ...tooMany, ...same },
})
export const CreateSchedules = endpoint({
  operation: 'CreateSchedules',
  summary: 'Create a recurring schedule for each of several weekdays, all or nothing',
  method: 'POST',
  path: '/api/v1/schedules/several',
  access: WRITERS,
  creates: true,
  input: NewSchedules,
  output: z.object({ schedules: z.array(Schedule) }),
  refusals: { ...refusals, ...tooMany, ...same },
})
export const UpdateSchedule = endpoint({
  operation: 'UpdateSchedule',
  summary: 'Change a schedule, or propose the change to the other side; logged sessions stay as they are',
  method: 'PATCH',
  path: '/api/v1/schedules/:id',
  access: WRITERS,
  input: ScheduleChanges,
  output: Schedule,
  refusals: {
    ...refusals,
    ...changed,
    ...SPAN_REFUSALS,
    ...OTHER_CLOSED,
    shared_people: {
      status: 409,
      title: 'A shared schedule stays with its people. Delete it and create another one instead.',
    },
    nobody: {
      status: 422,
      title: 'Select a student and a tutor before you activate the schedule',
      field: 'is_active',
    },
  },
})
export const DeleteSchedule = endpoint({
  operation: 'DeleteSchedule',
  summary: 'Delete a schedule; its logged sessions stay, and the other side has no classes from today on',
  method: 'DELETE',
  path: '/api/v1/schedules/:id',
  access: WRITERS,
  input: z.strictObject({}),
  output: z.undefined(),
  refusals: { ...changed, ...OTHER_CLOSED },
})
export const AnswerSchedule = endpoint({
  operation: 'AnswerSchedule',
  summary: 'Accept the rule that the other side proposes, or keep the present one; the proposer withdraws it',
  method: 'POST',
  path: '/api/v1/schedules/:id/answer',
  access: WRITERS,
  isFree: true,
  input: z.strictObject({ answer: z.enum(['accept', 'keep'], { error: 'Use accept or keep' }) }),
  output: Schedule,
  refusals: { ...changed, ...NOT_PROPOSED, ...OTHER_CLOSED },
})
export const AnswerEnding = endpoint({
  operation: 'AnswerEnding',
  summary: 'Keep your copy of a schedule that the other side ended, or let it go',
  method: 'POST',
  path: '/api/v1/schedules/:id/ending',
  access: WRITERS,
  input: z.strictObject({ answer: z.enum(['keep', 'let_go'], { error: 'Use keep or let_go' }) }),
  output: Schedule,
  refusals: {
    not_ended: { status: 409, title: 'This schedule was already kept or deleted' },
  },
})

export const ScheduleHistoryEntry = z.object({
  ...HistoryEntry.shape,
  currency: Currency,
  subject: z.nullable(z.string()),
  /** The rule after this entry. */
  rule: z.object(Rule),
})
export type ScheduleHistoryEntry = z.output<typeof ScheduleHistoryEntry>
export const ReadScheduleHistory = endpoint({
  operation: 'ReadScheduleHistory',
  summary: "Get a schedule's history, oldest entry first; both sides see the same history",
  method: 'GET',
  path: '/api/v1/schedules/:id/history',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.object({ entries: z.array(ScheduleHistoryEntry) }),
})
export function recurrenceOf(
  schedule: Pick<Schedule, 'frequency' | 'custom_interval_days' | 'day_of_week' | 'start_date' | 'end_date'>,
): Recurrence {
  return {
    frequency: schedule.frequency,
    intervalDays: schedule.custom_interval_days,
    dayOfWeek: schedule.day_of_week,
    start: schedule.start_date as CalendarDay,
    end: schedule.end_date as CalendarDay | null,
  }
}

/** Formats a date for the schedule cards, such as "Sep 08, 2026" (docs/product.md, Schedules). */
export function formatScheduleDate(day: string): string {
  return formatDay(day as CalendarDay, { month: 'short', day: '2-digit', year: 'numeric' })
}

/** Instead of a schedule's id: all schedules. */
export const ALL = 'all'

/** Whether a schedule has classes from today on. */
export function hasClasses({ is_active, end_date, student_id, tutor_id }: Schedule, today: string): boolean {
  const isOver = !is_active || (end_date !== null && end_date < today)
  return !isOver && student_id !== null && tutor_id !== null
}

/**
 * Sorts schedules by weekday, time and student. Those without classes from today on come last: they're
 * inactive, or have ended.
 */
export function inOrderOfWeek(schedules: readonly Schedule[], today: string): Schedule[] {
  const isOver = ({ is_active, end_date }: Schedule) => !is_active || (end_date !== null && end_date < today)
  return schedules.toSorted(
    (a, b) =>
      Number(isOver(a)) - Number(isOver(b)) ||
      a.day_of_week - b.day_of_week ||
      a.start_time.localeCompare(b.start_time) ||
      compareNames(a.student_name ?? '', b.student_name ?? ''),
  )
}

interface BothTimes {
  start_time: string
  /** The reader's own time; null if it's the same, or if nobody knows where the class takes place. */
  yours: { start_time: string } | null
}

/** "4:30 PM", or with the reader's own time: "4:30 PM, 1:30 AM for you", or "4:30 PM, Tue 1:30 AM for you". */
export function bothTimes({ start_time: time, yours }: BothTimes, dayOfYours = ''): string {
  if (!yours) return formatTime(time)
  return `${formatTime(time)}, ${dayOfYours && `${dayOfYours} `}${formatTime(yours.start_time)} for you`
}

/** A schedule's time after its weekday: "4:30 PM, Tue 1:30 AM for you". */
export function timesOfSchedule(schedule: Pick<Schedule, 'day_of_week' | 'start_time' | 'yours'>): string {
  const { yours, day_of_week: weekday } = schedule
  const isOther = yours !== null && yours.day_of_week !== weekday
  return bothTimes(schedule, isOther ? WEEKDAYS[yours.day_of_week]?.slice(0, 3) : '')
}

/** The place in a time zone's name: "New York" of "America/New_York". */
export function placeOfZone(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}
