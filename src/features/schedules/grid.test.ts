import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CalendarDay, formatDays, weekOf } from '#kernel/calendar-day.ts'
import { dayForKey, hoursOf, monthsAway, placedInDay, weekFrom, weeksOfMonth } from './grid.ts'

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
  assert.equal(formatDays(day('2026-11-15'), day('2026-11-21')), 'Nov 15 – 21, 2026')
  assert.equal(formatDays(day('2026-11-29'), day('2026-12-05')), 'Nov 29 – Dec 5, 2026')
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

test('the week view starts with today, on whatever weekday that is', () => {
  assert.deepEqual(weekFrom(day('2026-12-30'), 0), [
    '2026-12-30',
    '2026-12-31',
    '2027-01-01',
    '2027-01-02',
    '2027-01-03',
    '2027-01-04',
    '2027-01-05',
  ])
  assert.equal(weekFrom(day('2026-12-30'), 1)[0], '2027-01-06')
  assert.equal(weekFrom(day('2026-12-30'), -1)[6], '2026-12-29')
  assert.equal(formatDays(day('2026-12-30'), day('2027-01-05')), 'Dec 30, 2026 – Jan 5, 2027')
})

const at = (start_time: string, duration: number) => ({ start_time, duration })

test('the hours are those that are used, with some room, and go past midnight for a late class', () => {
  assert.deepEqual(hoursOf([at('16:30', 1.5), at('15:00', 1)]), { from: 14, to: 19 })
  assert.deepEqual(hoursOf([at('16:30', 0.5)]), { from: 16, to: 20 })
  assert.deepEqual(hoursOf([at('00:00', 1)]), { from: 0, to: 3 })
  assert.deepEqual(hoursOf([at('23:30', 1)]), { from: 23, to: 27 })
  assert.deepEqual(hoursOf([at('23:30', 24)]), { from: 23, to: 27 })
  assert.deepEqual(hoursOf([]), { from: 12, to: 18 })
})

test('classes at the same time stand next to each other, and the next one has the whole width again', () => {
  const columns = (...classes: ReturnType<typeof at>[]) =>
    placedInDay(classes).map(({ one, column, columns: of }) => `${one.start_time} ${column + 1}/${of}`)
  assert.deepEqual(columns(at('17:00', 1), at('16:00', 1)), ['16:00 1/1', '17:00 1/1'])
  assert.deepEqual(columns(at('16:00', 1), at('16:30', 1), at('17:00', 1), at('18:00', 1)), [
    '16:00 1/2',
    '16:30 2/2',
    '17:00 1/2',
    '18:00 1/1',
  ])
  assert.deepEqual(columns(at('16:00', 1), at('16:00', 1), at('16:00', 2)), [
    '16:00 1/3',
    '16:00 2/3',
    '16:00 3/3',
  ])
  const [late] = placedInDay([at('23:30', 1)])
  assert.deepEqual([late?.start, late?.minutes], [1410, 60], 'it stays on the day on which it starts')
})

test('whatever the classes, all are in the hours, none covers another, and none is outside of its day', () => {
  const any = fc.record({
    start_time: fc
      .integer({ min: 0, max: 1439 })
      .map(
        (minute) =>
          `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
      ),
    duration: fc.integer({ min: 1, max: 48 }).map((halves) => halves / 2),
  })
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), (classes) => {
      const placed = placedInDay(classes)
      const { from, to } = hoursOf(classes)
      assert.equal(placed.length, classes.length)
      for (const [index, one] of placed.entries()) {
        assert.ok(one.start >= from * 60 && one.start + one.minutes <= to * 60 && one.minutes >= 30)
        assert.ok(one.column >= 0 && one.column < one.columns)
        for (const other of placed.slice(index + 1)) {
          const overlap = one.start < other.start + other.minutes && other.start < one.start + one.minutes
          if (overlap) assert.ok(one.columns === other.columns && one.column !== other.column)
        }
      }
    }),
  )
})
