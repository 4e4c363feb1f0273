import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import pg from 'pg'
import { type StandIn, startStripeStandIn } from '#main/testing/stripe.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aFullAccount } from '#main/testing/full-account.server.ts'
import { EXPORTED, NOT_EXPORTED } from './catalogue.ts'

let server: TestServer
let stripe: StandIn
let client: pg.Client

before(async () => {
  stripe = await startStripeStandIn(() => server.clock.now)
  server = await startTestServer(stripe.settings)
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
})
after(async () => {
  await client.end()
  await server.stop()
  await stripe.stop()
})

const rows = async (text: string, values: unknown[] = []) =>
  (await client.query<Record<string, unknown>>(text, values)).rows

async function exportOf(
  user: Caller,
  headers = {},
): Promise<{ files: Record<string, string>; table: (name: string) => Record<string, unknown>[] }> {
  const answer = await user.call('POST', '/api/v1/export', {}, headers)
  assert.equal(answer.status, 200)
  assert.match(
    String(answer.headers['content-disposition']),
    /^attachment; filename="tutorlog-export-\d{4}-\d\d-\d\d\.zip"$/,
  )
  const files = Object.fromEntries(
    Object.entries(unzipSync(answer.bytes)).map(([name, bytes]) => [name, strFromU8(bytes)]),
  )
  return {
    files,
    table: (name) => JSON.parse(files[`json/${name}.json`] ?? 'null') as Record<string, unknown>[],
  }
}

/** Tables that each side reads through a view. */
const VIEWS = new Set([
  'sessions',
  'history',
  'payments',
  'charges',
  'terms',
  'schedules',
  'schedule_changes',
])

test('P5: every table with an owner, and every column of it, is exported or says why not, on either side', async () => {
  const owned = await rows(
    `select distinct conrelid::regclass::text as name from pg_constraint where contype = 'f' and confrelid in ('users'::regclass, 'workspaces'::regclass)
      union select table_name from information_schema.columns where table_schema = 'public'
        and column_name in ('workspace_id', 'family_id', 'practice_id') order by 1`,
  )
  const tables = ['users', 'workspaces', ...owned.map((row) => String(row.name))]
  for (const table of tables) {
    if (NOT_EXPORTED[table]) continue
    for (const schema of VIEWS.has(table) ? ['family', 'practice'] : ['public']) {
      const columns = await rows(
        'select column_name from information_schema.columns where table_schema = $1 and table_name = $2',
        [schema, table],
      )
      assert.deepEqual(
        Object.keys(EXPORTED[table]?.columns ?? {}).sort(),
        columns.map((row) => String(row.column_name)).sort(),
        `the export of ${table}`,
      )
    }
  }
  const known = new Set(tables)
  assert.deepEqual(
    [...Object.keys(EXPORTED), ...Object.keys(NOT_EXPORTED)].filter((table) => !known.has(table)),
    [],
  )
})

test('D12: a family and a practice each have their own export, which says which one it is', async () => {
  const user = await server.aUser()
  await user.call('PATCH', '/api/v1/me', { full_name: 'Ana Whitfield' })
  await user.call('POST', '/api/v1/students', { name: 'Maya' })
  const alone = await exportOf(user)
  assert.match(alone.files['README.txt'] ?? '', /This export covers the family of Ana Whitfield \(workspace /)
  assert.doesNotMatch(alone.files['README.txt'] ?? '', /member of another family or practice/)
  const { id } = (await user.call('POST', '/api/v1/workspaces', { kind: 'practice' })).body
  const there = { 'tutorlog-workspace': String(id) }
  await user.call('POST', '/api/v1/students', { name: 'Lea' }, there)
  const [family, practice] = [await exportOf(user), await exportOf(user, there)]
  const names = ({ table }: typeof family) => table('students').map(({ name }) => name)
  assert.deepEqual([names(family), names(practice)], [['Maya'], ['Lea']])
  assert.match(
    practice.files['README.txt'] ?? '',
    new RegExp(`This export covers the practice .*${String(id)}`),
  )
  assert.match(family.files['README.txt'] ?? '', /member of another family or practice/)
  for (const { table } of [family, practice]) assert.equal(table('memberships').length, 2)
})

test("P5, D12: the export contains all of the owner's rows, none of anyone else's, and no secrets", async () => {
  await aFullAccount(server)
  const { user, child } = await aFullAccount(server)
  const { files, table } = await exportOf(user)
  for (const [name, { owner, file }] of Object.entries(EXPORTED)) {
    const place = VIEWS.has(name) ? `family.${name}` : name
    const [count] = await rows(
      `select count(*)::int as count from ${place} where ${owner === 'side' ? 'family_id' : owner} = $1`,
      [user.id],
    )
    assert.equal(table(file).length, count?.count, name)
    assert.match(files[`csv/${file}.csv`] ?? '', /^"user_id"|^"workspace_id"|^"id"|^"issuer"/)
  }
  assert.deepEqual(
    table('students').map(({ id, name, notes }) => [id, name, notes]),
    [[child, '=Maya Zabel', '@home, "quoted"\nsecond line']],
  )
  assert.match(files['csv/students.csv'] ?? '', /"'=Maya Zabel"/)
  assert.deepEqual(
    table('sessions')
      .map((session) => [session.duration, session.total_amount])
      .sort(),
    [
      [0.25, 11.39],
      [1.5, 68.33],
    ],
  )
  assert.match(files['README.txt'] ?? '', /duration: hours/)
  const all = Object.values(files).join('\n')
  for (const token of user.cookies.values()) assert.ok(!all.includes(token))
  assert.doesNotMatch(all, /argon2id/)
})

test('D12: importing an export into a new account gives the same totals', async () => {
  const { user } = await aFullAccount(server)
  const { table } = await exportOf(user)
  const other = await server.aUser()
  const ids = new Map<unknown, unknown>()
  for (const { id, name, grade, notes } of table('students'))
    ids.set(id, (await other.call('POST', '/api/v1/students', { name, grade, notes })).body.id)
  for (const { id, name, email, phone, hourly_rate, subjects, notes } of table('tutors'))
    ids.set(
      id,
      (await other.call('POST', '/api/v1/tutors', { name, email, phone, hourly_rate, subjects, notes })).body
        .id,
    )
  for (const { student_id, tutor_id, date, duration, hourly_rate, subject, notes } of table('sessions')) {
    await other.call('POST', '/api/v1/sessions', {
      student_id: ids.get(student_id),
      tutor_id: ids.get(tutor_id),
      date,
      duration,
      ...(hourly_rate === null ? {} : { hourly_rate }),
      subject,
      notes,
    })
  }
  const totals = async (caller: Caller) => {
    const { body } = await caller.call('GET', '/api/v1/summary?month=2026-11')
    return [body.total_sessions, body.total_hours, body.total_amount]
  }
  assert.deepEqual(await totals(other), await totals(user))
})

test('P5: each side exports what it shares, and no id, name or address of the other side', async () => {
  const { user, child } = await aFullAccount(server)
  await user.call('PATCH', '/api/v1/me', { full_name: 'Orla Finch' })
  const tutor = await server.aUser('tutor')
  await tutor.call('PATCH', '/api/v1/me', { full_name: 'Ingrid Lindqvist' })
  const tutor_id = String(
    (await user.call('POST', '/api/v1/tutors', { name: 'Frau Lindqvist', email: tutor.email })).body.id,
  )
  const session = String(
    (
      await user.call('POST', '/api/v1/sessions', {
        student_id: child,
        tutor_id,
        date: '2026-11-20',
        duration: 1,
        notes: 'the family alone',
      })
    ).body.id,
  )
  const connection = String(
    (await user.call('POST', '/api/v1/connections', { tutor_id, name: 'Ann' })).body.id,
  )
  await tutor.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
  await tutor.call('PATCH', `/api/v1/sessions/${session}`, { notes: 'the tutor alone' })
  await tutor.call('POST', `/api/v1/sessions/${session}/confirm`, {})
  const [student] = (await tutor.call('GET', '/api/v1/students')).body as unknown as { id: string }[]
  const [family, practice] = [await exportOf(user), await exportOf(tutor)]
  for (const { table } of [family, practice]) {
    const shared = table('sessions').find(({ id }) => id === session)
    assert.deepEqual(
      [shared?.own_confirmation, shared?.other_confirmation, shared?.connection_id],
      ['confirmed', 'confirmed', connection],
    )
    assert.deepEqual(
      table('history')
        .filter(({ entry_id: id }) => id === session)
        .map(({ side, action }) => `${String(side)} ${String(action)}`),
      ['family logged', 'practice confirmed'],
    )
    assert.deepEqual(
      table('connections').map(({ id, state }) => [id, state]),
      [[connection, 'active']],
    )
  }
  assert.deepEqual(
    [family, practice].map(({ table }) =>
      table('connected_people').map(({ first_name: name, student_id: id }) => [name, id]),
    ),
    [[['=Maya', child]], [['=Maya', student?.id]]],
  )
  const all = (files: Record<string, string>) => Object.values(files).join('\n')
  for (const secret of [tutor.id, 'Ingrid Lindqvist', String(student?.id), 'the tutor alone'])
    assert.ok(!all(family.files).includes(secret), secret)
  for (const secret of [user.id, user.email, 'Zabel', 'Frau Lindqvist', child, tutor_id, 'the family alone'])
    assert.ok(!all(practice.files).includes(secret), secret)
})

test("P5: a practice's export names the address of a family it asked, and not its own if a family asked", async () => {
  const tutor = await server.aUser('tutor')
  const student = String((await tutor.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const email = 'asked-family@example.com'
  await tutor.call('POST', '/api/v1/connections', { email, student_ids: [student] })
  const user = await server.aUser('parent')
  const tutor_id = String(
    (await user.call('POST', '/api/v1/tutors', { name: 'Ingrid', email: tutor.email })).body.id,
  )
  const asked = String((await user.call('POST', '/api/v1/connections', { tutor_id, name: 'Ann' })).body.id)
  await tutor.call('PATCH', `/api/v1/connections/${asked}`, { state: 'active' })
  assert.deepEqual(
    (await exportOf(tutor))
      .table('connections')
      .map((row) => [row.asked_by, row.email])
      .sort(),
    [
      ['family', null],
      ['practice', email],
    ],
  )
  assert.deepEqual(
    (await exportOf(user)).table('connections').map((row) => row.email),
    [tutor.email],
  )
})

test('an export of many sessions is complete', async () => {
  const { user, child, tutor } = await aFullAccount(server)
  await rows(
    `insert into sessions (family_id, child_id, family_tutor_id, day, minutes, tutor_rate_cents, currency) select $1, $2,
      $3, date '2020-01-01' + n % 2000, 60, 4555, 'USD' from generate_series(1, 5000) n`,
    [user.id, child, tutor],
  )
  const { table } = await exportOf(user)
  assert.equal(table('sessions').length, 5002)
  assert.equal(new Set(table('sessions').map((session) => session.id)).size, 5002)
})
