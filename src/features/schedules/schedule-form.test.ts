import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NewSchedule } from './schedule.ts'
import {
  forNextStudent,
  likeLastClass,
  nextStudent,
  type ScheduleFields,
  timesOf,
  toSchedule,
  toSchedules,
  withWeekday,
} from './schedule-form.ts'

const [maya, ingrid] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const typed: ScheduleFields = {
  student_id: maya,
  tutor_id: ingrid,
  day_of_week: ['2'],
  start_time: '16:00',
  own_times: ['', '', '', '', '', '', ''],
  duration: '1.5',
  frequency: 'custom',
  custom_interval_days: '10',
  start_date: '2026-11-17',
  end_date: '2027-06-30',
  time_zone: 'America/New_York',
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
  time_zone: 'America/New_York',
  is_active: false,
}

test('a schedule is sent as it was typed', () => {
  assert.deepEqual(NewSchedule.parse(toSchedule(typed)), arrived)
})

test("a time zone that isn't known isn't sent", () => {
  assert.equal('time_zone' in toSchedule({ ...typed, time_zone: '' }), false)
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
    day_of_week: ['2'],
    start_time: '16:30',
    duration: '1.5',
  })
  assert.deepEqual(likeLastClass(classes, maya, ''), { day_of_week: ['3'], duration: '2' })
  assert.deepEqual(likeLastClass([at('2026-11-10', 0.25)], maya, ingrid), {
    day_of_week: ['2'],
    duration: '0.5',
  })
  assert.deepEqual(likeLastClass(classes, 'nobody', ''), {})
})

const times = (day_of_week: string[], own: Record<string, string> = {}, start_time = '') => ({
  day_of_week,
  start_time,
  own_times: Array.from({ length: 7 }, (_, day) => own[day] ?? ''),
})

test('a second weekday starts with the time of the first, and each keeps its own', () => {
  const tuesday = withWeekday(times([], {}, '16:30'), '2')
  assert.deepEqual(tuesday, times(['2'], { 2: '16:30' }, '16:30'))
  const both = withWeekday({ ...tuesday, start_time: '16:45' }, '4')
  assert.deepEqual(both, times(['2', '4'], { 2: '16:45', 4: '16:45' }, '16:45'))
  const apart = { ...both, own_times: times([], { 2: '16:45', 4: '17:00' }).own_times }
  assert.deepEqual(timesOf(apart), [
    { day: '2', time: '16:45' },
    { day: '4', time: '17:00' },
  ])
  assert.deepEqual(withWeekday(apart, '0').day_of_week, ['0', '2', '4'], 'in the order of the week')
  assert.deepEqual(withWeekday(apart, '0').own_times[0], '16:45')
  assert.deepEqual(withWeekday(apart, '2'), times(['4'], { 4: '17:00' }, '17:00'), 'Thursday keeps its time')
  const none = withWeekday(withWeekday(apart, '2'), '4')
  assert.deepEqual(none, times([], {}, '17:00'), 'the time stays for the next weekday')
})

test('weekdays without a time take the first that was entered', () => {
  assert.deepEqual(
    timesOf(times(['1', '3', '5'], { 3: '09:00' })).map(({ time }) => time),
    ['09:00', '09:00', '09:00'],
  )
  assert.deepEqual(timesOf(times(['1', '3'])), [
    { day: '1', time: '' },
    { day: '3', time: '' },
  ])
})

test('several weekdays are sent as one request, each with its time', () => {
  const fields = { ...typed, ...times(['2', '4'], { 2: '16:30', 4: '17:00' }) }
  const { times: sent, ...others } = toSchedules(fields)
  assert.deepEqual(sent, [
    { day_of_week: 2, start_time: '16:30' },
    { day_of_week: 4, start_time: '17:00' },
  ])
  const { day_of_week: day, start_time: time, ...single } = toSchedule(fields)
  assert.deepEqual([others, day, time], [single, 2, '16:30'])
  const [noDay, noTime] = NewSchedule.safeParse(toSchedule({ ...typed, ...times([]) })).error?.issues ?? []
  assert.deepEqual([noDay?.message, noTime?.message], ['Please select a day', 'Please enter start time'])
})

test("the next student's form keeps when and how long, and nothing that was about the student before", () => {
  const next = forNextStudent({ ...typed, ...times(['2', '4'], { 2: '16:30', 4: '17:00' }) }, { id: 'theo' })
  assert.deepEqual(next, {
    ...typed,
    ...times([], {}, '16:30'),
    student_id: 'theo',
    subject: '',
    hourly_rate: '',
    notes: '',
  })
})

test('next comes the student after this one who has no active schedule', () => {
  const [ann, ben, cai] = [{ id: 'ann' }, { id: 'ben' }, { id: 'cai' }]
  const weekly = (student_id: string, is_active = true) => ({ student_id, is_active })
  const all = [ann, ben, cai]
  assert.equal(nextStudent(all, [], 'ann'), ben)
  assert.equal(nextStudent(all, [weekly('ben')], 'ann'), cai)
  assert.equal(nextStudent(all, [weekly('ben', false)], 'ann'), ben)
  assert.equal(nextStudent(all, [], 'cai'), ann)
  assert.equal(nextStudent(all, [weekly('ann'), weekly('ben')], 'cai'), undefined, 'never the same again')
  assert.equal(nextStudent(all, [], ''), ann)
  assert.equal(nextStudent([ann], [], 'ann'), undefined)
})
