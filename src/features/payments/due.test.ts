import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Rules } from '#features/terms/rules.ts'
import { addDays, type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { cents, currencyOf } from '#kernel/money.ts'
import { type Entry, ledgerOf as ledgerIn } from './balance.ts'
import { dueLine } from './balance-text.ts'
import { dueDaysRemindedOn, moneyDue, type TermsVersion } from './due.ts'

const ledgerOf = <E extends Entry>(entries: readonly E[]) => ledgerIn(entries, currencyOf('USD'))

const day = (text: string) => text as CalendarDay
let last = 0
const entry = (kind: Entry['kind'], on: string, amount: number, more: Partial<Entry> = {}): Entry => ({
  id: String(last++).padStart(5, '0'),
  kind,
  day: day(on),
  minutes: (kind === 'hours' ? 60 : 0) as Minutes,
  rate: null,
  amount: cents(amount),
  ...more,
})
const terms = (rules: unknown, from = '2026-01-01', more: Partial<TermsVersion> = {}): TermsVersion => ({
  connection_id: 'one',
  applies_from: from,
  ended_on: null,
  own_confirmation: 'confirmed',
  other_confirmation: 'confirmed',
  rules: Rules.parse(rules),
  ...more,
})
const FIFTH = [terms({ due_day: 5, is_illness_free: true })]
const due = (entries: Entry[], today: string, versions: readonly TermsVersion[] = FIFTH) =>
  moneyDue(ledgerOf(entries), versions, day(today)).map((one) => `${one.day} ${one.amount}`)

test('a month’s money is due on the next month’s day, once the month is over', () => {
  const lessons = [entry('session', '2026-11-03', 4500), entry('session', '2026-11-30', 4500)]
  assert.deepEqual(due(lessons, '2026-11-30'), [], 'the month isn’t over')
  for (const today of ['2026-12-01', '2026-12-05', '2027-03-01'])
    assert.deepEqual(due(lessons, today), ['2026-12-05 9000'])
  assert.deepEqual(due([...lessons, entry('session', '2026-12-02', 4500)], '2026-12-08'), ['2026-12-05 9000'])
  assert.deepEqual(due([...lessons, entry('session', '2026-12-02', 4500)], '2027-01-01'), [
    '2026-12-05 9000',
    '2027-01-05 4500',
  ])
})

test('payments and credits cover the oldest money first, and charges count', () => {
  const owed = [entry('session', '2026-10-03', 4500), entry('session', '2026-11-03', 4500)]
  const paid = (amount: number) => due([...owed, entry('payment', '2026-11-10', amount)], '2026-12-02')
  assert.deepEqual(paid(1000), ['2026-11-05 3500', '2026-12-05 4500'])
  assert.deepEqual(paid(5000), ['2026-12-05 4000'])
  assert.deepEqual(paid(9000), [])
  assert.deepEqual(paid(20_000), [])
  assert.deepEqual(due([...owed, entry('charge', '2026-12-01', -5000)], '2026-12-02'), ['2026-12-05 4000'])
  assert.deepEqual(due([...owed, entry('charge', '2026-11-20', 1200)], '2026-12-02'), [
    '2026-11-05 4500',
    '2026-12-05 5700',
  ])
  assert.deepEqual(
    due([...owed, entry('charge', '2026-11-20', 1200, { counts: false, standing: 'waiting' })], '2026-12-02'),
    ['2026-11-05 4500', '2026-12-05 4500'],
  )
  assert.deepEqual(due([entry('opening', '2026-10-01', 3000)], '2026-12-02'), ['2026-11-05 3000'])
})

test('hours bought ahead pay for themselves, and not for older money', () => {
  const bought = [entry('session', '2026-10-03', 4500), entry('hours', '2026-11-01', 8000)]
  assert.deepEqual(due(bought, '2026-12-02'), ['2026-11-05 4500'])
})

test('a payment that one side reported ends it, and one that was sent back doesn’t', () => {
  const lesson = entry('session', '2026-11-03', 4500)
  const said = (standing: Entry['standing'], on = '2026-12-05') =>
    due([lesson, entry('payment', on, 4500, { counts: false, standing })], '2026-12-05')
  assert.deepEqual(said('waiting'), [])
  assert.deepEqual(said('waiting', '2026-12-06'), [], 'it may be tomorrow already where the other side is')
  assert.deepEqual(said('disputed'), ['2026-12-05 4500'])
})

test('with a fee in advance, money is due in its month, and what comes after the day with the next month', () => {
  const ahead = [terms({ fee: { per: 'month', amount: 180, is_in_advance: true }, due_day: 5 })]
  const fee = entry('charge', '2026-11-01', 18_000)
  assert.deepEqual(due([fee], '2026-11-01', ahead), ['2026-11-05 18000'])
  const later = [fee, entry('session', '2026-11-20', 4500)]
  assert.deepEqual(due(later, '2026-11-25', ahead), ['2026-11-05 18000'])
  assert.deepEqual(due(later, '2026-12-01', ahead), ['2026-11-05 18000', '2026-12-05 4500'])
  assert.deepEqual(due([entry('charge', '2026-11-05', 18_000)], '2026-11-05', ahead), ['2026-11-05 18000'])
})

test('the terms that apply on a month’s last day say when its money is due', () => {
  const lessons = [entry('session', '2026-10-03', 4500), entry('session', '2026-11-03', 4500)]
  const tenth = terms({ due_day: 10, is_illness_free: true }, '2026-11-30')
  assert.deepEqual(due(lessons, '2026-12-20', [tenth, ...FIFTH]), ['2026-11-05 4500', '2026-12-10 4500'])
  assert.deepEqual(due(lessons, '2026-12-20', [tenth]), ['2026-12-10 4500'], 'October had no terms')
  const without = terms({ is_illness_free: true }, '2026-11-15')
  assert.deepEqual(due(lessons, '2026-12-20', [without, ...FIFTH]), ['2026-11-05 4500'])
  const unanswered = { other_confirmation: 'none' } as const
  assert.deepEqual(due(lessons, '2026-12-20', [terms({ due_day: 10 }, '2026-10-01', unanswered)]), [])
  assert.deepEqual(
    due(lessons, '2026-12-20', [terms({ due_day: 5 }, '2026-01-01', { ended_on: '2026-11-20' })]),
    ['2026-11-05 4500'],
  )
})

test('February has every day that can be chosen', () => {
  const lesson = [entry('session', '2027-01-03', 4500)]
  assert.deepEqual(due(lesson, '2027-02-28', [terms({ due_day: 28 })]), ['2027-02-28 4500'])
  for (const impossible of [0, 29, 31, 2.5])
    assert.equal(Rules.safeParse({ due_day: impossible }).success, false)
})

test('a due day alone can be agreed on', () => {
  assert.equal(Rules.safeParse({ due_day: 5 }).success, true)
})

test('what is due is what’s owed from months that are over, to the cent', () => {
  const from = day('2026-01-01')
  const any = fc.record({
    kind: fc.constantFrom('session', 'payment', 'charge', 'opening', 'hours'),
    at: fc.nat(360),
    amount: fc.integer({ min: 1, max: 20_000 }),
    isCredit: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(any, { maxLength: 40 }), fc.nat(360), (all, now) => {
      const today = addDays(from, now)
      const lines = ledgerOf(
        all.map(({ kind, at, amount, isCredit }) =>
          entry(kind, addDays(from, at), kind === 'charge' && isCredit ? -amount : amount),
        ),
      )
      const sum = moneyDue(lines, FIFTH, today).reduce((total, { amount }) => total + amount, 0)
      const balance = lines.findLast(({ entry: one }) => one.day <= today)?.balance ?? 0
      const thisMonth = lines
        .filter(({ entry: one }) => one.day <= today && monthOf(one.day) === monthOf(today))
        .reduce((total, { charged, paid }) => total + Math.max(charged - paid, 0), 0)
      assert.equal(sum, Math.max(balance - thisMonth, 0))
    }),
    { numRuns: 2000 },
  )
})

test('reminders come on the due day and one and two weeks later, by the terms of the month', () => {
  const days = Array.from({ length: 90 }, (_, at) => addDays(day('2026-11-01'), at))
  const reminded = (versions: readonly TermsVersion[], isRepeated = true) =>
    days.flatMap((one) => dueDaysRemindedOn(one, versions, isRepeated).map((of) => `${one} ${of}`))
  assert.deepEqual(reminded([terms({ due_day: 5 }, '2026-11-20')]), [
    '2026-12-05 2026-12-05',
    '2026-12-12 2026-12-05',
    '2026-12-19 2026-12-05',
    '2027-01-05 2027-01-05',
    '2027-01-12 2027-01-05',
    '2027-01-19 2027-01-05',
  ])
  assert.deepEqual(reminded([terms({ due_day: 5 }, '2026-11-20')], false), [
    '2026-12-05 2026-12-05',
    '2027-01-05 2027-01-05',
  ])
  assert.deepEqual(reminded([terms({ is_illness_free: true })]), [])
  assert.equal(reminded([terms({ due_day: 28 }, '2026-11-01')]).at(0), '2026-12-28 2026-12-28')
})

test('says what is due, and since when', () => {
  const both = [
    { date: '2026-11-05', amount: 45 },
    { date: '2026-12-05', amount: 90 },
  ]
  const usd = currencyOf('USD')
  assert.equal(dueLine(both, usd, day('2026-12-05')), '$45.00 due since Nov 5, $90.00 due Dec 5')
  assert.equal(dueLine([], usd, day('2026-12-05')), undefined)
})
