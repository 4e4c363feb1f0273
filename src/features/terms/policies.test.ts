// Twenty-one policies as studios and tutors write them: each is entered as terms, and says what can't be entered. The
// charges are what a reader of the policy expects, worked out by hand from its text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as z from 'zod/mini'
import { cents, Currency, currencyOf } from '#kernel/money.ts'
import { holdingFeeOf, type Missed, outcomeOf, shareOf } from './missed.ts'
import { Rules } from './rules.ts'
import { sentencesOf } from './sentences.ts'

const FULL = { percent: 100 }
const HALF = { percent: 50 }
const LATER_FULL = [{ until_hours: 0, ...FULL }]

interface Policy {
  text: string
  rules: z.input<typeof Rules>
  /** What the terms can't say. */
  missing?: string
  says: string[]
  /** What's charged in cents: by the hours of notice, for a no-show, and if the tutor cancels 1 hour before. */
  canceled: [hours: number, cents: number, also?: Partial<Missed>][]
  noShow: number
  byTutor: number
  /** Of one class, in cents; 6000 if it isn't named. */
  price?: number
  currency?: 'EUR' | 'GBP'
  makeUp?: number | 'term'
}

const POLICIES: Policy[] = [
  {
    text: "24 hours' notice; later or no-show: full price.",
    rules: { bands: LATER_FULL },
    says: ['Cancel at least 24 hours before.', 'Later or a no-show: the full lesson.'],
    canceled: [
      [24, 0],
      [23, 6000],
    ],
    noShow: 6000,
    byTutor: 0,
  },
  {
    text: '24 hours; later: half; no-show: full.',
    rules: { bands: [{ until_hours: 0, ...HALF }], no_show: FULL },
    says: ['Cancel at least 24 hours before.', 'Later: half the lesson. No-show: the full lesson.'],
    canceled: [
      [30, 0],
      [3, 3000],
    ],
    noShow: 6000,
    byTutor: 0,
  },
  {
    text: '48 hours; 24 to 48: half; under 24: full; no-show: full.',
    rules: { notice_hours: 48, bands: [{ until_hours: 24, ...HALF }, ...LATER_FULL] },
    says: [
      'Cancel at least 48 hours before.',
      '48 hours to 24 hours before: half the lesson. Later or a no-show: the full lesson.',
    ],
    canceled: [
      [48, 0],
      [24, 3000],
      [23, 6000],
    ],
    noShow: 6000,
    byTutor: 0,
  },
  {
    text: '12 hours; later: $15; no-show: full.',
    rules: { notice_hours: 12, bands: [{ until_hours: 0, amount: 15 }], no_show: FULL },
    says: ['Cancel at least 12 hours before.', 'Later: $15.00. No-show: the full lesson.'],
    canceled: [
      [12, 0],
      [11, 1500],
    ],
    noShow: 6000,
    byTutor: 0,
  },
  {
    text: '24 hours; later: full, unless rescheduled within 7 days, then nothing.',
    rules: { bands: LATER_FULL, free_if_rescheduled_days: 7 },
    says: [
      'Cancel at least 24 hours before.',
      'Later or a no-show: the full lesson.',
      'Free if rescheduled within 7 days.',
    ],
    canceled: [
      [2, 6000],
      [2, 0, { rescheduledDays: 7 }],
      [2, 6000, { rescheduledDays: 8 }],
    ],
    noShow: 6000,
    byTutor: 0,
  },
  {
    text: '24 hours; later: full; illness is free.',
    rules: { bands: LATER_FULL, is_illness_free: true },
    says: ['Cancel at least 24 hours before.', 'Later or a no-show: the full lesson.', 'Free: illness.'],
    canceled: [
      [1, 0, { reason: 'illness' }],
      [1, 6000],
    ],
    noShow: 6000,
    byTutor: 0,
  },
  {
    text: '24 hours; two free late cancellations per half-year, then full.',
    rules: { bands: LATER_FULL, free_per_half_year: 2 },
    says: [
      'Cancel at least 24 hours before.',
      'Later or a no-show: the full lesson.',
      'Free: two late cancellations per half-year.',
    ],
    canceled: [
      [5, 0, { freeUsed: 1 }],
      [5, 6000, { freeUsed: 2 }],
    ],
    noShow: 6000,
    byTutor: 0,
  },
  {
    text: 'One week; 1 to 7 days: 25 %; under a day: 75 %; no-show: full.',
    rules: {
      notice_hours: 168,
      bands: [
        { until_hours: 24, percent: 25 },
        { until_hours: 0, percent: 75 },
      ],
      no_show: FULL,
    },
    says: [
      'Cancel at least a week before.',
      'A week to 24 hours before: 25% of the lesson. Later: 75% of the lesson. No-show: the full lesson.',
    ],
    canceled: [
      [168, 0],
      [100, 1500],
      [6, 4500],
    ],
    noShow: 6000,
    byTutor: 0,
  },
  {
    text: 'Monthly fee of $180 for four lessons; missed ones are made up, two at most, within 30 days.',
    rules: {
      fee: { per: 'month', amount: 180, lessons: 4 },
      make_ups: { for: 'missed', most: 2, until: 30 },
    },
    says: [
      '$180.00 a month for 4 lessons.',
      'Missed lessons are made up, at most two at once, within 30 days.',
    ],
    price: 4500,
    canceled: [[2, 0]],
    noShow: 0,
    byTutor: 0,
    makeUp: 30,
  },
  {
    text: "Monthly fee of €140; nothing is refunded or made up; the tutor's cancellations are credited.",
    rules: { fee: { per: 'month', amount: 140 }, tutor_cancels: { brings: 'credit' } },
    says: ['€140.00 a month for all lessons.', 'If the tutor cancels: the lesson is credited.'],
    currency: 'EUR',
    // In a month with four lessons.
    price: 3500,
    canceled: [
      [48, 0],
      [1, 0],
    ],
    noShow: 0,
    byTutor: -3500,
  },
  {
    text: '24 hours; make-up owed for in-time cancellations, one per month, lapses after 60 days.',
    rules: { bands: LATER_FULL, make_ups: { for: 'in_time', most: 1, per: 'month', until: 60 } },
    says: [
      'Cancel at least 24 hours before.',
      'Later or a no-show: the full lesson.',
      'Lessons canceled at least 24 hours before are made up, at most one a month, within 60 days.',
    ],
    canceled: [
      [25, 0],
      [2, 6000],
    ],
    noShow: 6000,
    byTutor: 0,
    makeUp: 60,
  },
  {
    text: 'No fee for cancellations ever; no-show: half.',
    rules: { notice_hours: 0, no_show: HALF },
    says: ['Canceling is free at any time.', 'No-show: half the lesson.'],
    canceled: [[0.5, 0]],
    noShow: 3000,
    byTutor: 0,
  },
  {
    text: '6 hours; later or no-show: full; tutor cancels late: next lesson half price.',
    rules: {
      notice_hours: 6,
      bands: LATER_FULL,
      tutor_cancels: { brings: 'nothing', late_percent_off: 50 },
    },
    says: [
      'Cancel at least 6 hours before.',
      'Later or a no-show: the full lesson.',
      "If the tutor cancels: half off the next lesson if it's less than 6 hours before.",
    ],
    canceled: [
      [6, 0],
      [5, 6000],
    ],
    noShow: 6000,
    byTutor: -3000,
  },
  {
    text: '24 hours by phone; later: full; tutor cancels: make-up within 14 days or refund.',
    rules: { bands: LATER_FULL, tutor_cancels: { brings: 'make_up_or_credit', within_days: 14 } },
    missing: 'by phone',
    says: [
      'Cancel at least 24 hours before.',
      'Later or a no-show: the full lesson.',
      'If the tutor cancels: a make-up within 14 days, or the money back.',
    ],
    canceled: [
      [24, 0],
      [10, 6000],
    ],
    noShow: 6000,
    byTutor: 0,
    makeUp: 14,
  },
  {
    text: "Term fee of £560 paid in advance for 14 lessons; absences aren't refunded; tutor's are.",
    rules: {
      fee: { per: 'term', amount: 560, lessons: 14, is_in_advance: true },
      term_months: [1, 4, 9],
      tutor_cancels: { brings: 'credit' },
    },
    says: [
      '£560.00 a term for 14 lessons, paid in advance. Terms begin in September, January and April.',
      'If the tutor cancels: the lesson is credited.',
    ],
    currency: 'GBP',
    price: 4000,
    canceled: [[72, 0]],
    noShow: 0,
    byTutor: -4000,
  },
  {
    text: '24 hours; later: the travel cost of $12; no-show: full and travel.',
    rules: { bands: [{ until_hours: 0, amount: 12 }], no_show: { percent: 100, amount: 12 } },
    says: ['Cancel at least 24 hours before.', 'Later: $12.00. No-show: the full lesson and $12.00.'],
    canceled: [
      [24, 0],
      [1, 1200],
    ],
    noShow: 7200,
    byTutor: 0,
  },
  {
    text: '24 hours; full for later; late arrivals are taught to the planned end and charged in full.',
    rules: { bands: LATER_FULL, are_late_arrivals_charged: true },
    says: [
      'Cancel at least 24 hours before.',
      'Later or a no-show: the full lesson.',
      'Late arrivals are taught to the planned end and pay for the whole lesson.',
    ],
    canceled: [[23.5, 6000]],
    noShow: 6000,
    byTutor: 0,
  },
  {
    text: '36 hours; full; snow days and school closings free.',
    rules: { notice_hours: 36, bands: LATER_FULL, are_closings_free: true },
    says: [
      'Cancel at least 36 hours before.',
      'Later or a no-show: the full lesson.',
      'Free: snow days and school closings.',
    ],
    canceled: [
      [36, 0],
      [35, 6000],
      [3, 0, { reason: 'closing' }],
    ],
    noShow: 6000,
    byTutor: 0,
  },
  {
    text: '24 hours; half; money due on the 5th of the next month, reminders on the due day and a week later.',
    rules: { bands: [{ until_hours: 0, ...HALF }], due_day: 5 },
    missing: 'reminders on the due day and a week later: they are the same for everyone',
    says: [
      'Cancel at least 24 hours before.',
      'Later or a no-show: half the lesson.',
      'Money is due on the 5th of the next month.',
    ],
    canceled: [
      [25, 0],
      [20, 3000],
    ],
    noShow: 3000,
    byTutor: 0,
  },
  {
    text:
      'Monthly fee of $220, due on the 1st; 5 lessons in long months are included; one make-up per term, lapses ' +
      "at its end; tutor's cancellations are credited.",
    rules: {
      fee: { per: 'month', amount: 220, is_in_advance: true },
      due_day: 1,
      make_ups: { for: 'missed', most: 1, per: 'term', until: 'term' },
      tutor_cancels: { brings: 'credit' },
    },
    says: [
      '$220.00 a month for all lessons, paid in advance. Money is due on the 1st of the month.',
      'Missed lessons are made up, at most one a term, until the end of the term. Terms begin in January and July.',
      'If the tutor cancels: the lesson is credited.',
    ],
    // In a long month: 220 / 5.
    price: 4400,
    canceled: [[5, 0]],
    noShow: 0,
    byTutor: -4400,
    makeUp: 'term',
  },
  {
    text: 'Holding a place over the summer: half the price each week, nothing taught.',
    rules: { holding_percent: 50 },
    missing: 'over the summer: any week in which the family cancels all lessons is meant',
    says: ['A week in which the family cancels all lessons costs half a lesson, to hold the place.'],
    canceled: [[2, 0]],
    noShow: 0,
    byTutor: 0,
  },
]

const missedAs = (policy: Policy, rules: Rules, missed: Partial<Missed>): Missed => ({
  outcome: 'no_show',
  noticeMinutes: 0,
  price: cents(policy.price ?? 6000),
  currency: Currency.parse(policy.currency ?? 'USD'),
  freeUsed: rules.free_per_half_year ?? 0,
  makeUpsCounted: 0,
  ...missed,
})

for (const [at, policy] of POLICIES.entries())
  test(`policy ${at + 1} charges what its reader expects: ${policy.text}`, () => {
    const rules = Rules.parse(policy.rules)
    assert.deepEqual(sentencesOf(rules, Currency.parse(policy.currency ?? 'USD')), policy.says)
    for (const [hours, charge, also] of policy.canceled) {
      const outcome = hours >= rules.notice_hours ? 'canceled_in_time' : 'canceled_late'
      const missed = missedAs(policy, rules, { outcome, noticeMinutes: hours * 60, ...also })
      const { charge: charged, because } = outcomeOf(rules, missed)
      assert.equal(charged, charge, `canceled ${hours} hours before: ${because}`)
    }
    assert.equal(outcomeOf(rules, missedAs(policy, rules, {})).charge, policy.noShow)
    const byTutor = outcomeOf(
      rules,
      missedAs(policy, rules, { outcome: 'canceled_by_tutor', noticeMinutes: 60 }),
    )
    assert.equal(byTutor.charge, policy.byTutor, byTutor.because)
  })

const USD = currencyOf('USD')

test('at least 18 of the 21 policies can be said in full', () => {
  assert.equal(POLICIES.length, 21)
  const missing = POLICIES.flatMap(({ missing: what }, at) => (what ? [`${at + 1}: ${what}`] : []))
  assert.deepEqual(missing, [
    '14: by phone',
    '19: reminders on the due day and a week later: they are the same for everyone',
    '21: over the summer: any week in which the family cancels all lessons is meant',
  ])
})

test('make-ups are owed for what the policy says, up to its number, and lapse when it says', () => {
  const of = (number: number, missed: Partial<Missed>) => {
    const policy = POLICIES[number - 1] as Policy
    const rules = Rules.parse(policy.rules)
    return outcomeOf(rules, missedAs(policy, rules, missed)).makeUp
  }
  assert.deepEqual(of(9, { outcome: 'canceled_late' }), { until: 30, isPaid: true })
  assert.deepEqual(of(9, { makeUpsCounted: 1 }), { until: 30, isPaid: true })
  assert.equal(of(9, { makeUpsCounted: 2 }), null, 'two at most')
  assert.deepEqual(of(11, { outcome: 'canceled_in_time' }), { until: 60, isPaid: false })
  assert.equal(of(11, { outcome: 'canceled_late' }), null)
  assert.equal(of(11, {}), null)
  assert.deepEqual(of(14, { outcome: 'canceled_by_tutor' }), { until: 14, isPaid: false })
  assert.deepEqual(of(20, {}), { until: 'term', isPaid: true })
  assert.equal(of(20, { makeUpsCounted: 1 }), null)
  assert.equal(of(20, { rescheduledDays: 2 }), null, 'it takes place')
  assert.equal(of(1, {}), null)
})

test('a share of a fee in yen is whole', () => {
  const fee = { per: 'month', amount: cents(1_000_000), lessons: 3, is_in_advance: false } as const
  assert.equal(shareOf(fee, 0, currencyOf('JPY')), 333_300)
  assert.equal(shareOf({ ...fee, lessons: 6 }, 0, currencyOf('JPY')), 166_700)
})

test('a lesson has its share of the fee, and a week without lessons costs what the policy says', () => {
  const fee = (number: number) => Rules.parse((POLICIES[number - 1] as Policy).rules).fee ?? assert.fail()
  assert.equal(shareOf(fee(9), 5, USD), 4500)
  assert.equal(shareOf(fee(10), 4, USD), 3500)
  assert.equal(shareOf(fee(15), 99, USD), 4000)
  assert.equal(shareOf(fee(20), 5, USD), 4400)
  assert.equal(shareOf({ per: 'month', amount: cents(100), lessons: 3, is_in_advance: false }, 0, USD), 33)
  assert.equal(
    shareOf({ per: 'month', amount: cents(101), lessons: 2, is_in_advance: false }, 0, USD),
    51,
    'half up',
  )
  assert.equal(holdingFeeOf(Rules.parse((POLICIES[20] as Policy).rules), cents(6000), USD), 3000)
})
