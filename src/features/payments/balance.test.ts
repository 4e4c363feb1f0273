import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, type CalendarDay, daysOfMonth } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, cents, currencyOf, priceOf } from '#kernel/money.ts'
import { type Entry, figuresBetween, ledgerOf as ledgerIn, prepaidState } from './balance.ts'

const ledgerOf = <E extends Entry>(entries: readonly E[]) => ledgerIn(entries, currencyOf('USD'))

const START = '2025-01-01' as CalendarDay
const DAYS = 730
const MONTHS = Array.from(
  { length: 24 },
  (_, at) => `${2025 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`,
)

const day = fc.integer({ min: 0, max: DAYS - 1 }).map((days) => addDays(START, days))
const minutes = (most: number) =>
  fc.integer({ min: 1, max: most }).map((quarters) => (quarters * 15) as Minutes)
const lesson = fc
  .record({
    day,
    minutes: minutes(12),
    rate: fc.option(fc.integer({ min: 0, max: 20_000 }).map(cents), { freq: 8 }),
  })
  .map((one): Omit<Entry, 'id'> => ({
    kind: 'session',
    ...one,
    amount: one.rate === null ? null : priceOf(one.rate, one.minutes, currencyOf('USD')),
  }))
const money = fc
  .record({
    day,
    kind: fc.constantFrom('payment' as const, 'opening' as const),
    amount: fc.integer({ min: 1, max: 100_000 }).map(cents),
  })
  .map((one): Omit<Entry, 'id'> => ({ ...one, minutes: 0 as Minutes, rate: null }))
const charge = fc
  .record({ day, amount: fc.integer({ min: -50_000, max: 50_000 }).map(cents) })
  .map((one): Omit<Entry, 'id'> => ({ kind: 'charge', ...one, minutes: 0 as Minutes, rate: null }))
const hours = fc
  .record({ day, minutes: minutes(80), amount: fc.integer({ min: 0, max: 100_000 }).map(cents) })
  .map((one): Omit<Entry, 'id'> => ({ kind: 'hours', ...one, rate: null }))
const numbered = (entries: Omit<Entry, 'id'>[]): Entry[] =>
  entries.map((entry, at) => ({ id: String(at).padStart(4, '0'), ...entry }))
const twoYears = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: lesson },
      { weight: 2, arbitrary: money },
      { weight: 1, arbitrary: hours },
      { weight: 1, arbitrary: charge },
    ),
    { maxLength: 120 },
  )
  .map(numbered)

/**
 * A simple reference implementation that goes day by day, in whole cents and quarter hours. Returns what is
 * owed and how many prepaid minutes are left at the end of a day.
 */
function booksAt(entries: Entry[], until: CalendarDay): { owed: number; left: number } {
  let owed = 0
  let left = 0
  for (let today = START; today <= until; today = addDays(today, 1)) {
    const own = entries.filter((entry) => entry.day === today)
    for (const entry of own) {
      if (entry.kind === 'opening' || entry.kind === 'charge') owed += entry.amount ?? 0
      if (entry.kind === 'payment') owed -= entry.amount ?? 0
      if (entry.kind === 'hours') left += entry.minutes
    }
    for (const entry of own
      .filter(({ kind }) => kind === 'session')
      .sort((a, b) => a.id.localeCompare(b.id))) {
      const open = Math.max(0, entry.minutes - left)
      left -= entry.minutes - open
      owed +=
        open === entry.minutes ? (entry.amount ?? 0) : Math.floor(((entry.rate ?? 0) * open * 2 + 60) / 120)
    }
  }
  return { owed, left }
}

test('two years of sessions and payments, written in any order, agree with the model at the end of every month, to the cent', () => {
  fc.assert(
    fc.property(twoYears, fc.infiniteStream(fc.nat()), (entries, dice) => {
      const shuffled = entries
        .map((entry) => ({ entry, place: dice.next().value ?? 0 }))
        .sort((a, b) => a.place - b.place)
        .map(({ entry }) => entry)
      const lines = ledgerOf(shuffled)
      let carried = 0
      for (const month of MONTHS) {
        const { from, to } = daysOfMonth(month)
        const figures = figuresBetween(lines, from, to)
        const model = booksAt(entries, to)
        assert.deepEqual([figures.balance, figures.left], [model.owed, model.left], month)
        assert.equal(figures.carriedOver, carried, `${month} begins where the month before ended`)
        assert.equal(
          figures.carriedOver + figures.sessions - figures.covered + figures.other - figures.paid,
          figures.balance,
          `${month} explains itself`,
        )
        carried = figures.balance
      }
    }),
    { numRuns: 60 },
  )
})

test('every line explains the step from the balance before it, and prepaid time is never used twice', () => {
  fc.assert(
    fc.property(twoYears, (entries) => {
      let before = 0
      let left = 0
      for (const line of ledgerOf(entries)) {
        assert.equal(line.balance - before, line.charged - line.paid)
        assert.equal(line.left - left, (line.entry.kind === 'hours' ? line.entry.minutes : 0) - line.covered)
        assert.ok(line.left >= 0 && line.covered <= line.entry.minutes)
        before = line.balance
        left = line.left
      }
    }),
  )
})

const entry = (
  id: string,
  kind: Entry['kind'],
  at: string,
  minutesOf: number,
  amount: number | null,
  rate: number | null = null,
): Entry => ({
  id,
  kind,
  day: at as CalendarDay,
  minutes: minutesOf as Minutes,
  amount: amount as Cents | null,
  rate: rate as Cents | null,
})

test('ten prepaid hours are used up, with a warning before the last lesson', () => {
  const bought = entry('p', 'hours', '2026-10-01', 600, 40_000)
  const lessons = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      entry(`s${at}`, 'session', `2026-10-${String(at + 2).padStart(2, '0')}`, 120, 9000, 4500),
    )
  assert.deepEqual(
    [0, 3, 4, 5, 6].map((count) => prepaidState(ledgerOf([bought, ...lessons(count)]))),
    ['ample', 'ample', 'low', 'used_up', 'none'],
  )
  const [first, , , , fifth, sixth] = ledgerOf([bought, ...lessons(5)])
  assert.deepEqual(
    [first?.charged, first?.paid, fifth?.charged, sixth?.left, sixth?.balance],
    [40_000, 40_000, 0, 0, 0],
  )
})

test('a lesson that prepaid hours cover in part costs only the rest', () => {
  const lines = ledgerOf([
    entry('p', 'hours', '2026-10-01', 30, 2000),
    entry('s', 'session', '2026-10-01', 90, 6833, 4555),
  ])
  // The remaining hour costs $45.55.
  assert.deepEqual([lines[1]?.covered, lines[1]?.charged, lines[1]?.coveredAmount], [30, 4555, 2278])
})

test('money paid in advance warns when it covers at most one more lesson', () => {
  const paid = (amount: number) =>
    ledgerOf([
      entry('p', 'payment', '2026-10-01', 0, amount),
      entry('s', 'session', '2026-10-02', 60, 4500, 4500),
    ])
  assert.deepEqual(
    [4500, 9000, 13_499, 13_500].map((amount) => prepaidState(paid(amount))),
    ['none', 'low', 'low', 'ample'],
  )
})

test('a session without a rate owes nothing and still uses prepaid time', () => {
  const lines = ledgerOf([
    entry('p', 'hours', '2026-10-01', 60, 0),
    entry('s', 'session', '2026-10-02', 90, null),
  ])
  assert.deepEqual([lines[1]?.balance, lines[1]?.left, lines[1]?.coveredAmount], [0, 0, 0])
})

test('a payment that only one side reported is on its way, and its line changes nothing', () => {
  const pending = { counts: false, standing: 'waiting' as const }
  const lines = ledgerOf([
    { ...entry('h', 'hours', '2026-10-01', 60, 4000), ...pending },
    { ...entry('p', 'payment', '2026-10-01', 0, 1000), ...pending },
    { ...entry('o', 'opening', '2026-10-01', 0, 500), ...pending },
    { ...entry('d', 'payment', '2026-10-01', 0, 700), counts: false, standing: 'disputed' as const },
    entry('s', 'session', '2026-10-02', 60, 4500, 4500),
  ])
  const { balance, onItsWay, left, paid } = figuresBetween(
    lines,
    '2026-10-01' as CalendarDay,
    '2026-10-31' as CalendarDay,
  )
  assert.deepEqual([lines.length, balance, onItsWay, left, paid], [5, 4500, 5000, 0, 0])
})
