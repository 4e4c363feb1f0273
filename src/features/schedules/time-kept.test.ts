// A class that was taught shorter than planned, under terms that charge late arrivals in full: the charge for the time that was
// kept, on both sides, corrected, waived, confirmed, joined, and in a closed month.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { cents, currencyOf, priceOf } from '#kernel/money.ts'
import { aMember } from '#main/testing/members.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { agreedTerms, aPair, chargesOfBoth, idOf, type Row, rowsOf } from '#main/testing/two-sides.server.ts'

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

/** A Thursday. */
const DAY = '2026-11-19'
const LATE = { are_late_arrivals_charged: true, bands: [{ until_hours: 0, percent: 50 }] }
const sentence = (taught: number) => `Time kept for you: ${taught} of 60 minutes were taught.`

/** Two sides with classes on Thursdays at 4, for an hour and $45, and agreed terms unless there are none. */
async function shared(
  rules: object | null = LATE,
  { currency = 'USD', now = '2026-11-27T12:00:00Z', from = '2026-11-01' } = {},
) {
  server.clock.now = new Date(now)
  const pair = await aPair(server, undefined, undefined, currency)
  const { family, practice, child, tutor, student, self } = pair
  const schedule = idOf(
    await family.call('POST', '/api/v1/schedules', {
      day_of_week: 4,
      start_time: '16:00',
      duration: 1,
      start_date: '2026-11-05',
      hourly_rate: 45,
      time_zone: 'America/New_York',
      student_id: child,
      tutor_id: tutor,
    }),
  )
  if (rules) await agreedTerms(superuser, pair, rules, from)
  const log = async (who: Caller, minutes: number, more: object = {}) => {
    const people =
      who === practice ? { student_id: student, tutor_id: self } : { student_id: child, tutor_id: tutor }
    const body = { ...people, date: DAY, duration: minutes / 60, schedule_id: schedule, occurrence_date: DAY }
    const logged = await who.call('POST', '/api/v1/sessions', { ...body, ...more })
    assert.equal(logged.status, 201, JSON.stringify(logged.body))
    return idOf(logged)
  }
  const correct = async (who: Caller, session: string, changes: object) => {
    const changed = await who.call('PATCH', `/api/v1/sessions/${session}`, changes)
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
  }
  const charges = async (who: Caller) =>
    rowsOf(await who.call('GET', '/api/v1/charges?from=2026-11-01&to=2026-12-31'))
  const both = () => chargesOfBoth(pair, '2026-11-01', '2026-12-31')
  const say = (who: Caller, charge: Row | undefined, what: string) =>
    who.call('POST', `/api/v1/charges/${String(charge?.id)}/${what}`, {})
  return { ...pair, schedule, log, correct, charges, both, say }
}

const kept = (amount: number, taught: number) => [DAY, amount, 'other', sentence(taught), DAY]

test('a shorter class keeps its length and proposes the rest of its price to the family, whoever logs it, with its reason', async () => {
  for (const by of ['family', 'practice'] as const) {
    const one = await shared()
    const session = await one.log(one[by], 45)
    assert.deepEqual(await one.both(), [kept(11.25, 45)])
    assert.partialDeepStrictEqual((await one.practice.call('GET', `/api/v1/sessions/${session}`)).body, {
      duration: 0.75,
      total_amount: 33.75,
    })
    const waiting = (who: Caller) => who.call('GET', '/api/v1/charges/waiting').then(rowsOf)
    assert.deepEqual([(await waiting(one.practice)).length, (await waiting(one.family)).length], [0, 1])
    const [charge] = await one.charges(one.family)
    assert.partialDeepStrictEqual(charge, {
      student_id: one.child,
      own_confirmation: 'none',
      other_confirmation: 'confirmed',
    })
    const history = await one[by].call('GET', `/api/v1/charges/${String(charge?.id)}/history`)
    assert.deepEqual(
      rowsOf(history).map((entry) => [entry.by, entry.action]),
      [['you', 'by terms']],
    )
    assert.equal((await one.say(one.family, charge, 'confirm')).body.counts, true)
  }
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('without terms that say so, at full length, longer, with a fee or without a price, nothing is kept', async () => {
  for (const rules of [
    null,
    { bands: LATE.bands },
    { are_late_arrivals_charged: true, fee: { per: 'month', amount: 99 } },
  ]) {
    const one = await shared(rules)
    await one.log(one.practice, 30)
    assert.deepEqual(await one.both(), [], JSON.stringify(rules))
  }
  // A fee is for whole months, so terms that begin within one don't cover its lessons yet.
  const early = await shared(
    { are_late_arrivals_charged: true, fee: { per: 'month', amount: 99 } },
    { from: '2026-11-10' },
  )
  await early.log(early.practice, 30)
  assert.deepEqual(await early.both(), [kept(22.5, 30)])
  for (const minutes of [60, 90]) {
    const one = await shared()
    await one.log(one.family, minutes)
    assert.deepEqual(await one.both(), [])
  }
  // A lesson that isn't a class of the schedule was never planned for longer.
  const other = await shared()
  await other.log(other.family, 30, { schedule_id: undefined, occurrence_date: undefined })
  assert.deepEqual(await other.both(), [])
})

test('the charge follows the class until its payer confirms it', async () => {
  const one = await shared(LATE, { currency: 'EUR' })
  const session = await one.log(one.practice, 45)
  assert.deepEqual(await one.both(), [kept(11.25, 45)])
  const [first] = await one.charges(one.family)
  assert.equal(first?.currency, 'EUR')
  await one.correct(one.practice, session, { duration: 0.5 })
  assert.deepEqual(await one.both(), [kept(22.5, 30)])
  await one.correct(one.family, session, { hourly_rate: 60 })
  assert.deepEqual(await one.both(), [kept(30, 30)])
  const [again] = await one.charges(one.family)
  assert.equal(again?.id, first?.id)
  await one.correct(one.practice, session, { duration: 1 })
  assert.deepEqual(await one.both(), [], 'it took an hour after all')
  await one.correct(one.practice, session, { duration: 0.75 })
  const [charge] = await one.charges(one.family)
  assert.equal((await one.say(one.family, charge, 'confirm')).body.counts, true)
  await one.correct(one.practice, session, { duration: 1 })
  assert.deepEqual(await one.both(), [kept(15, 45)], 'what both agreed on stays')
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('what the family proposes and the tutor accepts counts, and a deleted session takes its charge along', async () => {
  const one = await shared()
  const session = await one.log(one.practice, 30)
  const proposal = { proposal: { duration: 0.75 } }
  assert.equal((await one.family.call('POST', `/api/v1/sessions/${session}/dispute`, proposal)).status, 200)
  assert.deepEqual(await one.both(), [kept(22.5, 30)], 'only proposed')
  assert.equal((await one.practice.call('POST', `/api/v1/sessions/${session}/accept`, {})).status, 200)
  assert.deepEqual(await one.both(), [kept(11.25, 45)])
  const other = await shared()
  const deleted = await other.log(other.practice, 30)
  assert.equal((await other.practice.call('DELETE', `/api/v1/sessions/${deleted}`)).status, 204)
  assert.deepEqual(await other.both(), [])
  await other.log(other.family, 45)
  assert.deepEqual(await other.both(), [kept(11.25, 45)], 'logged again')
})

test('two sessions that turn out to be one lesson have the charge of the class that one of them is for', async () => {
  const one = await shared()
  const usual = { schedule_id: undefined, occurrence_date: undefined, start_time: '10:00' }
  await one.log(one.practice, 60, usual)
  await one.log(one.family, 45, { is_late: true })
  assert.deepEqual(await one.both(), [], 'nobody said yet that it is the same')
  const path = `/api/v1/connections/${one.connection}/pairs`
  const pairs = rowsOf(await one.family.call('GET', path))
  assert.equal(pairs.length, 1)
  const answered = await one.family.call('POST', path, { same: pairs.map(({ id }) => id) })
  assert.equal(answered.body.answered, 1)
  assert.deepEqual(await one.both(), [kept(11.25, 45)])
  const [charge] = await one.charges(one.practice)
  assert.equal((await one.say(one.practice, charge, 'waive')).status, 204)
  const [session] = rowsOf(await one.practice.call('GET', '/api/v1/sessions?month=2026-11'))
  await one.correct(one.practice, String(session?.id), { duration: 0.5 })
  assert.deepEqual(await one.both(), [])
})

test('the tutor waives it in one step, and correcting the class does not bring it back', async () => {
  const one = await shared()
  const session = await one.log(one.family, 45)
  const [charge] = await one.charges(one.practice)
  assert.equal((await one.say(one.family, charge, 'waive')).body.code, 'not_waivable')
  const viewer = await aMember(server, one.family, 'viewer')
  assert.equal((await one.say(viewer, charge, 'waive')).status, 403)
  assert.equal((await one.say(one.practice, charge, 'waive')).status, 204)
  assert.deepEqual(await one.both(), [])
  const history = await one.family.call('GET', `/api/v1/charges/${String(charge?.id)}/history`)
  assert.deepEqual(rowsOf(history).at(-1)?.action, 'waived')
  await one.correct(one.practice, session, { duration: 0.5 })
  assert.deepEqual(await one.both(), [])
  const other = await shared()
  const shorter = await other.log(other.practice, 45)
  const [removed] = await other.charges(other.practice)
  assert.equal((await other.practice.call('DELETE', `/api/v1/charges/${String(removed?.id)}`)).status, 204)
  await other.correct(other.practice, shorter, { duration: 0.5 })
  assert.deepEqual(await other.both(), [], 'deleting it says the same')
})

test('a class that was canceled and is logged shorter after all has one charge, and one that the payer confirmed stays', async () => {
  const one = await shared()
  const end = (outcome: string) =>
    one.practice.call('PUT', `/api/v1/schedules/${one.schedule}/occurrence`, {
      date: DAY,
      status: 'canceled',
      outcome,
    })
  await end('no_show')
  assert.equal((await one.both()).length, 1)
  const logged = await one.practice.call('POST', `/api/v1/schedules/${one.schedule}/log`, { date: DAY })
  assert.deepEqual(await one.both(), [])
  await one.correct(one.practice, idOf(logged), { duration: 0.5 })
  assert.deepEqual(await one.both(), [kept(22.5, 30)])
})

test('a caregiver who logs a shorter class proposes it without being told an amount', async () => {
  const one = await shared()
  const cara = await aMember(server, one.family, 'caregiver')
  await one.log(cara, 45)
  assert.deepEqual(await one.both(), [kept(11.25, 45)])
  assert.equal((await cara.call('GET', '/api/v1/charges')).status, 403)
})

test('in a closed month nothing changes, and each side keeps the charge when the two part', async () => {
  const one = await shared(LATE, { now: '2026-12-01T12:00:00Z' })
  const session = await one.log(one.practice, 45)
  const [charge] = await one.charges(one.family)
  await one.say(one.family, charge, 'confirm')
  await one.family.call('POST', `/api/v1/sessions/${session}/confirm`, {})
  const close = (who: Caller) =>
    who.call('POST', '/api/v1/months/close', { connection_id: one.connection, month: '2026-11' })
  for (const who of [one.practice, one.family]) assert.ok((await close(who)).status < 300)
  const late = await one.practice.call('PATCH', `/api/v1/sessions/${session}`, { duration: 0.5 })
  assert.equal(late.body.code, 'month_closed')
  assert.deepEqual(await one.both(), [kept(11.25, 45)])
  assert.ok((await one.family.call('DELETE', `/api/v1/connections/${one.connection}`, {})).status < 300)
  assert.equal((await one.both()).length, 1)
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('whatever the rate and the minutes, the lesson and its kept time cost the planned price to the cent', async () => {
  const one = await shared()
  const session = await one.log(one.practice, 45)
  for (const [rate, minutes] of [
    [33.33, 15],
    [50.51, 45],
    [0.01, 15],
    [0.01, 45],
    [99.99, 30],
    [45.67, 45],
  ] as const) {
    await one.correct(one.practice, session, { hourly_rate: rate, duration: minutes / 60 })
    const taught = Number((await one.practice.call('GET', `/api/v1/sessions/${session}`)).body.total_amount)
    const added = (await one.both()).reduce((sum, [, amount]) => sum + Number(amount), 0)
    const planned = priceOf(cents(Math.round(rate * 100)), 60, currencyOf('USD'))
    assert.equal(Math.round((taught + added) * 100), planned, `${rate} for ${minutes} minutes`)
  }
})
