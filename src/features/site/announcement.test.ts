import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { formatLongDay, readAnnouncement } from './announcement.ts'

const today = '2026-01-31' as CalendarDay

test('P8: new terms take effect at least 30 days after they are announced', () => {
  assert.deepEqual(readAnnouncement('2026-03-02', '2026-03-02', today), {
    version: '2026-03-02',
    effectiveDay: '2026-03-02',
  })
  assert.throws(
    () => readAnnouncement('2026-03-02', '2026-03-01', today),
    /30 days ahead, so they can't take effect before 2026-03-02/,
  )
})

test('an invalid version or day is refused with a message that says which', () => {
  assert.throws(() => readAnnouncement(undefined, '2026-06-01', today), /Enter a version/)
  assert.throws(() => readAnnouncement('two words', '2026-06-01', today), /Enter a version/)
  for (const day of [undefined, '2026-02-30', '1 June'])
    assert.throws(() => readAnnouncement('v2', day, today), /Enter the day/)
})

test('an email writes out the name of the month', () => {
  assert.equal(formatLongDay('2025-06-01'), 'June 1, 2025')
})
