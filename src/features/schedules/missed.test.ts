// A class that's missed under agreed terms proposes its charge: on both sides, twice, at once, waived, and in closed months.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { aMember } from '#main/testing/members.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  agreedTerms,
  aPair,
  chargesOfBoth,
  idOf,
  type Pair,
  type Row,
  rowsOf,
} from '#main/testing/two-sides.server.ts'

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

/** Thursdays at 4, $50 each. */
const THURSDAYS = {
  day_of_week: 4,
  start_time: '16:00',
  duration: 1,
  start_date: '2026-11-05',
  hourly_rate: 45,
  time_zone: 'America/New_York',
}
const HALF = { bands: [{ until_hours: 0, percent: 50 }] }
const LATE = 'Canceled less than 24 hours before: half the lesson.'
/** A Thursday, and when it's late to cancel it. */
const DAY = '2026-11-26'
const EVENING_BEFORE = '2026-11-25T22:00:00Z'

const agreed = (pair: Pair, rules: object, since = '2026-11-01') => agreedTerms(superuser, pair, rules, since)

/** Two sides with a shared schedule and, unless there are none, agreed terms. */
async function shared(rules: object | null = HALF, more: object = {}, currency?: string) {
  const pair = await aPair(server, undefined, undefined, currency)
  const { family, child, tutor } = pair
  const made = await family.call('POST', '/api/v1/schedules', {
    ...THURSDAYS,
    student_id: child,
    tutor_id: tutor,
    ...more,
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const id = idOf(made)
  if (rules) await agreed(pair, rules)
  const end = (who: Caller, outcome: string | null, date = DAY, also: object = {}) =>
    who.call('PUT', `/api/v1/schedules/${id}/occurrence`, {
      date,
      status: outcome ? 'canceled' : 'planned',
      ...(outcome && { outcome }),
      ...also,
    })
  const charges = async (who: Caller) =>
    rowsOf(await who.call('GET', '/api/v1/charges?from=2026-11-01&to=2026-12-31'))
  const both = () => chargesOfBoth(pair, '2026-11-01', '2026-12-31')
  const missed = async (who: Caller) =>
    rowsOf(await who.call('GET', '/api/v1/missed?from=2026-11-01&to=2026-12-31'))
  const say = (who: Caller, charge: unknown, what: string) =>
    who.call('POST', `/api/v1/charges/${String(charge)}/${what}`, {})
  const history = async (who: Caller, charge: unknown) =>
    ((await who.call('GET', `/api/v1/charges/${String(charge)}/history`)).body.entries as Row[]).map(
      (one) => [one.by, one.action],
    )
  return { ...pair, id, end, charges, both, missed, say, history }
}
const at = (moment: string) => {
  server.clock.now = new Date(moment)
}

test('a late cancellation proposes its charge to the family, whoever records it, with its reason in one sentence', async () => {
  for (const by of ['family', 'practice'] as const) {
    at(EVENING_BEFORE)
    const one = await shared()
    const answer = await one.end(one[by], 'canceled_late')
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.partialDeepStrictEqual(answer.body, {
      because: LATE,
      is_waived: false,
      charge: { amount: 22.5, currency: 'USD' },
    })
    assert.deepEqual(await one.both(), [[DAY, 22.5, 'missed_lesson', LATE, DAY]])
    const waiting = (who: Caller) => who.call('GET', '/api/v1/charges/waiting').then(rowsOf)
    assert.deepEqual([(await waiting(one.practice)).length, (await waiting(one.family)).length], [0, 1])
    const [charge] = await one.charges(one.family)
    assert.partialDeepStrictEqual(charge, { own_confirmation: 'none', other_confirmation: 'confirmed' })
    assert.equal(charge?.student_id, one.child)
    assert.deepEqual(await one.history(one[by], charge?.id), [['you', 'by terms']])
    assert.equal((await one.say(one.family, charge?.id, 'confirm')).body.counts, true)
    const [seen] = await one.missed(one.practice)
    assert.partialDeepStrictEqual(seen, {
      because: LATE,
      charge: { amount: 22.5, other_confirmation: 'confirmed' },
    })
    assert.equal((await verifyHistory(server.db)).broken, undefined)
  }
})

test('without agreed terms, in time, or for nothing there is no charge, but the class says why', async () => {
  at(EVENING_BEFORE)
  const none = await shared(null)
  assert.partialDeepStrictEqual((await none.end(none.family, 'canceled_late')).body, {
    because: null,
    charge: null,
  })
  const one = await shared({ ...HALF, free_per_half_year: 1 })
  const because = async (outcome: string | null, date = DAY) =>
    (await one.end(one.practice, outcome, date)).body.because
  assert.equal(await because('canceled_in_time'), 'Canceled at least 24 hours before.')
  assert.equal(await because('canceled_by_tutor'), 'Canceled by the tutor: nothing is charged.')
  assert.equal(await because('canceled_late'), 'Free cancellation 1 of 1 in this half-year.')
  assert.deepEqual(await one.both(), [])
  assert.equal(await because('canceled_late', '2026-12-03'), LATE, 'the free one is used')
  assert.equal(await because(null), null)
  assert.equal(await because('canceled_late', '2026-12-10'), 'Free cancellation 1 of 1 in this half-year.')
  assert.deepEqual(
    (await one.both()).map(([date]) => date),
    ['2026-12-03'],
  )
  const proposed = await shared(null)
  const body = { student_id: proposed.student, rules: HALF }
  assert.equal((await proposed.practice.call('POST', '/api/v1/terms', body)).status, 201)
  assert.equal((await proposed.end(proposed.practice, 'canceled_late')).body.because, null, 'only proposed')
})

test('the charge follows the class until its payer confirms it, then it stays', async () => {
  at('2026-11-27T12:00:00Z')
  const one = await shared({ ...HALF, no_show: { amount: 30 } })
  await one.end(one.practice, 'canceled_late')
  const [first] = await one.charges(one.family)
  await one.end(one.family, 'no_show')
  assert.deepEqual(await one.both(), [[DAY, 30, 'missed_lesson', 'No-show: $30.00.', DAY]])
  const [second] = await one.charges(one.family)
  assert.equal(second?.id, first?.id)
  assert.partialDeepStrictEqual(second, { own_confirmation: 'none', other_confirmation: 'confirmed' })
  await one.end(one.family, null)
  assert.deepEqual(await one.both(), [], 'it took place after all')
  assert.deepEqual(
    (await one.history(one.practice, first?.id)).map(([, action]) => action),
    ['by terms', 'changed', 'deleted'],
  )
  await one.end(one.practice, 'canceled_late')
  assert.equal((await one.both()).length, 1)
  assert.equal(
    (await one.practice.call('POST', `/api/v1/schedules/${one.id}/log`, { date: DAY })).status,
    201,
  )
  assert.deepEqual(await one.both(), [], 'logging it says that it took place')
  const other = '2026-11-19'
  await one.end(one.practice, 'canceled_late', other)
  const [charge] = await one.charges(one.family)
  // A dispute is about what was charged before.
  const note = { note: 'It snowed' }
  assert.equal(
    (await one.family.call('POST', `/api/v1/charges/${String(charge?.id)}/dispute`, note)).status,
    200,
  )
  await one.end(one.practice, 'no_show', other)
  const [asked] = await one.charges(one.family)
  assert.deepEqual([asked?.own_confirmation, asked?.dispute_note], ['none', null])
  await one.say(one.family, charge?.id, 'confirm')
  await one.end(one.practice, 'canceled_in_time', other)
  assert.deepEqual(await one.both(), [[other, 30, 'missed_lesson', 'No-show: $30.00.', other]])
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('whoever would be paid waives it in one step, both sides see that, and it is not proposed again for the same', async () => {
  at('2026-11-27T12:00:00Z')
  const one = await shared()
  await one.end(one.family, 'canceled_late')
  const [charge] = await one.charges(one.family)
  const refusal = async (who: Caller) => {
    const { status, body } = await one.say(who, charge?.id, 'waive')
    return [status, body.code]
  }
  assert.deepEqual(await refusal(one.family), [409, 'not_waivable'])
  assert.deepEqual(await refusal(await aMember(server, one.family, 'viewer')), [403, 'read_only'])
  const stranger = (await aPair(server)).practice
  assert.deepEqual(await refusal(stranger), [404, 'not_found'])
  assert.equal((await one.both()).length, 1)
  assert.equal((await one.say(one.practice, charge?.id, 'waive')).status, 204)
  assert.deepEqual(await refusal(one.practice), [404, 'not_found'], 'waived twice')
  assert.deepEqual(await one.both(), [])
  for (const [who, by] of [
    [one.family, 'other'],
    [one.practice, 'you'],
  ] as const) {
    assert.deepEqual((await one.history(who, charge?.id)).at(-1), [by, 'waived'])
    assert.partialDeepStrictEqual(await one.missed(who), [
      { outcome: 'canceled_late', because: LATE, charge: null, is_waived: true },
    ])
  }
  assert.equal((await one.end(one.practice, 'canceled_late')).body.is_waived, true)
  assert.deepEqual(await one.both(), [], 'the same outcome again')
  await one.end(one.practice, 'no_show')
  assert.equal((await one.both()).length, 1, 'another outcome has another charge')
  const [again] = await one.charges(one.practice)
  await one.say(one.family, again?.id, 'confirm')
  assert.deepEqual((await one.say(one.practice, again?.id, 'waive')).body.code, 'not_waivable')
  const stale = await shared()
  await stale.end(stale.practice, 'canceled_late')
  const [kept] = await stale.charges(stale.practice)
  const path = `/api/v1/charges/${String(kept?.id)}`
  const old = await stale.practice.call('POST', `${path}/waive`, {}, { 'if-match': '"99"' })
  assert.deepEqual([old.status, old.body.code], [409, 'changed'])
  assert.equal((await stale.practice.call('DELETE', path, {})).status, 204)
  assert.partialDeepStrictEqual(await stale.missed(stale.family), [{ is_waived: true, charge: null }])
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('a credit is owed to the family, which waives it, and the tutor confirms it', async () => {
  at(EVENING_BEFORE)
  const fee = { per: 'month', amount: 200, lessons: 4 }
  const one = await shared({ fee, tutor_cancels: { brings: 'credit' } })
  const because = 'Canceled by the tutor: the lesson is credited.'
  await one.end(one.practice, 'canceled_by_tutor')
  assert.deepEqual(await one.both(), [[DAY, -50, 'missed_lesson', because, DAY]])
  const [credit] = await one.charges(one.practice)
  assert.partialDeepStrictEqual(credit, { own_confirmation: 'none', other_confirmation: 'confirmed' })
  assert.equal((await one.say(one.practice, credit?.id, 'waive')).body.code, 'not_waivable')
  assert.equal((await one.say(one.practice, credit?.id, 'confirm')).body.counts, true)
  await one.end(one.practice, 'canceled_by_tutor', '2026-12-03')
  const [other] = await one.charges(one.family)
  assert.equal((await one.say(one.family, other?.id, 'waive')).status, 204)
  // Of the classes that were planned that month: four Thursdays from November 5.
  const every = await shared({ fee: { per: 'month', amount: 200 }, tutor_cancels: { brings: 'credit' } })
  await every.end(every.family, 'canceled_by_tutor')
  assert.deepEqual(
    (await every.both()).map(([, amount]) => amount),
    [-50],
  )
})

test('what applies on the day of the class decides, in its zone and its currency, where it takes place', async () => {
  at(EVENING_BEFORE)
  const one = await shared(HALF, {}, 'EUR')
  const later = await agreed(one, { bands: [{ until_hours: 0, amount: 20 }] }, '2026-12-01')
  await one.end(one.practice, 'canceled_late')
  await one.end(one.practice, 'canceled_late', '2026-12-03')
  assert.deepEqual(
    (await one.both()).map(([date, amount, , label]) => [date, amount, label]),
    [
      ['2026-12-03', 20, 'Canceled less than 24 hours before: €20.00.'],
      [DAY, 22.5, LATE],
    ],
  )
  assert.deepEqual(
    (await one.charges(one.family)).map(({ currency }) => currency),
    ['EUR', 'EUR'],
  )
  assert.ok(later)
  // 36 hours before: 7 AM in New York is noon in London.
  const steps = {
    notice_hours: 48,
    bands: [
      { until_hours: 36, percent: 10 },
      { until_hours: 0, percent: 20 },
    ],
  }
  for (const [time_zone, amount] of [
    ['America/New_York', 4.5],
    ['Europe/London', 9],
  ] as const) {
    at('2026-11-25T08:00:00Z')
    const two = await shared(steps, { time_zone })
    await two.end(two.family, 'canceled_late')
    assert.deepEqual(
      (await two.both()).map(([, owed]) => owed),
      [amount],
      time_zone,
    )
  }
  // A class that was moved counts for where it is.
  const moved = await shared(steps)
  const to = { date: DAY, status: 'moved', moved_to: '2026-11-27', start_time: '10:00' }
  const path = `/api/v1/schedules/${moved.id}/occurrence`
  await moved.family.call('PUT', path, to)
  await moved.practice.call('POST', `${path}/answer`, { date: DAY, answer: 'accept' })
  await moved.end(moved.practice, 'canceled_late')
  assert.deepEqual(await moved.both(), [
    ['2026-11-27', 4.5, 'missed_lesson', 'Canceled less than 48 hours before: 10% of the lesson.', DAY],
  ])
})

test('two answers at once make one charge, and two classes at once do not both use the last free cancellation', async () => {
  at(EVENING_BEFORE)
  const one = await shared()
  const said = await Promise.all([
    one.end(one.family, 'canceled_late', DAY, { was: null }),
    one.end(one.practice, 'no_show', DAY, { was: null }),
    one.end(one.practice, 'canceled_late', DAY, { was: null }),
  ])
  assert.ok(said.some(({ status }) => status === 200))
  assert.equal((await one.both()).length, 1)
  const free = await shared({ ...HALF, free_per_half_year: 1 })
  await Promise.all([
    free.end(free.family, 'canceled_late'),
    free.end(free.practice, 'canceled_late', '2026-12-03'),
  ])
  assert.equal((await free.both()).length, 1)
  const [charge] = await one.charges(one.family)
  const twice = await Promise.all([
    one.say(one.practice, charge?.id, 'waive'),
    one.say(one.practice, charge?.id, 'waive'),
  ])
  assert.deepEqual(twice.map(({ status }) => status).sort(), [204, 404])
  // Whoever is first: it's waived, or it's confirmed.
  const race = await shared()
  await race.end(race.family, 'canceled_late')
  const [raced] = await race.charges(race.family)
  const [waived, confirmed] = await Promise.all([
    race.say(race.practice, raced?.id, 'waive'),
    race.say(race.family, raced?.id, 'confirm'),
  ])
  assert.ok((waived.status === 204) !== (confirmed.status === 200))
})

test('a caregiver says how a class ended and is told no amount, and a member for some children neither', async () => {
  at(EVENING_BEFORE)
  const one = await shared()
  const cara = await aMember(server, one.family, 'caregiver')
  const nothing = { because: null, charge: null, is_waived: null }
  const answer = await one.end(cara, 'canceled_late')
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.partialDeepStrictEqual(answer.body, nothing)
  assert.partialDeepStrictEqual(await one.missed(cara), [nothing])
  assert.deepEqual(await one.both(), [[DAY, 22.5, 'missed_lesson', LATE, DAY]])
  const [charge] = await one.charges(one.family)
  assert.equal((await one.say(cara, charge?.id, 'waive')).status, 403)
  const some = await aMember(server, one.family, 'parent', [one.child])
  assert.partialDeepStrictEqual(await one.missed(some), [{ because: null, charge: null }])
  assert.equal((await one.say(some, charge?.id, 'waive')).status, 403)
  const viewer = await aMember(server, one.family, 'viewer')
  assert.deepEqual((await one.end(viewer, 'no_show')).body.code, 'read_only')
  assert.partialDeepStrictEqual(await one.missed(viewer), [{ because: LATE, charge: { amount: 22.5 } }])
})

test('a month with such a charge closes once it is confirmed or waived, and then no class of it costs anything new', async () => {
  at('2026-12-01T12:00:00Z')
  const one = await shared()
  await one.end(one.family, 'canceled_late')
  const close = (who: Caller) =>
    who.call('POST', '/api/v1/months/close', { connection_id: one.connection, month: '2026-11' })
  assert.equal((await close(one.practice)).body.code, 'still_open')
  const [charge] = await one.charges(one.family)
  await one.say(one.family, charge?.id, 'confirm')
  for (const who of [one.practice, one.family]) assert.ok((await close(who)).status < 300)
  for (const [outcome, date] of [
    ['no_show', DAY],
    [null, DAY],
    ['canceled_late', '2026-11-19'],
  ] as const)
    assert.equal((await one.end(one.practice, outcome, date)).body.code, 'month_closed')
  assert.equal((await one.both()).length, 1)
  const waived = await one.say(one.practice, charge?.id, 'waive')
  assert.deepEqual([waived.status, waived.body.code], [409, 'not_waivable'])
})

test('when the two part, each keeps the charge of the class, and nothing new is proposed', async () => {
  at(EVENING_BEFORE)
  const one = await shared()
  await one.end(one.family, 'canceled_late')
  const [charge] = await one.charges(one.family)
  await one.say(one.family, charge?.id, 'confirm')
  const ended = await one.family.call('DELETE', `/api/v1/connections/${one.connection}`, {})
  assert.ok(ended.status < 300, JSON.stringify(ended.body))
  assert.equal((await one.both()).length, 1)
  for (const who of [one.family, one.practice]) {
    assert.equal((await one.end(who, 'canceled_late', '2026-12-03')).body.because, null)
    assert.equal((await one.end(who, null)).status, 200)
  }
  assert.equal((await one.both()).length, 1)
})
