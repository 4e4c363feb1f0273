// The schedule form's fields, all of them strings.
import type { Session } from '#features/sessions/session.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { typedNumber, typedNumberOrNull } from '#kernel/typed-number.ts'
import { type Frequency, weekdayOf } from './recurrence.ts'
import type { CreateSchedule, Schedule } from './schedule.ts'

export type ScheduleFields = ReturnType<typeof emptySchedule>

export function emptySchedule(today: string) {
  return {
    student_id: '',
    tutor_id: '',
    /** "0" to "6", or empty until a day is chosen. */
    day_of_week: '',
    start_time: '',
    duration: '1',
    frequency: 'weekly' as Frequency,
    custom_interval_days: '',
    start_date: today,
    end_date: '',
    subject: '',
    hourly_rate: '',
    notes: '',
    is_active: true,
  }
}

export function fieldsOf(schedule: Schedule): ScheduleFields {
  return {
    student_id: schedule.student_id ?? '',
    tutor_id: schedule.tutor_id ?? '',
    day_of_week: String(schedule.day_of_week),
    start_time: schedule.start_time,
    duration: formatHours((schedule.duration * 60) as Minutes),
    frequency: schedule.frequency,
    custom_interval_days: String(schedule.custom_interval_days ?? ''),
    start_date: schedule.start_date,
    end_date: schedule.end_date ?? '',
    subject: schedule.subject ?? '',
    hourly_rate: schedule.hourly_rate?.toFixed(2) ?? '',
    notes: schedule.notes ?? '',
    is_active: schedule.is_active,
  }
}

/**
 * The request body. Numeric fields become numbers, and empty optional fields become null (docs/product.md,
 * section 5).
 */
export function toSchedule(fields: ScheduleFields): InputOf<typeof CreateSchedule> {
  const number = (text: string) => (text.trim() === '' ? undefined : Number(typedNumber(text)))
  const text = (value: string) => (value.trim() === '' ? null : value)
  return {
    student_id: fields.student_id,
    tutor_id: fields.tutor_id,
    day_of_week: number(fields.day_of_week) as number,
    start_time: fields.start_time,
    duration: typedNumber(fields.duration),
    frequency: fields.frequency,
    custom_interval_days: fields.frequency === 'custom' ? number(fields.custom_interval_days) : null,
    start_date: fields.start_date,
    end_date: text(fields.end_date),
    subject: text(fields.subject),
    hourly_rate: typedNumberOrNull(fields.hourly_rate),
    notes: text(fields.notes),
    timezone: 'UTC',
    is_active: fields.is_active,
  }
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
    day_of_week: String(weekdayOf(last.date as CalendarDay)),
    ...(last.start_time ? { start_time: last.start_time } : {}),
    duration: String(Math.max(0.5, Math.round(last.duration * 2) / 2)),
  }
}
