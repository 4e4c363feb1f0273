import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CalendarDay, weekOf } from '#kernel/calendar-day.ts'
import { dayForKey, monthsAway, weekLabel, weeksOfMonth } from './grid.ts'

const day = (text: string) => text as CalendarDay

test('a week runs from Sunday to Saturday, and a month shows whole weeks', () => {
  assert.deepEqual(
    [weekOf(day('2026-11-21'))[0], weekOf(day('2026-11-21'))[6], weekOf(day('2026-11-22'))[0]],
    ['2026-11-15', '2026-11-21', '2026-11-22'],
  )
  const november = weeksOfMonth(day('2026-11-21'))
  assert.deepEqual([november.length, november[0]?.[0], november.at(-1)?.[6]], [5, '2026-11-01', '2026-12-05'])
  assert.equal(weeksOfMonth(day('2026-02-01')).length, 4)
  assert.deepEqual(
    [weeksOfMonth(day('2027-01-31'))[0]?.[0], weeksOfMonth(day('2027-01-31')).length],
    ['2026-12-27', 6],
  )
})

test('a week is labeled with its first and last day', () => {
  assert.equal(weekLabel(weekOf(day('2026-11-21'))), 'Nov 15 – 21, 2026')
  assert.equal(weekLabel(weekOf(day('2026-12-31'))), 'Dec 27 – Jan 2, 2027')
})

test('keys move the selected day, and a month away from the 31st is still the next month', () => {
  const moves = (key: string, from = '2026-03-31') => dayForKey(day(from), key)
  assert.deepEqual(
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', 'x'].map((key) =>
      moves(key),
    ),
    [
      '2026-03-30',
      '2026-04-01',
      '2026-03-24',
      '2026-04-07',
      '2026-03-29',
      '2026-04-04',
      '2026-02-28',
      '2026-04-30',
      undefined,
    ],
  )
  assert.equal(monthsAway(day('2026-01-15'), -1), '2025-12-01')
})
