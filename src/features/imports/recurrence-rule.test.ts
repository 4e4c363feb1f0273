import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { type DayNumber, daysOfRule, recurrenceRule } from './recurrence-rule.ts'

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const
const dayText = (day: DayNumber) => new Date(day * 86_400_000).toISOString().slice(0, 10)
const dayNumber = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000

function ownDays(text: string, start: DayNumber, from: DayNumber, to: DayNumber): string[] {
  const rule = recurrenceRule(text)
  assert.ok(rule, text)
  return Array.from(daysOfRule(rule, start, from, to), dayText)
}

/** The days of the same rule, calculated by an independent RFC 5545 library. */
function libraryDays(text: string, start: DayNumber, from: DayNumber, to: DayNumber): string[] {
  const days: string[] = []
  const iterator = ICAL.Recur.fromString(text).iterator(ICAL.Time.fromDateString(dayText(start)))
  for (let next = iterator.next(); next && next.toString() <= dayText(to); next = iterator.next())
    if (next.toString() >= dayText(from)) days.push(next.toString())
  return days
}

/** The first day that the rule includes, so that both sides begin there. */
function firstDay(text: string, near: DayNumber): DayNumber {
  return dayNumber(
    ICAL.Recur.fromString(text)
      .iterator(ICAL.Time.fromDateString(dayText(near)))
      .next()
      .toString(),
  )
}

const start = fc.integer({ min: dayNumber('2015-01-01'), max: dayNumber('2026-12-31') })
const weekdays = fc.uniqueArray(fc.constantFrom(...DAYS), { minLength: 1, maxLength: 5 })
const nths = fc.constantFrom(1, 2, 3, 4, -1, -2)
const kinds = fc.oneof(
  fc.constant('FREQ=DAILY'),
  fc.constant('FREQ=WEEKLY'),
  weekdays.map((days) => `FREQ=WEEKLY;BYDAY=${days.join(',')}`),
  fc
    .tuple(weekdays, fc.constantFrom(...DAYS))
    .map(([days, first]) => `FREQ=WEEKLY;WKST=${first};BYDAY=${days.join(',')}`),
  fc
    .uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 3 })
    .map((days) => `FREQ=MONTHLY;BYMONTHDAY=${days.join(',')}`),
  fc.constant('FREQ=MONTHLY;BYMONTHDAY=-1'),
  fc.tuple(nths, fc.constantFrom(...DAYS)).map(([nth, day]) => `FREQ=MONTHLY;BYDAY=${nth}${day}`),
  fc.constantFrom(1, -1, 2).map((at) => `FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=${at}`),
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
    .map(([month, day]) => `FREQ=YEARLY;BYMONTH=${month};BYMONTHDAY=${day}`),
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), nths, fc.constantFrom(...DAYS))
    .map(([month, nth, day]) => `FREQ=YEARLY;BYMONTH=${month};BYDAY=${nth}${day}`),
)
const rules = fc
  .tuple(kinds, fc.integer({ min: 1, max: 5 }), fc.option(fc.integer({ min: 1, max: 60 })))
  .map(([kind, interval, count]) => `${kind};INTERVAL=${interval}${count === null ? '' : `;COUNT=${count}`}`)

test('2,000 random recurrences match an RFC 5545 library', () => {
  fc.assert(
    fc.property(rules, start, fc.integer({ min: -30, max: 900 }), (text, near, offset) => {
      // A first day that the rule doesn't include counts here, as in calendars, but not in the library.
      const first = firstDay(text.replace(/;COUNT=\d+/, ''), near)
      const [from, to] = [first + offset, first + offset + 400]
      assert.deepEqual(ownDays(text, first, from, to), libraryDays(text, first, from, to), text)
    }),
    { numRuns: 2000 },
  )
})

test('rules that can never happen, or only once in a billion weeks, take no time', () => {
  // Of the processor's time, because others use the machine, too.
  const began = process.threadCpuUsage()
  const first = dayNumber('2025-09-01')
  for (const text of ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'])
    assert.deepEqual(ownDays(text, first, first, first + 3 * 366), ['2025-09-01'])
  const { user, system } = process.threadCpuUsage(began)
  assert.ok(user + system < 200_000, `${user + system} µs`)
})

test('rules that no lesson has, and malformed ones, are not read', () => {
  for (const text of [
    'FREQ=SECONDLY',
    'FREQ=HOURLY;INTERVAL=2',
    'FREQ=WEEKLY;INTERVAL=0',
    'FREQ=WEEKLY;INTERVAL=999999999',
    'FREQ=WEEKLY;COUNT=-1',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=WEEKLY;BYDAY=2MO',
    'FREQ=YEARLY;BYWEEKNO=20',
    'FREQ=DAILY;BYMONTH=13',
    'FREQ=DAILY;BYHOUR=9,17',
    'BYDAY=MO',
    '',
  ])
    assert.equal(recurrenceRule(text), undefined, text)
})
