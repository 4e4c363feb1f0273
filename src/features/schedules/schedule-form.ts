// The schedule form's fields, all of them strings.
import type { Session } from '#features/sessions/session.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { amountInField, type Currency } from '#kernel/money.ts'
import { typedNumber, typedNumberOrNull } from '#kernel/typed-number.ts'
import { type Frequency, weekdayOf } from './recurrence.ts'
import type { CreateSchedule, CreateSchedules, Schedule } from './schedule.ts'

export type ScheduleFields = ReturnType<typeof emptySchedule>

/** @param zone where the classes take place: the user's own time zone, or '' if it isn't known */
export function emptySchedule(today: string, zone = '') {
  return {
    student_id: '',
    tutor_id: '',
    /** The chosen weekdays, "0" to "6", in order. An existing schedule has just one. */
    day_of_week: [] as string[],
    /** The time if there's at most one weekday. */
    start_time: '',
    /** The time of each weekday if there are several; see timesOf. */
    own_times: Array<string>(7).fill(''),
    duration: '1',
    frequency: 'weekly' as Frequency,
    custom_interval_days: '',
    start_date: today,
    end_date: '',
    time_zone: zone,
    subject: '',
    hourly_rate: '',
    notes: '',
    is_active: true,
  }
}

export function fieldsOf(schedule: Schedule, currency: Currency): ScheduleFields {
  return {
    student_id: schedule.student_id ?? '',
    tutor_id: schedule.tutor_id ?? '',
    day_of_week: [String(schedule.day_of_week)],
    start_time: schedule.start_time,
    own_times: Array<string>(7).fill(''),
    duration: formatHours((schedule.duration * 60) as Minutes),
    frequency: schedule.frequency,
    custom_interval_days: String(schedule.custom_interval_days ?? ''),
    start_date: schedule.start_date,
    end_date: schedule.end_date ?? '',
    time_zone: schedule.time_zone ?? '',
    subject: schedule.subject ?? '',
    hourly_rate: amountInField(schedule.hourly_rate, currency),
    notes: schedule.notes ?? '',
    is_active: schedule.is_active,
  }
}

type Times = Pick<ScheduleFields, 'day_of_week' | 'start_time' | 'own_times'>

/** Each chosen weekday with its time. A weekday that has none yet takes the first that was entered. */
export function timesOf({ day_of_week: days, start_time: only, own_times: own }: Times) {
  const first = days.map((day) => own[Number(day)]).find(Boolean) ?? ''
  return days.map((day) => ({ day, time: days.length > 1 ? own[Number(day)] || first : only }))
}

/** The times after a weekday was switched on or off. A new weekday starts with the time of the others. */
export function withWeekday(times: Times, day: string): Times {
  const known = new Map(timesOf(times).map((one) => [one.day, one.time]))
  const usual = [...known.values()][0] ?? times.start_time
  const days = known.has(day)
    ? times.day_of_week.filter((one) => one !== day)
    : [...times.day_of_week, day].toSorted()
  const timeOf = (one: string) => known.get(one) ?? usual
  return {
    day_of_week: days,
    start_time: days[0] ? timeOf(days[0]) : usual,
    own_times: times.own_times.map((_, at) => (days.includes(String(at)) ? timeOf(String(at)) : '')),
  }
}

/** One schedule's request body, with the first weekday. */
export function toSchedule(fields: ScheduleFields): InputOf<typeof CreateSchedule> {
  const [first] = timesOf(fields)
  return {
    ...withoutTimes(fields),
    day_of_week: (first && Number(first.day)) as number,
    start_time: first ? first.time : fields.start_time,
  }
}

/** The request body for a schedule on each of the chosen weekdays. */
export function toSchedules(fields: ScheduleFields): InputOf<typeof CreateSchedules> {
  const times = timesOf(fields).map(({ day, time }) => ({ day_of_week: Number(day), start_time: time }))
  return { ...withoutTimes(fields), times }
}

// Numeric fields become numbers, and empty optional fields become null (docs/product.md, section 5).
function withoutTimes(fields: ScheduleFields) {
  const number = (text: string) => (text.trim() === '' ? undefined : Number(typedNumber(text)))
  const text = (value: string) => (value.trim() === '' ? null : value)
  return {
    student_id: fields.student_id,
    tutor_id: fields.tutor_id,
    duration: typedNumber(fields.duration),
    frequency: fields.frequency,
    custom_interval_days: fields.frequency === 'custom' ? number(fields.custom_interval_days) : null,
    start_date: fields.start_date,
    end_date: text(fields.end_date),
    subject: text(fields.subject),
    hourly_rate: typedNumberOrNull(fields.hourly_rate),
    notes: text(fields.notes),
    timezone: 'UTC' as const,
    ...(fields.time_zone && { time_zone: fields.time_zone }),
    is_active: fields.is_active,
  }
}

/**
 * The form for the next student: when, how long and how often as for the one before, but nothing that's about
 * that student.
 */
export function forNextStudent(fields: ScheduleFields, student: { id: string }): ScheduleFields {
  const [first] = timesOf(fields)
  return {
    ...fields,
    student_id: student.id,
    day_of_week: [],
    start_time: first?.time ?? '',
    own_times: emptySchedule('').own_times,
    subject: '',
    hourly_rate: '',
    notes: '',
  }
}

/** The first student after this one, or else from the beginning, who has no active schedule. */
export function nextStudent<Row extends { id: string }>(
  students: readonly Row[],
  schedules: readonly Pick<Schedule, 'student_id' | 'is_active'>[],
  current: string,
): Row | undefined {
  const at = students.findIndex(({ id }) => id === current)
  return [...students.slice(at + 1), ...students.slice(0, Math.max(at, 0))].find(
    ({ id }) => !schedules.some((schedule) => schedule.is_active && schedule.student_id === id),
  )
}

/** The earliest day you can pick: today, or the existing schedule's start date if that's earlier. */
export function earliestDay(today: string, schedule: Schedule | undefined): string {
  return schedule && schedule.start_date < today ? schedule.start_date : today
}

/** The fields of a logged class that a new schedule copies. */
type LastClass = Pick<Session, 'student_id' | 'tutor_id' | 'date' | 'start_time' | 'duration'>

/**
 * The day, time and length (in half hours) of the student's most recent class with this tutor. If `tutorId`
 * is empty, any tutor's classes count.
 */
export function likeLastClass(
  classes: readonly LastClass[],
  studentId: string,
  tutorId: string,
): Partial<Pick<ScheduleFields, 'day_of_week' | 'start_time' | 'duration'>> {
  const [last] = classes
    .filter(
      (one) =>
        one.student_id === studentId && (tutorId === '' || one.tutor_id === tutorId) && one.duration > 0,
    )
    .toSorted((one, other) => other.date.localeCompare(one.date))
  if (!last) return {}
  return {
    day_of_week: [String(weekdayOf(last.date as CalendarDay))],
    ...(last.start_time ? { start_time: last.start_time } : {}),
    duration: String(Math.max(0.5, Math.round(last.duration * 2) / 2)),
  }
}
