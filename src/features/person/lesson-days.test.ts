import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { joinedDays, lessonDaysInWords, lessonDaysOf, nextInWords } from './lesson-days.ts'

const TODAY = '2026-11-27' as CalendarDay
const pair = (student_id: string, tutor_id: string) => ({ student_id, tutor_id })

test("a card has a person's latest lesson and soonest class with anyone", () => {
  const days = joinedDays(
    [
      { ...pair('maya', 'ingrid'), day: '2026-11-20' },
      { ...pair('maya', 'noor'), day: '2026-11-25' },
      { ...pair('theo', 'noor'), day: '2026-11-26' },
    ],
    [
      { ...pair('maya', 'ingrid'), date: '2026-11-28', start_time: '16:00', yours: null },
      { ...pair('maya', 'noor'), date: '2026-11-28', start_time: '09:30', yours: null },
      { ...pair('maya', 'ingrid'), date: '2026-12-01', start_time: '16:00', yours: null },
    ],
  )
  assert.equal(days.length, 3)
  assert.deepEqual(lessonDaysOf(days, { student_id: 'maya' }), {
    last: '2026-11-25',
    next: { date: '2026-11-28', start_time: '09:30', yours: null },
  })
  assert.deepEqual(lessonDaysOf(days, { tutor_id: 'ingrid' }), {
    last: '2026-11-20',
    next: { date: '2026-11-28', start_time: '16:00', yours: null },
  })
  assert.deepEqual(lessonDaysOf(days, { student_id: 'theo' }), { last: '2026-11-26', next: null })
  assert.deepEqual(lessonDaysOf(days, { student_id: 'ada' }), { last: null, next: null })
})

test('days nearby have names, and those of another year their year', () => {
  const next = { date: '2026-11-28', start_time: '16:00', yours: null }
  assert.equal(
    lessonDaysInWords({ last: '2026-11-26', next }, TODAY),
    'Last: yesterday · Next: tomorrow, 4:00 PM',
  )
  assert.equal(lessonDaysInWords({ last: '2025-12-01', next: null }, TODAY), 'Last: Dec 1, 2025')
  assert.equal(lessonDaysInWords({ last: TODAY, next: null }, TODAY), 'Last: today')
  assert.equal(lessonDaysInWords({ last: null, next: null }, TODAY), 'No lessons in the past year')
  assert.equal(nextInWords(next, TODAY), 'Tomorrow, 4:00 PM')
  const yours = { date: '2026-11-29', start_time: '06:00' }
  assert.equal(nextInWords({ ...next, yours }, TODAY), 'Sat, Nov 28, 4:00 PM, Sun 6:00 AM for you')
  assert.equal(
    nextInWords({ date: '2026-12-01', start_time: '08:05', yours: null }, TODAY),
    'Tue, Dec 1, 8:05 AM',
  )
})
