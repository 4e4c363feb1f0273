// Connection-related calls that the server rejects. Each gets a clear message and changes nothing. Also
// covers invalid input for shared sessions.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  actionsOf,
  aFamily,
  aPair,
  aPractice,
  type Asking,
  connectionsOf,
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
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await superuser.end()
  await server.stop()
})

/** Somebody who was invited to a workspace and has joined. */
async function aMember(of: Caller, role: string): Promise<Caller> {
  const person = server.aStranger()
  await of.call('POST', '/api/v1/members', { email: person.email, role })
  const { text } = await server.mailTo(person.email, 'invited you')
  const token = /\/join#token=(\S+)/.exec(text)?.[1]
  assert.equal((await person.call('POST', '/api/auth/join', { token, password: PASSWORD })).status, 200)
  return person
}

const said = ({ status, body }: Answer) => [status, body.code]
/** Everything stored about connections, used to check that nothing changed. */
async function everything(): Promise<unknown> {
  const tables = ['connections', 'connection_people', 'sessions', 'session_pairs', 'history']
  const rows: Record<string, unknown> = {}
  for (const table of tables)
    rows[table] = (await superuser.query(`select t::text as row from ${table} t order by 1`)).rows
  return rows
}
async function changesNothing(work: () => Promise<void>): Promise<void> {
  const before = await everything()
  await work()
  assert.deepEqual(await everything(), before)
}

/**
 * Two sides that logged the same lessons before they connected: in one pair, the durations match; in the
 * other, they don't.
 */
async function withPairs() {
  const asking = await aFamily(server)
  await asking.log({ date: '2026-11-03' })
  await asking.log({ date: '2026-11-04' })
  const { practice, self } = await aPractice(server, asking.email)
  const student_id = idOf(await practice.call('POST', '/api/v1/students', { name: 'Maya' }))
  for (const [date, duration] of [
    ['2026-11-03', 1.5],
    ['2026-11-04', 2],
  ])
    await practice.call('POST', '/api/v1/sessions', { student_id, tutor_id: self, date, duration })
  const [asked] = await connectionsOf(practice)
  const people = ((asked?.people ?? []) as Row[]).map(({ id }) => ({ id, student_id }))
  const path = `/api/v1/connections/${asking.connection}`
  const { body } = await practice.call('PATCH', path, { state: 'active', people })
  assert.equal(body.pairs, 2)
  const pairs = rowsOf(await practice.call('GET', `${path}/pairs`)).map(({ id }) => id)
  const answer = (who: Caller, same: string[], different: string[] = []) =>
    who.call('POST', `${path}/pairs`, { same, different })
  return { ...asking, practice, pairs, path, answer }
}

test('nobody can connect with themselves: not by their own address, a member’s, or as a member of the family that asks', async () => {
  const family = await server.aUser()
  const second = await aMember(family, 'parent')
  const tutor = await server.aUser('tutor')
  const add = async (email: string) =>
    idOf(await family.call('POST', '/api/v1/tutors', { name: 'Ingrid', email }))
  const ask = (tutor_id: string, by = family) => by.call('POST', '/api/v1/connections', { tutor_id })
  const [own, members, outsider] = [await add(family.email), await add(second.email), await add(tutor.email)]
  await changesNothing(async () => {
    for (const id of [own, members])
      for (const by of [family, second]) assert.deepEqual(said(await ask(id, by)), [422, 'own_address'])
  })
  const id = idOf(await ask(outsider))
  // A parent of the family becomes the tutor's assistant before the tutor accepts.
  await superuser.query(
    "insert into members (workspace_id, account_id, role) select $1, id, 'assistant' from users where email = $2",
    [tutor.id, second.email],
  )
  await changesNothing(async () => {
    const answer = await tutor.call(
      'PATCH',
      `/api/v1/connections/${id}`,
      { state: 'active' },
      { 'tutorlog-workspace': tutor.id },
    )
    assert.deepEqual(said(answer), [409, 'own_family'])
  })
})

test('only the two sides of a connection can answer its pairs, and only once', async () => {
  const [mine, other] = [await withPairs(), await withPairs()]
  const stranger = await server.aUser('tutor')
  await changesNothing(async () => {
    for (const who of [stranger, other.practice, other.family]) {
      assert.deepEqual(said(await mine.answer(who, mine.pairs)), [404, 'not_found'])
      assert.deepEqual(said(await who.call('GET', `${mine.path}/pairs`)), [404, 'not_found'])
    }
    for (const wrong of [other.pairs, [crypto.randomUUID()]])
      for (const who of [mine.practice, mine.family])
        assert.deepEqual((await mine.answer(who, wrong, wrong)).body, { answered: 0 })
    for (const body of [{ same: ['x'] }, { same: Array(501).fill(mine.pairs[0]) }, { alike: [] }])
      assert.equal((await mine.practice.call('POST', `${mine.path}/pairs`, body)).status, 422)
  })
  const [first = '', second = ''] = mine.pairs
  assert.deepEqual((await mine.answer(mine.family, [first, first], [second])).body, { answered: 2 })
  const counts = async () => [
    (await sessionsOf(mine.family)).length,
    (await sessionsOf(mine.practice)).length,
  ]
  assert.deepEqual(await counts(), [3, 3])
  await changesNothing(async () => {
    for (const who of [mine.practice, mine.family])
      assert.deepEqual((await mine.answer(who, mine.pairs, mine.pairs)).body, { answered: 0 })
  })
})

test('sessions of different people are never merged: the pair is gone once either side says so', async () => {
  const mine = await withPairs()
  const move = async (who: Caller, day: string) => {
    const student_id = idOf(await who.call('POST', '/api/v1/students', { name: 'Leo' }))
    const session = (await sessionsOf(who)).find(
      ({ date, own_confirmation: own }) => date === day && own === 'confirmed',
    )
    const moved = await who.call('PATCH', `/api/v1/sessions/${session?.id}`, { student_id })
    assert.equal(moved.status, 200, JSON.stringify(moved.body))
  }
  await move(mine.family, '2026-11-03')
  await move(mine.practice, '2026-11-04')
  await changesNothing(async () => {
    for (const who of [mine.practice, mine.family])
      assert.deepEqual((await mine.answer(who, mine.pairs)).body, { answered: 0 })
  })
  assert.deepEqual(rowsOf(await mine.practice.call('GET', `${mine.path}/pairs`)), [])
})

test("copies of one session can't be declared two lessons, and stay a pair", async () => {
  const pair = await aPair(server)
  await pair.log()
  await pair.family.call('DELETE', `/api/v1/connections/${pair.connection}`)
  const id = idOf(await pair.family.call('POST', '/api/v1/connections', { tutor_id: pair.tutor }))
  const path = `/api/v1/connections/${id}`
  const [asked] = await connectionsOf(pair.practice)
  const people = ((asked?.people ?? []) as Row[]).map((person) => ({
    id: person.id,
    student_id: pair.student,
  }))
  assert.equal((await pair.practice.call('PATCH', path, { state: 'active', people })).body.pairs, 1)
  const pairs = rowsOf(await pair.family.call('GET', `${path}/pairs`)).map((one) => one.id)
  await changesNothing(async () => {
    const refused = await pair.family.call('POST', `${path}/pairs`, { different: pairs })
    assert.deepEqual(said(refused), [409, 'copies'])
  })
  assert.deepEqual((await pair.family.call('POST', `${path}/pairs`, { same: pairs })).body, { answered: 1 })
  assert.equal((await sessionsOf(pair.family)).length, 1)
})

test("a viewer can only read connections, and an assistant can't accept, merge or end them", async () => {
  const mine = await withPairs()
  const { family, practice, path, pairs } = mine
  const [viewer, assistant] = [await aMember(family, 'viewer'), await aMember(practice, 'assistant')]
  const [shared] = await sessionsOf(family)
  const session = `/api/v1/sessions/${(await mine.log({ date: '2026-11-10' })) || shared?.id}`
  const tutor_id = idOf(
    await family.call('POST', '/api/v1/tutors', { name: 'Samuel', email: 'samuel@example.com' }),
  )
  await changesNothing(async () => {
    for (const [who, method, url, body] of [
      [viewer, 'POST', '/api/v1/connections', { tutor_id }],
      [viewer, 'DELETE', path, {}],
      [viewer, 'POST', `${path}/pairs`, { same: pairs }],
      [viewer, 'POST', `${session}/confirm`, {}],
      [viewer, 'DELETE', `${session}/confirm`, {}],
      [viewer, 'POST', `${session}/dispute`, { note: 'x' }],
      [viewer, 'POST', `${session}/answer`, { note: 'x' }],
      [viewer, 'POST', `${session}/keep`, {}],
      [viewer, 'POST', '/api/v1/confirmations', { sessions: [{ id: session.slice(17), version: 1 }] }],
      [viewer, 'PATCH', session, { duration: 3 }],
      [viewer, 'DELETE', session, {}],
      [assistant, 'DELETE', path, {}],
      [assistant, 'PATCH', path, { people: [] }],
      [assistant, 'POST', `${path}/pairs`, { same: pairs }],
    ] as const) {
      const answer = await who.call(method, url, body)
      assert.equal(answer.status, 403, `${method} ${url}: ${JSON.stringify(answer.body)}`)
      assert.match(String(answer.body.title), /[a-z] [a-z]/)
    }
  })
  for (const [who, url] of [
    [viewer, '/api/v1/connections'],
    [viewer, `${path}/pairs`],
    [viewer, '/api/v1/confirmations'],
    [assistant, '/api/v1/connections'],
  ] as const)
    assert.equal((await who.call('GET', url)).status, 200, url)
  assert.equal((await assistant.call('POST', `${session}/confirm`, {})).body.verified_by_tutor, true)
})

test("T8: a family's request to an assistant waits in the assistant's own practice, not in the one where they help", async () => {
  const practice = await server.aUser('tutor')
  const assistant = await aMember(practice, 'assistant')
  const asking = await aFamily(server, assistant.email)
  assert.deepEqual(await connectionsOf(assistant), [])
  const { id: accountId } = (await assistant.call('GET', '/api/v1/me')).body
  const speaker = { ...practice.member, accountId: String(accountId) }
  await changesNothing(() =>
    server.db.asMember(speaker, async (tx) => {
      await sql`update connections set state = 'active', practice_id = ${practice.id}::uuid`.execute(tx)
    }),
  )
  const own = {
    'tutorlog-workspace': idOf(await assistant.call('POST', '/api/v1/workspaces', { kind: 'practice' })),
  }
  const listed = rowsOf(await assistant.call('GET', '/api/v1/connections', undefined, own))
  assert.deepEqual(
    listed.map(({ id, state }) => [id, state]),
    [[asking.connection, 'asked']],
  )
})

/** The server's date plus the given number of days. */
const ahead = (days: number) =>
  new Date(server.clock.now.getTime() + days * 86_400_000).toISOString().slice(0, 10)

test("a future session can't be confirmed, except tomorrow's, because it may already be that day for someone", async () => {
  const { family, practice, log } = await aPair(server)
  const [later, tomorrow] = [await log({ date: ahead(2) }), await log({ date: ahead(1) })]
  const path = `/api/v1/sessions/${later}`
  await changesNothing(async () => {
    for (const [method, url, body] of [
      ['POST', `${path}/confirm`, {}],
      ['DELETE', `${path}/confirm`, {}],
      ['POST', `${path}/dispute`, { note: 'x' }],
    ] as const)
      for (const who of [practice, family])
        assert.deepEqual(said(await who.call(method, url, body)), [409, 'too_early'])
    const all = await practice.call('POST', '/api/v1/confirmations', {
      sessions: [{ id: later, version: 1 }],
    })
    assert.deepEqual(all.body, { confirmed: [], changed: [later] })
  })
  assert.equal(
    (await practice.call('POST', `/api/v1/sessions/${tomorrow}/confirm`, {})).body.verified_by_tutor,
    true,
  )
})

test('a session that is not shared cannot be confirmed', async () => {
  const { family, log, connection }: Asking = await aFamily(server)
  await family.call('DELETE', `/api/v1/connections/${connection}`)
  const id = await log()
  const path = `/api/v1/sessions/${id}`
  await changesNothing(async () => {
    for (const [method, url, body, code] of [
      ['POST', `${path}/confirm`, {}, 'not_shared'],
      ['DELETE', `${path}/confirm`, {}, 'not_shared'],
      ['POST', `${path}/dispute`, { note: 'x' }, 'not_shared'],
      ['POST', `${path}/answer`, { note: 'x' }, 'not_disputed'],
      ['POST', `${path}/keep`, {}, 'not_asked'],
    ] as const)
      assert.deepEqual(said(await family.call(method, url, body)), [409, code])
  })
})

test('D9: no role can delete in SQL what needs consent, agree for the other side, or backdate its request', async () => {
  const { family, practice, log, logByPractice } = await aPair(server)
  const id = await log()
  await practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  const other = idOf(await logByPractice({ date: '2026-11-19' }))
  const as = (who: Caller, text: string) => server.db.asMember(who.member, (tx) => sql.raw(text).execute(tx))
  await changesNothing(async () => {
    for (const [who, own, side] of [
      [family, 'family', 'practice'],
      [practice, 'practice', 'family'],
    ] as const) {
      for (const table of ['sessions', 'public.sessions'])
        assert.equal(Number((await as(who, `delete from ${table} where id = '${id}'`)).numAffectedRows), 0)
      await assert.rejects(
        as(who, `update sessions set deletion_asked_by = '${side}', deletion_asked_at = now()`),
        /only for itself/,
        own,
      )
    }
    assert.equal(Number((await as(family, `delete from sessions where id = '${other}'`)).numAffectedRows), 0)
  })
  assert.equal((await family.call('DELETE', `/api/v1/sessions/${id}`)).status, 202)
  await changesNothing(async () => {
    await assert.rejects(
      as(family, `update sessions set deletion_asked_at = now() - interval '15 days' where id = '${id}'`),
      /only for itself/,
    )
    assert.equal(Number((await as(family, `delete from sessions where id = '${id}'`)).numAffectedRows), 0)
  })
  assert.equal((await read(practice, id)).deletion_asked_by, 'other')
  assert.deepEqual(await actionsOf(family, id), ['you logged', 'other confirmed', 'you deletion asked'])
  assert.equal((await practice.call('DELETE', `/api/v1/sessions/${id}`)).status, 204, 'agreed')
  assert.deepEqual(
    (await sessionsOf(family)).map((session) => session.id),
    [other],
  )
})
