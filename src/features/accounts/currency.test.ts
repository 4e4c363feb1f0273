import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  aFamily,
  aPair,
  aPractice,
  idOf,
  read,
  type Row,
  rowsOf,
  sessionsOf,
} from '#main/testing/two-sides.server.ts'

let server: TestServer
let superuser: pg.Client
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T09:00:00Z')
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
const paymentsOf = async (who: Caller) =>
  rowsOf(await who.call('GET', '/api/v1/payments?from=2026-01-01&to=2026-12-31'))
const isIntact = async () => assert.equal((await verifyHistory(server.db)).broken, undefined)

test('D16: what two sides share keeps its currency, whoever asks and however', async () => {
  const pair = await aPair(server)
  assert.equal(await choose(pair.family, 'CAD'), 'CAD', 'nothing is shared yet')
  assert.equal(await choose(pair.family, 'USD'), 'USD')
  const id = await pair.log()
  assert.equal((await pair.practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})).status, 200)
  const before = [await read(pair.family, id), await read(pair.practice, id)]
  assert.equal(await choose(pair.family, 'EUR'), '409 other_currency')
  assert.equal(await choose(pair.family, 'EUR', { relabel: true }), '409 other_currency')
  assert.deepEqual([await read(pair.family, id), await read(pair.practice, id)], before)
  assert.equal((await pair.family.call('GET', '/api/v1/me')).body.currency, 'USD')
  assert.equal(await choose(pair.family, 'USD'), 'USD', 'choosing the same again changes nothing')
  await assert.rejects(
    superuser.query("update sessions set currency = 'EUR' where id = $1", [id]),
    /keep their currency/,
  )
  await assert.rejects(
    superuser.query("update workspaces set currency = 'EUR' where id = $1", [pair.family.id]),
    /keep their currency/,
  )

  // What a practice shares with a family is in the family's currency, so the practice may choose its own.
  assert.equal(await choose(pair.practice, 'GBP'), 'GBP')
  assert.equal((await read(pair.practice, id)).currency, 'USD')
  await isIntact()
})

test('D16: a payment on its way, a session sent to an address, and a pair to compare keep the currency too', async () => {
  const paid = await aPair(server)
  const payment = { tutor_id: paid.tutor, date: '2026-11-20', amount: 12.34 }
  assert.equal((await paid.family.call('POST', '/api/v1/payments', payment)).status, 201)
  assert.equal(await choose(paid.family, 'CHF', { relabel: true }), '409 other_currency')

  const asked = await aFamily(server)
  await asked.log({ date: '2026-11-19' })
  assert.equal(await choose(asked.family, 'CHF', { relabel: true }), '409 other_currency')
  await asked.family.call('DELETE', `/api/v1/connections/${asked.connection}`, {})
  assert.equal(await choose(asked.family, 'CHF'), '409 amounts_exist')

  const { practice, self } = await aPractice(server, 'invites@example.com')
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'Noor' }))
  await practice.call('POST', '/api/v1/sessions', {
    student_id: student,
    tutor_id: self,
    date: '2026-11-18',
    duration: 1,
  })
  const invited = { email: 'invited@example.com', student_ids: [student], name: 'Ingrid' }
  assert.equal((await practice.call('POST', '/api/v1/connections', invited)).status, 201)
  assert.equal(await choose(practice, 'CHF', { relabel: true }), '409 other_currency')
})

test('D16: a closed month stays as it was after the sides part, and own amounts are relabeled only when told so', async () => {
  const pair = await aPair(server)
  const id = await pair.log()
  await pair.practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  const later = await pair.log({ date: '2026-12-01' })
  await pair.practice.call('POST', `/api/v1/sessions/${later}/confirm`, {})
  const month = { connection_id: pair.connection, month: '2026-11' }
  await pair.family.call('POST', '/api/v1/months/close', month)
  const { code } = (await pair.practice.call('POST', '/api/v1/months/close', month)).body
  assert.ok(code)
  assert.equal(await choose(pair.family, 'EUR', { relabel: true }), '409 other_currency')
  await pair.family.call('DELETE', `/api/v1/connections/${pair.connection}`, {})

  assert.equal(await choose(pair.family, 'EUR'), '409 amounts_exist')
  assert.equal(await choose(pair.family, 'EUR', { relabel: false }), '409 amounts_exist')
  const before = await read(pair.family, later)
  assert.equal(await choose(pair.family, 'EUR', { relabel: true }), 'EUR')
  assert.equal((await read(pair.family, id)).currency, 'USD', 'what is on the closed page stays')
  const relabeled = await read(pair.family, later)
  assert.deepEqual([relabeled.currency, relabeled.total_amount], ['EUR', before.total_amount])
  assert.ok(relabeled.version > before.version)
  assert.deepEqual(
    [before.other_confirmation, relabeled.other_confirmation, relabeled.own_confirmation],
    ['confirmed', 'none', 'confirmed'],
    'the tutor confirmed another amount',
  )
  const [last] = (
    rowsOf(await pair.family.call('GET', `/api/v1/sessions/${later}/history`)) as Row[]
  ).reverse()
  assert.deepEqual(
    [last?.action, last?.changed, last?.currency, last?.by],
    ['changed', ['currency'], 'EUR', 'you'],
  )
  assert.equal((await read(pair.practice, later)).currency, 'USD', "the tutor's copy is the tutor's")
  const page = await server.app.inject({ method: 'GET', url: `/verify/${String(code)}` })
  assert.match(page.payload, /genuine/)
  await isIntact()
})

test('own amounts keep their numbers in the new currency, in sessions and payments alike', async () => {
  const family = await server.aUser()
  const child = idOf(await family.call('POST', '/api/v1/students', { name: 'Leo' }))
  const tutor = idOf(await family.call('POST', '/api/v1/tutors', { name: 'Bo' }))
  const lesson = { student_id: child, tutor_id: tutor, date: '2026-11-02', duration: 1.25 }
  await family.call('POST', '/api/v1/sessions', lesson)
  assert.equal(await choose(family, 'INR'), 'INR', 'a lesson without a rate is no amount')
  await family.call('POST', '/api/v1/sessions', { ...lesson, hourly_rate: 33.33 })
  await family.call('POST', '/api/v1/payments', { tutor_id: tutor, date: '2026-11-03', amount: 7 })
  assert.equal(await choose(family, 'NOK'), '409 amounts_exist')
  assert.equal((await paymentsOf(family))[0]?.currency, 'INR')
  assert.equal(await choose(family, 'NOK', { relabel: true }), 'NOK')
  assert.deepEqual(new Set((await sessionsOf(family)).map(({ currency }) => currency)), new Set(['NOK']))
  const [payment] = await paymentsOf(family)
  assert.deepEqual([payment?.currency, payment?.amount, payment?.counts], ['NOK', 7, true])
  assert.equal((await family.call('PATCH', '/api/v1/me', { relabel: true })).status, 200)
  await isIntact()
})

test('a lesson logged while the currency changes is in one of the two, and never shared in the wrong one', async () => {
  for (let round = 0; round < 8; round++) {
    const pair = await aPair(server)
    const [chosen, id] = await Promise.all([choose(pair.family, 'EUR', { relabel: true }), pair.log()])
    const { currency } = await read(pair.family, id)
    assert.equal(currency, chosen === 'EUR' ? 'EUR' : 'USD', chosen)
    assert.equal((await pair.family.call('GET', '/api/v1/me')).body.currency, currency)
  }
  await isIntact()
})
