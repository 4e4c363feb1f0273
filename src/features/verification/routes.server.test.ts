import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { extractText, getDocumentProxy } from 'unpdf'
import { readCsv } from '#platform/csv.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

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

interface Family {
  parent: Caller
  child: string
  tutor: string
  email: string
  link: string
}

/** A parent with a child and a tutor who was asked to confirm. */
async function aFamily(email = `tutor-${Math.random().toString(36).slice(2)}@example.com`): Promise<Family> {
  const parent = await server.aUser()
  const child = String(
    (await parent.call('POST', '/api/v1/students', { name: 'Maya Whitfield', notes: 'allergic to nuts' }))
      .body.id,
  )
  const tutor = String(
    (
      await parent.call('POST', '/api/v1/tutors', {
        name: 'Ingrid',
        email,
        phone: '555-0199',
        hourly_rate: 45,
        notes: 'pays cash',
      })
    ).body.id,
  )
  const asked = await parent.call('POST', `/api/v1/tutors/${tutor}/link`, {})
  assert.equal(asked.status, 201)
  return { parent, child, tutor, email, link: String(asked.body.id) }
}

async function aLesson(family: Family, more: object = {}): Promise<string> {
  const { body } = await family.parent.call('POST', '/api/v1/sessions', {
    student_id: family.child,
    tutor_id: family.tutor,
    date: '2026-11-20',
    duration: 1.5,
    subject: 'Algebra II',
    notes: 'secret note',
    ...more,
  })
  return String(body.id)
}

const tokenOf = async (email: string) =>
  /\/confirm#(\S+)/.exec((await server.mailTo(email, 'asks you to confirm')).text)?.[1] ?? ''

/** A tutor with an account of this address, signed in. */
async function aTutor(email: string): Promise<Caller> {
  const person = server.aStranger()
  await person.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'tutor' })
  await server.confirm(person, email)
  person.id = String((await person.call('GET', '/api/v1/me')).body.id)
  return person
}

const open = async (token: string) =>
  (await server.aStranger().call('POST', '/api/confirm/open', { token })).body as unknown as {
    family_name: string | null
    sessions: { id: string; version: number }[]
  }
const read = async (family: Family, id: string) =>
  (await family.parent.call('GET', `/api/v1/sessions/${id}`)).body
const actions = async (family: Family, id: string) =>
  (
    (await family.parent.call('GET', `/api/v1/sessions/${id}/history`)).body.entries as {
      action: string
      by: string
    }[]
  ).map((entry) => `${entry.by} ${entry.action}`)

test('D9: without an account: the mailed link shows only what needs confirming, and the two come to an agreement', async () => {
  const family = await aFamily()
  const id = await aLesson(family)
  const token = await tokenOf(family.email)
  const stranger = server.aStranger()
  const shown = await stranger.call('POST', '/api/confirm/open', { token })
  assert.deepEqual(shown.body.sessions, [
    {
      id,
      family_id: family.link,
      family_name: null,
      student_first_name: 'Maya',
      date: '2026-11-20',
      duration: 1.5,
      rate: 45,
      total_amount: 67.5,
      currency: 'USD',
      subject: 'Algebra II',
      status: 'completed',
      verified_by_tutor: false,
      dispute_note: null,
      answer_note: null,
      is_read_only: false,
      version: 1,
    },
  ])
  assert.doesNotMatch(JSON.stringify(shown.body), /Whitfield|secret|555-0199|nuts|Ingrid|cash/, 'T8')
  assert.deepEqual(
    (await stranger.call('POST', '/api/confirm/confirm', { token, sessions: [{ id, version: 1 }] })).body,
    { confirmed: [id], changed: [] },
  )
  assert.deepEqual(
    [(await read(family, id)).verified_by_tutor, (await family.parent.call('GET', '/api/v1/links')).body]
      .map((value) => JSON.stringify(value))
      .join()
      .includes('"state":"active"'),
    true,
  )

  await family.parent.call('PATCH', `/api/v1/sessions/${id}`, { notes: 'another', subject: 'Geometry' })
  assert.equal((await read(family, id)).verified_by_tutor, true, 'notes and subject keep the word')
  await family.parent.call('PATCH', `/api/v1/sessions/${id}`, { duration: 2 })
  assert.equal((await read(family, id)).verified_by_tutor, false)
  const [again] = (await open(token)).sessions
  assert.equal(
    (await stranger.call('POST', '/api/confirm/dispute', { token, id, version: 1, note: 'It was shorter' }))
      .body.code,
    'changed',
  )
  assert.equal(
    (
      await stranger.call('POST', '/api/confirm/dispute', {
        token,
        id,
        version: again?.version,
        note: 'It was shorter',
      })
    ).body.status,
    'disputed',
  )
  assert.deepEqual(
    [(await read(family, id)).status, (await read(family, id)).dispute_note],
    ['disputed', 'It was shorter'],
  )
  assert.equal(
    (await family.parent.call('POST', `/api/v1/sessions/${id}/answer`, { note: 'We started at four' })).body
      .status,
    'completed',
  )
  await family.parent.call('PATCH', `/api/v1/sessions/${id}`, { duration: 1.75 })
  const [corrected] = (await open(token)).sessions
  await stranger.call('POST', '/api/confirm/confirm', {
    token,
    sessions: [{ id, version: corrected?.version }],
  })
  assert.deepEqual(await actions(family, id), [
    'you logged',
    'other confirmed',
    'you changed',
    'you changed',
    'other disputed',
    'you answered',
    'you changed',
    'other confirmed',
  ])
})

test('D9: every field that was confirmed takes the word back when it changes', async () => {
  const family = await aFamily()
  const token = await tokenOf(family.email)
  const other = {
    child: String((await family.parent.call('POST', '/api/v1/students', { name: 'Theo' })).body.id),
    tutor: String(
      (await family.parent.call('POST', '/api/v1/tutors', { name: 'Samuel', hourly_rate: 45 })).body.id,
    ),
  }
  for (const change of [
    { student_id: other.child },
    { tutor_id: other.tutor },
    { date: '2026-11-19' },
    { duration: 1 },
    { hourly_rate: 50 },
  ]) {
    const id = await aLesson(family)
    await server.aStranger().call('POST', '/api/confirm/confirm', { token, sessions: [{ id, version: 1 }] })
    const { body } = await family.parent.call('PATCH', `/api/v1/sessions/${id}`, change)
    assert.equal(body.verified_by_tutor, false, JSON.stringify(change))
  }
  const id = await aLesson(family)
  await server.aStranger().call('POST', '/api/confirm/confirm', { token, sessions: [{ id, version: 1 }] })
  const same = await family.parent.call('PATCH', `/api/v1/sessions/${id}`, {
    hourly_rate: 45,
    duration: 1.5,
    date: '2026-11-20',
  })
  assert.equal(same.body.verified_by_tutor, true, 'the same values are no change')
})

test('D9: a confirmation that meets a change never confirms what was not seen', async () => {
  const family = await aFamily()
  const token = await tokenOf(family.email)
  for (let round = 0; round < 10; round++) {
    const id = await aLesson(family)
    const [, change] = await Promise.all([
      server.aStranger().call('POST', '/api/confirm/confirm', { token, sessions: [{ id, version: 1 }] }),
      family.parent.call('PATCH', `/api/v1/sessions/${id}`, { duration: 3 }),
    ])
    assert.equal(change.status, 200)
    assert.deepEqual(
      [(await read(family, id)).duration, (await read(family, id)).verified_by_tutor],
      [3, false],
    )
  }
})

test('T8: an account answers for its own confirmed address only, and sees the sessions of accepted links', async () => {
  const family = await aFamily()
  const id = await aLesson(family)
  const [tutor, stranger] = [await aTutor(family.email), await server.aUser('tutor')]
  assert.deepEqual((await stranger.call('GET', '/api/v1/families')).body, [])
  assert.equal(
    (await stranger.call('PATCH', `/api/v1/families/${family.link}`, { state: 'active' })).status,
    404,
  )
  const families = (await tutor.call('GET', '/api/v1/families')).body as unknown as {
    id: string
    state: string
  }[]
  assert.deepEqual(
    families.map(({ id: link, state }) => [link, state]),
    [[family.link, 'asked']],
  )
  assert.deepEqual(
    (await tutor.call('GET', '/api/v1/confirmations')).body.sessions,
    [],
    'nothing before the tutor accepts',
  )
  assert.equal((await tutor.call('POST', `/api/v1/sessions/${id}/confirm`, {})).status, 404)

  assert.equal(
    (await tutor.call('PATCH', `/api/v1/families/${family.link}`, { state: 'active' })).status,
    200,
  )
  assert.equal(
    ((await tutor.call('GET', '/api/v1/confirmations?waiting=true')).body.sessions as object[]).length,
    1,
  )
  for (const path of [`/api/v1/sessions/${id}/confirm`, `/api/v1/sessions/${id}/dispute`])
    assert.equal(
      (await stranger.call('POST', path, { note: 'x' })).status === 404 || path.endsWith('confirm'),
      true,
    )
  assert.equal((await stranger.call('POST', `/api/v1/sessions/${id}/confirm`, {})).status, 404)
  assert.equal((await stranger.call('GET', `/api/v1/sessions/${id}/history`)).status, 404)
  assert.equal(
    (await tutor.call('GET', `/api/v1/sessions/${id}`)).status,
    404,
    "the row itself stays the family's",
  )
  assert.equal(
    (await tutor.call('POST', `/api/v1/sessions/${id}/confirm`, {}, { 'if-match': '"7"' })).body.code,
    'changed',
  )
  assert.equal(
    (await tutor.call('POST', `/api/v1/sessions/${id}/confirm`, {}, { 'if-match': '"1"' })).body
      .verified_by_tutor,
    true,
  )
  assert.equal(
    (await tutor.call('DELETE', `/api/v1/sessions/${id}/confirm`, {})).body.verified_by_tutor,
    false,
  )
  const history = await tutor.call('GET', `/api/v1/sessions/${id}/history`)
  const own = await family.parent.call('GET', `/api/v1/sessions/${id}/history`)
  const hashes = (answer: typeof own) =>
    (answer.body.entries as { hash: string }[]).map((entry) => entry.hash)
  assert.deepEqual(hashes(history), hashes(own), 'both read the same entries')
  assert.doesNotMatch(JSON.stringify(history.body), /secret|Whitfield/)

  assert.equal((await family.parent.call('DELETE', `/api/v1/links/${family.link}`, {})).status, 204)
  assert.deepEqual((await tutor.call('GET', '/api/v1/confirmations')).body.sessions, [])
  assert.equal((await tutor.call('POST', `/api/v1/sessions/${id}/confirm`, {})).status, 404)
  assert.equal((await tutor.call('GET', `/api/v1/sessions/${id}/history`)).status, 404)
})

test('a tutor who answered from the mail and signs up later is asked to take the link into the account', async () => {
  const family = await aFamily()
  const id = await aLesson(family)
  const token = await tokenOf(family.email)
  await server.aStranger().call('POST', '/api/confirm/confirm', { token, sessions: [{ id, version: 1 }] })
  const tutor = await aTutor(family.email)
  assert.deepEqual(
    ((await tutor.call('GET', '/api/v1/families')).body as unknown as { state: string }[]).map(
      ({ state }) => state,
    ),
    ['asked'],
  )
  assert.deepEqual((await tutor.call('GET', '/api/v1/confirmations')).body.sessions, [])
  assert.equal(
    (await tutor.call('PATCH', `/api/v1/families/${family.link}`, { state: 'active' })).status,
    200,
  )
  assert.equal(((await tutor.call('GET', '/api/v1/confirmations')).body.sessions as object[]).length, 1)
  assert.equal(
    (await tutor.call('PATCH', `/api/v1/families/${family.link}`, { state: 'active' })).body.code,
    'changed',
  )
  assert.equal((await open(token)).sessions.length, 1, 'the mailed link still answers')
  assert.deepEqual(
    (await server.aStranger().call('POST', '/api/confirm/confirm', { token, sessions: [{ id, version: 2 }] }))
      .body,
    { confirmed: [id], changed: [] },
  )
})

test('T8: a tutor who leaves sees nothing more, and the mailed link is dead', async () => {
  const family = await aFamily()
  const id = await aLesson(family)
  const token = await tokenOf(family.email)
  const tutor = await aTutor(family.email)
  await tutor.call('PATCH', `/api/v1/families/${family.link}`, { state: 'active' })
  assert.equal((await tutor.call('DELETE', `/api/v1/families/${family.link}`, {})).status, 204)
  assert.equal((await server.aStranger().call('POST', '/api/confirm/open', { token })).body.code, 'link_gone')
  assert.equal(
    (await server.aStranger().call('POST', '/api/confirm/confirm', { token, sessions: [{ id, version: 1 }] }))
      .status,
    404,
  )
  assert.equal((await read(family, id)).verified_by_tutor, false)
})

test('T8: another tutor of the same family, and another family of the same tutor, stay apart', async () => {
  const family = await aFamily()
  const other = await aFamily(family.email)
  const samuel = String(
    (await family.parent.call('POST', '/api/v1/tutors', { name: 'Samuel', hourly_rate: 60 })).body.id,
  )
  const [own, foreign, elsewhere] = [
    await aLesson(family),
    await aLesson(family, { tutor_id: samuel }),
    await aLesson(other),
  ]
  const mails = await superuser.query<{ n: string }>('select count(*) as n from link_tokens')
  assert.ok(Number(mails.rows[0]?.n) > 0)
  const tutor = await aTutor(family.email)
  await tutor.call('PATCH', `/api/v1/families/${family.link}`, { state: 'active' })
  const seen = ((await tutor.call('GET', '/api/v1/confirmations')).body.sessions as { id: string }[]).map(
    (session) => session.id,
  )
  assert.deepEqual(seen, [own])
  for (const id of [foreign, elsewhere])
    assert.equal((await tutor.call('POST', `/api/v1/sessions/${id}/confirm`, {})).status, 404)
})

test('T8, T4: the database itself keeps the words apart', async () => {
  const family = await aFamily()
  const id = await aLesson(family)
  const tutor = await aTutor(family.email)
  await tutor.call('PATCH', `/api/v1/families/${family.link}`, { state: 'active' })
  const asParent = (text: string) =>
    server.db.asMember(family.parent.member, (tx) => sql.raw(text).execute(tx))
  const asTutor = (text: string) => server.db.asTutor(tutor.member, (tx) => sql.raw(text).execute(tx))
  for (const text of [
    `update sessions set verified_by_tutor = true where id = '${id}'`,
    `update sessions set status = 'disputed', dispute_note = 'x' where id = '${id}'`,
    `insert into sessions (workspace_id, day, minutes, verified_by_tutor) values ('${family.parent.id}', '2026-11-20', 60, true)`,
    `update session_history set note = 'x'`,
    'delete from session_history',
    'truncate session_history',
    `update tutor_links set tutor_user_id = '${family.parent.id}'`,
  ])
    await assert.rejects(asParent(text), /permission denied/, text)
  await assert.rejects(
    asParent(
      `insert into session_history (workspace_id, session_id, side, actor_id, action, facts) values ('${family.parent.id}', '${id}', 'owner', '${family.parent.id}', 'confirmed', '{}')`,
    ),
    /written by the session/,
  )
  await assert.rejects(
    asParent(`update tutor_links set state = 'active'`),
    /row-level security/,
    'a family cannot accept for its tutor',
  )
  for (const text of [
    'select notes from sessions',
    'select * from sessions',
    'select name from students',
    'select phone from tutors',
    'select name from tutors',
    'select email from users',
    'select email from tutor_links',
    `update sessions set minutes = 15 where id = '${id}'`,
    `update sessions set answer_note = 'x'`,
    `delete from sessions where id = '${id}'`,
    `insert into sessions (workspace_id, day, minutes) values ('${family.parent.id}', '2026-11-20', 60)`,
    'select token_hash from link_tokens',
    'select password_hash from users',
    'update session_history set note = null',
    'delete from session_history',
  ])
    await assert.rejects(asTutor(text), /permission denied/, text)
  const bystander = await server.aUser('tutor')
  for (const table of ['sessions', 'session_history', 'students', 'tutor_links', 'profiles']) {
    const { rows } = await server.db.asTutor(bystander.member, (tx) =>
      sql.raw<{ n: string }>(`select count(*) as n from ${table}`).execute(tx),
    )
    assert.deepEqual(Number(rows[0]?.n), 0, table)
  }
  // Without a condition only the policy for updates is asked, so it has to know whose rows these are.
  const blind = await server.db.asTutor(bystander.member, (tx) =>
    sql
      .raw(
        `update tutor_links set state = 'ended', ended_by = 'tutor', ended_at = now(), tutor_user_id = '${bystander.id}'`,
      )
      .execute(tx),
  )
  assert.equal(Number(blind.numAffectedRows), 0)
  const blindWord = await server.db.asTutor(bystander.member, (tx) =>
    sql.raw('update sessions set verified_by_tutor = true').execute(tx),
  )
  assert.equal(Number(blindWord.numAffectedRows), 0)
  await assert.rejects(superuser.query('update session_history set note = null'), /only ever added to/)
  await assert.rejects(superuser.query('delete from session_history'), /only ever added to/)
})

test('A18: no token of a mail stands in the database in clear', async () => {
  const family = await aFamily()
  const mail = await server.mailTo(family.email, 'asks you to confirm')
  const tokens = [...mail.text.matchAll(/(?:confirm#|token=)(\S+)/g)].map(([, token]) => token ?? '')
  assert.equal(tokens.length, 2)
  const { rows } = await superuser.query<{ table_name: string }>(
    "select table_name from information_schema.tables where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'",
  )
  for (const { table_name: table } of rows) {
    const dump = await superuser.query<{ line: string }>(
      `select t::text as line from ${table.startsWith('_') || table === 'migrations' ? `graphile_worker.${table}` : table} t`,
    )
    for (const token of tokens)
      assert.ok(
        dump.rows.every(({ line }) => !line.includes(token)),
        table,
      )
  }
})

test('P9: an address that wants no mails gets none, and one that never answers is forgotten', async () => {
  const family = await aFamily()
  const token = await tokenOf(family.email)
  assert.equal(
    (await server.aStranger().call('POST', '/api/confirm/end', { token, forget: true })).status,
    204,
  )
  assert.equal(
    (await family.parent.call('POST', `/api/v1/tutors/${family.tutor}/link`, {})).body.code,
    'opted_out',
  )
  const links = (await family.parent.call('GET', '/api/v1/links')).body as unknown as {
    state: string
    ended_by: string
  }[]
  assert.deepEqual(
    links.map((link) => [link.state, link.ended_by]),
    [['ended', 'tutor']],
  )
})

test('a mailed link that has expired says so', async () => {
  const family = await aFamily()
  const token = await tokenOf(family.email)
  const now = server.clock.now
  server.clock.now = new Date(now.getTime() + 44 * 86_400_000)
  assert.equal((await server.aStranger().call('POST', '/api/confirm/open', { token })).status, 200)
  server.clock.now = new Date(now.getTime() + 46 * 86_400_000)
  assert.equal((await server.aStranger().call('POST', '/api/confirm/open', { token })).body.code, 'link_gone')
  server.clock.now = now
  assert.equal(
    (await server.aStranger().call('POST', '/api/confirm/open', { token: 'x'.repeat(43) })).body.code,
    'link_gone',
  )
})

test('asking: an address is needed, one question at a time, and not too many', async () => {
  const parent = await server.aUser()
  const bare = String((await parent.call('POST', '/api/v1/tutors', { name: 'No address' })).body.id)
  assert.equal((await parent.call('POST', `/api/v1/tutors/${bare}/link`, {})).body.code, 'no_email')
  const own = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Myself', email: parent.email.toUpperCase() })).body
      .id,
  )
  assert.equal((await parent.call('POST', `/api/v1/tutors/${own}/link`, {})).body.code, 'own_address')
  const family = await aFamily()
  assert.equal(
    (await family.parent.call('POST', `/api/v1/tutors/${family.tutor}/link`, {})).body.code,
    'already_asked',
  )
  for (let times = 0; times < 3; times++) {
    const [link] = (await family.parent.call('GET', '/api/v1/links')).body as unknown as { id: string }[]
    await family.parent.call('DELETE', `/api/v1/links/${link?.id}`, {})
    const again = await family.parent.call('POST', `/api/v1/tutors/${family.tutor}/link`, {})
    assert.equal(again.status, times < 2 ? 201 : 429)
  }
  assert.equal(
    (await (await server.aUser()).call('POST', `/api/v1/tutors/${family.tutor}/link`, {})).status,
    404,
  )
})

test('T16: a parent cannot answer as a tutor, nor a tutor ask as a parent', async () => {
  const family = await aFamily()
  const id = await aLesson(family)
  for (const [method, path] of [
    ['POST', `/api/v1/sessions/${id}/confirm`],
    ['POST', `/api/v1/sessions/${id}/dispute`],
    ['GET', '/api/v1/confirmations'],
    ['GET', '/api/v1/families'],
  ] as const) {
    assert.equal(
      (await family.parent.call(method, path, method === 'GET' ? undefined : {})).body.code,
      'role',
      path,
    )
  }
  const tutor = await server.aUser('tutor')
  assert.equal((await tutor.call('POST', `/api/v1/tutors/${family.tutor}/link`, {})).body.code, 'role')
})

test('the notices start with everything on and are changed one by one', async () => {
  const parent = await server.aUser()
  assert.deepEqual((await parent.call('GET', '/api/v1/notices')).body, {
    daily_digest: true,
    month_ready: true,
    connection_changes: true,
    version: 0,
  })
  assert.deepEqual(
    (await parent.call('PATCH', '/api/v1/notices', { daily_digest: false }, { 'if-match': '"0"' })).body,
    { daily_digest: false, month_ready: true, connection_changes: true, version: 2 },
  )
  assert.equal(
    (await parent.call('PATCH', '/api/v1/notices', { month_ready: false }, { 'if-match': '"0"' })).body.code,
    'changed',
  )
})

test('D9: a log says nothing of verification before a tutor is asked, and sent-back money is not counted as waiting', async () => {
  const parent = await server.aUser()
  const add = async (path: string, body: object) => String((await parent.call('POST', path, body)).body.id)
  const child = await add('/api/v1/students', { name: 'Maya Whitfield' })
  const email = 'quiet@example.com'
  const tutor = await add('/api/v1/tutors', { name: 'Ingrid', email, hourly_rate: 40 })
  const other = await add('/api/v1/tutors', { name: 'Ben', hourly_rate: 30 })
  const lesson = (tutor_id: string, day: string) =>
    add('/api/v1/sessions', { student_id: child, tutor_id, date: `2026-10-${day}`, duration: 1 })
  const ids = [await lesson(tutor, '01'), await lesson(tutor, '02'), await lesson(tutor, '31')]
  await lesson(other, '15')
  const amounts = async () => {
    const { body } = await parent.call('GET', '/api/v1/summary?month=2026-10')
    const year = (await parent.call('GET', '/api/v1/summary/year?year=2026')).body
    const parts = ['verified_amount', 'waiting_amount', 'disputed_amount', 'own_amount']
    const october = (year.by_month as Record<string, unknown>[])[9]
    assert.deepEqual(
      parts.map((part) => october?.[part]),
      parts.map((part) => body[part]),
      'the year says the same',
    )
    return parts.map((part) => body[part])
  }
  const isShared = async (id = '') => (await parent.call('GET', `/api/v1/sessions/${id}`)).body.is_shared
  const file = (name: string) =>
    server.app.inject({
      url: `/api/v1/statements/${name}?from=2026-10-01&to=2026-10-31`,
      headers: { cookie: [...parent.cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
    })
  const states = async () =>
    readCsv((await file('sessions.csv')).payload)
      .slice(1)
      .map(({ cells }) => cells[7])
  const onPaper = async () =>
    (
      await extractText(await getDocumentProxy(new Uint8Array((await file('statement.pdf')).rawPayload)), {
        mergePages: true,
      })
    ).text

  assert.deepEqual([await isShared(ids[0]), await amounts()], [false, [0, 0, 0, 150]])
  assert.deepEqual(await states(), ['', '', '', ''])
  assert.doesNotMatch(await onPaper(), /verified|waiting/i)

  const link = await add(`/api/v1/tutors/${tutor}/link`, {})
  assert.deepEqual([await isShared(ids[0]), await amounts()], [true, [0, 120, 0, 30]])
  const token = await tokenOf(email)
  const stranger = server.aStranger()
  await stranger.call('POST', '/api/confirm/confirm', { token, sessions: [{ id: ids[0], version: 1 }] })
  const sentBack = { token, id: ids[1], version: 1, note: 'It was Tuesday' }
  assert.equal((await stranger.call('POST', '/api/confirm/dispute', sentBack)).status, 200)
  assert.deepEqual(await amounts(), [40, 40, 40, 30])
  assert.deepEqual(await states(), ['Yes', 'Sent back', '', 'No'])
  assert.match(
    await onPaper(),
    /\$40\.00 verified by both sides, \$40\.00 waiting, \$40\.00 sent back, \$30\.00 in this log only/,
  )

  await parent.call('DELETE', `/api/v1/links/${link}`, {})
  assert.deepEqual(await amounts(), [40, 0, 40, 70], 'what was answered stays, nothing waits any more')
})
