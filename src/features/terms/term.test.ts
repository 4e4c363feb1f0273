import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { Currency } from '#kernel/money.ts'
import { Rules } from './rules.ts'
import { sentencesOf } from './sentences.ts'
import { type Term, termOf } from './term.ts'

const of = (months: number[] | undefined, day: string) => {
  const { from, to } = termOf({ term_months: months }, day as CalendarDay)
  return `${from} ${to}`
}

test('a term goes from the first of its month to the day before the next one begins, also over the end of the year', () => {
  assert.equal(of([9, 2], '2026-08-31'), '2026-02-01 2026-08-31')
  assert.equal(of([9, 2], '2026-09-01'), '2026-09-01 2027-01-31')
  assert.equal(of([9, 2], '2026-12-31'), '2026-09-01 2027-01-31')
  assert.equal(of([9, 2], '2027-01-31'), '2026-09-01 2027-01-31')
  assert.equal(of([9, 2], '2027-02-01'), '2027-02-01 2027-08-31')
  assert.equal(of([9], '2027-03-05'), '2026-09-01 2027-08-31', 'one term a year')
  assert.equal(of([3], '2027-03-01'), '2027-03-01 2028-02-29', 'to the end of a leap February')
  assert.equal(of([1, 4, 9], '2026-12-31'), '2026-09-01 2026-12-31')
})

test('where nothing is said, terms are half-years', () => {
  assert.equal(of(undefined, '2026-06-30'), '2026-01-01 2026-06-30')
  assert.equal(of(undefined, '2026-07-01'), '2026-07-01 2026-12-31')
  assert.equal(of([], '2026-12-31'), '2026-07-01 2026-12-31')
})

test('in ten years, the terms of any months follow each other without a gap', () => {
  for (const months of [[1], [12], [9, 2], [1, 7], [1, 2, 3], [1, 4, 8, 11]]) {
    const terms = new Map<CalendarDay, Term>()
    for (let day = '2026-01-01' as CalendarDay; day < '2036-01-01'; day = addDays(day, 1)) {
      const term = termOf({ term_months: months }, day)
      assert.ok(term.from <= day && day <= term.to, day)
      terms.set(term.from, term)
    }
    const inOrder = [...terms.values()].toSorted((one, other) => (one.from < other.from ? -1 : 1))
    for (const [at, { from }] of inOrder.entries())
      if (at > 0) assert.equal(from, addDays(inOrder[at - 1]?.to ?? from, 1))
    assert.ok(inOrder.length >= months.length * 10)
  }
})

const TERM_FEE = { fee: { per: 'term', amount: 560 } }

test('when terms begin is one to four different months, and only said where something depends on it', () => {
  const problem = (rules: object) => Rules.safeParse(rules).error?.issues[0]?.message
  assert.deepEqual(Rules.parse({ ...TERM_FEE, term_months: [2, 9] }).term_months, [9, 2])
  assert.equal(problem({ ...TERM_FEE, term_months: [] }), 'Choose 1 to 4 months')
  assert.equal(problem({ ...TERM_FEE, term_months: [1, 3, 5, 7, 9] }), 'Choose 1 to 4 months')
  assert.equal(problem({ ...TERM_FEE, term_months: [2, 2] }), 'Choose each month once')
  assert.equal(problem({ ...TERM_FEE, term_months: [13] }), 'Choose months from 1 to 12')
  assert.equal(problem({ ...TERM_FEE, term_months: [1.5] }), 'Choose months from 1 to 12')
  const alone = 'Nothing here depends on when terms begin'
  assert.equal(problem({ due_day: 3, term_months: [9] }), alone)
  assert.equal(problem({ fee: { per: 'month', amount: 9 }, term_months: [9] }), alone)
  for (const makeUps of [{ until: 'term' }, { per: 'term', most: 1 }])
    assert.equal(problem({ make_ups: { for: 'missed', ...makeUps }, term_months: [9, 2] }), undefined)
})

test('the sentences say when terms begin, beside what depends on it', () => {
  const said = (rules: object) => sentencesOf(Rules.parse(rules), Currency.parse('USD'))
  assert.deepEqual(said({ ...TERM_FEE, term_months: [2, 9], due_day: 5 }), [
    '$560.00 a term for all lessons. Terms begin in September and February. Money is due on the 5th of the next month.',
  ])
  assert.deepEqual(said(TERM_FEE), ['$560.00 a term for all lessons. Terms begin in January and July.'])
  assert.deepEqual(said({ make_ups: { for: 'missed', until: 'term' }, term_months: [4, 1, 9] }), [
    'Missed lessons cost nothing.',
    'Missed lessons are made up, until the end of the term. Terms begin in September, January and April.',
  ])
})
