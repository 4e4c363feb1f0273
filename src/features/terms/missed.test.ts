import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { cents, Currency, currencyOf } from '#kernel/money.ts'
import { dueDayOf } from './due-day.ts'
import { halfYearOf, isInTime, type Missed, outcomeOf, holdingFeeOf } from './missed.ts'
import { Rules, rulesInDollars, storedRules } from './rules.ts'
import { sentencesOf } from './sentences.ts'

const [DOLLARS, EUROS] = [Currency.parse('USD'), Currency.parse('EUR')]
const SENTENCE = /^[A-Z][^.]*(\.\d\d[^.]*)*\.$/

const percent = fc.integer({ min: 1, max: 100 })
const amount = fc.integer({ min: 1, max: 20_000 }).map((value) => value / 100)
const cost = fc.oneof(fc.record({ percent }), fc.record({ amount }), fc.record({ percent, amount }))
const bands = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 2 }),
    fc.array(cost, { minLength: 3, maxLength: 3 }),
  )
  .map(([hours, costs]) =>
    [...hours.sort((one, other) => other - one), 0].map((until, at) => ({
      until_hours: until,
      ...costs[at],
    })),
  )
const rulesTyped = fc.record(
  {
    notice_hours: fc.integer({ min: 101, max: 672 }),
    bands,
    no_show: cost,
    free_per_half_year: fc.integer({ min: 1, max: 5 }),
    free_if_rescheduled_days: fc.integer({ min: 1, max: 30 }),
    is_illness_free: fc.boolean(),
    are_closings_free: fc.boolean(),
    are_late_arrivals_charged: fc.boolean(),
    fee: fc.record({ per: fc.constantFrom('month', 'term'), amount, is_in_advance: fc.boolean() }),
    holding_percent: percent,
    make_ups: fc.record({ for: fc.constantFrom('in_time', 'missed'), most: fc.integer({ min: 1, max: 5 }) }),
    tutor_cancels: fc.record({
      brings: fc.constantFrom('nothing', 'make_up', 'credit', 'make_up_or_credit'),
      late_percent_off: percent,
    }),
    due_day: fc.integer({ min: 1, max: 28 }),
  },
  { requiredKeys: ['notice_hours'] },
)
const rules = rulesTyped
  .map(({ bands: steps, no_show: noShow, ...typed }) => {
    // With a fee, a missed class costs nothing more.
    const costs = { ...(steps ? { bands: steps } : {}), ...(noShow ? { no_show: noShow } : {}) }
    return Rules.safeParse(typed.fee ? typed : { ...typed, ...costs }).data
  })
  .filter((parsed) => parsed !== undefined)
const missed: fc.Arbitrary<Missed> = fc.record({
  outcome: fc.constantFrom('canceled_in_time', 'canceled_late', 'no_show', 'canceled_by_tutor'),
  noticeMinutes: fc.integer({ min: -120, max: 50_000 }),
  price: fc.integer({ min: 0, max: 50_000 }).map(cents),
  currency: fc.constantFrom(DOLLARS, EUROS),
  freeUsed: fc.integer({ min: 0, max: 6 }),
  reason: fc.constantFrom(null, 'illness', 'closing'),
  rescheduledDays: fc.option(fc.integer({ min: 0, max: 40 })),
  makeUpsCounted: fc.integer({ min: 0, max: 6 }),
})

test('a family is never charged below 0, nor more than the price and the amounts, and each charge has its sentence', () => {
  fc.assert(
    fc.property(rules, missed, (terms, one) => {
      const { charge, because } = outcomeOf(terms, one)
      assert.match(because, SENTENCE)
      const costs = [...terms.bands, ...(terms.no_show ? [terms.no_show] : [])]
      const most = one.price + Math.max(0, ...costs.map((cost) => cost.amount ?? 0))
      if (one.outcome === 'canceled_by_tutor') assert.ok(charge <= 0 && charge >= -one.price, because)
      else assert.ok(charge >= 0 && charge <= most, because)
    }),
  )
})

test('canceling later never costs less', () => {
  fc.assert(
    fc.property(rules, missed, fc.integer({ min: 0, max: 50_000 }), (terms, one, more) => {
      const at = (noticeMinutes: number) =>
        outcomeOf(terms, {
          ...one,
          noticeMinutes,
          outcome: isInTime(terms.notice_hours, noticeMinutes) ? 'canceled_in_time' : 'canceled_late',
        }).charge
      assert.ok(at(one.noticeMinutes) >= at(one.noticeMinutes + more))
    }),
  )
})

test('terms always say something, in few paragraphs, and JSON and storage keep them as they are', () => {
  fc.assert(
    fc.property(rules, (terms) => {
      const said = sentencesOf(terms, EUROS)
      assert.ok(said.length >= 1 && said.length <= 7, said.join(' '))
      for (const one of said) assert.match(one, /^[A-Z€0-9].*\.$/)
      assert.doesNotMatch(said.join(' '), /undefined|null|NaN|\$/)
      assert.deepEqual(Rules.parse(rulesInDollars(terms)), terms)
      const stored = JSON.parse(JSON.stringify(storedRules(terms))) as Rules
      assert.deepEqual(Rules.parse(rulesInDollars(stored)), terms)
    }),
  )
})

test('steps that overlap, leave a gap, are out of order or get cheaper are refused, and so are terms that say nothing', () => {
  const problem = (typed: object) => Rules.safeParse(typed).error?.issues[0]?.message
  const band = (until: number, percent: number) => ({ until_hours: until, percent })
  assert.equal(problem({ bands: [band(0, 50)] }), undefined)
  const order = 'Each step has to be closer to the class than the one before it'
  assert.equal(problem({ notice_hours: 24, bands: [band(24, 50), band(0, 100)] }), order)
  assert.equal(problem({ notice_hours: 48, bands: [band(12, 50), band(24, 60), band(0, 100)] }), order)
  assert.equal(problem({ notice_hours: 48, bands: [band(12, 50), band(12, 100)] }), order)
  assert.equal(problem({ notice_hours: 0, bands: [band(0, 50)] }), order)
  assert.equal(problem({ bands: [band(6, 50)] }), 'The last step has to go up to the class itself (0 hours)')
  assert.equal(
    problem({ notice_hours: 48, bands: [band(24, 100), band(0, 50)] }),
    "A later cancellation can't cost less than an earlier one",
  )
  assert.equal(
    problem({ notice_hours: 48, bands: [{ until_hours: 24, amount: 15 }, band(0, 100)] }),
    undefined,
  )
  const many = [4, 3, 2, 0].map((until) => band(until, 50))
  assert.equal(problem({ bands: many }), 'Use at most three steps')
  assert.match(problem({}) ?? '', /^Say at least one thing/)
  assert.match(problem({ notice_hours: 48 }) ?? '', /^Say at least one thing/)
  assert.equal(problem({ bands: [{ until_hours: 0 }] }), 'Enter a percentage, an amount, or both')
  assert.equal(problem({ bands: [{ until_hours: 0, amount: 0 }] }), 'Enter an amount above 0')
  assert.equal(
    problem({ tutor_cancels: { brings: 'credit', within_days: 3 } }),
    'Only a make-up has a last day',
  )
  assert.equal(
    problem({ bands: [band(0, 50)], fee: { per: 'month', amount: 100 } }),
    'A fee covers missed lessons, so they cost nothing more',
  )
  assert.ok(problem({ bands: [band(0, 50)], surprise: 1 }))
})

test('halves of a cent are rounded up, and halves of a yen', () => {
  for (const [percent, price, charge, currency] of [
    [50, 4501, 2251, 'USD'],
    [25, 4502, 1126, 'USD'],
    [1, 49, 0, 'USD'],
    [1, 50, 1, 'USD'],
    [50, 450_100, 225_100, 'JPY'],
    [25, 450_100, 112_500, 'JPY'],
  ] as const) {
    const rules = Rules.parse({ bands: [{ until_hours: 0, percent }] })
    const one = {
      outcome: 'canceled_late' as const,
      noticeMinutes: 60,
      price: cents(price),
      currency: currencyOf(currency),
      freeUsed: 0,
      makeUpsCounted: 0,
    }
    assert.equal(outcomeOf(rules, one).charge, charge, `${percent} % of ${price}`)
    const byTutor = Rules.parse({ tutor_cancels: { brings: 'nothing', late_percent_off: percent } })
    const credit = outcomeOf(byTutor, { ...one, outcome: 'canceled_by_tutor' }).charge
    assert.equal(credit, charge === 0 ? 0 : -charge, 'off the next lesson')
    const week = Rules.parse({ holding_percent: percent })
    assert.equal(holdingFeeOf(week, one.price, one.currency), charge)
  }
})

test('an earlier step that costs more, because it has an amount, also holds for later cancellations', () => {
  const terms = Rules.parse({
    notice_hours: 48,
    bands: [
      { until_hours: 24, amount: 30 },
      { until_hours: 0, percent: 50 },
    ],
  })
  const one = {
    outcome: 'canceled_late',
    currency: DOLLARS,
    freeUsed: 0,
    makeUpsCounted: 0,
    noticeMinutes: 60,
  } as const
  assert.equal(outcomeOf(terms, { ...one, price: cents(4000) }).charge, 3000)
  assert.deepEqual(outcomeOf(terms, { ...one, price: cents(8000) }), {
    charge: 4000,
    makeUp: null,
    usesFree: false,
    because: 'Canceled less than 24 hours before: half the lesson.',
  })
})

test('free cancellations count from January and from July, and money is due on the day agreed', () => {
  assert.deepEqual(halfYearOf('2026-06-30' as CalendarDay), { from: '2026-01-01', to: '2026-06-30' })
  assert.deepEqual(halfYearOf('2026-07-01' as CalendarDay), { from: '2026-07-01', to: '2026-12-31' })
  const later = Rules.parse({ due_day: 5 })
  assert.equal(dueDayOf(later, '2026-11'), '2026-12-05')
  assert.equal(dueDayOf(later, '2026-12'), '2027-01-05')
  const ahead = Rules.parse({ due_day: 1, fee: { per: 'month', amount: 220, is_in_advance: true } })
  assert.equal(dueDayOf(ahead, '2026-11'), '2026-11-01')
  assert.equal(dueDayOf(Rules.parse({ holding_percent: 50 }), '2026-11'), undefined)
})
