import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { daysOfSeries, firstDay, type Recurrence, stepOf, weekOfMonth } from './recurrence.ts'

const zone = process.env.TZ
after(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const day = fc.integer({ min: 0, max: 40 * 365 }).map((days) => addDays('2000-01-01' as CalendarDay, days))
const series: fc.Arbitrary<Recurrence> = fc
  .record({
    frequency: fc.constantFrom('weekly', 'bi-weekly', 'monthly', 'custom'),
    intervalDays: fc.integer({ min: 1, max: 60 }),
    dayOfWeek: fc.integer({ min: 0, max: 6 }),
    start: day,
    end: fc.option(fc.integer({ min: 0, max: 900 }), { nil: null }),
  })
  .map(({ end, ...rest }) => ({ ...rest, end: end === null ? null : addDays(rest.start, end) }))

/** The days of the same series, calculated by an independent RFC 5545 library. */
function libraryDays(rule: Recurrence, from: CalendarDay, to: CalendarDay): string[] {
  const first = firstDay(rule)
  const names = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
  const text =
    rule.frequency === 'monthly'
      ? `FREQ=MONTHLY;BYDAY=${weekOfMonth(first)}${names[rule.dayOfWeek]}`
      : `FREQ=DAILY;INTERVAL=${stepOf(rule)}`
  const days: string[] = []
  const iterator = ICAL.Recur.fromString(text).iterator(ICAL.Time.fromDateString(first))
  for (let next = iterator.next(); next && next.toString() <= to; next = iterator.next()) {
    const found = next.toString()
    if (found >= from && !(rule.end && found > rule.end)) days.push(found)
  }
  return days
}

test('10,000 random series match an RFC 5545 library, in four time zones', { timeout: 120_000 }, () => {
  for (const name of ['UTC', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu']) {
    process.env.TZ = name
    fc.assert(
      fc.property(
        series,
        fc.integer({ min: -60, max: 400 }),
        fc.integer({ min: 0, max: 500 }),
        (rule, offset, length) => {
          const from = addDays(rule.start, offset)
          const to = addDays(from, length)
          assert.deepEqual(
            daysOfSeries(rule, from, to),
            libraryDays(rule, from, to),
            JSON.stringify({ rule, from, to }),
          )
        },
      ),
      { numRuns: 2500 },
    )
  }
})

test('the first class is on its first weekday on or after the start, and a class on the last day counts', () => {
  const tuesdays: Recurrence = {
    frequency: 'weekly',
    intervalDays: null,
    dayOfWeek: 2,
    start: '2026-11-18' as CalendarDay,
    end: '2026-12-08' as CalendarDay,
  }
  assert.deepEqual(daysOfSeries(tuesdays, '2026-01-01' as CalendarDay, '2027-12-31' as CalendarDay), [
    '2026-11-24',
    '2026-12-01',
    '2026-12-08',
  ])
})

test('a monthly series keeps its place in the month; a fifth becomes the last', () => {
  const fifth: Recurrence = {
    frequency: 'monthly',
    intervalDays: null,
    dayOfWeek: 2,
    start: '2027-06-29' as CalendarDay,
    end: null,
  }
  assert.deepEqual(daysOfSeries(fifth, '2027-06-01' as CalendarDay, '2027-09-30' as CalendarDay), [
    '2027-06-29',
    '2027-07-27',
    '2027-08-31',
    '2027-09-28',
  ])
  const leap: Recurrence = { ...fifth, dayOfWeek: 4, start: '2024-02-29' as CalendarDay }
  assert.deepEqual(daysOfSeries(leap, '2024-02-01' as CalendarDay, '2024-03-31' as CalendarDay), [
    '2024-02-29',
    '2024-03-28',
  ])
})

test('a series that ends before its first class has none', () => {
  assert.deepEqual(
    daysOfSeries(
      {
        frequency: 'weekly',
        intervalDays: null,
        dayOfWeek: 1,
        start: '2026-11-17' as CalendarDay,
        end: '2026-11-20' as CalendarDay,
      },
      '2026-01-01' as CalendarDay,
      '2027-12-31' as CalendarDay,
    ),
    [],
  )
})
