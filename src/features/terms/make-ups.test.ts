import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { Currency } from '#kernel/money.ts'
import { isOwedOn, makeUpsOf, type MissedClass, shownMakeUps, type TermsVersion } from './make-ups.ts'
import type { Outcome } from './outcome.ts'
import { type MakeUps, Rules } from './rules.ts'

const USD = Currency.parse('USD')
const PAIR = { connection_id: 'c', student_id: 's', tutor_id: 't' }
const agreed = (applies_from: string, rules: object, more: object = {}): TermsVersion => ({
  connection_id: 'c',
  student_id: null,
  tutor_id: 't',
  applies_from,
  ended_on: null,
  own_confirmation: 'confirmed',
  other_confirmation: 'confirmed',
  rules: Rules.parse(rules),
  ...more,
})
const NAMES = { student_name: 'Maya', tutor_name: 'Ingrid' }
const missed = (day: string, outcome: Outcome = 'canceled_in_time', more: object = {}): MissedClass => ({
  ...PAIR,
  ...NAMES,
  id: day,
  day: day as CalendarDay,
  outcome,
  uses_free: false,
  currency: USD,
  ...more,
})
const usedOn = (days: Record<string, string>) => new Map(Object.entries(days)) as Map<string, CalendarDay>
const daysOf = (versions: TermsVersion[], classes: MissedClass[], used: Record<string, string> = {}) =>
  makeUpsOf(versions, classes, usedOn(used)).map(({ day, until }) => `${day} until ${until}`)
const terms = (make_ups: object, more: object = {}) => [agreed('2026-01-01', { make_ups, ...more })]

test('a class brings a make-up if the terms of its day say so, and lapses by them', () => {
  const versions = [
    agreed('2026-10-10', { make_ups: { for: 'in_time' } }),
    agreed('2026-09-01', { make_ups: { for: 'in_time', until: 30 } }),
  ]
  const classes = [missed('2026-10-10'), missed('2026-10-09'), missed('2026-08-31')]
  assert.deepEqual(daysOf(versions, classes), ['2026-10-09 until 2026-11-08', '2026-10-10 until null'])
  const [kept] = makeUpsOf(versions, classes, new Map())
  assert.ok(kept)
  assert.deepEqual(
    ['2026-11-08', '2026-11-09'].map((day) => isOwedOn(kept, day as CalendarDay)),
    [true, false],
  )
})

test('which misses are made up, and what the tutor owes for canceling, is as agreed', () => {
  const classes = [
    missed('2026-10-01'),
    missed('2026-10-02', 'canceled_late'),
    missed('2026-10-03', 'no_show'),
    missed('2026-10-04', 'canceled_by_tutor'),
  ]
  assert.deepEqual(daysOf(terms({ for: 'in_time' }), classes), ['2026-10-01 until null'])
  assert.equal(daysOf(terms({ for: 'missed' }), classes).length, 3)
  const tutor = [agreed('2026-01-01', { tutor_cancels: { brings: 'make_up', within_days: 14 } })]
  assert.deepEqual(daysOf(tutor, classes), ['2026-10-04 until 2026-10-18'])
  assert.deepEqual(daysOf([], classes), [])
})

test('a make-up costs nothing if the missed class is charged or covered by a fee', () => {
  const paid = (rules: object, classes: MissedClass[]) =>
    makeUpsOf([agreed('2026-01-01', rules)], classes, new Map()).map(({ isPaid }) => isPaid)
  const both = [missed('2026-10-01'), missed('2026-10-02', 'canceled_late')]
  const full = { make_ups: { for: 'missed' }, bands: [{ until_hours: 0, percent: 100 }] }
  assert.deepEqual(paid(full, both), [false, true])
  assert.deepEqual(
    paid({ ...full, free_per_half_year: 1 }, [
      ...both,
      missed('2026-10-03', 'canceled_late', { uses_free: true }),
    ]),
    [false, true, false],
    'which one was free is known',
  )
  const fee = { make_ups: { for: 'in_time' }, fee: { per: 'month', amount: 100 } }
  assert.deepEqual(paid(fee, both), [true])
})

test('a limit counts those owed at once, or those of a month or a term', () => {
  const classes = ['2026-11-03', '2026-11-10', '2026-12-01', '2027-01-05'].map((day) => missed(day))
  const most = (per: string, used: Record<string, string> = {}, more: object = {}) =>
    makeUpsOf(terms({ for: 'in_time', most: 1, per, ...more }), classes, usedOn(used)).map(({ day }) => day)
  assert.deepEqual(most('once'), ['2026-11-03'])
  assert.deepEqual(most('once', { '2026-11-03': '2026-11-05' }), ['2026-11-03', '2026-11-10'])
  assert.deepEqual(most('once', { '2026-11-03': '2026-11-12' }), ['2026-11-03', '2026-12-01'])
  assert.deepEqual(most('once', {}, { until: 20 }), ['2026-11-03', '2026-12-01', '2027-01-05'])
  assert.deepEqual(most('month'), ['2026-11-03', '2026-12-01', '2027-01-05'])
  assert.deepEqual(most('term'), ['2026-11-03', '2027-01-05'])
})

test('what the tutor owes for canceling is not limited, and takes nobody else’s place', () => {
  const rules = { make_ups: { for: 'in_time', most: 1 }, tutor_cancels: { brings: 'make_up' } }
  const classes = [missed('2026-10-01', 'canceled_by_tutor'), missed('2026-10-02', 'canceled_by_tutor')]
  const given = daysOf([agreed('2026-01-01', rules)], [...classes, missed('2026-10-03')])
  assert.equal(given.length, 3)
})

test('a make-up until the end of the term lapses after its last day, also at the turn of the year', () => {
  const classes = [missed('2026-06-30'), missed('2026-07-01'), missed('2026-12-31')]
  const versions = terms({ for: 'in_time', until: 'term' })
  assert.deepEqual(daysOf(versions, classes), [
    '2026-06-30 until 2026-06-30',
    '2026-07-01 until 2026-12-31',
    '2026-12-31 until 2026-12-31',
  ])
  const semesters = [
    agreed('2026-01-01', { make_ups: { for: 'in_time', until: 'term' }, term_months: [9, 2] }),
  ]
  assert.deepEqual(daysOf(semesters, [missed('2026-08-31'), missed('2026-12-31')]), [
    '2026-08-31 until 2026-08-31',
    '2026-12-31 until 2027-01-31',
  ])
  const onePerTerm = [
    agreed('2026-01-01', { make_ups: { for: 'in_time', most: 1, per: 'term' }, term_months: [9, 2] }),
  ]
  assert.deepEqual(
    makeUpsOf(
      onePerTerm,
      [missed('2026-08-31'), missed('2026-09-01'), missed('2027-01-31'), missed('2027-02-01')],
      new Map(),
    ).map(({ day }) => day),
    ['2026-08-31', '2026-09-01', '2027-02-01'],
  )
  const days = terms({ for: 'in_time', until: 10 })
  assert.deepEqual(daysOf(days, [missed('2026-12-28')]), ['2026-12-28 until 2027-01-07'])
})

test('children and tutors are counted for themselves, and nobody’s own terms are another’s', () => {
  const others = { connection_id: null, tutor_id: 'other' }
  const versions = [
    ...terms({ for: 'in_time', most: 1 }),
    agreed('2026-01-01', { make_ups: { for: 'in_time' } }, { ...others, other_confirmation: 'none' }),
  ]
  const classes = [
    missed('2026-10-01'),
    missed('2026-10-02', 'canceled_in_time', { student_id: 'twin' }),
    missed('2026-10-03', 'canceled_in_time', others),
    missed('2026-10-04', 'canceled_in_time', { connection_id: null, tutor_id: 'third' }),
  ]
  assert.deepEqual(
    makeUpsOf(versions, classes, new Map()).map(({ day }) => day),
    ['2026-10-01', '2026-10-02', '2026-10-03'],
  )
})

test('a make-up that a session used stays given, whatever is taken back before it', () => {
  const versions = terms({ for: 'in_time', most: 1 })
  const classes = [missed('2026-11-01'), missed('2026-11-10')]
  assert.deepEqual(daysOf(versions, classes, { '2026-11-10': '2026-11-12' }).length, 2)
})

test('what lapsed is shown for 30 days, after what is owed, the first to lapse first', () => {
  const given = makeUpsOf(
    terms({ for: 'in_time', until: 30 }),
    [missed('2026-10-01'), missed('2026-10-20'), missed('2026-11-02')],
    usedOn({ '2026-11-02': '2026-11-03' }),
  )
  const on = (day: string) =>
    shownMakeUps(given, () => day as CalendarDay).map(({ state, until }) => `${state} ${until}`)
  assert.deepEqual(on('2026-11-01'), ['owed 2026-11-19', 'lapsed 2026-10-31'])
  assert.deepEqual(on('2026-11-30'), ['lapsed 2026-10-31', 'lapsed 2026-11-19'])
  assert.deepEqual(on('2026-12-01'), ['lapsed 2026-11-19'])
  assert.deepEqual(on('2026-12-20'), [])
})

// A second way to say the same, written day by day: every day, what is over lapses, what is held is used, and what is
// missed brings one.
function dayByDay(rules: MakeUps, classes: readonly { day: CalendarDay; usedAfter: number | null }[]) {
  const first = '2026-10-01' as CalendarDay
  let owed: { day: CalendarDay; left: number | null; usedIn: number | null }[] = []
  const brought: CalendarDay[] = []
  for (let day = first; day <= '2027-02-28'; day = addDays(day, 1)) {
    owed = owed
      .map((one) => ({
        ...one,
        left: one.left === null ? null : one.left - 1,
        usedIn: one.usedIn === null ? null : one.usedIn - 1,
      }))
      .filter(({ left, usedIn }) => (left === null || left >= 0) && (usedIn === null || usedIn > 0))
    const today = classes.find((one) => one.day === day)
    if (!today) continue
    const counted =
      rules.per === 'once'
        ? owed.length
        : brought.filter((one) =>
            rules.per === 'month' ? one.slice(0, 7) === day.slice(0, 7) : termOf(one) === termOf(day),
          ).length
    if (today.usedAfter === null && counted >= (rules.most ?? 1000)) continue
    const left = rules.until === 'term' ? daysToEnd(day) : (rules.until ?? null)
    brought.push(day)
    owed.push({ day, left, usedIn: today.usedAfter })
    if (today.usedAfter === 0) owed.pop()
  }
  return { brought, owed: owed.map((one) => one.day) }
}
const termOf = (day: string) => `${day.slice(0, 4)}${Number(day.slice(5, 7)) > 6}`
function daysToEnd(day: CalendarDay) {
  let count = 0
  while (termOf(addDays(day, count + 1)) === termOf(day)) count++
  return count
}

test('over random months, a count day by day gives the same make-ups', () => {
  const at = fc.record({
    after: fc.integer({ min: 0, max: 140 }),
    usedAfter: fc.option(fc.integer({ min: 0, max: 4 })),
  })
  const rules = fc.record({
    for: fc.constant('in_time' as const),
    most: fc.option(fc.integer({ min: 1, max: 3 })),
    per: fc.constantFrom('once' as const, 'month' as const, 'term' as const),
    until: fc.oneof(fc.constant(null), fc.constant('term' as const), fc.integer({ min: 5, max: 60 })),
  })
  fc.assert(
    fc.property(
      rules,
      fc.uniqueArray(at, { maxLength: 12, selector: ({ after }) => after }),
      (makeUps, days) => {
        // A make-up in use is held before it lapses.
        const classes = days
          .map(({ after, usedAfter }) => ({ day: addDays('2026-10-01' as CalendarDay, after), usedAfter }))
          .map((one) => ({
            ...one,
            usedAfter:
              one.usedAfter !== null && termOf(addDays(one.day, one.usedAfter)) === termOf(one.day)
                ? one.usedAfter
                : null,
          }))
        const used = usedOn(
          Object.fromEntries(
            classes.flatMap(({ day, usedAfter }) =>
              usedAfter === null ? [] : [[day, addDays(day, usedAfter)]],
            ),
          ),
        )
        const given = makeUpsOf(
          terms(makeUps),
          classes.map(({ day }) => missed(day)),
          used,
        )
        const expected = dayByDay(makeUps, classes)
        assert.deepEqual(
          given.map(({ day }) => day),
          expected.brought,
        )
        assert.deepEqual(
          given.filter((one) => isOwedOn(one, '2027-02-28' as CalendarDay)).map(({ day }) => day),
          expected.owed,
        )
      },
    ),
    { numRuns: 1000 },
  )
})
