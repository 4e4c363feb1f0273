import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  actionsOf,
  aFamily,
  aPair,
  aPractice,
  byLink,
  connectionsOf,
  idOf,
  read,
  type Row,
  rowsOf,
  sessionsOf,
  tokenOf,
  waitingFor,
} from '#main/testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const answer = (tutor: Caller, id: string, state: unknown) =>
  tutor.call('PATCH', `/api/v1/connections/${id}`, { state })

/** A parent who sent a request to a tutor. The tutor has an account but hasn't answered. */
async function anAskedTutor(name?: string) {
  const [parent, tutor] = [await server.aUser(), await server.aUser('tutor')]
  if (name) await parent.call('PATCH', '/api/v1/me', { full_name: name })
  const tutor_id = idOf(
    await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', email: tutor.email.toUpperCase() }),
  )
  const asked = await parent.call('POST', '/api/v1/connections', { tutor_id })
  return { parent, tutor, tutor_id, asked, id: idOf(asked) }
}

const statesOf = async (caller: Caller) =>
  (await connectionsOf(caller)).map(({ state, ended_by }) => [state, ended_by])

test('a family asks a tutor, the tutor accepts, and each side sees who the other is and nothing else', async () => {
  const { parent, tutor, tutor_id, asked, id } = await anAskedTutor('Ann Whitfield')
  assert.equal(asked.status, 201)
  const { asked_at, ...connection } = asked.body
  assert.ok(Math.abs(Date.parse(String(asked_at)) - Date.now()) < 600_000)
  const common = { id, state: 'asked', shared_from: null, ended_by: null, people: [], pairs: 0 }
  assert.deepEqual(connection, {
    ...common,
    is_asked_by_you: true,
    is_answered: false,
    arriving: null,
    other_name: null,
    tutor_id,
    email: tutor.email.toUpperCase(),
    link: null,
    is_read_only: false,
    version: 1,
  })
  const [family] = await connectionsOf(tutor)
  assert.deepEqual(
    { ...family, asked_at: undefined },
    {
      ...common,
      is_asked_by_you: false,
      is_answered: false,
      arriving: null,
      other_name: 'Ann Whitfield',
      tutor_id: null,
      email: null,
      link: null,
      asked_at: undefined,
      is_read_only: false,
      version: 1,
    },
  )
  const accepted = await answer(tutor, id, 'active')
  assert.deepEqual([accepted.status, accepted.body.state, accepted.body.version], [200, 'active', 2])
  assert.deepEqual(await statesOf(parent), [['active', null]])
  for (const state of ['declined', 'active'])
    assert.equal(
      (await answer(tutor, id, state)).body.code,
      'changed',
      'an answer is given once; leaving is something else',
    )
})

test('a declined request and an ended connection leave both lists consistent, and the family may ask again', async () => {
  const { parent, tutor, tutor_id, id } = await anAskedTutor()
  assert.equal((await answer(tutor, id, 'declined')).status, 200)
  assert.deepEqual(await connectionsOf(tutor), [])
  assert.deepEqual(await statesOf(parent), [['declined', 'other']])
  const again = await parent.call('POST', '/api/v1/connections', { tutor_id })
  assert.equal(again.status, 201)
  assert.deepEqual(
    (await connectionsOf(parent)).map((connection) => connection.id),
    [idOf(again)],
    'the newest of each tutor',
  )
  const path = `/api/v1/connections/${idOf(again)}`
  await answer(tutor, idOf(again), 'active')
  assert.equal((await parent.call('DELETE', path, {})).status, 204)
  assert.deepEqual(await connectionsOf(tutor), [])
  assert.deepEqual(await statesOf(parent), [['ended', 'you']])
  for (const who of [parent, tutor])
    assert.equal((await who.call('DELETE', path, {})).status, 404, 'it has ended')
})

test('a tutor leaves a family', async () => {
  const { parent, tutor, id } = await anAskedTutor()
  await answer(tutor, id, 'active')
  assert.equal((await tutor.call('DELETE', `/api/v1/connections/${id}`, {})).status, 204)
  assert.deepEqual(await connectionsOf(tutor), [])
  assert.deepEqual(await statesOf(parent), [['ended', 'other']])
})

test('D5: a request sent twice with the same key is created once', async () => {
  const [parent, tutor] = [await server.aUser(), await server.aUser('tutor')]
  const tutor_id = idOf(await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', email: tutor.email }))
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      parent.call('POST', '/api/v1/connections', { tutor_id }, { 'idempotency-key': 'once' }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map(idOf)).size, 1)
  const mails = await server.db.asSystem((tx) =>
    tx
      .selectFrom('outbox')
      .select('id')
      .where('recipient', '=', tutor.email)
      .where('kind', '=', 'ask_tutor')
      .execute(),
  )
  assert.equal(mails.length, 1)
})

test("a tutor matches a family's children with their own students, and with nobody else's", async () => {
  const asking = await aFamily(server)
  await asking.log()
  const { practice } = await aPractice(server, asking.email)
  const path = `/api/v1/connections/${asking.connection}`
  const own = idOf(await practice.call('POST', '/api/v1/students', { name: 'Maya' }))
  const other = idOf(await practice.call('POST', '/api/v1/students', { name: 'Theo' }))
  const [person] = ((await connectionsOf(practice))[0]?.people ?? []) as Row[]
  const match = (student_id: unknown) =>
    practice.call('PATCH', path, { people: [{ id: person?.id, student_id }] })
  const matched = async () =>
    (((await connectionsOf(practice))[0]?.people ?? []) as Row[]).map(({ first_name, student_id }) => [
      first_name,
      student_id,
    ])
  assert.equal((await match(own)).body.code, 'not_connected')
  await answer(practice, asking.connection, 'active')
  assert.equal((await match(own)).status, 200)
  assert.deepEqual(await matched(), [['Maya', own]])
  const refused = await match(asking.child)
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.errors?.[0]?.field],
    [422, 'unknown_student', 'people'],
  )
  for (const wrong of ['x', ['x'], Array.from({ length: 41 }, () => ({ id: own, student_id: own }))])
    assert.equal((await practice.call('PATCH', path, { people: wrong })).status, 422)
  assert.deepEqual(await matched(), [['Maya', own]])
  assert.equal((await match(other)).status, 200)
  assert.deepEqual(
    (await sessionsOf(practice)).map(({ student_name }) => student_name),
    ['Theo'],
    'what is shared goes along',
  )
  const students = rowsOf(await asking.family.call('GET', '/api/v1/students'))
  assert.deepEqual(
    students.map(({ name }) => name),
    ['Maya Whitfield'],
    "the family's own child stays who it is",
  )
})

test('T1, T8: only its two sides see, answer or end a connection, and neither does what only the other may', async () => {
  const { parent, tutor, tutor_id, id } = await anAskedTutor()
  const path = `/api/v1/connections/${id}`
  const [otherParent, otherTutor] = [await server.aUser(), await server.aUser('tutor')]
  assert.deepEqual([await connectionsOf(otherParent), await connectionsOf(otherTutor)], [[], []])
  for (const [who, method, url, body, status] of [
    [otherParent, 'DELETE', path, {}, 404],
    [otherParent, 'GET', `${path}/pairs`, undefined, 404],
    [otherParent, 'POST', `${path}/pairs`, { same: [] }, 404],
    [otherParent, 'POST', '/api/v1/connections', { tutor_id }, 422],
    [otherTutor, 'PATCH', path, { state: 'active' }, 404],
    [otherTutor, 'PATCH', path, { people: [] }, 404],
    [otherTutor, 'DELETE', path, {}, 404],
    [otherTutor, 'GET', `${path}/pairs`, undefined, 404],
    [tutor, 'POST', '/api/v1/connections', { tutor_id }, 422],
    [parent, 'PATCH', path, { state: 'active' }, 409],
    [server.aStranger(), 'GET', '/api/v1/connections', undefined, 401],
    [server.aStranger(), 'PATCH', path, { state: 'active' }, 401],
    [server.aStranger(), 'POST', `${path}/pairs`, { same: [] }, 401],
  ] as const)
    assert.equal((await who.call(method, url, body)).status, status, `${method} ${url}`)
  for (const state of ['asked', 'ended', 'x', null])
    assert.equal((await answer(tutor, id, state)).status, 422, String(state))
  assert.deepEqual(await statesOf(parent), [['asked', null]])
})

test('T8: an account answers for its own confirmed address only, and sees the sessions of accepted connections', async () => {
  const { family, log, email, connection } = await aFamily(server)
  const id = await log()
  const [{ practice }, stranger] = [await aPractice(server, email), await server.aUser('tutor')]
  assert.deepEqual(await connectionsOf(stranger), [])
  assert.equal((await answer(stranger, connection, 'active')).status, 404)
  assert.deepEqual(
    (await connectionsOf(practice)).map((one) => [one.id, one.state]),
    [[connection, 'asked']],
  )
  assert.deepEqual(
    [await waitingFor(practice), await sessionsOf(practice)],
    [[], []],
    'nothing before the tutor accepts',
  )
  const path = `/api/v1/sessions/${id}`
  assert.equal((await practice.call('POST', `${path}/confirm`, {})).status, 404)

  assert.equal((await answer(practice, connection, 'active')).status, 200)
  assert.deepEqual([(await waitingFor(practice)).length, (await sessionsOf(practice)).length], [1, 1])
  for (const [method, url, body] of [
    ['POST', `${path}/confirm`, {}],
    ['DELETE', `${path}/confirm`, {}],
    ['POST', `${path}/dispute`, { note: 'x' }],
    ['POST', `${path}/answer`, { note: 'x' }],
    ['POST', `${path}/keep`, {}],
    ['PATCH', path, { duration: 2 }],
    ['DELETE', path, {}],
    ['GET', path, undefined],
    ['GET', `${path}/history`, undefined],
  ] as const)
    assert.equal((await stranger.call(method, url, body)).status, 404, `${method} ${url}`)
  assert.equal(
    (await practice.call('POST', `${path}/confirm`, {}, { 'if-match': '"7"' })).body.code,
    'changed',
  )
  assert.equal(
    (await practice.call('POST', `${path}/confirm`, {}, { 'if-match': '"1"' })).body.verified_by_tutor,
    true,
  )
  assert.equal((await practice.call('DELETE', `${path}/confirm`, {})).body.verified_by_tutor, false)
  const [theirs, ours] = [
    await practice.call('GET', `${path}/history`),
    await family.call('GET', `${path}/history`),
  ]
  assert.deepEqual(
    rowsOf(theirs).map(({ hash }) => hash),
    rowsOf(ours).map(({ hash }) => hash),
    'both read the same entries',
  )
  assert.doesNotMatch(JSON.stringify(theirs.body), /secret|Whitfield/)

  assert.equal((await family.call('DELETE', `/api/v1/connections/${connection}`, {})).status, 204)
  assert.deepEqual(rowsOf(await practice.call('GET', '/api/v1/confirmations')), [])
  assert.equal((await practice.call('POST', `${path}/confirm`, {})).body.code, 'not_shared')
  await family.call('PATCH', path, { duration: 3 })
  assert.deepEqual(
    [(await read(practice, id)).duration, await actionsOf(practice, id)],
    [1.5, ['other logged', 'you confirmed', 'you withdrawn']],
    'the copy is the own from then on',
  )
})

test('T8: another tutor of the same family, and another family of the same tutor, stay apart', async () => {
  const asking = await aFamily(server)
  const other = await aFamily(server, asking.email)
  const samuel = idOf(await asking.family.call('POST', '/api/v1/tutors', { name: 'Samuel', hourly_rate: 60 }))
  const [own, foreign, elsewhere] = [
    await asking.log(),
    await asking.log({ tutor_id: samuel, is_another: true }),
    await other.log(),
  ]
  const { practice } = await aPractice(server, asking.email)
  await answer(practice, asking.connection, 'active')
  assert.deepEqual(
    (await sessionsOf(practice)).map(({ id }) => id),
    [own],
  )
  for (const id of [foreign, elsewhere])
    assert.equal((await practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})).status, 404)

  // Both families have a child named Maya, and the tutor has a student for each. Neither family sees the
  // other's amounts.
  await answer(practice, other.connection, 'active')
  const students = rowsOf(await practice.call('GET', '/api/v1/students'))
  assert.equal(students.length, 2)
  assert.deepEqual(
    (await sessionsOf(other.family)).map(({ id }) => id),
    [elsewhere],
  )
})

test('a tutor who answered from the email and signs up later is asked to take the connection into the account', async () => {
  const { email, log, connection } = await aFamily(server)
  const id = await log()
  const token = await tokenOf(server, email)
  const confirm = (version: number) =>
    byLink(server.aStranger(), token, 'confirm', { sessions: [{ id, version }] })
  assert.deepEqual((await confirm(1)).body, { confirmed: [id], changed: [] })
  const { practice } = await aPractice(server, email)
  assert.deepEqual(
    (await connectionsOf(practice)).map(({ state }) => state),
    ['asked'],
  )
  assert.deepEqual(await sessionsOf(practice), [])
  assert.equal((await answer(practice, connection, 'active')).status, 200)
  assert.deepEqual(
    (await sessionsOf(practice)).map((session) => [session.id, session.own_confirmation]),
    [[id, 'confirmed']],
    'what was confirmed by email stays confirmed',
  )
  assert.equal((await answer(practice, connection, 'active')).body.code, 'changed')
  const opened = await byLink(server.aStranger(), token, 'open')
  assert.equal(opened.body.code, 'link_gone', 'the account speaks for this side now')
  assert.equal((await confirm(2)).body.code, 'link_gone')
})

test('T8: a tutor who leaves keeps a copy, and the emailed link stops working', async () => {
  const { family, email, log, connection } = await aFamily(server)
  const id = await log()
  const token = await tokenOf(server, email)
  const { practice } = await aPractice(server, email)
  await answer(practice, connection, 'active')
  assert.equal((await practice.call('DELETE', `/api/v1/connections/${connection}`, {})).status, 204)
  const stranger = server.aStranger()
  assert.equal((await byLink(stranger, token, 'open')).body.code, 'link_gone')
  assert.equal((await byLink(stranger, token, 'confirm', { sessions: [{ id, version: 1 }] })).status, 404)
  assert.equal((await read(family, id)).verified_by_tutor, false)
  assert.deepEqual(
    (await sessionsOf(practice)).map((session) => [session.id, session.is_shared]),
    [[id, false]],
  )
})

test('asking needs an address, one request at a time, and not too many', async () => {
  const parent = await server.aUser()
  const ask = (tutor_id: string) => parent.call('POST', '/api/v1/connections', { tutor_id })
  const bare = idOf(await parent.call('POST', '/api/v1/tutors', { name: 'No address' }))
  assert.equal((await ask(bare)).body.code, 'no_email')
  const own = idOf(
    await parent.call('POST', '/api/v1/tutors', { name: 'Myself', email: parent.email.toUpperCase() }),
  )
  assert.equal((await ask(own)).body.code, 'own_address')
  const { family, tutor } = await aFamily(server)
  const again = () => family.call('POST', '/api/v1/connections', { tutor_id: tutor })
  assert.equal((await again()).body.code, 'already_asked')
  for (let times = 0; times < 3; times++) {
    const [connection] = await connectionsOf(family)
    await family.call('DELETE', `/api/v1/connections/${connection?.id}`, {})
    assert.equal((await again()).status, times < 2 ? 201 : 429)
  }
  assert.equal(
    (await (await server.aUser()).call('POST', '/api/v1/connections', { tutor_id: tutor })).body.code,
    'unknown_tutor',
  )
})

test("a family's euros are euros on the tutor's side too, whatever the tutor's own currency is", async () => {
  const pair = await aPair(server)
  await pair.family.call('PATCH', '/api/v1/me', { currency: 'EUR' })
  await pair.practice.call('PATCH', '/api/v1/me', { currency: 'GBP' })
  const id = await pair.log({ date: '2026-11-19' })
  const logged = await pair.logByPractice()
  assert.equal(logged.status, 201, JSON.stringify(logged.body))
  for (const who of [pair.practice, pair.family])
    assert.deepEqual(
      rowsOf(await who.call('GET', '/api/v1/confirmations')).map(({ currency }) => currency),
      ['EUR', 'EUR'],
    )
  const history = rowsOf(await pair.practice.call('GET', `/api/v1/sessions/${id}/history`))
  assert.deepEqual(
    history.map(({ currency, rate }) => [currency, rate]),
    [['EUR', 45]],
  )
})
