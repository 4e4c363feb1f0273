import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
let client: pg.Client
let parent: Caller
let tutor: Caller

before(async () => {
  server = await startTestServer()
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  parent = await server.aUser()
  tutor = await server.aUser('tutor')
})
after(async () => {
  await client.end()
  await server.stop()
})

const HEADER = 'tutorlog-workspace'
const workspacesOf = async (person: Caller) =>
  (await person.call('GET', '/api/v1/workspaces')).body as unknown as { id: string }[]

test('choosing a role starts a workspace: a family or a practice', async () => {
  assert.deepEqual(await workspacesOf(parent), [
    { id: parent.member.workspaceId, kind: 'family', role: 'owner', owner_name: null, is_current: true },
  ])
  assert.deepEqual(await workspacesOf(tutor), [
    { id: tutor.member.workspaceId, kind: 'practice', role: 'owner', owner_name: null, is_current: true },
  ])
})

test("T1: a request that names someone else's workspace, or one that doesn't exist, is answered 404 and changes nothing", async () => {
  for (const named of [tutor.member.workspaceId, crypto.randomUUID(), 'mine', '']) {
    const answer = await parent.call('POST', '/api/v1/students', { name: 'Maya' }, { [HEADER]: named })
    assert.equal(answer.status, 404, named)
    assert.equal((await parent.call('GET', `/api/v1/students?workspace=${named}`)).status, 404, named)
  }
  const { rows } = await client.query("select from students where name = 'Maya'")
  assert.equal(rows.length, 0)
})

test('a request works in the workspace it names, and never touches the account’s other one', async () => {
  await parent.call('POST', '/api/v1/students', { name: 'Theo' })
  const other = crypto.randomUUID()
  await client.query("insert into workspaces (id, kind) values ($1, 'family')", [other])
  await client.query("insert into members (workspace_id, account_id, role) values ($1, $2, 'parent')", [
    other,
    parent.id,
  ])
  const named = { [HEADER]: other }
  assert.deepEqual((await parent.call('GET', '/api/v1/students', undefined, named)).body, [])
  const added = await parent.call('POST', '/api/v1/students', { name: 'Nora' }, named)
  assert.equal(added.status, 201)
  const names = async (headers = {}) =>
    (
      (await parent.call('GET', '/api/v1/students', undefined, headers)).body as unknown as { name: string }[]
    ).map(({ name }) => name)
  assert.deepEqual(await names(named), ['Nora'])
  assert.deepEqual(await names(), ['Theo'])
  const { id } = added.body as { id: string }
  assert.equal(
    (await parent.call('GET', `/api/v1/students/${id}`)).status,
    404,
    'it is in the other workspace',
  )
  const file = await parent.call(
    'GET',
    `/api/v1/statements/sessions.csv?from=2026-01-01&to=2026-01-31&workspace=${other}`,
  )
  assert.equal(file.status, 200, 'a download names it in its address')
  assert.deepEqual(
    (await workspacesOf(parent)).map((workspace) => workspace.id),
    [parent.member.workspaceId, other],
  )

  // A removed member is locked out starting with the very next call.
  await client.query('delete from members where workspace_id = $1 and account_id = $2', [other, parent.id])
  assert.equal((await parent.call('GET', '/api/v1/students', undefined, named)).status, 404)
})

test("T1: the database shows no rows to someone who isn't a member of the workspace they name", async () => {
  const speaker = { ...parent.member, accountId: tutor.id }
  const seen = await server.db.asMember(speaker, (tx) => tx.selectFrom('students').select('id').execute())
  assert.deepEqual(seen, [])
  await assert.rejects(
    server.db.asMember(speaker, (tx) =>
      tx.insertInto('students').values({ workspace_id: speaker.workspaceId, name: 'Pushed in' }).execute(),
    ),
    /row-level security/,
  )
})

test('an idempotency key used in one workspace means a different request in another', async () => {
  const other = crypto.randomUUID()
  await client.query("insert into workspaces (id, kind) values ($1, 'family')", [other])
  await client.query("insert into members (workspace_id, account_id, role) values ($1, $2, 'owner')", [
    other,
    parent.id,
  ])
  const key = { 'idempotency-key': 'once' }
  assert.equal((await parent.call('POST', '/api/v1/students', { name: 'Ada' }, key)).status, 201)
  const again = await parent.call('POST', '/api/v1/students', { name: 'Ada' }, { ...key, [HEADER]: other })
  assert.equal(again.status, 422)
  assert.equal(again.body.code, 'idempotency_key_reused')
})

test('a workspace without members is deleted with its rows, and all other rows stay', async () => {
  const leaver = await server.aUser()
  await leaver.call('POST', '/api/v1/students', { name: 'Gone' })
  await client.query('delete from users where id = $1', [leaver.id])
  const left = async (table: string, column: string) =>
    (await client.query(`select from ${table} where ${column} = $1`, [leaver.member.workspaceId])).rows.length
  assert.deepEqual([await left('workspaces', 'id'), await left('students', 'workspace_id')], [0, 0])
  assert.equal((await workspacesOf(tutor)).length, 1)
})
