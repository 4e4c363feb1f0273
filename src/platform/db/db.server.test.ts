import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type Member, startTestServer, type TestServer, withTestRoles } from '#main/testing.server.ts'
import { type CallerDb, openDb } from '#features/access/db.server.ts'
import { PORTIONS_AT_ONCE } from '#features/summary/queries.server.ts'
import { DatabaseAway } from './db.server.ts'
import { roleUrls } from './migrate.server.ts'

/** A proxy between the app and PostgreSQL that can hold back all responses until a given statement is sent. */
interface Wire {
  db: CallerDb
  /** The BEGIN, COMMIT and ROLLBACK statements that were sent, in order. */
  sent: string[]
  /** Holds back PostgreSQL's responses until this statement is sent; undefined lets everything through. */
  holdUntil: string | undefined
}

let server: TestServer
let wire: Wire
let proxy: Server
let userId: string
let member: Member

before(async () => {
  server = await startTestServer()
  const user = await server.aUser()
  userId = user.id
  member = user.member
  const target = new URL(server.superuserUrl)
  const port = Number(target.port)
  wire = { sent: [], holdUntil: undefined } as unknown as Wire
  proxy = createServer((near) => link(near, connect(port, '127.0.0.1')))
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  target.port = String((proxy.address() as AddressInfo).port)
  wire.db = openDb(await roleUrls(target.href), 1)
})
after(async () => {
  await wire.db.close()
  proxy.close()
  await server.stop()
})

function link(near: Socket, far: Socket): void {
  let held: Buffer[] = []
  near.on('data', (chunk: Buffer) => {
    far.write(chunk)
    wire.sent.push(
      ...[...chunk.toString('latin1').matchAll(/begin read only|begin|commit|rollback/g)].map(
        ([word]) => word,
      ),
    )
    if (wire.holdUntil === undefined || wire.sent.includes(wire.holdUntil)) {
      for (const answer of held) near.write(answer)
      held = []
    }
  })
  far.on('data', (chunk: Buffer) => {
    if (wire.holdUntil === undefined || wire.sent.includes(wire.holdUntil)) near.write(chunk)
    else held.push(chunk)
  })
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => undefined)
    one.on('close', () => other.destroy())
  }
}

test('a read takes one round trip: its COMMIT is sent before anything was answered', async () => {
  await wire.db.readAsMember({ accountId: userId }, (tx) =>
    tx.selectFrom('profiles').select('user_id').execute(),
  )
  wire.sent = []
  wire.holdUntil = 'commit'
  try {
    // This would hang if anything waited for a response before COMMIT was sent.
    const rows = await wire.db.readAsMember({ accountId: userId }, (tx) =>
      tx.selectFrom('profiles').select('user_id').execute(),
    )
    assert.deepEqual(rows, [{ user_id: userId }])
    assert.deepEqual(wire.sent, ['begin read only', 'commit'])
  } finally {
    wire.holdUntil = undefined
  }
})

test('T1: a read sees its own user only, also when the connection served another one before', async () => {
  const other = await server.aUser()
  const seen = (id: string) =>
    wire.db.readAsMember({ accountId: id }, (tx) => tx.selectFrom('profiles').select('user_id').execute())
  for (const id of [userId, other.id, userId]) assert.deepEqual(await seen(id), [{ user_id: id }])
  const nobody = await wire.db.readAsMember({ accountId: '' }, (tx) =>
    tx.selectFrom('profiles').select('user_id').execute(),
  )
  assert.deepEqual(nobody, [])
})

test('a read that writes is refused by the database, and the connection serves on', async () => {
  await assert.rejects(
    wire.db.readAsMember(member, (tx) =>
      tx.insertInto('students').values({ workspace_id: member.workspaceId, name: 'Maya' }).execute(),
    ),
    /read-only transaction/,
  )
  await assert.rejects(
    wire.db.readAsMember({ accountId: userId }, (tx) => sql`select no_such_column`.execute(tx)),
    /no_such_column/,
  )
  const [row] = await wire.db.readAsMember(member, (tx) =>
    tx
      .selectFrom('students')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .execute(),
  )
  assert.equal(Number(row?.count), 0)
  wire.sent = []
  await wire.db.asMember(member, (tx) =>
    tx.insertInto('students').values({ workspace_id: member.workspaceId, name: 'Maya' }).execute(),
  )
  assert.deepEqual(wire.sent, ['begin', 'commit'])
})

test('two reads of one piece of work are two round trips, in order', async () => {
  const names = await wire.db.readAsMember(member, async (tx) => {
    const students = await tx.selectFrom('students').select('name').execute()
    const profiles = await tx.selectFrom('profiles').select('user_id').execute()
    return [...students.map((row) => row.name), ...profiles.map((row) => row.user_id)]
  })
  assert.deepEqual(names, ['Maya', userId])
})

const readOf = (first: string) =>
  wire.db.readAtOnce(
    { statement: PORTIONS_AT_ONCE, closedTo: [], values: [first, '2026-11-30'] },
    { accessHash: Buffer.alloc(32), now: new Date() },
  )

test('of several reads that share a connection, one that fails takes no other with it', async () => {
  const reads = [readOf('2026-11-01'), readOf('never'), readOf('2026-11-01')]
  const [before, failed, after] = await Promise.allSettled(reads)
  assert.deepEqual([before?.status, failed?.status, after?.status], ['fulfilled', 'rejected', 'fulfilled'])
  assert.match(String(failed?.status === 'rejected' && failed.reason), /invalid input syntax for type date/)
})

test('reads that share a connection that breaks can be tried again, and the next one gets a new connection', async () => {
  const owner = new pg.Client({ connectionString: server.superuserUrl })
  await owner.connect()
  try {
    wire.holdUntil = 'rollback'
    const broken = Promise.allSettled([readOf('2026-11-01'), readOf('2026-11-01')])
    const { rows } = await owner.query<{ count: number }>(
      "select count(pg_terminate_backend(pid))::int as count from pg_stat_activity where application_name = 'tutorlog' and query like 'select read_portions%'",
    )
    assert.ok(rows[0]?.count)
    for (const read of await broken)
      assert.ok(read.status === 'rejected' && read.reason instanceof DatabaseAway)
  } finally {
    wire.holdUntil = undefined
    await owner.end()
  }
  assert.equal(await readOf('2026-11-01'), undefined)
})

test('a repeated query is not parsed again until its tables change', async () => {
  const read = () =>
    wire.db.readAsMember(member, (tx) => sql<{ kept: number }>`select kept from remembered`.execute(tx))
  const times = () =>
    wire.db.readAsMember(member, (tx) =>
      sql<{ times: number }>`select generic_plans + custom_plans as times from pg_prepared_statements
        where statement = 'select kept from remembered'`.execute(tx),
    )
  const owner = new pg.Client({ connectionString: server.superuserUrl })
  await owner.connect()
  try {
    await owner.query(
      withTestRoles(
        'create table remembered as select 1 as kept; grant select on remembered to tutorlog_app',
      ),
    )
    await read()
    await read()
    assert.equal((await times()).rows[0]?.times, 2)
    await owner.query('alter table remembered alter kept type text')
    await assert.rejects(read(), DatabaseAway)
    assert.deepEqual((await read()).rows, [{ kept: '1' }])
  } finally {
    await owner.query('drop table remembered')
    await owner.end()
  }
})

test('a conflict with a partial index is found however often a row is written', async () => {
  const owner = new pg.Client({ connectionString: server.superuserUrl })
  await owner.connect()
  try {
    await owner.query(
      withTestRoles(`create table partly (key int, state text); grant all on partly to tutorlog_app;
      create unique index on partly (key) where state = 'open'`),
    )
    for (let times = 0; times < 10; times++)
      await wire.db.asMember(member, (tx) =>
        sql`insert into partly values (1, 'open') on conflict (key) where state = ${'open'} do nothing`.execute(
          tx,
        ),
      )
    assert.equal((await owner.query('select from partly')).rowCount, 1)
  } finally {
    await owner.query('drop table partly')
    await owner.end()
  }
})
