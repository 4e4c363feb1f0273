// Currencies without decimals, through the API and in the database (docs/decisions/0056-currencies-without-decimals.md).
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { post } from '#main/testing/members.server.ts'
import { aPair, idOf, read, rowsOf } from '#main/testing/two-sides.server.ts'

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

const choose = async (who: Caller, currency: string, more: object = {}) => {
  const { status, body } = await who.call('PATCH', '/api/v1/me', { currency, ...more })
  return status === 200 ? String(body.currency) : `${status} ${String(body.code)}`
}

async function aFamilyIn(currency: string) {
  const who = await server.aUser()
  assert.equal(await choose(who, currency), currency)
  const student_id = idOf(await who.call('POST', '/api/v1/students', { name: 'Maya' }))
  const tutor_id = idOf(await who.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 3500 }))
  return { who, student_id, tutor_id }
}

test('D1: every typed amount with decimals is refused in yen, and nothing is stored', async () => {
  const { who, student_id, tutor_id } = await aFamilyIn('JPY')
  const lesson = { student_id, tutor_id, date: '2026-11-02', duration: 1.25 }
  const refused = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const answer = await who.call(method, `/api/v1/${path}`, body)
    assert.deepEqual([answer.status, answer.body.code], [422, 'no_decimals'], `${method} ${path}`)
  }
  const session = idOf(await who.call('POST', '/api/v1/sessions', lesson))
  const price = { student_id, tutor_id, from: '2026-11-01' }
  const { id: priceId } = await post(who, 'prices', { ...price, from: '2026-10-01', amount: 4000 })
  const payment = { tutor_id, date: '2026-11-03', kind: 'payment' }
  const paid = idOf(await who.call('POST', '/api/v1/payments', { ...payment, amount: 5000 }))
  const schedule = {
    student_id,
    tutor_id,
    day_of_week: 1,
    start_time: '16:00',
    duration: 1,
    frequency: 'weekly',
    start_date: '2026-12-07',
  }
  await refused('POST', 'sessions', { ...lesson, hourly_rate: 32.5 })
  await refused('POST', 'sessions', { ...lesson, hourly_rate: '32,50' })
  await refused('PATCH', `sessions/${session}`, { hourly_rate: 32.5 })
  await refused('POST', 'tutors', { name: 'Bo', hourly_rate: 32.5 })
  await refused('PATCH', `tutors/${tutor_id}`, { hourly_rate: 32.5 })
  await refused('POST', 'prices', { ...price, amount: 32.5 })
  await refused('PATCH', `prices/${String(priceId)}`, { amount: 32.5 })
  await refused('POST', 'payments', { ...payment, amount: 32.5 })
  await refused('PATCH', `payments/${paid}`, { amount: 32.5 })
  await refused('POST', 'charges', { tutor_id, date: '2026-11-03', amount: -0.5, reason: 'discount' })
  await refused('POST', 'schedules', { ...schedule, hourly_rate: 32.5 })
  for (const rules of [
    { bands: [{ until_hours: 0, amount: 12.5 }] },
    { no_show: { percent: 50, amount: 0.5 } },
    { fee: { per: 'month', amount: 100.01 } },
  ])
    await refused('POST', 'terms', { tutor_id, rules })
  // Without decimals, they're taken, and what's calculated is whole.
  const stored = (await who.call('GET', `/api/v1/sessions/${session}`)).body
  assert.deepEqual([stored.default_rate, stored.total_amount], [3500, 4375])
  await post(who, 'sessions', { ...lesson, duration: 0.25, hourly_rate: 3333, date: '2026-11-04' })
  const sessions = rowsOf(await who.call('GET', '/api/v1/sessions?from=2026-11-01&to=2026-11-30'))
  assert.deepEqual(sessions.map(({ total_amount: amount }) => amount).sort(), [4375, 833])
  assert.equal(
    (await who.call('POST', '/api/v1/terms', { tutor_id, rules: { fee: { per: 'month', amount: 12_000 } } }))
      .status,
    201,
  )
})

test('D1: won amounts are as high as they are, and a day at the highest rate fits', async () => {
  const { who, student_id, tutor_id } = await aFamilyIn('KRW')
  const pair = { student_id, tutor_id }
  const day = await post(who, 'sessions', { ...pair, date: '2026-11-02', duration: 24, hourly_rate: 500_000 })
  assert.equal(day.total_amount, 12_000_000)
  assert.equal(
    (await post(who, 'payments', { tutor_id, date: '2026-11-03', amount: 20_000_000 })).amount,
    20_000_000,
  )
  const price = { ...pair, from: '2026-11-05', lesson_minutes: 30 }
  const tooHigh = await who.call('POST', '/api/v1/prices', { ...price, amount: 250_001 })
  assert.deepEqual([tooHigh.status, tooHigh.body.code], [422, 'too_high'])
  const { id } = await post(who, 'prices', { ...price, amount: 250_000 })
  const shorter = await who.call('PATCH', `/api/v1/prices/${String(id)}`, { lesson_minutes: 15 })
  assert.deepEqual([shorter.status, shorter.body.code], [422, 'too_high'])
  const lesson = await post(who, 'sessions', { ...pair, date: '2026-11-06', duration: 24 })
  assert.equal(lesson.total_amount, 12_000_000)
})

test('D1, D16: a practice with dollar prices shares whole yen with a family, and neither side proposes decimals', async () => {
  const pair = await aPair(server, undefined, undefined, 'JPY')
  const self = String((rowsOf(await pair.practice.call('GET', '/api/v1/tutors'))[0] ?? {}).id)
  await pair.practice.call('PATCH', `/api/v1/tutors/${self}`, { hourly_rate: 45.5 })
  const id = await pair.log({ hourly_rate: 4500, duration: 0.75 })
  for (const who of [pair.family, pair.practice]) {
    const { version } = await read(who, id)
    const answer = await who.call('POST', `/api/v1/sessions/${id}/dispute`, { proposal: { rate: 45.5 } })
    assert.deepEqual([answer.status, answer.body.code], [422, 'no_decimals'])
    assert.equal((await read(who, id)).version, version)
  }
  const student_id = String((rowsOf(await pair.practice.call('GET', '/api/v1/students'))[0] ?? {}).id)
  const own = await post(pair.practice, 'sessions', {
    student_id,
    tutor_id: self,
    date: '2026-11-21',
    duration: 0.5,
  })
  assert.deepEqual([own.currency, own.default_rate, own.total_amount], ['JPY', 46, 23])
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('D1: records with decimals never change to a currency without them, and those without do', async () => {
  const who = await server.aUser()
  const tutor_id = idOf(await who.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45.5 }))
  const student_id = idOf(await who.call('POST', '/api/v1/students', { name: 'Maya' }))
  const lesson = { student_id, tutor_id, date: '2026-11-02', duration: 0.75 }
  assert.equal(await choose(who, 'JPY', { relabel: true }), '409 decimals_exist', 'a rate')
  await who.call('PATCH', `/api/v1/tutors/${tutor_id}`, { hourly_rate: 45 })
  const id = idOf(await who.call('POST', '/api/v1/sessions', lesson))
  assert.equal(await choose(who, 'JPY', { relabel: true }), '409 decimals_exist', 'an amount of 33.75')
  await who.call('PATCH', `/api/v1/sessions/${id}`, { duration: 1 })
  const paid = idOf(
    await who.call('POST', '/api/v1/payments', { tutor_id, date: '2026-11-03', amount: 10.5 }),
  )
  assert.equal(await choose(who, 'JPY', { relabel: true }), '409 decimals_exist', 'a payment')
  await who.call('PATCH', `/api/v1/payments/${paid}`, { amount: 11 })
  await post(who, 'terms', { tutor_id, rules: { fee: { per: 'month', amount: 99.5 } } })
  assert.equal(await choose(who, 'KRW', { relabel: true }), '409 decimals_exist', 'terms')
  await post(who, 'terms', { tutor_id, rules: { fee: { per: 'month', amount: 99 } } })
  assert.equal(await choose(who, 'KRW'), '409 amounts_exist', 'nothing has decimals anymore')
  assert.equal(await choose(who, 'KRW', { relabel: true }), 'KRW')
  const stored = (await who.call('GET', `/api/v1/sessions/${id}`)).body
  assert.deepEqual([stored.currency, stored.total_amount], ['KRW', 45])
})

test('D1: the database refuses decimals in yen, also from someone who gets past the server', async () => {
  const { who, student_id, tutor_id } = await aFamilyIn('JPY')
  const session = idOf(
    await who.call('POST', '/api/v1/sessions', { student_id, tutor_id, date: '2026-11-02', duration: 1 }),
  )
  const paid = idOf(
    await who.call('POST', '/api/v1/payments', { tutor_id, date: '2026-11-03', amount: 5000 }),
  )
  for (const [statement, id] of [
    ['update sessions set rate_override_cents = 4550 where id = $1', session],
    ['update sessions set tutor_rate_cents = 4550 where id = $1', session],
    ['update payments set amount_cents = 4550 where id = $1', paid],
    ['update tutors set hourly_rate_cents = 4550 where id = $1', tutor_id],
    ['update students set hourly_rate_cents = 4550 where id = $1', student_id],
  ] as const)
    await assert.rejects(superuser.query(statement, [id]), { constraint: 'whole_amounts' }, statement)
})
