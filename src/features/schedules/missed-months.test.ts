// Random months under agreed terms, against a model of its own: what a family owes for missed classes, to the cent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OUTCOMES, type Outcome } from '#features/terms/outcome.ts'
import { Rules } from '#features/terms/rules.ts'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { cents, type Currency } from '#kernel/money.ts'
import { type MissedFacts, saidByTerms } from './missed.server.ts'

const MONTHS = 5000
const USD = 'USD' as Currency

test('a credit under a term fee is the class’s share of the classes planned in its term', () => {
  const day = '2026-11-05' as CalendarDay
  const facts = (rules: object): MissedFacts => ({
    outcome: 'canceled_by_tutor',
    at: '2026-11-01T12:00:00Z',
    date: day,
    start_time: '16:00',
    time_zone: 'UTC',
    minutes: 60,
    currency: USD,
    schedule_rate: null,
    practice: { student: null, tutor: null },
    family: { student: null, tutor: null },
    free_days: [],
    // Every Thursday from September on: 22 up to the end of January.
    series: [
      {
        frequency: 'weekly',
        custom_interval_days: null,
        day_of_week: 4,
        start_date: '2026-09-03' as CalendarDay,
        end_date: null,
      },
    ],
    terms: [
      {
        connection_id: 'c',
        applies_from: '2026-07-01' as CalendarDay,
        ended_on: null,
        own_confirmation: 'confirmed',
        other_confirmation: 'confirmed',
        rules: Rules.parse({ tutor_cancels: { brings: 'credit' }, ...rules }),
      },
    ],
  })
  const credit = (rules: object) => saidByTerms(facts(rules))?.charge
  assert.equal(credit({ fee: { per: 'term', amount: 440 }, term_months: [9, 2] }), -2000)
  assert.equal(credit({ fee: { per: 'term', amount: 440, lessons: 11 }, term_months: [9, 2] }), -4000)
  // Half-years: 18 from September 3 to December 31.
  assert.equal(credit({ fee: { per: 'term', amount: 180 } }), -1000)
})

/** Always the same numbers, from 0 to below 1. */
function numbers(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
type Random = ReturnType<typeof numbers>
const whole = (random: Random, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1))
const one = <Value>(random: Random, values: readonly Value[]): Value => {
  const value = values[whole(random, 0, values.length - 1)]
  assert.ok(value !== undefined)
  return value
}

/** Terms that people can agree on. */
function someRules(random: Random): Rules {
  for (;;) {
    const rules = Rules.safeParse(someFields(random))
    if (rules.success) return rules.data
  }
}

/** With a fee, or with one or two steps. */
function someFields(random: Random) {
  if (random() < 0.2)
    return {
      fee: { per: 'month', amount: whole(random, 40, 400), lessons: whole(random, 1, 9) },
      tutor_cancels: {
        brings: one(random, ['credit', 'make_up', 'nothing']),
        late_percent_off: one(random, [null, 10, 33]),
      },
    }
  const cost = () =>
    one(random, [
      { percent: whole(random, 1, 100) },
      { amount: whole(random, 1, 60) + 0.5 },
      { percent: 33, amount: 2.25 },
    ])
  const notice = one(random, [12, 24, 48])
  return {
    notice_hours: notice,
    bands: one(random, [
      [{ until_hours: 0, ...cost() }],
      [
        { until_hours: notice / 2, ...cost() },
        { until_hours: 0, ...cost() },
      ],
    ]),
    no_show: one(random, [null, cost()]),
    free_per_half_year: one(random, [null, 1, 2]),
    tutor_cancels: one(random, [null, { brings: 'nothing', late_percent_off: 25 }]),
  }
}

/** One class that both sides share. Times are in whole hours of a zone without changes of the clock. */
interface Class {
  day: CalendarDay
  minutes: number
  rate: number | null
  outcome: Outcome | null
  hoursBefore: number
  /** What is owed, as the command keeps it. */
  charge: number
  usesFree: boolean
  isWaived: boolean
  isConfirmed: boolean
}
interface Version {
  from: CalendarDay
  rules: Rules
}

const halfUp = (top: number, bottom: number) =>
  (top - (top % bottom)) / bottom + ((top % bottom) * 2 >= bottom ? 1 : 0)
type Part = { percent?: number | null | undefined; amount?: number | null | undefined }
const sum = (price: number, { percent, amount }: Part) => halfUp(price * (percent ?? 0), 100) + (amount ?? 0)
const isFirstHalf = ({ day }: Class) => Number(day.slice(5, 7)) <= 6

/** The model: written without the rule's functions. */
function modelOf(one: Class, versions: readonly Version[], others: readonly Class[]) {
  const { outcome } = one
  const version = versions.filter(({ from }) => from <= one.day).at(-1)
  if (!outcome || !version) return { owed: 0, usesFree: false }
  // A month's fee is that of its first day's terms.
  const firstOfMonth = `${one.day.slice(0, 8)}01`
  const rules = {
    ...version.rules,
    fee: versions.filter(({ from }) => from <= firstOfMonth).at(-1)?.rules.fee,
  }
  const price = rules.fee
    ? halfUp(rules.fee.amount, rules.fee.lessons ?? 1)
    : halfUp((one.rate ?? 0) * one.minutes, 60)
  if (outcome === 'canceled_by_tutor') return { owed: -creditOf(one, rules, price) || 0, usesFree: false }
  const [first, second] = rules.bands
  if (rules.fee || !first || outcome === 'canceled_in_time') return { owed: 0, usesFree: false }
  if (outcome === 'no_show') return { owed: sum(price, rules.no_show ?? second ?? first), usesFree: false }
  const freed = others.filter(
    (other) =>
      other !== one &&
      other.usesFree &&
      other.day.slice(0, 4) === one.day.slice(0, 4) &&
      isFirstHalf(other) === isFirstHalf(one),
  ).length
  if (freed < (rules.free_per_half_year ?? 0)) return { owed: 0, usesFree: true }
  const reached = [first, ...(second && one.hoursBefore < first.until_hours ? [second] : [])]
  return { owed: Math.max(...reached.map((band) => sum(price, band))), usesFree: false }
}

function creditOf(
  { hoursBefore }: Class,
  { fee, tutor_cancels: by, notice_hours: notice }: Rules,
  price: number,
) {
  const credit = fee && by?.brings === 'credit' ? price : 0
  if (!by?.late_percent_off || hoursBefore >= notice) return credit
  return Math.min(price, credit + sum(price, { percent: by.late_percent_off }))
}

/** The same as the command does: the charge follows the outcome, unless it was confirmed or waived. */
function follow(one: Class, said: { charge: number; usesFree: boolean } | undefined): void {
  one.usesFree = said?.usesFree ?? false
  if (!one.isConfirmed) one.charge = one.isWaived ? 0 : (said?.charge ?? 0)
}

function factsOf(one: Class, versions: readonly Version[], others: readonly Class[]): MissedFacts {
  const none = { student: null, tutor: null }
  const begins = Date.parse(`${one.day}T16:00:00Z`)
  return {
    outcome: one.outcome,
    at: one.outcome && new Date(begins - one.hoursBefore * 3_600_000).toISOString(),
    date: one.day,
    start_time: '16:00',
    time_zone: 'UTC',
    minutes: one.minutes,
    currency: USD,
    schedule_rate: null,
    practice: none,
    family: { student: null, tutor: one.rate === null ? null : cents(one.rate) },
    free_days: others.filter((other) => other !== one && other.usesFree).map(({ day }) => day),
    series: [],
    terms: versions.toReversed().map(({ from, rules }) => ({
      connection_id: 'one',
      applies_from: from,
      ended_on: null,
      own_confirmation: 'confirmed',
      other_confirmation: 'confirmed',
      rules,
    })),
  }
}

test(`${MONTHS} random months with changes of terms, absences, waivers and confirmations agree with the model, and every charge says why`, () => {
  const counts = { charges: 0, credits: 0, waived: 0, free: 0 }
  for (let month = 0; month < MONTHS; month++) {
    const random = numbers(month)
    const start = `2026-${String(whole(random, 1, 12)).padStart(2, '0')}-01` as CalendarDay
    const versions: Version[] = [
      { from: addDays(start, whole(random, -3, 5)), rules: someRules(random) },
      { from: addDays(start, whole(random, 8, 25)), rules: someRules(random) },
    ]
    const minutes = one(random, [30, 60, 90, 150])
    const rate = one(random, [null, 4500, 3333, 5050, 1])
    const classes = Array.from({ length: 8 }, (_, at): Class => {
      const fresh = {
        outcome: null,
        hoursBefore: 0,
        charge: 0,
        usesFree: false,
        isWaived: false,
        isConfirmed: false,
      }
      return { day: addDays(start, at * 3 + whole(random, 0, 2)), minutes, rate, ...fresh }
    })
    const model = classes.map((fresh) => ({ ...fresh }))
    for (let step = 0; step < 20; step++) {
      const at = whole(random, 0, classes.length - 1)
      const [real, told] = [classes[at], model[at]]
      assert.ok(real && told)
      const does = random()
      if (does < 0.7) {
        const outcome = one(random, [...OUTCOMES, 'canceled_late', null] as const)
        const hoursBefore = whole(random, -2, 60)
        if (outcome === real.outcome) continue
        for (const each of [real, told]) Object.assign(each, { outcome, hoursBefore, isWaived: false })
        const said = saidByTerms(factsOf(real, versions, classes))
        follow(real, said)
        const { owed, usesFree } = modelOf(told, versions, model)
        follow(told, { charge: owed, usesFree })
        if (said) {
          assert.match(said.because, /^[A-Z][^\n]{4,78}\.$/)
          assert.doesNotMatch(said.because.replaceAll(/\d\.\d/g, ''), /\.\s/, 'one sentence')
          if (said.charge > 0) assert.match(said.because, /^(Canceled less than|No-show: )/)
          if (said.charge < 0) assert.match(said.because, /^Canceled by the tutor: /)
        }
        if (real.charge > 0) counts.charges++
        if (real.charge < 0) counts.credits++
        if (real.usesFree) counts.free++
      } else if (real.charge !== 0 && !real.isConfirmed) {
        const isWaived = does < 0.85
        if (isWaived) counts.waived++
        for (const each of [real, told])
          Object.assign(each, isWaived ? { isWaived, charge: 0 } : { isConfirmed: true })
      }
      assert.deepEqual(classes, model, `month ${month}, step ${step}`)
    }
  }
  for (const [what, count] of Object.entries(counts)) assert.ok(count > MONTHS / 5, `${what}: ${count}`)
})
