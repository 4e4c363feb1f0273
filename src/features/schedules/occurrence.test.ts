import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { isOver, type Occurrence, occurrencesBetween, upcoming, withLog } from './occurrence.ts'
import type { Schedule } from './schedule.ts'

const day = (text: string) => text as CalendarDay
const aSchedule = (more: Partial<Schedule> = {}): Schedule => ({
  id: 's1',
  created_by_user_id: 'u',
  student_id: 'maya',
  student_name: 'Maya',
  tutor_id: 'ingrid',
  tutor_name: 'Ingrid',
  subject: null,
  day_of_week: 2,
  start_time: '16:30',
  duration: 1.5,
  hourly_rate: null,
  frequency: 'weekly',
  custom_interval_days: null,
  start_date: '2026-11-01',
  end_date: null,
  timezone: 'UTC',
  is_active: true,
  notes: null,
  connection_id: null,
  version: 1,
  ...more,
})
const brief = (list: { date: string; start_time: string; status: string }[]) =>
  list.map(({ date, start_time, status }) => `${date} ${start_time} ${status}`)

test('a skipped class stays visible as skipped, a moved one is where it was moved to', () => {
  const changes = [
    { schedule_id: 's1', day: day('2026-11-10'), moved_to: null, start_time: null },
    { schedule_id: 's1', day: day('2026-11-17'), moved_to: day('2026-11-19'), start_time: '09:00' },
  ]
  assert.deepEqual(brief(occurrencesBetween([aSchedule()], changes, day('2026-11-01'), day('2026-11-30'))), [
    '2026-11-03 16:30 planned',
    '2026-11-10 16:30 skipped',
    '2026-11-19 09:00 planned',
    '2026-11-24 16:30 planned',
  ])
  assert.deepEqual(brief(occurrencesBetween([aSchedule()], changes, day('2026-11-19'), day('2026-11-19'))), [
    '2026-11-19 09:00 planned',
  ])
})

test('a skip or move of a day that is no longer in the series has no effect', () => {
  const changes = [
    { schedule_id: 's1', day: day('2026-11-17'), moved_to: day('2026-11-19'), start_time: '09:00' },
  ]
  assert.deepEqual(
    brief(occurrencesBetween([aSchedule({ day_of_week: 1 })], changes, day('2026-11-15'), day('2026-11-21'))),
    ['2026-11-16 16:30 planned'],
  )
})

test('an inactive schedule has no classes, and neither does one without a student or tutor', () => {
  for (const gone of [{ is_active: false }, { student_id: null }, { tutor_id: null }])
    assert.deepEqual(occurrencesBetween([aSchedule(gone)], [], day('2026-11-01'), day('2026-11-30')), [])
})

test('a session counts for one class: the one it is linked to, or the one with its student, tutor and day', () => {
  const two = occurrencesBetween(
    [aSchedule(), aSchedule({ id: 's2', start_time: '18:00' })],
    [],
    day('2026-11-10'),
    day('2026-11-10'),
  )
  const loose = {
    schedule_id: null,
    occurrence_day: null,
    student_id: 'maya',
    tutor_id: 'ingrid',
    day: day('2026-11-10'),
    start_time: null,
  }
  assert.deepEqual(brief(withLog(two, [{ id: 'a', ...loose }])), [
    '2026-11-10 16:30 logged',
    '2026-11-10 18:00 planned',
  ])
  const linked = { id: 'b', ...loose, schedule_id: 's2', occurrence_day: day('2026-11-10') }
  assert.deepEqual(brief(withLog(two, [linked])), ['2026-11-10 16:30 planned', '2026-11-10 18:00 logged'])
  assert.deepEqual(
    brief(withLog(two, [{ id: 'd', ...loose, start_time: '18:00' }])),
    ['2026-11-10 16:30 planned', '2026-11-10 18:00 logged'],
    'the class with its start time before another one',
  )
  assert.deepEqual(brief(withLog(two, [{ id: 'c', ...loose, student_id: 'theo' }])), [
    '2026-11-10 16:30 planned',
    '2026-11-10 18:00 planned',
  ])
})

test('upcoming shows the next class of each schedule, soonest first, and at most three', () => {
  const four = [
    aSchedule(),
    aSchedule({ id: 's2', day_of_week: 0 }),
    aSchedule({ id: 's3', day_of_week: 6 }),
    aSchedule({ id: 's4', frequency: 'custom', custom_interval_days: 366, start_date: '2025-12-01' }),
  ]
  assert.deepEqual(
    upcoming(four, [], { today: day('2026-11-21') }).map((one) => `${one.schedule_id} ${one.date}`),
    ['s3 2026-11-21', 's2 2026-11-22', 's1 2026-11-24'],
  )
  assert.deepEqual(
    upcoming(four.slice(3), [], { today: day('2026-11-21') }).map((one) => one.date),
    ['2026-12-03'],
  )
})

test("today's class is upcoming until it's over or logged; then the schedule's next one is", () => {
  const saturdays = [aSchedule({ id: 's3', day_of_week: 6, start_time: '16:30', duration: 1.5 })]
  const next = (more: { time?: string; logged?: Occurrence[] }) =>
    upcoming(saturdays, [], { today: day('2026-11-21'), ...more }).map((one) => one.date)
  const [today] = upcoming(saturdays, [], { today: day('2026-11-21') })
  assert.ok(today)
  assert.deepEqual(next({}), ['2026-11-21'])
  assert.deepEqual(next({ time: '17:59' }), ['2026-11-21'])
  assert.deepEqual(next({ time: '18:00' }), ['2026-11-28'])
  assert.deepEqual(next({ time: '09:00', logged: [today] }), ['2026-11-28'])
})

test('a class is over once the clock has passed its end', () => {
  const one = { date: '2026-11-21', start_time: '16:30', duration: 1.5 }
  assert.deepEqual(
    [
      isOver(one, '2026-11-21', '17:59'),
      isOver(one, '2026-11-21', '18:00'),
      isOver(one, '2026-11-20', '23:59'),
      isOver(one, '2026-11-22', '00:00'),
    ],
    [false, true, false, true],
  )
})
