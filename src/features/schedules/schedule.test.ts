import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrderOfWeek, type Schedule } from './schedule.ts'

test('schedules are listed in the order of the week, and those without classes from today on come last', () => {
  const on = (student_name: string | null, day_of_week: number, start_time: string, more: object = {}) =>
    ({ student_name, day_of_week, start_time, is_active: true, end_date: null, ...more }) as Schedule
  const list = [
    on('Ended', 0, '08:00', { end_date: '2026-11-26' }),
    on('Paused', 1, '08:00', { is_active: false }),
    on('Zoe', 6, '09:00'),
    on('Ben', 2, '16:30'),
    on('Ann', 2, '16:30'),
    on(null, 2, '09:00'),
    on('Until today', 0, '10:00', { end_date: '2026-11-27' }),
  ]
  assert.deepEqual(
    inOrderOfWeek(list, '2026-11-27').map((one) => one.student_name),
    ['Until today', null, 'Ann', 'Ben', 'Zoe', 'Ended', 'Paused'],
  )
})
