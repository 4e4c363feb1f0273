import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import {
  type Change,
  isOver,
  type Occurrence,
  occurrencesBetween,
  timesOf,
  upcoming,
  withLog,
} from './occurrence.ts'
import { placeOfZone, type Schedule, timesOfSchedule } from './schedule.ts'

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
  time_zone: null,
  yours: null,
  is_active: true,
  notes: null,
  connection_id: null,
  is_shared: false,
  proposal: null,
  ended_by_other: null,
  feed_id: 's1',
  version: 1,
  ...more,
})
/** Classes without a time zone don't ask what the moment is. */
const FLOATING = { now: new Date(0), place: (one: Occurrence) => one }
const brief = (list: { date: string; start_time: string; status: string }[]) =>
  list.map(({ date, start_time, status }) => `${date} ${start_time} ${status}`)

const change = (of: string, more: Partial<Change>): Change => ({
  schedule_id: 's1',
  day: day(of),
  moved_to: null,
  start_time: null,
  outcome: null,
  outcome_by: null,
  outcome_at: null,
  ...more,
})
const LATE = {
  outcome: 'canceled_late',
  outcome_by: 'family',
  outcome_at: new Date('2026-11-10T12:00:00Z'),
} as const

test('a canceled class stays visible, a moved one is where it was moved to, also if it is canceled there', () => {
  const changes = [
    change('2026-11-10', LATE),
    change('2026-11-17', { moved_to: day('2026-11-19'), start_time: '09:00' }),
    change('2026-11-24', { moved_to: day('2026-11-26'), start_time: '10:00', ...LATE }),
    change('2026-12-01', {}),
  ]
  const shown = occurrencesBetween([aSchedule()], changes, day('2026-11-01'), day('2026-12-01'))
  assert.deepEqual(
    shown.map(({ outcome, outcome_by: by, outcome_at: at }) => outcome && `${outcome} ${by} ${at}`),
    [
      null,
      'canceled_late family 2026-11-10T12:00:00.000Z',
      null,
      'canceled_late family 2026-11-10T12:00:00.000Z',
      null,
    ],
  )
  assert.deepEqual(brief(shown), [
    '2026-11-03 16:30 planned',
    '2026-11-10 16:30 canceled',
    '2026-11-19 09:00 planned',
    '2026-11-26 10:00 canceled',
    '2026-12-01 16:30 planned',
  ])
  assert.deepEqual(brief(occurrencesBetween([aSchedule()], changes, day('2026-11-19'), day('2026-11-19'))), [
    '2026-11-19 09:00 planned',
  ])
})

test('a cancellation or move of a day that is no longer in the series has no effect', () => {
  const changes = [
    change('2026-11-17', { moved_to: day('2026-11-19'), start_time: '09:00' }),
    change('2026-11-10', LATE),
  ]
  assert.deepEqual(
    brief(occurrencesBetween([aSchedule({ day_of_week: 1 })], changes, day('2026-11-10'), day('2026-11-21'))),
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
    upcoming(four, [], { ...FLOATING, today: day('2026-11-21') }).map(
      (one) => `${one.schedule_id} ${one.date}`,
    ),
    ['s3 2026-11-21', 's2 2026-11-22', 's1 2026-11-24'],
  )
  assert.deepEqual(
    upcoming(four.slice(3), [], { ...FLOATING, today: day('2026-11-21') }).map((one) => one.date),
    ['2026-12-03'],
  )
})

test("today's class is upcoming until it's over or logged; then the schedule's next one is", () => {
  const saturdays = [aSchedule({ id: 's3', day_of_week: 6, start_time: '16:30', duration: 1.5 })]
  const next = (more: { time?: string; logged?: Occurrence[] }) =>
    upcoming(saturdays, [], { ...FLOATING, today: day('2026-11-21'), ...more }).map((one) => one.date)
  const [today] = upcoming(saturdays, [], { ...FLOATING, today: day('2026-11-21') })
  assert.ok(today)
  assert.deepEqual(next({}), ['2026-11-21'])
  assert.deepEqual(next({ time: '17:59' }), ['2026-11-21'])
  assert.deepEqual(next({ time: '18:00' }), ['2026-11-28'])
  assert.deepEqual(next({ time: '09:00', logged: [today] }), ['2026-11-28'])
})

const aClass = (more: Partial<Occurrence> = {}): Occurrence => ({
  ...(occurrencesBetween([aSchedule()], [], day('2026-11-24'), day('2026-11-24'))[0] as Occurrence),
  ...more,
})

test("without a time zone, a class is over once the reader's clock has passed its end", () => {
  const one = aClass({ date: '2026-11-21' })
  const over = (today: string, time: string) => isOver(one, { today, time, now: new Date(0) })
  assert.deepEqual(
    [
      over('2026-11-21', '17:59'),
      over('2026-11-21', '18:00'),
      over('2026-11-20', '23:59'),
      over('2026-11-22', '00:00'),
    ],
    [false, true, false, true],
  )
})

test('with a time zone, a class is over at the moment it ends, whatever the clock shows', () => {
  const one = aClass({ ends_at: '2026-11-24T23:00:00.000Z' })
  const over = (now: string) => isOver(one, { today: '2026-11-30', time: '12:00', now: new Date(now) })
  assert.deepEqual([over('2026-11-24T22:59:59Z'), over('2026-11-24T23:00:00Z')], [false, true])
})

test('both times are named where the reader has another one, and both days where those differ', () => {
  const yours = (date: string, start_time: string) => timesOf(aClass({ yours: { date, start_time } }))
  assert.equal(timesOf(aClass()), '4:30 PM')
  assert.equal(yours('2026-11-24', '13:30'), '4:30 PM, 1:30 PM for you')
  assert.equal(yours('2026-11-25', '01:30'), 'Tue 4:30 PM, Wed 1:30 AM for you')
  assert.equal(
    timesOfSchedule(aSchedule({ yours: { day_of_week: 3, start_time: '01:30' } })),
    '4:30 PM, Wed 1:30 AM for you',
  )
  assert.equal(
    timesOfSchedule(aSchedule({ yours: { day_of_week: 2, start_time: '13:30' } })),
    '4:30 PM, 1:30 PM for you',
  )
  assert.equal(placeOfZone('America/Argentina/Buenos_Aires'), 'Buenos Aires')
})
