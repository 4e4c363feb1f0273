import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, calendarDay, dayIn, formatDay } from './calendar-day.ts'

test('only dates on the calendar are days', () => {
  for (const text of [
    '2026-02-30',
    '2025-02-29',
    '0000-01-01',
    '99999-01-01',
    '2026-3-1',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '26-01-01',
    '',
  ])
    assert.equal(calendarDay(text), undefined, text)
  assert.equal(calendarDay('2028-02-29'), '2028-02-29')
})

test('adding days and subtracting them again changes nothing', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1950-01-01'), max: new Date('2150-01-01'), noInvalidDate: true }),
      fc.integer({ min: -4000, max: 4000 }),
      (instant, days) => {
        const day = dayIn(instant, 'UTC')
        assert.equal(addDays(addDays(day, days), -days), day)
      },
    ),
  )
})

test('D3: a day is written the same in every time zone', () => {
  const day = calendarDay('2026-11-01')
  assert.ok(day)
  for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kolkata', 'UTC']) {
    process.env.TZ = zone
    assert.equal(formatDay(day), 'Sun, Nov 1, 2026', zone)
    assert.equal(addDays(day, 1), '2026-11-02', zone)
  }
})

test("today is the user's own date", () => {
  const instant = new Date('2026-11-21T02:00:00Z')
  assert.equal(dayIn(instant, 'America/New_York'), '2026-11-20')
  assert.equal(dayIn(instant, 'Asia/Tokyo'), '2026-11-21')
})
