import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Currency } from '#kernel/money.ts'
import { STANDINGS } from '#features/agreements/answer.ts'
import { barOf, type Portion, selectableMonths, summarize, sumOfAmounts, weeksOf } from './summary.ts'
import { summarizeYear } from './year.ts'

const fields = {
  tutor_id: fc.constantFrom(null, 't1', 't2'),
  tutor_name: fc.constant('Tutor'),
  student_id: fc.constantFrom(null, 's1', 's2'),
  student_name: fc.constant('Student'),
  part: fc.integer({ min: 0, max: 4 }),
  standing: fc.constantFrom(...STANDINGS),
  other_currency: fc.constantFrom(null, null, 'EUR' as Currency),
  sessions: fc.integer({ min: 1, max: 9 }),
  minutes: fc.integer({ min: 0, max: 96 }).map((n) => n * 15),
  amount_cents: fc.integer({ min: 0, max: 1e7 }),
}
const portion: fc.Arbitrary<Portion> = fc.record(fields)

const COUNTED = ['verified', 'waiting', 'own']

test('D2: the totals equal the sum of the groups, of the weeks, and of verified, waiting and own, to the cent, and mix no currencies', () => {
  fc.assert(
    fc.property(fc.array(portion), (portions) => {
      const summary = summarize('2026-10', portions)
      const inCents = (amount: number) => Math.round(amount * 100)
      const sum = (amounts: number[]) => amounts.map(inCents).reduce((a, b) => a + b, 0)
      const total = inCents(summary.total_amount)
      assert.equal(
        total,
        portions.reduce(
          (a, b) => a + (COUNTED.includes(b.standing) && b.other_currency === null ? b.amount_cents : 0),
          0,
        ),
      )
      assert.equal(
        sum(summary.other_currencies.map(({ amount }) => amount)),
        portions.reduce(
          (a, b) => a + (COUNTED.includes(b.standing) && b.other_currency ? b.amount_cents : 0),
          0,
        ),
      )
      for (const groups of [summary.by_tutor, summary.by_student]) {
        assert.equal(sum(groups.map((group) => group.amount)), total)
        assert.equal(
          groups.reduce((a, b) => a + b.sessions, 0),
          summary.total_sessions,
        )
      }
      assert.equal(sum(summary.by_week.map(sumOfAmounts)), total)
      assert.equal(inCents(sumOfAmounts(summary)), total)
      assert.equal(
        inCents(summary.disputed_amount),
        portions.reduce(
          (a, b) => a + (b.standing === 'disputed' && b.other_currency === null ? b.amount_cents : 0),
          0,
        ),
      )
    }),
  )
})

test("a total counts what's waiting, and leaves out what was sent back, which is shown separately, and what's to be deleted", () => {
  const part = {
    tutor_id: 't1',
    tutor_name: 'T',
    student_id: 's1',
    student_name: 'S',
    part: 0,
    sessions: 1,
    minutes: 60,
    other_currency: null,
  }
  const portions: Portion[] = [
    { ...part, standing: 'verified', amount_cents: 1000 },
    { ...part, standing: 'waiting', amount_cents: 200 },
    { ...part, standing: 'disputed', amount_cents: 30, tutor_id: 't2' },
    { ...part, standing: 'leaving', amount_cents: 5, tutor_id: 't3' },
    { ...part, standing: 'own', amount_cents: 4 },
  ]
  const month = summarize('2026-10', portions)
  assert.deepEqual(
    [month.verified_amount, month.waiting_amount, month.disputed_amount, month.own_amount],
    [10, 2, 0.3, 0.04],
  )
  assert.deepEqual(barOf(month), { solid: 10.04, hatched: 2 })
  assert.deepEqual([month.total_sessions, month.total_hours, month.total_amount], [3, 3, 12.04])
  assert.deepEqual(
    month.by_tutor.map(({ id, sessions, amount }) => [id, sessions, amount]),
    [['t1', 3, 12.04]],
  )
  assert.deepEqual([month.by_week[0]?.sessions, month.by_week[0]?.hours], [3, 3])
  const year = summarizeYear(
    '2026',
    portions,
    Array.from({ length: 12 }, () => ({ paid: 0, balance: 0 })),
  )
  assert.deepEqual([year.total_sessions, year.total_amount, year.by_month[0]?.sessions], [3, 12.04, 3])
})

test("sessions and hours in another currency count, and only their amounts aren't added", () => {
  const part = { tutor_id: 't1', tutor_name: 'T', student_id: 's1', student_name: 'S', part: 0, sessions: 1 }
  const month = summarize('2026-10', [
    { ...part, standing: 'waiting', minutes: 60, other_currency: null, amount_cents: 1000 },
    { ...part, standing: 'own', minutes: 90, other_currency: 'EUR' as Currency, amount_cents: 700 },
    { ...part, standing: 'own', minutes: 45, other_currency: 'GBP' as Currency, amount_cents: 300 },
  ])
  assert.deepEqual([month.total_sessions, month.total_hours, month.total_amount], [3, 3.25, 10])
  assert.deepEqual(
    month.by_tutor.map(({ sessions, hours, amount }) => [sessions, hours, amount]),
    [[3, 3.25, 10]],
  )
  assert.deepEqual([month.by_week[0]?.sessions, month.by_week[0]?.hours, month.own_amount], [3, 3.25, 0])
  assert.deepEqual(month.other_currencies, [
    { currency: 'EUR', sessions: 1, amount: 7 },
    { currency: 'GBP', sessions: 1, amount: 3 },
  ])
})

test('the weeks of a month are days 1 to 7 and on, and the last ends with the month', () => {
  assert.deepEqual(
    weeksOf('2026-02').map(({ from, to }) => `${from} ${to}`),
    ['2026-02-01 2026-02-07', '2026-02-08 2026-02-14', '2026-02-15 2026-02-21', '2026-02-22 2026-02-28'],
  )
  assert.equal(weeksOf('2026-11').at(-1)?.to, '2026-11-30')
})

test('the selector offers the current month and the eleven before it', () => {
  const months = selectableMonths('2026-02')
  assert.deepEqual(
    [months.length, months[0], months[2], months.at(-1)],
    [12, '2026-02', '2025-12', '2025-03'],
  )
})

test('D2: a year equals the sum of its months, to the cent', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ ...fields, part: fc.integer({ min: 0, max: 11 }) })),
      fc.array(
        fc.record({ paid: fc.integer({ min: 0, max: 1e7 }), balance: fc.integer({ min: -1e7, max: 1e7 }) }),
        { minLength: 12, maxLength: 12 },
      ),
      (portions, money) => {
        const year = summarizeYear('2026', portions, money)
        const sum = (amounts: number[]) =>
          amounts.map((amount) => Math.round(amount * 100)).reduce((a, b) => a + b, 0)
        assert.equal(sum(year.by_month.map(sumOfAmounts)), sum([year.total_amount]))
        assert.equal(
          year.by_month.reduce((count, month) => count + month.sessions, 0),
          year.total_sessions,
        )
        assert.equal(sum(year.by_month.map((month) => month.paid_amount)), sum([year.paid_amount]))
        assert.deepEqual(
          [year.by_month[0]?.month, year.by_month[11]?.month, year.by_month[11]?.open_amount],
          ['2026-01', '2026-12', year.open_amount],
        )
      },
    ),
  )
})
