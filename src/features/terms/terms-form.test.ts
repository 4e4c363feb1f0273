import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rules, rulesInDollars } from './rules.ts'
import { amountsIn, comparedTo, fieldsOf, rulesOf, STARTS, type TypedRules } from './terms-form.ts'

const again = (rules: TypedRules) => Rules.parse(rulesOf(fieldsOf(rulesInDollars(Rules.parse(rules)))))
/** Leaves out what says nothing. */
const bare = (rules: object): unknown =>
  JSON.parse(JSON.stringify(rules, (_, value: unknown) => (value === null ? undefined : value)))

test('the form keeps what terms say, and starts from terms that only lack an amount', () => {
  const all: TypedRules[] = [
    {
      notice_hours: 36,
      bands: [
        { until_hours: 12, percent: 50, amount: 5.5 },
        { until_hours: 0, percent: 100 },
      ],
      no_show: { percent: 100, amount: 12 },
      free_per_half_year: 2,
      free_if_rescheduled_days: 7,
      is_illness_free: true,
      are_closings_free: true,
      are_late_arrivals_charged: true,
      make_ups: { for: 'in_time', most: 1, per: 'month', until: 60 },
      tutor_cancels: { brings: 'make_up_or_credit', within_days: 14, late_percent_off: 50 },
      holding_percent: 50,
      due_day: 5,
    },
    { notice_hours: 0, fee: { per: 'term', amount: 560, lessons: 14, is_in_advance: true } },
    { fee: { per: 'term', amount: 560 }, term_months: [2, 9] },
    { make_ups: { for: 'missed', per: 'term', until: 'term' }, term_months: [9] },
  ]
  for (const rules of all) assert.deepEqual(bare(again(rules)), bare(Rules.parse(rules)))
  for (const { rules } of STARTS) {
    const typed = rules.fee ? { ...rules, fee: { ...rules.fee, amount: '180' } } : rules
    assert.deepEqual(bare(again(typed)), bare(Rules.parse(typed)))
  }
})

test('numbers are typed with a comma or a point, and what is no number is refused', () => {
  const fields = fieldsOf({ bands: [{ until_hours: 0, percent: 100 }] })
  const late = { what: 'other', percent: '', amount: '12,50' } as const
  assert.deepEqual(Rules.parse(rulesOf({ ...fields, late })).bands, [
    { until_hours: 0, percent: null, amount: 1250 },
  ])
  assert.equal(Rules.safeParse(rulesOf({ ...fields, due_day: 'five' })).success, false)
})

test('new sentences are marked, and those that are gone come last', () => {
  assert.deepEqual(comparedTo(['a', 'c'], ['a', 'b']), [
    { text: 'a' },
    { text: 'c', change: 'new' },
    { text: 'b', change: 'gone' },
  ])
  assert.deepEqual(comparedTo(['a'], undefined), [{ text: 'a' }])
})

test('only amounts that are shown are read in their currency', () => {
  const fields = fieldsOf({
    bands: [
      { until_hours: 6, amount: 10 },
      { until_hours: 0, percent: 40, amount: 5 },
    ],
    no_show: { percent: 100 },
  })
  assert.deepEqual(amountsIn(fields), ['late.amount', 'steps.0.amount'])
  assert.deepEqual(amountsIn({ ...fields, late: { ...fields.late, what: 'full' } }), ['steps.0.amount'])
  assert.deepEqual(amountsIn({ ...fields, fee: { ...fields.fee, per: 'month' } }), ['fee.amount'])
})
