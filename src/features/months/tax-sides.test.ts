import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connected } from '#main/testing/months.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import type { TaxPeriod } from './tax-period.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const QUARTER = 'from=2026-04-06&to=2026-07-05'
const readPeriod = async (who: Caller, days = QUARTER) =>
  (await who.call('GET', `/api/v1/tax-period?${days}`)).body as unknown as TaxPeriod

test('a tutor sees what was received by the day of payment and taught by the day of the lesson, to the day', async () => {
  const { practice, family, tutor, connection, agree, log } = await connected(server)
  await agree('2026-04-05')
  await agree('2026-04-06', 2)
  await log('2026-07-05')
  await agree('2026-07-06')
  const pay = async (date: string, amount: number, isConfirmed = true) => {
    const paid = await family.call('POST', '/api/v1/payments', {
      tutor_id: tutor,
      date,
      amount,
      note: '=1+1',
    })
    assert.equal(paid.status, 201, JSON.stringify(paid.body))
    if (isConfirmed)
      assert.equal(
        (await practice.call('POST', `/api/v1/payments/${String(paid.body.id)}/confirm`, {})).status,
        200,
      )
  }
  await pay('2026-04-05', 11)
  await pay('2026-04-06', 90)
  await pay('2026-07-05', 45.5)
  await pay('2026-07-01', 7, false)
  await pay('2026-07-06', 13)
  const credit = async (amount: number, reason: string) => {
    const { status, body } = await practice.call('POST', '/api/v1/charges', {
      connection_id: connection,
      date: '2026-05-02',
      amount,
      reason,
    })
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal((await family.call('POST', `/api/v1/charges/${String(body.id)}/confirm`, {})).status, 200)
  }
  await credit(-10.5, 'refund')
  await credit(-3, 'discount')
  const period = await readPeriod(practice)
  assert.deepEqual(period.received, [{ currency: 'USD', count: 2, amount: 125 }])
  assert.deepEqual(period.refunded, [{ currency: 'USD', count: 1, amount: 10.5 }])
  assert.deepEqual(period.credits, [{ currency: 'USD', count: 1, amount: -3 }])
  assert.deepEqual(period.on_its_way, [{ currency: 'USD', count: 1, amount: 7 }])
  assert.deepEqual(period.taught, {
    sessions: 2,
    waiting: 1,
    left_out: 0,
    hours: 3,
    amounts: [{ currency: 'USD', amount: 135 }],
  })
  const csv = await practice.call('GET', `/api/v1/statements/payments.csv?${QUARTER}`)
  const lines = csv.bytes.toString().trim().split('\r\n')
  assert.equal(lines.length, 4)
  assert.match(lines[1] ?? '', /^"2026-04-06",.*"90\.00","USD","Payment"/)
  assert.match(lines[2] ?? '', /^"2026-05-02",.*-10\.5,"USD","Refund"/)
  assert.match(lines[3] ?? '', /^"2026-07-05",.*"45\.50"/)
  assert.doesNotMatch(csv.bytes.toString(), /=1\+1/, "the family's note is its own")
})

test('I12: a note of your own that looks like a formula is plain text in the spreadsheet', async () => {
  const practice = await server.aUser('tutor')
  const student = await practice.call('POST', '/api/v1/students', { name: '=cmd' })
  const paid = { student_id: student.body.id, date: '2026-05-01', amount: 20, note: '=HYPERLINK("x")' }
  assert.equal((await practice.call('POST', '/api/v1/payments', paid)).status, 201)
  const { bytes } = await practice.call('GET', `/api/v1/statements/payments.csv?${QUARTER}`)
  assert.match(bytes.toString(), /"'=cmd"/)
  assert.match(bytes.toString(), /"'=HYPERLINK/)
})

test('T16: a family has no tax period, and a range that ends before it begins is refused', async () => {
  const { family, practice } = await connected(server)
  for (const path of ['tax-period', 'statements/payments.csv']) {
    assert.equal((await family.call('GET', `/api/v1/${path}?${QUARTER}`)).status, 403)
    const refused = await practice.call('GET', `/api/v1/${path}?from=2026-07-05&to=2026-04-06`)
    assert.deepEqual([refused.status, refused.body.code], [422, 'backwards'])
  }
})
