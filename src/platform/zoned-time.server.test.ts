import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { instantOf, wallClockIn } from './zoned-time.server.ts'

const at = (day: string, time: string, zone: string) =>
  instantOf(day as CalendarDay, time, zone).toISOString()
const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Sydney',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'UTC',
]

test('a time that a jumping clock skips counts as if it jumped later', () => {
  assert.equal(at('2027-03-14', '01:59', 'America/New_York'), '2027-03-14T06:59:00.000Z')
  assert.equal(at('2027-03-14', '02:30', 'America/New_York'), '2027-03-14T07:30:00.000Z')
  assert.equal(at('2027-03-14', '03:30', 'America/New_York'), '2027-03-14T07:30:00.000Z')
  assert.equal(at('2027-10-03', '02:30', 'Australia/Sydney'), '2027-10-02T16:30:00.000Z')
})

test('a time that a clock shows twice is the first of the two', () => {
  assert.equal(at('2026-11-01', '01:30', 'America/New_York'), '2026-11-01T05:30:00.000Z')
  assert.equal(at('2026-11-01', '02:00', 'America/New_York'), '2026-11-01T07:00:00.000Z')
  assert.equal(at('2026-10-25', '02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z')
})

test('the same moment has another day in another zone', () => {
  const moment = instantOf('2026-11-26' as CalendarDay, '16:30', 'America/New_York')
  assert.deepEqual(wallClockIn(moment, 'Asia/Tokyo'), { day: '2026-11-27', time: '06:30' })
  assert.deepEqual(wallClockIn(moment, 'Asia/Kathmandu'), { day: '2026-11-27', time: '03:15' })
})

test('a zone that does not exist has no moments', () => {
  assert.throws(() => at('2026-11-26', '16:30', 'Mars/Olympus'), RangeError)
})

test("10,000 random moments: a wall clock leads back to its moment, and shows what Intl's shows", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 }),
      fc.constantFrom(...ZONES),
      (minutes, zone) => {
        const moment = new Date(minutes * 60_000)
        const { day, time } = wallClockIn(moment, zone)
        assert.equal(
          `${day}, ${time}`,
          new Intl.DateTimeFormat('en-CA', {
            timeZone: zone,
            year: 'numeric',
            month: '2-digit',
            day: '2-digit',
            hour: '2-digit',
            minute: '2-digit',
            hourCycle: 'h23',
          }).format(moment),
        )
        const back = instantOf(day, time, zone).getTime()
        // Within the hour that a clock shows twice, the way back leads to the first of them.
        assert.ok(back === moment.getTime() || back === moment.getTime() - 3_600_000)
        assert.deepEqual(wallClockIn(new Date(back), zone), { day, time })
      },
    ),
    { numRuns: 10_000 },
  )
})
