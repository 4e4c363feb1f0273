import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  aFamily,
  aPractice,
  type Asking,
  byLink,
  connectionsOf,
  idOf,
  type Row,
  rowsOf,
  tokenOf,
} from '#main/testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T09:00:00Z')
})
after(() => server.stop())

const DAY = '2026-11-14'
const NOVEMBER = { month: '2026-11' }

/** The requests and answers that the page for a token can send. */
function thePage(token: string) {
  const call = (path: string, body: object = {}, key?: string) =>
    byLink(server.aStranger(), token, path, body, key ? { 'idempotency-key': key } : {})
  return {
    call,
    payments: async () => {
      const { body } = await call('payments')
      return body as unknown as { payments: Row[]; balance: number; on_its_way_amount: number }
    },
    paid: (more: object = {}, key?: string) =>
      call('payments/paid', { date: DAY, amount: 135, method: 'transfer', ...more }, key),
    november: async () => rowsOf(await call('months')).find(({ month }) => month === NOVEMBER.month),
  }
}

/** A family with a tutor who answers by email and has confirmed a $67.50 lesson in November. */
async function answering(): Promise<Asking & { page: ReturnType<typeof thePage>; session: string }> {
  const asking = await aFamily(server)
  const page = thePage(await tokenOf(server, asking.email))
  const session = await asking.log()
  const confirmed = await page.call('confirm', { sessions: [{ id: session, version: 1 }] })
  assert.deepEqual(confirmed.body.confirmed, [session])
  return { ...asking, page, session }
}

const pay = async ({ family, tutor }: Asking, more: object = {}) =>
  idOf(
    await family.call('POST', '/api/v1/payments', {
      tutor_id: tutor,
      date: DAY,
      amount: 135,
      method: 'transfer',
      note: 'a secret',
      ...more,
    }),
  )
const paymentOf = async ({ family }: Asking, id: string) =>
  (await family.call('GET', `/api/v1/payments/${id}`)).body as Row
const refusal = ({ status, body }: Answer) => [status, body.code]

test('without an account: a family\'s payment asks "Received?", counts once it\'s received, and the answer can be no, or undone', async () => {
  const asking = await answering()
  const { page } = asking
  const id = await pay(asking)
  const before = await page.payments()
  assert.deepEqual([before.balance, before.on_its_way_amount], [67.5, 135])
  assert.deepEqual(before.payments, [
    {
      id,
      connection_id: asking.connection,
      other_name: null,
      student_name: null,
      date: DAY,
      kind: 'payment',
      amount: 135,
      hours: null,
      method: 'transfer',
      currency: 'USD',
      own_confirmation: 'none',
      other_confirmation: 'confirmed',
      dispute_note: null,
      proposal: null,
      reference: null,
      deletion_asked_by: null,
      waits_for_you: true,
      asked_at: before.payments[0]?.asked_at,
      reminders: 0,
      reminded_at: null,
      is_read_only: false,
      version: 1,
    },
  ])
  assert.deepEqual(Object.keys(before).sort(), [
    'balance',
    'charges',
    'currency',
    'due',
    'on_its_way_amount',
    'payments',
    'reference',
    'side',
    'ways',
    'ways_changed_at',
  ])
  const sent = await page.call('payments/dispute', { id, version: 1, note: 'Nothing came' })
  assert.equal(sent.body.own_confirmation, 'disputed')
  assert.equal((await paymentOf(asking, id)).dispute_note, 'Nothing came')
  assert.deepEqual((await page.payments()).on_its_way_amount, 0, 'what did not come is not on its way')
  const back = await page.call('payments/withdraw', { id, version: sent.body.version })
  assert.equal(back.body.own_confirmation, 'none')

  const seen = { id, version: Number(back.body.version) }
  assert.deepEqual(refusal(await page.call('payments/confirm', { id, version: 1 })), [409, 'changed'])
  const taken = await Promise.all([page.call('payments/confirm', seen), page.call('payments/confirm', seen)])
  assert.deepEqual(
    taken.map(({ status, body }) => [status, body.own_confirmation, body.version]),
    [1, 2].map(() => [200, 'confirmed', seen.version + 1]),
    'a double tap is one answer',
  )
  const after = await page.payments()
  assert.deepEqual([after.balance, after.on_its_way_amount], [-67.5, 0])
  assert.equal((await paymentOf(asking, id)).counts, true)

  // Changing the amount means the other side has to confirm it again.
  await asking.family.call('PATCH', `/api/v1/payments/${id}`, { amount: 67.5 })
  const [changed] = (await page.payments()).payments
  assert.deepEqual([changed?.waits_for_you, changed?.amount], [true, 67.5])
  await page.call('payments/confirm', { id, version: changed?.version })
  assert.equal((await page.payments()).balance, 0)
})

test('without an account: a received payment is recorded once, and the family is asked to confirm it', async () => {
  const asking = await answering()
  const { page } = asking
  const key = crypto.randomUUID()
  const [first, second] = await Promise.all([page.paid({}, key), page.paid({}, key)])
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.deepEqual(second.body, first.body, 'a double tap is one payment')
  assert.equal((await page.payments()).payments.length, 1)
  assert.deepEqual(refusal(await page.paid()), [409, 'same_payment'])
  assert.equal((await page.paid({ is_another: true })).status, 201)
  const id = String(first.body.id)
  const { own_confirmation: own, other_confirmation: other } = await paymentOf(asking, id)
  assert.deepEqual([own, other], ['none', 'confirmed'])
  await asking.family.call('POST', `/api/v1/payments/${id}/confirm`, {})
  assert.equal((await page.payments()).balance, -67.5)

  // A payment that the other side confirmed can be deleted only with that side's consent. One that it never
  // answered is deleted right away.
  const [one, two] = (await page.payments()).payments
  const [agreed, alone] = one?.id === id ? [one, two] : [two, one]
  const gone = await page.call('payments/delete', { id: alone?.id, version: alone?.version })
  assert.deepEqual([gone.status, gone.body], [204, {}])
  const asked = await page.call('payments/delete', { id, version: agreed?.version })
  assert.deepEqual([asked.status, asked.body.code], [202, 'deletion_requested'])
  assert.equal((await page.payments()).payments[0]?.deletion_asked_by, 'you')
  const kept = await page.call('payments/keep', { id, version: asked.body.version })
  assert.equal(kept.body.deletion_asked_by, null)
})

test('without an account: a payment can be corrected after the family disputes it, and the family is asked again', async () => {
  const asking = await answering()
  const { page, family } = asking
  const id = idOf(await page.paid())
  await family.call('POST', `/api/v1/payments/${id}/dispute`, { note: 'It was $120' })
  const [wrong] = (await page.payments()).payments
  assert.deepEqual([wrong?.other_confirmation, wrong?.dispute_note], ['disputed', 'It was $120'])
  const seen = { id, version: wrong?.version }
  const change = (more: object) => page.call('payments/change', { ...seen, ...more })
  assert.deepEqual(refusal(await change({ amount: 0 })), [422, 'no_amount'])
  assert.deepEqual(refusal(await change({ date: '2026-12-03' })), [422, 'too_far_ahead'])
  assert.deepEqual(refusal(await change({ version: 1, amount: 120 })), [409, 'changed'])
  assert.deepEqual(refusal(await change({ note: 'mine' })), [422, 'invalid'])
  const right = await change({ amount: 120, date: '2026-11-15', method: 'cash' })
  const {
    amount,
    date,
    method,
    own_confirmation: own,
    other_confirmation: other,
    dispute_note: note,
  } = right.body
  assert.deepEqual(
    [amount, date, method, own, other, note],
    [120, '2026-11-15', 'cash', 'confirmed', 'none', null],
  )
  const theirs = await paymentOf(asking, id)
  assert.deepEqual([theirs.amount, theirs.own_confirmation, theirs.counts], [120, 'none', false])
})

test('a payment by email of zero, a negative amount, far ahead or without a token is refused at its field, and nothing is recorded', async () => {
  const { page } = await answering()
  for (const [more, code] of [
    [{ amount: 0 }, 'no_amount'],
    [{ amount: -1 }, 'invalid'],
    [{ amount: 20_000_000.01 }, 'invalid'],
    [{ amount: 'much' }, 'invalid'],
    [{ date: '2026-12-03' }, 'too_far_ahead'],
    [{ date: 'soon' }, 'invalid'],
    [{ kind: 'hours' }, 'no_hours'],
    [{ tutor_id: crypto.randomUUID() }, 'invalid'],
    [{ currency: 'EUR' }, 'invalid'],
  ] as const)
    assert.deepEqual(refusal(await page.paid(more)), [422, code], JSON.stringify(more))
  assert.deepEqual((await page.payments()).payments, [])
  assert.equal((await page.paid({ date: '2026-12-02' })).status, 201, 'somewhere it is tomorrow already')
})

test('T8: an emailed link answers for the payments and months of its connection and for nothing else', async () => {
  const [mine, theirs] = [await answering(), await answering()]
  const foreign = await pay(theirs)
  for (const id of [foreign, crypto.randomUUID()])
    for (const [path, more] of [
      ['confirm', {}],
      ['withdraw', {}],
      ['dispute', { note: 'Nothing came' }],
      ['keep', {}],
      ['delete', {}],
      ['change', { amount: 1 }],
    ] as const)
      assert.equal((await mine.page.call(`payments/${path}`, { id, version: 1, ...more })).status, 404, path)
  assert.equal((await paymentOf(theirs, foreign)).other_confirmation, 'none')
  assert.deepEqual((await mine.page.payments()).payments, [])
  // The same idempotency key on two links creates two payments.
  const [one, two] = [await mine.page.paid({}, 'key'), await theirs.page.paid({ amount: 1 }, 'key')]
  assert.notEqual(idOf(one), idOf(two))
})

/** Every operation, each with a valid body. */
const OPERATIONS: [path: string, body: object][] = [
  ['payments', {}],
  ['payments/paid', { date: DAY, amount: 10 }],
  ...['confirm', 'withdraw', 'keep', 'delete'].map((path): [string, object] => [
    `payments/${path}`,
    { id: crypto.randomUUID(), version: 1 },
  ]),
  ['payments/dispute', { id: crypto.randomUUID(), version: 1, note: 'Nothing came' }],
  ['payments/change', { id: crypto.randomUUID(), version: 1, amount: 10 }],
  ['months', {}],
  ['months/close', NOVEMBER],
  ['months/withdraw', NOVEMBER],
  ['months/reopen', { ...NOVEMBER, reason: 'A lesson was missing' }],
  ['months/page', NOVEMBER],
  ['months/page.pdf', NOVEMBER],
]

test('a link that expired, was ended, was taken over by an account, or never existed says so for every payment and month', async () => {
  const expired = await answering()
  const ended = await answering()
  await ended.page.call('end', { forget: false })
  const endedByFamily = await answering()
  const [open] = await connectionsOf(endedByFamily.family)
  await endedByFamily.family.call('DELETE', `/api/v1/connections/${open?.id}`)
  const takenOver = await answering()
  const { practice } = await aPractice(server, takenOver.email)
  await practice.call('PATCH', `/api/v1/connections/${takenOver.connection}`, { state: 'active' })
  const unknown = { page: thePage('x'.repeat(43)) }
  const refused = async (what: string, { page }: Pick<typeof expired, 'page'>) => {
    for (const [path, body] of OPERATIONS)
      assert.deepEqual(refusal(await page.call(path, body)), [404, 'link_gone'], `${what}: ${path}`)
  }
  await refused('ended', ended)
  await refused('ended by the family', endedByFamily)
  await refused('taken over', takenOver)
  await refused('unknown', unknown)
  const now = server.clock.now
  server.clock.now = new Date(now.getTime() + 46 * 86_400_000)
  await refused('expired', expired)
  server.clock.now = now
  assert.equal((await expired.page.payments()).payments.length, 0)
})

test('without an account: a month is closed with one tap, both keep the same PDF byte for byte, and a change needs a reason', async () => {
  const asking = await answering()
  const { family, page, connection } = asking
  const id = await pay(asking)
  const open = await page.november()
  assert.deepEqual([open?.state, open?.can_close, open?.open_payments], ['open', false, 1])
  const early = await page.call('months/close', NOVEMBER)
  assert.deepEqual(refusal(early), [409, 'still_open'])
  assert.deepEqual(early.body.errors, [{ field: 'payments', message: '1 payment for you to confirm' }])
  assert.deepEqual(refusal(await page.call('months/page', NOVEMBER)), [404, 'not_found'])
  assert.deepEqual(refusal(await page.call('months/close', { month: '2026-10' })), [409, 'nothing_to_close'])
  assert.deepEqual(refusal(await page.call('months/close', { month: '2026-12' })), [409, 'not_over'])

  await page.call('payments/confirm', { id, version: 1 })
  const asked = await family.call('POST', '/api/v1/months/close', { connection_id: connection, ...NOVEMBER })
  assert.equal(asked.body.state, 'asked_by_you')
  assert.equal((await page.november())?.state, 'asked_by_other')
  const done = await Promise.all([page.call('months/close', NOVEMBER), page.call('months/close', NOVEMBER)])
  assert.deepEqual(
    done.map(({ body }) => [body.state, body.balance]),
    [
      ['closed', -67.5],
      ['closed', -67.5],
    ],
  )
  const code = String(done[0]?.body.code)
  assert.equal(done[1]?.body.code, code, 'a double tap closes once')
  const [theirs, ours] = [
    await family.call('GET', `/api/v1/months/page.pdf?connection_id=${connection}&month=2026-11`),
    await page.call('months/page.pdf', NOVEMBER),
  ]
  assert.equal(ours.headers['content-type'], 'application/pdf')
  assert.ok(ours.status === 200 && ours.bytes.equals(theirs.bytes))
  const shown = await page.call('months/page', NOVEMBER)
  assert.deepEqual([shown.body.code, shown.body.paid_amount], [code, 135])
  assert.doesNotMatch(JSON.stringify(shown.body), /Whitfield|a secret|example\.com/)

  assert.deepEqual(refusal(await page.paid({ amount: 20 })), [409, 'month_closed'])
  const [closed] = (await page.payments()).payments
  assert.deepEqual(refusal(await page.call('payments/withdraw', { id, version: closed?.version })), [
    409,
    'month_closed',
  ])
  const card = { id, version: closed?.version, date: closed?.date, amount: closed?.amount, method: 'card' }
  assert.deepEqual(refusal(await page.call('payments/change', card)), [409, 'month_closed'])
  assert.equal((await page.call('months/reopen', { ...NOVEMBER, reason: ' ' })).status, 422)
  const reopened = await page.call('months/reopen', { ...NOVEMBER, reason: 'A payment was missing' })
  assert.deepEqual([reopened.body.state, reopened.body.reason], ['reopened', 'A payment was missing'])
  assert.deepEqual(refusal(await page.call('months/reopen', { ...NOVEMBER, reason: 'again' })), [
    409,
    'not_closed',
  ])
  assert.equal((await page.paid({ amount: 20 })).status, 201)
})

test('a month that the emailed page asked to close is closed when the family confirms, and a late tap does not close it again after reopening', async () => {
  const { family, page, connection } = await answering()
  assert.equal((await page.call('months/close', NOVEMBER)).body.state, 'asked_by_you')
  const wanted = { connection_id: connection, ...NOVEMBER }
  assert.equal((await family.call('POST', '/api/v1/months/close', wanted)).body.state, 'closed')
  const before = await page.november()
  await family.call('POST', '/api/v1/months/reopen', { ...wanted, reason: 'Two lessons were missing' })
  assert.deepEqual(refusal(await page.call('months/close', { ...NOVEMBER, version: before?.version })), [
    409,
    'changed',
  ])
  assert.equal((await page.november())?.reason, 'Two lessons were missing')
})

test('the emailed page can withdraw its request to close a month until the family confirms', async () => {
  const { family, page, connection } = await answering()
  assert.deepEqual(refusal(await page.call('months/withdraw', NOVEMBER)), [409, 'not_asked'])
  await page.call('months/close', NOVEMBER)
  const back = await page.call('months/withdraw', NOVEMBER)
  assert.deepEqual([back.status, back.body.state], [200, 'open'])
  const wanted = { connection_id: connection, ...NOVEMBER }
  assert.equal((await family.call('POST', '/api/v1/months/close', wanted)).body.state, 'asked_by_you')
  assert.deepEqual(refusal(await page.call('months/withdraw', NOVEMBER)), [409, 'not_asked'])
  await page.call('months/close', NOVEMBER)
  assert.deepEqual(refusal(await page.call('months/withdraw', NOVEMBER)), [409, 'already_closed'])
})

/** A family without an account. Its tutor asked it to connect and logged a $67.50 lesson in November. */
async function aFamilyByEmail() {
  const practice = await server.aUser('tutor')
  await practice.call('PATCH', '/api/v1/me', { full_name: 'Ingrid Lindqvist' })
  const self = String(rowsOf(await practice.call('GET', '/api/v1/tutors'))[0]?.id)
  await practice.call('PATCH', `/api/v1/tutors/${self}`, { hourly_rate: 45 })
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'Maya Whitfield' }))
  const session = idOf(
    await practice.call('POST', '/api/v1/sessions', {
      student_id: student,
      tutor_id: self,
      date: '2026-11-20',
      duration: 1.5,
    }),
  )
  const email = `family-${Math.random().toString(36).slice(2)}@example.com`
  const connection = idOf(
    await practice.call('POST', '/api/v1/connections', { email, student_ids: [student] }),
  )
  const ways = await practice.call(
    'PUT',
    '/api/v1/payment-ways',
    { ways: [{ kind: 'link', url: 'https://paypal.me/IngridTutors' }] },
    { 'if-match': '"0"' },
  )
  assert.equal(ways.status, 200, JSON.stringify(ways.body))
  return { practice, session, connection, page: thePage(await tokenOf(server, email)) }
}

test('a family without an account pays the way its tutor asked, taps "I paid", closes the month, and both have the same PDF', async () => {
  const { practice, session, connection, page } = await aFamilyByEmail()
  const { body } = await page.call('payments')
  assert.deepEqual(
    [body.side, body.balance, (body.ways as Row[]).map(({ url }) => url)],
    ['family', 67.5, ['https://paypal.me/IngridTutors']],
  )
  await page.call('confirm', { sessions: [{ id: session, version: 1 }] })
  const paid = await page.paid({ amount: 67.5 })
  assert.equal(paid.status, 201)
  const { payments, balance, on_its_way_amount: underway } = await page.payments()
  assert.equal(payments[0]?.other_name, 'Ingrid Lindqvist')
  assert.deepEqual([balance, underway], [67.5, 67.5])
  const waiting = rowsOf(await practice.call('GET', '/api/v1/payments/waiting'))
  assert.deepEqual(
    waiting.map(({ id }) => id),
    [paid.body.id],
  )
  const received = await practice.call('POST', `/api/v1/payments/${String(paid.body.id)}/confirm`, {})
  assert.equal(received.status, 200)
  assert.equal((await page.payments()).balance, 0)
  assert.deepEqual(
    [(await page.november())?.can_close, (await page.november())?.other_name],
    [true, 'Ingrid Lindqvist'],
  )
  assert.equal((await page.call('months/close', NOVEMBER)).body.state, 'asked_by_you')
  const wanted = { connection_id: connection, ...NOVEMBER }
  assert.equal((await practice.call('POST', '/api/v1/months/close', wanted)).body.state, 'closed')
  const [theirs, ours] = [
    await practice.call('GET', `/api/v1/months/page.pdf?connection_id=${connection}&month=2026-11`),
    await page.call('months/page.pdf', NOVEMBER),
  ]
  assert.ok(ours.status === 200 && ours.bytes.equals(theirs.bytes))
  assert.equal((await page.call('months/reopen', { ...NOVEMBER, reason: 'One was missing' })).status, 200)
  await page.call('end', { forget: false })
  assert.deepEqual(refusal(await page.call('payments')), [404, 'link_gone'])
})

test('an unanswered emailed link shows its payments and months, and only an answer accepts the request', async () => {
  const asking = await aFamily(server)
  const page = thePage(await tokenOf(server, asking.email))
  const stateOf = async () => (await connectionsOf(asking.family))[0]?.state
  await asking.log()
  await page.payments()
  await page.november()
  assert.deepEqual(refusal(await page.paid({ amount: 0 })), [422, 'no_amount'])
  assert.deepEqual(refusal(await page.call('months/close', NOVEMBER)), [409, 'still_open'])
  assert.equal(await stateOf(), 'asked')
  assert.equal((await page.paid()).status, 201)
  assert.equal(await stateOf(), 'active')
})
