import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarDay } from '#kernel/calendar-day.ts'
import { byWeek, totalInWords } from './confirmation.ts'

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

test('sessions without a rate have no total, and a free one is $0.00', () => {
  const of = (total_amount: number | null, currency = 'USD') =>
    ({ total_amount, currency }) as Parameters<typeof totalInWords>[0][number]
  assert.equal(totalInWords([of(null), of(null, 'EUR')]), undefined)
  assert.equal(totalInWords([of(null), of(45)]), '$45.00')
  assert.equal(totalInWords([of(0)]), '$0.00')
  assert.equal(totalInWords([of(90), of(40, 'EUR')]), '$90.00 and €40.00')
})
