// A charge or credit is recorded by either side, counts once both confirmed it, and is in every figure from then on.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { textOfPdf } from '#main/testing/paper.server.ts'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  aFamily,
  aPair,
  byLink,
  idOf,
  type Pair,
  type Row,
  rowsOf,
  tokenOf,
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

const BOOK = { date: '2026-11-14', amount: 12.5, reason: 'materials', label: 'Reading book' }
const charge = (who: Caller, body: object) => who.call('POST', '/api/v1/charges', { ...BOOK, ...body })
const answer = (who: Caller, id: string, what: string, body: object = {}) =>
  who.call('POST', `/api/v1/charges/${id}/${what}`, body)
const read = async (who: Caller, id: string) => (await who.call('GET', `/api/v1/charges/${id}`)).body as Row
const waiting = async (who: Caller) => rowsOf(await who.call('GET', '/api/v1/charges/waiting'))
const count = async () => (await superuser.query('select count(*)::int as count from charges')).rows[0] as Row
const balance = async (who: Caller, connection: string) =>
  ((await who.call('GET', '/api/v1/balances?month=2026-11')).body.balances as Row[]).find(
    (one) => one.connection_id === connection,
  )
/** What both sides owe each other; the figures have to be the same. */
async function both({ family, practice, connection }: Pair) {
  const [ours, theirs] = await Promise.all([family, practice].map((who) => balance(who, connection)))
  assert.deepEqual(ours?.balance, theirs?.balance)
  assert.deepEqual(ours?.charges_amount, theirs?.charges_amount)
  return [ours?.balance, ours?.other_amount, ours?.charges_amount]
}

test('a charge counts once both sides have confirmed it, and a credit lowers what is owed', async () => {
  const pair = await aPair(server, undefined, undefined, 'EUR')
  const { family, practice, tutor, connection } = pair
  const added = await charge(family, { tutor_id: tutor })
  const id = idOf(added)
  assert.partialDeepStrictEqual(added.body, {
    amount: 12.5,
    reason: 'materials',
    label: 'Reading book',
    currency: 'EUR',
    connection_id: connection,
    counts: false,
    own_confirmation: 'confirmed',
  })
  assert.equal(await balance(practice, connection), undefined, 'nothing to show yet')
  assert.deepEqual(
    (await waiting(practice)).map((one) => [one.id, one.amount, one.waits_for_you]),
    [[id, 12.5, true]],
  )
  assert.equal((await answer(practice, id, 'confirm')).body.counts, true)
  assert.deepEqual(await both(pair), [12.5, 12.5, 12.5])
  const credit = idOf(
    await charge(practice, { connection_id: connection, amount: -20, reason: 'discount', label: null }),
  )
  await answer(family, credit, 'confirm')
  assert.deepEqual(await both(pair), [-7.5, -7.5, -7.5])
  const lines = (await family.call('GET', `/api/v1/balances/lines?month=2026-11&with=${connection}`)).body
    .lines as Row[]
  assert.deepEqual(lines.map((line) => [line.kind, line.charged, line.paid]).sort(), [
    ['charge', -20, 0],
    ['charge', 12.5, 0],
  ])
  const summary = (await family.call('GET', '/api/v1/summary?month=2026-11')).body
  assert.deepEqual([summary.total_sessions, summary.total_hours], [0, 0], 'a charge is no session')
  await practice.call('PATCH', `/api/v1/charges/${id}`, { label: 'Atlas' })
  assert.deepEqual(await both(pair), [-20, -20, -20], 'what it is for is a fact, too')
})

test('a charge of nothing, too large, too far ahead, in another currency or recorded twice is refused, and changes nothing', async () => {
  const { family, tutor, practice, connection } = await aPair(server)
  idOf(await charge(family, { tutor_id: tutor }))
  const before = await count()
  for (const [more, code] of [
    [{ amount: 0 }, 'invalid'],
    [{ amount: '-0' }, 'invalid'],
    [{ amount: '' }, 'invalid'],
    [{ amount: 20_000_000.01 }, 'invalid'],
    [{ amount: -20_000_000.01 }, 'invalid'],
    [{ amount: 1.005 }, 'invalid'],
    [{ amount: '--5' }, 'invalid'],
    [{ amount: 7, date: '2099-01-01' }, 'too_far_ahead'],
    [{ amount: 7, date: '2026-02-30' }, 'invalid'],
    [{ amount: 7, currency: 'EUR' }, 'other_currency'],
    [{ amount: 7, reason: 'bribe' }, 'invalid'],
    [{ amount: 7, label: 'x'.repeat(81) }, 'invalid'],
    [{}, 'same_charge'],
    [{ amount: 7, connection_id: crypto.randomUUID() }, 'not_connected'],
  ] as const) {
    const refused = await charge(family, { tutor_id: tutor, ...more })
    assert.deepEqual([refused.status >= 400, refused.body.code], [true, code], JSON.stringify(more))
  }
  assert.equal((await charge(practice, { amount: 7 })).body.code, 'no_student')
  assert.deepEqual(await count(), before)
  assert.equal((await charge(family, { tutor_id: tutor, is_another: true })).status, 201)
  const [first] = await waiting(practice)
  const far = await answer(practice, String(first?.id), 'dispute', { proposal: { date: '2099-01-01' } })
  assert.equal(far.body.code, 'too_far_ahead')
  const none = await answer(practice, String(first?.id), 'dispute', { proposal: { amount: 0 } })
  assert.equal(none.body.code, 'invalid')
  const typed = await charge(family, { tutor_id: tutor, amount: '-12,50', reason: 'refund' })
  assert.deepEqual([typed.status, typed.body.amount], [201, -12.5], 'a comma, and a credit')
  assert.equal((await practice.call('GET', `/api/v1/charges/${connection}`)).status, 404)
})

test('charges are listed on the page of a closed month, which they cannot change', async () => {
  const pair = await aPair(server)
  const { family, practice, tutor, connection } = pair
  const october = '2026-10'
  const id = idOf(await charge(family, { tutor_id: tutor, date: '2026-10-14' }))
  const month = { connection_id: connection, month: october }
  const open = await practice.call('POST', '/api/v1/months/close', month)
  assert.deepEqual([open.status, open.body.code], [409, 'still_open'])
  await answer(practice, id, 'confirm')
  await practice.call('POST', '/api/v1/months/close', month)
  const closed = (await family.call('POST', '/api/v1/months/close', month)).body
  assert.partialDeepStrictEqual(closed, {
    state: 'closed',
    charges: 1,
    charges_amount: 12.5,
    other_amount: 12.5,
    balance: 12.5,
    sessions: 0,
  })
  for (const who of [family, practice]) {
    const page = (await who.call('GET', `/api/v1/months/page?connection_id=${connection}&month=${october}`))
      .body
    assert.partialDeepStrictEqual((page.charges as Row[])[0], { id, amount: 12.5, label: 'Reading book' })
  }
  const refused: Answer[] = [
    await charge(family, { tutor_id: tutor, date: '2026-10-20' }),
    await family.call('PATCH', `/api/v1/charges/${id}`, { amount: 13 }),
    await practice.call('PATCH', `/api/v1/charges/${id}`, { label: 'Atlas' }),
    await practice.call('DELETE', `/api/v1/charges/${id}/confirm`, {}),
    await answer(practice, id, 'dispute', { note: 'No' }),
    await family.call('DELETE', `/api/v1/charges/${id}`, {}),
  ]
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code]),
    refused.map(() => [409, 'month_closed']),
  )
  const { rows } = await superuser.query<{ current: boolean }>(
    "select is_month_current(m) as current from closed_months m where connection_id = $1 and state = 'closed'",
    [connection],
  )
  assert.deepEqual(rows, [{ current: true }])
  const pdf = await family.call('GET', `/api/v1/months/page.pdf?connection_id=${connection}&month=${october}`)
  assert.match(await textOfPdf(pdf.bytes), /Other charges[^]*Reading book/)
  await reopen(pair, october)
  assert.equal((await family.call('PATCH', `/api/v1/charges/${id}`, { amount: 13 })).status, 200)
})

const reopen = ({ family, connection }: Pair, month: string) =>
  family.call('POST', '/api/v1/months/reopen', { connection_id: connection, month, reason: 'A mistake' })

test('charges from before the connection become one if both recorded the same, and each side keeps a copy at its end', async () => {
  const pair = await aPair(server)
  const { family, practice, tutor, connection, student } = pair
  // A lesson with the tutor, so that the child is among the people of the next connection, too.
  await pair.logByPractice({ duration: 1 })
  const shared = idOf(await charge(family, { tutor_id: tutor }))
  await answer(practice, shared, 'confirm')
  await family.call('DELETE', `/api/v1/connections/${connection}`)
  for (const who of [family, practice])
    assert.partialDeepStrictEqual(await read(who, shared), { is_shared: false, counts: true, amount: 12.5 })
  const [ours, theirs] = [
    idOf(await charge(family, { tutor_id: tutor, amount: 30 })),
    idOf(await charge(practice, { student_id: student, amount: 30 })),
  ]
  const again = idOf(await family.call('POST', '/api/v1/connections', { tutor_id: tutor }))
  const asked = rowsOf(await practice.call('GET', '/api/v1/connections')).find((one) => one.id === again)
  await practice.call('PATCH', `/api/v1/connections/${again}`, {
    state: 'active',
    people: ((asked?.people ?? []) as Row[]).map((person) => ({ id: person.id, student_id: student })),
  })
  assert.equal((await read(practice, theirs)).is_shared, false)
  const both = await family.call('POST', '/api/v1/charges/share', { charges: [ours, shared] })
  assert.equal(both.status, 200, JSON.stringify(both.body))
  for (const who of [family, practice]) {
    const all = (await who.call('GET', '/api/v1/charges?from=2026-11-01&to=2026-11-30'))
      .body as unknown as Row[]
    assert.deepEqual(all.map((one) => [one.amount, one.counts]).sort(), [
      [12.5, true],
      [30, true],
    ])
  }
})

test('while the other account is closed, shared charges are read-only; once it is erased, the copy stays', async () => {
  const { family, practice, tutor } = await aPair(server)
  const id = idOf(await charge(family, { tutor_id: tutor }))
  await answer(practice, id, 'confirm')
  await superuser.query('update users set deletion_asked_at = now() where id = $1', [practice.id])
  for (const refused of [
    await family.call('PATCH', `/api/v1/charges/${id}`, { amount: 1 }),
    await family.call('DELETE', `/api/v1/charges/${id}`),
    await answer(family, id, 'dispute', { note: 'x' }),
  ])
    assert.equal(refused.body.code, 'other_closed')
  await superuser.query('delete from users where id = $1', [practice.id])
  assert.partialDeepStrictEqual(await read(family, id), {
    is_shared: false,
    is_read_only: false,
    counts: true,
  })
})

test('the emailed page records and answers charges like an account, and sees nothing of another connection', async () => {
  const asking = await aFamily(server)
  const { family, tutor, email } = asking
  await asking.log()
  const token = await tokenOf(server, email)
  const stranger = server.aStranger()
  const opened = await byLink(stranger, token, 'open')
  await byLink(stranger, token, 'confirm', {
    sessions: rowsOf(opened).map(({ id, version }) => ({ id, version })),
  })
  const id = idOf(await charge(family, { tutor_id: tutor }))
  const link = { 'tutorlog-link': token }
  const byMail = (method: string, path: string, body: object = {}) =>
    stranger.call(method, `/api/v1/charges${path}`, body, link)
  const { money } = (await byLink(stranger, token, 'open')).body as unknown as { money: { charges: Row[] } }
  assert.deepEqual(
    money.charges.map((one) => [one.id, one.waits_for_you, one.label]),
    [[id, true, 'Reading book']],
  )
  assert.equal((await byMail('POST', `/${id}/dispute`, { proposal: { amount: 10 } })).status, 200)
  assert.partialDeepStrictEqual((await waiting(family))[0]?.proposal, { by: 'other', amount: 10 })
  assert.equal((await answer(family, id, 'accept')).body.amount, 10)
  assert.partialDeepStrictEqual(await read(family, id), { counts: true, amount: 10 })
  const own = idOf(await byMail('POST', '', { ...BOOK, amount: -5, reason: 'discount' }))
  assert.partialDeepStrictEqual((await waiting(family))[0], { id: own, amount: -5 })
  assert.equal((await byMail('POST', '', { ...BOOK, connection_id: asking.connection })).body.code, 'invalid')
  assert.equal((await byMail('DELETE', `/${own}`)).status, 204)
  const other = await aPair(server)
  const foreign = idOf(await charge(other.family, { tutor_id: other.tutor }))
  assert.equal((await byMail('POST', `/${foreign}/confirm`)).status, 404)
})

test('a statement lists the charges that both sides confirmed', async () => {
  const { family, practice, tutor } = await aPair(server)
  await answer(practice, idOf(await charge(family, { tutor_id: tutor })), 'confirm')
  idOf(await charge(family, { tutor_id: tutor, label: 'Not yet' }))
  const { bytes } = await family.call('GET', '/api/v1/statements/statement.pdf?from=2026-11-01&to=2026-11-30')
  const text = await textOfPdf(bytes)
  for (const part of ['Other charges', 'Reading book (charge, materials)', '$12.50'])
    assert.ok(text.includes(part), `${part} in ${text}`)
  assert.ok(!text.includes('Not yet'))
})

test('the daily email asks about a charge once, and says what a credit is for', async () => {
  const { family, practice, tutor, connection } = await aPair(server)
  idOf(await charge(family, { tutor_id: tutor, label: 'Book from books.example.com' }))
  const id = idOf(await charge(family, { tutor_id: tutor, amount: -5, reason: 'discount', label: null }))
  server.clock.now = new Date()
  for (let times = 0; times < 2; times++) await server.runTask('daily_digest')
  await server.allJobsDone()
  const { subject, text } = await server.mailTo(practice.email, '2 charges')
  assert.equal(subject, "2 charges to confirm with Maya's family")
  assert.match(text, /Charges are waiting for your answer:/)
  assert.match(text, /Charge: Book from [^]*, \$12\.50, Nov 14\. Is that right\?/)
  assert.match(text, /Credit: Discount, \$5\.00, Nov 14\. Is that right\?/)
  assert.doesNotMatch(text, /books\.example\.com/, 'nothing that mail programs make a link of')
  // A side that has been asked for three days is reminded, and its other questions aren't counted twice.
  await superuser.query(
    "update charges set practice_asked_since = now() - interval '4 days' where connection_id = $1",
    [connection],
  )
  await superuser.query('update notice_choices set mailed_at = null where user_id = $1', [practice.id])
  await server.runTask('daily_digest')
  const { rows } = await superuser.query<{ reminders: number }>(
    'select practice_reminders as reminders from charges where connection_id = $1 and id = $2',
    [connection, id],
  )
  assert.deepEqual(rows, [{ reminders: 1 }])
})
