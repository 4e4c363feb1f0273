import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NewSchedule } from './schedule.ts'
import { likeLastClass, type ScheduleFields, toSchedule } from './schedule-form.ts'

const [maya, ingrid] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const typed: ScheduleFields = {
  student_id: maya,
  tutor_id: ingrid,
  day_of_week: '2',
  start_time: '16:00',
  duration: '1.5',
  frequency: 'custom',
  custom_interval_days: '10',
  start_date: '2026-11-17',
  end_date: '2027-06-30',
  subject: 'Algebra II',
  hourly_rate: '42.50',
  notes: 'At the library',
  is_active: false,
}
/** The same schedule after the server has parsed it, in minutes and cents. */
const arrived = {
  student_id: maya,
  tutor_id: ingrid,
  day_of_week: 2,
  start_time: '16:00',
  duration: 90,
  frequency: 'custom',
  custom_interval_days: 10,
  start_date: '2026-11-17',
  end_date: '2027-06-30',
  subject: 'Algebra II',
  hourly_rate: 4250,
  notes: 'At the library',
  timezone: 'UTC',
  is_active: false,
}

test('a schedule is sent as it was typed', () => {
  assert.deepEqual(NewSchedule.parse(toSchedule(typed)), arrived)
})

test('fields that were emptied are sent as null, and an interval only with a custom frequency', () => {
  const cleared = { end_date: '', subject: ' ', hourly_rate: '', notes: '' }
  assert.deepEqual(NewSchedule.parse(toSchedule({ ...typed, ...cleared, frequency: 'weekly' })), {
    ...arrived,
    frequency: 'weekly',
    custom_interval_days: null,
    end_date: null,
    subject: null,
    hourly_rate: null,
    notes: null,
  })
})

test("a new schedule starts with the day, time and length of the student's last class, in half hours", () => {
  const at = (date: string, duration: number, start_time: string | null = null, tutor_id = ingrid) => ({
    student_id: maya,
    tutor_id,
    date,
    duration,
    start_time,
  })
  const classes = [at('2026-11-10', 1), at('2026-11-17', 1.25, '16:30'), at('2026-11-18', 2, null, 'other')]
  assert.deepEqual(likeLastClass(classes, maya, ingrid), {
    day_of_week: '2',
    start_time: '16:30',
    duration: '1.5',
  })
  assert.deepEqual(likeLastClass(classes, maya, ''), { day_of_week: '3', duration: '2' })
  assert.deepEqual(likeLastClass([at('2026-11-10', 0.25)], maya, ingrid), {
    day_of_week: '2',
    duration: '0.5',
  })
  assert.deepEqual(likeLastClass(classes, 'nobody', ''), {})
})
