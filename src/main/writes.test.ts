// The most common writes take three round trips: one for the login and everything else that's needed, one for
// the rows, and one for the stored response with COMMIT. The server prepares them using its cached data about
// the caller, and the database checks the login again in the same transaction.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { grantAdmin, setDisabled } from '#features/admin/queries.server.ts'
import { roleUrls } from '#platform/db/migrate.server.ts'
import { aPair, idOf, type Pair } from './testing/two-sides.server.ts'
import { onServer, startWiredServer, type WiredServer } from './testing/wired-server.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
let wired: WiredServer
let client: pg.Client
before(async () => {
  server = await startTestServer()
  wired = await startWiredServer(server)
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
})
after(async () => {
  await client.end()
  await wired.stop()
  await server.stop()
})

const onWire = (caller: Caller) => onServer(server, wired.app, caller)

const lessonOf = ({ child, tutor }: Pair, more: object = {}) => ({
  student_id: child,
  tutor_id: tutor,
  date: '2026-11-10',
  duration: 1,
  ...more,
})

async function trips(work: () => Promise<{ status: number }>, expected: number): Promise<number> {
  wired.wire.count()
  const { status } = await work()
  assert.equal(status, expected)
  return wired.wire.count()
}

test('logging a session takes three round trips, including history, confirmations, notes and the idempotency key', async () => {
  const pair = await aPair(server)
  const alone = await server.aUser()
  const person = (path: string, name: string) => alone.call('POST', `/api/v1/${path}`, { name })
  const own = {
    student_id: idOf(await person('students', 'Maya')),
    tutor_id: idOf(await person('tutors', 'Ingrid')),
    date: '2026-11-10',
    duration: 1.5,
  }
  const shared = lessonOf(pair)
  const ofTutor = { ...shared, student_id: pair.student, tutor_id: pair.self, date: '2026-11-12' }
  const rows: [Caller, object][] = [
    [alone, own],
    [alone, { ...own, notes: 'Ask about the test', subject: 'Math', start_time: '16:30' }],
    [pair.family, shared],
    [pair.family, { ...shared, notes: 'Only ours', is_another: true }],
    [pair.practice, ofTutor],
  ]
  for (const [who, lesson] of rows) {
    const caller = onWire(who)
    await caller.call('GET', '/api/v1/me')
    // The first request on a connection also plans its statements. That doesn't take an extra round trip.
    const headers = { 'idempotency-key': crypto.randomUUID() }
    assert.equal(await trips(() => caller.call('POST', '/api/v1/sessions', lesson, headers), 201), 3)
    const again = await caller.call('POST', '/api/v1/sessions', lesson, headers)
    const id = idOf(again)
    const { body } = await who.call('GET', `/api/v1/sessions/${id}`)
    assert.deepEqual(again.body, body)
    const { rows: kept } = await client.query<{ entries: number; keys: number }>(
      `select (select count(*)::int from history where entry_id = $1) as entries,
        (select count(*)::int from idempotency_keys where key = $2 and status = 201) as keys`,
      [id, headers['idempotency-key']],
    )
    assert.deepEqual(kept, [{ entries: 1, keys: 1 }])
  }
})

test('confirming a session, withdrawing that and sending it back take three round trips each', async () => {
  const pair = await aPair(server)
  const id = idOf(await pair.family.call('POST', '/api/v1/sessions', lessonOf(pair)))
  const caller = onWire(pair.practice)
  await caller.call('GET', '/api/v1/me')
  const path = `/api/v1/sessions/${id}/confirm`
  assert.equal(await trips(() => caller.call('POST', path, { summary: 'Fractions' }), 200), 3)
  assert.equal(await trips(() => caller.call('DELETE', path), 200), 3)
  const note = { note: 'It was an hour' }
  assert.equal(await trips(() => caller.call('POST', `/api/v1/sessions/${id}/dispute`, note), 200), 3)
})

/** Refusals after which the member can still read the data. */
const READS_STILL = new Set(['read_only', 'unknown_student'])

test('A5: who signed out, was removed, disabled or may do less is refused on the very next write, and nothing is written', async () => {
  const pair = await aPair(server)
  const { family } = pair
  const inFamily = { 'tutorlog-workspace': family.id }
  const member = async (role: string) => {
    // The number of members per workspace is limited, so remove the earlier ones.
    await client.query(`delete from members where workspace_id = $1 and role <> 'owner'`, [family.id])
    const person = server.aStranger()
    await family.call('POST', '/api/v1/members', { email: person.email, role })
    const { text } = await server.mailTo(person.email, 'invited you')
    const token = /\/join#token=(\S+)/.exec(text)?.[1]
    await person.call('POST', '/api/auth/join', { token, password: PASSWORD, full_name: 'Cara' })
    person.id = String((await person.call('GET', '/api/v1/me')).body.id)
    return person
  }
  const update = (text: string) => (person: Caller) => client.query(text, [person.id])
  const changes: [string, (person: Caller) => Promise<unknown>, number, string][] = [
    ['signed out', (person) => person.call('POST', '/api/auth/sign-out', {}), 401, 'signed_out'],
    ['removed', (person) => family.call('DELETE', `/api/v1/members/${person.id}`), 404, 'no_such_workspace'],
    [
      'disabled',
      (person) => server.db.asSystem((tx) => setDisabled(tx, person.id, new Date())),
      401,
      'signed_out',
    ],
    ['a viewer now', update(`update members set role = 'viewer' where account_id = $1`), 403, 'read_only'],
    ['leaving', update('update users set deletion_asked_at = now() where id = $1'), 403, 'account_deleted'],
    [
      'unconfirmed',
      update('update users set email_confirmed_at = null where id = $1'),
      403,
      'email_not_verified',
    ],
    [
      'limited to nobody',
      update('update members set all_students = false where account_id = $1'),
      422,
      'unknown_student',
    ],
  ]
  const count = async () =>
    (await client.query('select count(*)::int as n from sessions where family_id = $1', [family.id])).rows
  const log = (caller: Caller) =>
    caller.call('POST', '/api/v1/sessions', lessonOf(pair, { is_another: true }), inFamily)
  for (const [name, change, status, code] of changes) {
    const person = await member('parent')
    const here = new Map(person.cookies)
    assert.equal((await log(person)).status, 201, name)
    const before = await count()
    await change(person)
    for (const [cookie, value] of here) person.cookies.set(cookie, value)
    const reads = await person.call('GET', '/api/v1/dashboard?today=2026-11-20', undefined, inFamily)
    assert.equal(reads.status, READS_STILL.has(code) ? 200 : status, name)
    const answer = await log(person)
    assert.deepEqual([answer.status, answer.body.code], [status, code], name)
    assert.deepEqual(await count(), before, name)
  }
  // New rights apply right away, even if the server's cached data about the caller is out of date.
  const viewer = await member('viewer')
  assert.equal((await log(viewer)).status, 403)
  await client.query(`update members set role = 'parent' where account_id = $1`, [viewer.id])
  assert.equal((await log(viewer)).status, 201)
  const admin = await member('parent')
  assert.equal((await admin.call('GET', '/api/v1/admin/overview')).status, 403)
  await server.db.asSystem((tx) => grantAdmin(tx, admin.id))
  assert.equal((await admin.call('GET', '/api/v1/admin/overview')).status, 200)
})

test('A5: an administrator who signed out changes nothing by an operation that works outside its own transaction', async () => {
  const [admin, other] = [await server.aUser(), await server.aUser()]
  await server.db.asSystem((tx) => grantAdmin(tx, admin.id))
  const disable = () => admin.call('PATCH', `/api/v1/admin/people/${other.id}`, { disabled: true })
  assert.equal((await admin.call('GET', '/api/v1/admin/overview')).status, 200)
  const here = new Map(admin.cookies)
  await admin.call('POST', '/api/auth/sign-out', {})
  for (const [name, value] of here) admin.cookies.set(name, value)
  assert.equal((await disable()).status, 401)
  const { rows } = await client.query('select disabled_at from users where id = $1', [other.id])
  assert.deepEqual(rows, [{ disabled_at: null }])
})

test('an operation that checks its caller in its own transaction uses no other database handle', async () => {
  let served = 0
  for await (const file of glob('src/features/*/*.server.ts')) {
    const text = await readFile(file, 'utf8')
    for (const call of text.split(/^ {2}serve\(/m).slice(1)) {
      if (!/^[^(]*WITHIN,/.test(call)) continue
      const operation = call.split(/^ {2}\}?\)$/m)[0] ?? ''
      assert.doesNotMatch(operation, /\bdb\b|\bas(System|Member|Link)\b/, file)
      served += 1
    }
  }
  assert.ok(served > 40, `${served} operations`)
})

test('D5: a repeated call of a known caller gets the first answer, and another request under its key is refused', async () => {
  const pair = await aPair(server)
  const key = { 'idempotency-key': crypto.randomUUID() }
  const log = (more: object) => pair.family.call('POST', '/api/v1/sessions', lessonOf(pair, more), key)
  const first = await log({ notes: 'Kept' })
  assert.equal(first.status, 201)
  await pair.family.call('PATCH', `/api/v1/sessions/${idOf(first)}`, { notes: 'Changed' })
  const [again, both] = await Promise.all([log({ notes: 'Kept' }), log({ notes: 'Kept' })])
  assert.deepEqual([again.body, both.body], [first.body, first.body])
  assert.equal((await log({ notes: 'Other' })).body.code, 'idempotency_key_reused')
  const fresh = { 'idempotency-key': crypto.randomUUID() }
  const twice = await Promise.all(
    [1, 2, 3].map(() =>
      pair.family.call('POST', '/api/v1/sessions', lessonOf(pair, { date: '2026-11-17' }), fresh),
    ),
  )
  assert.equal(new Set(twice.map((answer) => idOf(answer))).size, 1)
  // A refused call doesn't use up its idempotency key.
  const refused = { 'idempotency-key': crypto.randomUUID() }
  const nobody = lessonOf(pair, { student_id: crypto.randomUUID() })
  assert.equal((await pair.family.call('POST', '/api/v1/sessions', nobody, refused)).status, 422)
  const right = lessonOf(pair, { date: '2026-11-18' })
  assert.equal((await pair.family.call('POST', '/api/v1/sessions', right, refused)).status, 201)
})

test('a transaction for a remembered caller does nothing if the database no longer knows them', async () => {
  const urls = await roleUrls(server.superuserUrl)
  const asServer = new pg.Client({ connectionString: urls.server })
  await asServer.connect()
  try {
    await asServer.query('begin')
    await assert.rejects(
      asServer.query(`select admit_again('\\x00', now(), null, '(somebody)')`),
      (error: Error & { code?: string }) => error.code === 'TL001',
    )
    await assert.rejects(asServer.query('select 1'), /current transaction is aborted/)
    await asServer.query('rollback')
  } finally {
    await asServer.end()
  }
  const { member } = await server.aUser()
  const caller = { accessHash: Buffer.alloc(32), now: new Date(), known: '(somebody)' }
  // The call is refused no matter what the handler returns or throws, even if it doesn't run a query.
  for (const work of [async () => 'an answer', async () => Promise.reject(new Error('a refusal'))]) {
    await assert.rejects(server.db.readAsMember(member, work, caller), { message: 'the caller has changed' })
    await assert.rejects(server.db.asMember(member, work, { caller }), { message: 'the caller has changed' })
  }
})
