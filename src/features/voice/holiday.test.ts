import assert from 'node:assert/strict'
import { test } from 'node:test'
import { easter, holiday, nthWeekday } from './holiday.ts'

test('holidays that move', () => {
  const cases: [string, number, string][] = [
    ['thanksgiving', 2026, '2026-11-26'],
    ['black friday', 2026, '2026-11-27'],
    ['mothers day', 2026, '2026-05-10'],
    ['father day', 2026, '2026-06-21'],
    ['memorial day', 2026, '2026-05-25'],
    ['labor day', 2026, '2026-09-07'],
    ['mlk day', 2027, '2027-01-18'],
    ['presidents day', 2027, '2027-02-15'],
    ['easter', 2027, '2027-03-28'],
    ['good friday', 2026, '2026-04-03'],
    ['columbus day', 2026, '2026-10-12'],
    ['4th of july', 2026, '2026-07-04'],
    ['new year eve', 2026, '2026-12-31'],
  ]
  for (const [name, year, day] of cases) assert.equal(holiday(name, year), day, name)
  assert.equal(holiday('tuesday', 2026), undefined)
})

test('Easter over the years, and the weekdays of a month', () => {
  assert.deepEqual([2024, 2025, 2026, 2038].map(easter), [
    '2024-03-31',
    '2025-04-20',
    '2026-04-05',
    '2038-04-25',
  ])
  assert.equal(nthWeekday(2026, 6, 1, 5), '2026-06-29')
  assert.equal(nthWeekday(2026, 2, 1, 5), undefined)
})
