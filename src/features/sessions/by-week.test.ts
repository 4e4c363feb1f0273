import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarDay } from '#kernel/calendar-day.ts'
import { byWeek } from './confirmation.ts'

test('sessions to confirm are split at Sunday, and future ones are left out until their day', () => {
  const sessions = ['2026-11-23', '2026-11-22', '2026-11-21', '2026-11-15', '2026-11-14', '2026-06-30'].map(
    (date) => ({ date }),
  )
  const parted = (today: string) => {
    const day = calendarDay(today)
    assert.ok(day)
    const { thisWeek, earlier } = byWeek(sessions, day)
    return [thisWeek, earlier].map((part) => part.map(({ date }) => date))
  }
  assert.deepEqual(parted('2026-11-21'), [
    ['2026-11-21', '2026-11-15'],
    ['2026-11-14', '2026-06-30'],
  ])
  assert.deepEqual(parted('2026-11-22'), [
    ['2026-11-22'],
    ['2026-11-21', '2026-11-15', '2026-11-14', '2026-06-30'],
  ])
})
