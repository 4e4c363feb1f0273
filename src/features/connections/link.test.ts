// An emailed link is a caller like a member: the same operations, the same commands, one transaction.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  aFamily,
  aHandedFamily,
  aPair,
  type Asking,
  byLink,
  connectionsOf,
  idOf,
  read,
  shownByLink,
  tokenOf,
} from '#main/testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

const refusal = ({ status, body }: Answer) => [status, body.code]
const stateOf = async ({ family }: Asking) => (await connectionsOf(family))[0]?.state

async function asked() {
  const asking = await aFamily(server)
  const token = await tokenOf(server, asking.email)
  const call = (what: string, body?: object, headers?: Record<string, string>) =>
    byLink(server.aStranger(), token, what, body, headers)
  return { ...asking, token, call }
}

/** The same tutor's side: with an account, with an emailed link, and with a link that was handed over. */
const CALLERS: Record<string, () => Promise<Asking & { answer: (...call: Answering) => Promise<Answer> }>> = {
  async 'a member'() {
    const pair = await aPair(server)
    const answer = (method: string, path: string, body: object = {}, version?: number) =>
      pair.practice.call(method, path, body, version === undefined ? {} : { 'if-match': `"${version}"` })
    return { ...pair, answer }
  },
  async 'a link'() {
    const asking = await asked()
    const answer = (method: string, path: string, body: object = {}, version?: number) =>
      server.aStranger().call(method, path, body, {
        'tutorlog-link': asking.token,
        ...(version !== undefined && { 'if-match': `"${version}"` }),
      })
    return { ...asking, answer }
  },
  async 'a handed-over link'() {
    const asking = await aHandedFamily(server)
    const answer = (method: string, path: string, body: object = {}, version?: number) =>
      asking.device.call(method, path, body, {
        'tutorlog-link': asking.token,
        ...(version !== undefined && { 'if-match': `"${version}"` }),
      })
    return { ...asking, answer }
  },
}
type Answering = [method: string, path: string, body?: object, version?: number]

for (const [who, begin] of Object.entries(CALLERS))
  test(`${who} confirms, withdraws, disputes, keeps and agrees to delete by the same rules`, async () => {
    const asking = await begin()
    const { family, answer } = asking
    const id = await asking.log()
    const session = `/api/v1/sessions/${id}`
    assert.deepEqual(refusal(await answer('POST', `${session}/keep`)), [409, 'not_asked'])
    assert.deepEqual(refusal(await answer('POST', `${session}/dispute`, {})), [422, 'says_nothing'])
    await family.call('PATCH', session, { duration: 2 })
    assert.deepEqual(refusal(await answer('POST', `${session}/confirm`, {}, 1)), [409, 'changed'])
    const confirmed = await answer('POST', `${session}/confirm`, { summary: 'Fractions' }, 2)
    assert.deepEqual(
      [confirmed.status, confirmed.body.own_confirmation, confirmed.body.summary],
      [200, 'confirmed', 'Fractions'],
    )
    assert.equal((await answer('POST', `${session}/confirm`, {}, 1)).status, 200, 'it already stands')
    const withdrawn = await answer('DELETE', `${session}/confirm`)
    assert.deepEqual([withdrawn.status, withdrawn.body.own_confirmation], [200, 'none'])
    const disputed = await answer('POST', `${session}/dispute`, { note: 'It was an hour' })
    assert.deepEqual([disputed.body.status, disputed.body.dispute_note], ['disputed', 'It was an hour'])
    await answer('POST', '/api/v1/confirmations', { sessions: [{ id, version: disputed.body.version }] })
    assert.equal((await read(family, id)).verified_by_tutor, true)
    assert.equal((await family.call('DELETE', session)).status, 202)
    const kept = await answer('POST', `${session}/keep`)
    assert.deepEqual([kept.status, kept.body.deletion_asked_by], [200, null])
    await family.call('DELETE', session)
    assert.equal((await answer('DELETE', session)).status, 204)
    assert.equal((await family.call('GET', session)).status, 404)
  })

for (const [who, begin] of Object.entries(CALLERS))
  test(`${who} accepts what the family proposes, and the family what ${who} proposes`, async () => {
    const { family, answer, log } = await begin()
    const session = `/api/v1/sessions/${await log()}`
    await answer('POST', `${session}/confirm`)
    await family.call('POST', `${session}/dispute`, { proposal: { duration: 0.75, date: '2026-11-13' } })
    const accepted = await answer('POST', `${session}/accept`)
    assert.partialDeepStrictEqual(accepted.body, {
      duration: 0.75,
      date: '2026-11-13',
      own_confirmation: 'confirmed',
    })
    assert.equal((await family.call('GET', session)).body.verified_by_tutor, true)
    await answer('POST', `${session}/dispute`, { proposal: { rate: '48,50' } })
    assert.equal((await answer('POST', `${session}/accept`)).body.code, 'not_proposed')
    const corrected = await family.call('POST', `${session}/accept`, {})
    assert.partialDeepStrictEqual(corrected.body, { effective_rate: 48.5, verified_by_tutor: true })
    await family.call('POST', `${session}/dispute`, { proposal: { is_removal: true } })
    assert.equal((await answer('POST', `${session}/accept`)).status, 204)
    assert.equal((await family.call('GET', session)).status, 404)
  })

test('T8: a link changes the facts of a session only by accepting what the other side proposes', async () => {
  const { family, connection, log, call } = await asked()
  const id = await log()
  const write = (minutes: number) =>
    server.db.asLink({ id: connection, side: 'practice' }, (tx) =>
      tx.updateTable('sessions').set({ minutes }).where('id', '=', id).execute(),
    )
  await call('confirm', { sessions: [{ id, version: 1 }] })
  await assert.rejects(write(45), /cannot change a session/)
  await family.call('POST', `/api/v1/sessions/${id}/dispute`, { proposal: { duration: 0.75 } })
  await assert.rejects(write(60), /cannot change a session/)
  await write(45)
  assert.equal((await read(family, id)).verified_by_tutor, true)
})

test('a refused answer of a link never accepts the connection, and the first accepted one does, for every kind alike', async () => {
  const refusals: Record<string, (own: Awaited<ReturnType<typeof asked>>, id: string) => Promise<Answer>> = {
    'a session': ({ call }, id) => call('dispute', { id, version: 7, note: 'It was shorter' }),
    'several sessions': ({ call }, id) => call('confirm', { sessions: [{ id, version: 7 }] }),
    'a lesson summary': ({ call }, id) => call('write', { id, version: 7, summary: 'Fractions' }),
    'a request to delete': ({ call }, id) => call('keep', { id }),
    'a payment': ({ call }) => call('payments/paid', { date: '2026-11-14', amount: 0 }),
    'a month': ({ call }) => call('months/close', { month: '2026-11' }),
  }
  for (const [kind, refuse] of Object.entries(refusals)) {
    const asking = await asked()
    const id = await asking.log()
    const refused = await refuse(asking, id)
    if (refused.status === 200) assert.deepEqual(refused.body, { confirmed: [], changed: [id] }, kind)
    else assert.ok(refused.status >= 400 && refused.status < 500, kind)
    assert.equal(await stateOf(asking), 'asked', kind)
  }
  const accepted: Record<string, (own: Awaited<ReturnType<typeof asked>>, id: string) => Promise<Answer>> = {
    'a session': ({ call }, id) => call('dispute', { id, note: 'It was shorter' }),
    'several sessions': ({ call }, id) => call('confirm', { sessions: [{ id, version: 1 }] }),
    'a payment': ({ call }) => call('payments/paid', { date: '2026-11-14', amount: 10 }),
  }
  for (const [kind, answer] of Object.entries(accepted)) {
    const asking = await asked()
    const { status } = await answer(asking, await asking.log())
    assert.ok(status < 300, kind)
    assert.equal(await stateOf(asking), 'active', kind)
  }
})

test('the emailed page shows the note with which the other side sent a session back', async () => {
  const asking = await asked()
  const id = await asking.log()
  await asking.call('confirm', { sessions: [{ id, version: 1 }] })
  const note = 'We never had this one'
  assert.equal((await asking.family.call('POST', `/api/v1/sessions/${id}/dispute`, { note })).status, 200)
  const { sessions } = await shownByLink(server, asking.token)
  assert.deepEqual([sessions[0]?.other_confirmation, sessions[0]?.dispute_note], ['disputed', note])
})

test('one tap on "Received" is one transaction, under the role of the link', async () => {
  const asking = await asked()
  const { family, tutor, call } = asking
  await call('confirm', { sessions: [{ id: await asking.log(), version: 1 }] })
  const paid = { tutor_id: tutor, date: '2026-11-14', amount: 135 }
  const id = idOf(await family.call('POST', '/api/v1/payments', paid))
  const roles: string[] = []
  const { asLink, asMember } = server.db
  server.db.asLink = (link, work) => {
    roles.push(`link of ${link.id}`)
    return asLink(link, work)
  }
  server.db.asMember = (member, work, options) => {
    roles.push('member')
    return asMember(member, work, options)
  }
  try {
    assert.equal((await call('payments/confirm', { id, version: 1 })).status, 200)
  } finally {
    Object.assign(server.db, { asLink, asMember })
  }
  assert.deepEqual(roles, [`link of ${asking.connection}`])
})

test('T8: with an emailed link, a login admits nobody to its own records', async () => {
  const { token } = await asked()
  const someone = await server.aUser()
  const headers = { 'tutorlog-link': token }
  for (const [method, path, body] of [
    ['GET', '/api/v1/sessions?month=2026-11'],
    ['GET', '/api/v1/me'],
    ['GET', '/api/v1/payments'],
    ['POST', '/api/v1/students', { name: 'Ada' }],
    ['GET', '/api/v1/events'],
  ] as const)
    assert.deepEqual(refusal(await someone.call(method, path, body, headers)), [403, 'role'], path)
  assert.equal((await someone.call('POST', '/api/link/open', {}, headers)).status, 200)
  assert.deepEqual(refusal(await someone.call('POST', '/api/link/open', {})), [403, 'role'])
  assert.deepEqual(refusal(await server.aStranger().call('POST', '/api/link/open', {})), [401, 'signed_out'])
})

test('D5: a link’s idempotency key belongs to its side of its connection', async () => {
  const [mine, theirs] = [await asked(), await asked()]
  const key = { 'idempotency-key': 'once' }
  const paid = { date: '2026-11-14', amount: 10 }
  const first = await mine.call('payments/paid', paid, key)
  assert.deepEqual((await mine.call('payments/paid', paid, key)).body, first.body)
  const other = await mine.call('payments/paid', { ...paid, amount: 11 }, key)
  assert.deepEqual(refusal(other), [422, 'idempotency_key_reused'])
  assert.notEqual(idOf(await theirs.call('payments/paid', paid, key)), idOf(first))
})
