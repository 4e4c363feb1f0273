// Which weeks are paid for to hold a place, and what both sides get of it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import type { Outcome } from '#features/terms/outcome.ts'
import { Rules } from '#features/terms/rules.ts'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { cents, Currency } from '#kernel/money.ts'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { aPair, idOf, rowsOf } from '#main/testing/two-sides.server.ts'
import { type HeldPlace, holdingFeesUpTo } from './holding.ts'
import { holdingJobs } from './jobs.server.ts'

let server: TestServer
let superuser: pg.Client
before(async () => {
  server = await startTestServer()
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await superuser.end()
  await server.stop()
})

/** A Sunday, with which a week begins. */
const WEEK = '2026-11-01' as CalendarDay
const none = { student: null, tutor: null }
const weekly = (id: string, day_of_week: number, rate: number, more: object = {}) => ({
  id,
  minutes: 60,
  schedule_rate: cents(rate),
  practice: none,
  family: none,
  frequency: 'weekly' as const,
  custom_interval_days: null,
  day_of_week,
  start_date: '2026-09-01',
  end_date: null,
  start_time: '16:00:00',
  ...more,
})
const change = (id: string, at: number, outcome: Outcome | null, more: object = {}) => {
  const day = addDays(WEEK, at)
  return { schedule_id: id, day, place: day, outcome, uses_free: false, ...more }
}
const held = (more: Partial<HeldPlace> = {}, rules: object = {}): HeldPlace => ({
  today: '2026-11-28' as CalendarDay,
  currency: Currency.parse('EUR'),
  versions: [
    { applies_from: '2026-10-01', ended_on: null, rules: Rules.parse({ holding_percent: 50, ...rules }) },
  ],
  // Mondays for $45, and Thursdays for $60.
  schedules: [weekly('mondays', 1, 4500), weekly('thursdays', 4, 6000)],
  changes: [],
  taught: [],
  ...more,
})
const feesOf = (place: HeldPlace) => holdingFeesUpTo(place).map(({ day, amount }) => `${day} ${amount}`)
const both = [change('mondays', 1, 'canceled_in_time'), change('thursdays', 4, 'canceled_in_time')]

test('a week whose classes the family canceled, all of them, costs its part of the first one, with its sentence', () => {
  assert.deepEqual(holdingFeesUpTo(held({ changes: both })), [
    {
      period: 'week 2026-11-01',
      day: '2026-11-07',
      amount: 2250,
      because: 'Place held in the week of Nov 1, 2026: half the lesson.',
    },
  ])
  const [first] = both
  assert.ok(first)
  assert.deepEqual(feesOf(held({ changes: [first] })), [], 'one of two takes place')
  for (const outcome of ['canceled_by_tutor', 'no_show'] as const)
    assert.deepEqual(feesOf(held({ changes: [first, change('thursdays', 4, outcome)] })), [], outcome)
  assert.deepEqual(feesOf(held()), [])
  assert.deepEqual(feesOf(held({ changes: both, schedules: [] })), [], 'nothing was planned')
  assert.deepEqual(
    feesOf(held({ changes: both, taught: ['2026-11-05' as CalendarDay] })),
    [],
    'an extra lesson',
  )
  const unpriced = both.map(({ schedule_id: id }) => weekly(id, id === 'mondays' ? 1 : 4, 0))
  assert.deepEqual(feesOf(held({ changes: both, schedules: unpriced })), [])
})

test('a late cancellation that costs something itself pays for the week, one that is free does not', () => {
  const late = (uses_free: boolean) => [
    change('mondays', 1, 'canceled_in_time'),
    change('thursdays', 4, 'canceled_late', { uses_free }),
  ]
  const bands = { bands: [{ until_hours: 0, percent: 100 }], free_per_half_year: 1 }
  assert.deepEqual(feesOf(held({ changes: late(false) }, bands)), [])
  assert.deepEqual(feesOf(held({ changes: late(true) }, bands)), ['2026-11-07 2250'])
  assert.deepEqual(feesOf(held({ changes: late(false) })), ['2026-11-07 2250'], 'late costs nothing else')
})

test('a week is asked for on its last day, by the terms of its first, and a class counts where it takes place', () => {
  const on = (today: string) => feesOf(held({ changes: both, today: today as CalendarDay }))
  assert.deepEqual([on('2026-11-06'), on('2026-11-07')], [[], ['2026-11-07 2250']])
  const rules = Rules.parse({ holding_percent: 50 })
  const since = (applies_from: string, ended_on: string | null = null) =>
    feesOf(held({ changes: both, versions: [{ applies_from, ended_on, rules }] }))
  assert.deepEqual(since('2026-11-01'), ['2026-11-07 2250'])
  assert.deepEqual(since('2026-11-02'), [])
  assert.deepEqual(since('2026-10-01', '2026-11-01'), [])
  assert.deepEqual(since('2026-10-01', '2026-11-02'), ['2026-11-07 2250'])
  // Thursday's class takes place in the week after, and the other one there is canceled.
  const moved = [
    change('mondays', 1, 'canceled_in_time'),
    change('thursdays', 4, null, { place: '2026-11-12' }),
    change('mondays', 8, 'canceled_in_time'),
    change('thursdays', 11, 'canceled_in_time'),
  ]
  assert.deepEqual(feesOf(held({ changes: moved })), ['2026-11-07 2250'], 'the first week has no other class')
})

test('a fee pays for weeks without lessons already, so it says nothing about holding a place', () => {
  const both = { holding_percent: 50, fee: { per: 'month', amount: 100 } }
  const parsed = Rules.safeParse(both)
  assert.deepEqual(
    parsed.error?.issues.map(({ path, message }) => [path, message]),
    [[['holding_percent'], 'A fee already pays for weeks without lessons']],
  )
})

test('after a vacation each week waits for the family once, whoever runs the job, and a waived one stays away', async () => {
  server.clock.now = new Date('2026-11-20T12:00:00Z')
  const pair = await aPair(server, undefined, undefined, 'EUR')
  const { family, practice, child, tutor, student, connection } = pair
  const schedule = idOf(
    await family.call('POST', '/api/v1/schedules', {
      day_of_week: 4,
      start_time: '16:00',
      duration: 1,
      start_date: '2026-11-05',
      hourly_rate: 45,
      time_zone: 'Europe/Berlin',
      student_id: child,
      tutor_id: tutor,
    }),
  )
  const terms = idOf(
    await practice.call('POST', '/api/v1/terms', { student_id: student, rules: { holding_percent: 50 } }),
  )
  assert.equal((await family.call('POST', `/api/v1/terms/${terms}/confirm`, {})).status, 200)
  const classes = ['2036-08-07', '2036-08-14'].map((date) => ({
    schedule_id: schedule,
    date,
    outcome: 'canceled_in_time',
    was: null,
  }))
  const ended = await family.call('POST', '/api/v1/occurrences/end', { classes })
  assert.equal(ended.status, 201, JSON.stringify(ended.body))
  const runAt = (moment: string) => holdingJobs(server.db, () => new Date(moment)).propose_holding_fees?.()
  const lines = async () => {
    const [ours, theirs] = await Promise.all(
      [family, practice].map(async (who) =>
        rowsOf(await who.call('GET', '/api/v1/charges?from=2036-01-01&to=2036-12-31')).map((one) => [
          one.date,
          one.amount,
          one.currency,
          one.reason,
          one.fee_period,
        ]),
      ),
    )
    assert.deepEqual(ours, theirs)
    return ours
  }
  await runAt('2036-08-08T12:00:00Z')
  assert.deepEqual(await lines(), [])
  for (const moment of ['2036-08-09T12:00:00Z', '2036-08-30T12:00:00Z'])
    await Promise.all([runAt(moment), runAt(moment)])
  const week = (day: string) => [day, 22.5, 'EUR', 'fee', `week ${addDays(day as CalendarDay, -6)}`]
  assert.deepEqual(await lines(), [week('2036-08-16'), week('2036-08-09')])
  const waiting = rowsOf(await family.call('GET', '/api/v1/charges/waiting'))
  assert.partialDeepStrictEqual(waiting[0], {
    connection_id: connection,
    label: 'Place held in the week of Aug 10, 2036: half the lesson.',
    own_confirmation: 'none',
    other_confirmation: 'confirmed',
  })
  const waived = await practice.call('POST', `/api/v1/charges/${String(waiting[0]?.id)}/waive`, {})
  assert.equal(waived.status, 204)
  await runAt('2036-09-30T12:00:00Z')
  assert.deepEqual(await lines(), [week('2036-08-09')])
  assert.equal(
    (await family.call('POST', `/api/v1/charges/${String(waiting[1]?.id)}/confirm`, {})).body.counts,
    true,
  )
})
