import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { cents, currencyOf, leastAmountOf } from '#kernel/money.ts'
import { PRICE_CASES } from '#main/testing/price-cases.ts'
import {
  amountAt,
  type PairPrice,
  priceAfterChange,
  priceInWords,
  pricesOfPair,
  priceThatCounts,
  type PriceSource,
  sharesOf,
} from './price.ts'

const USD = currencyOf('USD')
const asCents = (amount: number | undefined) => (amount === undefined ? null : cents(amount))
const pairOf = (prices: [string, number, number | null][] = []): PairPrice[] =>
  prices.map(([since, amount, lesson_minutes]) => ({
    since: since as CalendarDay,
    cents: cents(amount),
    lesson_minutes,
  }))

test("D1: which price counts: the session's own, else the schedule's, the pair's, the student's, the tutor's (20 cases)", () => {
  assert.equal(PRICE_CASES.length, 20)
  for (const one of PRICE_CASES) {
    const [override, schedule, student, tutor] = [one.override, one.schedule, one.student, one.tutor].map(
      asCents,
    )
    // The order in which prices are stored doesn't matter.
    for (const prices of [pairOf(one.pair), pairOf(one.pair).reverse()]) {
      const price = priceThatCounts({ override, schedule, prices, student, tutor }, one.day)
      const found = price && {
        source: price.source,
        cents: price.cents,
        lesson: price.lesson_minutes,
        since: price.since,
        amount: amountAt(price, one.minutes as Minutes, USD),
      }
      assert.deepEqual(found, one.counts, one.name)
    }
  }
})

test('a changed session keeps its price unless its tutor changes, its student does and either has a price, or its day has another one', () => {
  const day = (text: string) => text as CalendarDay
  const kept = (source: PriceSource | null) => ({
    cents: cents(45),
    lesson_minutes: null,
    source,
    since: null,
  })
  const before: Parameters<typeof priceAfterChange>[1] = {
    studentId: 'maya',
    tutorId: 'ingrid',
    day: day('2026-10-31'),
    student: null,
    prices: [],
  }
  const after = { ...before, tutor: cents(99) }
  const changed = (source: PriceSource | null, was: Partial<typeof before>, is: Partial<typeof after>) =>
    priceAfterChange(kept(source), { ...before, ...was }, { ...after, ...is })?.cents
  assert.equal(changed('tutor', {}, {}), 45, 'the same people: the tutor may ask more by now')
  assert.equal(changed('tutor', {}, { tutorId: 'ben', tutor: cents(30) }), 30)
  assert.equal(changed('tutor', {}, { studentId: 'theo' }), 45, 'another child, the same price')
  assert.equal(changed('tutor', {}, { studentId: 'theo', student: cents(60) }), 60)
  assert.equal(changed('student', { student: cents(60) }, { studentId: 'theo' }), 99)
  assert.equal(changed('tutor', {}, { studentId: 'theo', prices: pairOf([['2026-09-01', 70, null]]) }), 70)
  assert.equal(changed('pair', { prices: pairOf([['2026-09-01', 70, null]]) }, { studentId: 'theo' }), 99)
  // The same pair on another day.
  const prices = pairOf([['2026-11-01', 80, 45]])
  const later = { day: day('2026-11-02'), prices }
  assert.equal(changed('tutor', { prices }, later), 80)
  assert.equal(
    changed('pair', { prices, day: day('2026-11-02') }, { prices }),
    99,
    'to a day before it begins',
  )
  assert.equal(changed('pair', { prices, day: day('2026-11-02') }, { prices, day: day('2026-11-09') }), 45)
  assert.equal(changed('schedule', { prices }, later), 45, "a schedule's price stays")
  assert.equal(changed('shared', { prices }, later), 45, 'and so does one that several share')
  assert.equal(changed(null, { prices }, later), 45, "and the other side's")
  assert.equal(priceAfterChange(null, { ...before, prices }, { ...after, ...later }), null)
})

test("D1: siblings' shares add up to the lesson's price in dollars, yen and euros, and differ by what can't be split, which the first pays", () => {
  for (const [amount, students, currency, shares] of [
    [6500, 2, 'USD', [3250, 3250]],
    [6501, 2, 'USD', [3251, 3250]],
    [10_000, 3, 'EUR', [3334, 3333, 3333]],
    [1, 3, 'EUR', [1, 0, 0]],
    [500_100, 2, 'JPY', [250_100, 250_000]],
    [100_000, 3, 'JPY', [33_400, 33_300, 33_300]],
    [0, 4, 'JPY', [0, 0, 0, 0]],
  ] as const)
    assert.deepEqual(sharesOf(cents(amount), students, currencyOf(currency)), shares)
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.integer({ min: 2, max: 12 }),
      fc.constantFrom('USD', 'JPY', 'EUR').map(currencyOf),
      (whole, students, currency) => {
        const least = leastAmountOf(currency)
        const amount = cents(whole * least)
        const shares = sharesOf(amount, students, currency)
        assert.equal(shares.length, students)
        assert.equal(
          shares.reduce((sum, share) => sum + share, 0),
          amount,
        )
        const [first = 0, ...others] = shares
        assert.ok(others.every((share) => share === others[0] && share % least === 0))
        assert.ok(first >= (others[0] ?? 0) && first - (others[0] ?? 0) < students * least)
      },
    ),
    { numRuns: 5000 },
  )
})

test('D1: a price for a stated length is rounded half up to the smallest amount of its currency, as in exact arithmetic', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.integer({ min: 5, max: 480 }),
      fc.integer({ min: 0, max: 96 }),
      fc.constantFrom('USD', 'EUR', 'JPY', 'KRW').map(currencyOf),
      (amount, stated, quarters, currency) => {
        const whole = BigInt(stated * leastAmountOf(currency))
        const exact =
          ((BigInt(amount) * BigInt(quarters * 15) * 2n + whole) / (2n * whole)) *
          BigInt(leastAmountOf(currency))
        const price = { cents: cents(amount), lesson_minutes: stated }
        assert.equal(amountAt(price, (quarters * 15) as Minutes, currency), Number(exact))
      },
    ),
    { numRuns: 2000 },
  )
})

test("a student's prices with one tutor, and a price in words", () => {
  const listed = [
    { tutor_id: 'ingrid', from: '2026-09-01', amount: 32.5, lesson_minutes: 45 },
    { tutor_id: 'ben', from: '2026-09-01', amount: 20, lesson_minutes: null },
  ]
  const [price, ...others] = pricesOfPair(listed, 'ingrid')
  assert.deepEqual([price, others], [{ since: '2026-09-01', cents: 3250, lesson_minutes: 45 }, []])
  assert.equal(
    priceInWords({ cents: cents(3250), lesson_minutes: 45 }, currencyOf('EUR')),
    '€32.50 per lesson of 45 min',
  )
  assert.equal(priceInWords({ cents: cents(4500), lesson_minutes: null }, USD), '$45.00/hour')
})
