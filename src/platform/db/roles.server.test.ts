import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { makeFirstWorkspace } from '#features/workspaces/queries.server.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { makeDemonstration } from '#main/demo.ts'
import { schemaOf } from '#main/testing/schema.server.ts'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { queueJob } from '#platform/jobs/queue.server.ts'
import { clusterPlace } from './cluster-place.server.ts'
import { asRole, connectTo } from './connection.server.ts'
import { type CallerDb, openDb } from '#features/access/db.server.ts'
import type { DbUrls } from './db.server.ts'
import { migrate } from './migrate.server.ts'

let server: TestServer
let client: pg.Client

before(async () => {
  server = await startTestServer()
  client = await connectTo(server.superuserUrl)
})
after(async () => {
  await client.end()
  await server.stop()
})

async function aDatabase(name: string, owner?: string): Promise<string> {
  await client.query(`create database ${name} ${owner ? `owner ${owner}` : ''}`)
  const url = new URL(server.superuserUrl)
  url.pathname = `/${name}`
  return owner ? asRole(url.href, owner, `password-of-${owner}`) : url.href
}

async function withDb<Result>(urls: DbUrls, work: (db: CallerDb) => Promise<Result>): Promise<Result> {
  const db = openDb(urls, 2)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

const FAMILY = '00000000-0000-4000-8000-000000000001'
const speaker = { accountId: FAMILY, workspace: { id: FAMILY as WorkspaceId, kind: 'family' as const } }

/** Signs someone up and adds a child, using both the system role and a side's role. */
async function fill(urls: DbUrls, child: string): Promise<void> {
  await withDb(urls, async (db) => {
    await db.asSystem(async (tx) => {
      await sql`insert into users (id, email, email_key) values (${FAMILY}, 'family@example.com', 'family@example.com')`.execute(
        tx,
      )
      await sql`insert into profiles (user_id) values (${FAMILY})`.execute(tx)
      await makeFirstWorkspace(tx, FAMILY, 'family')
      await queueJob(tx, 'purge_old', {})
    })
    await addChild(db, child)
  })
}

const addChild = (db: CallerDb, name: string) =>
  db.asMember(speaker, (tx) =>
    tx
      .insertInto('students')
      .values({ workspace_id: FAMILY as WorkspaceId, name })
      .execute(),
  )

const childrenOf = (urls: DbUrls) =>
  withDb(urls, async (db) => {
    const rows = await db.readAsMember(speaker, (tx) =>
      tx.selectFrom('students').select('name').orderBy('name').execute(),
    )
    return rows.map(({ name }) => name)
  })

async function refusal(url: string): Promise<string> {
  const [found] = await Promise.allSettled([connectTo(url)])
  if (found.status === 'rejected') return String(found.reason)
  await found.value.end()
  return 'let in'
}

test('O1: two installations on one cluster start and restart in turn, and neither reads the other', async () => {
  await client.query("create role school_owner login createrole password 'password-of-school_owner'")
  // One database belongs to a superuser, the other to a role that can only create roles.
  const [home, school] = [await aDatabase('home'), await aDatabase('school', 'school_owner')]
  const [first, second] = [await migrate(home), await migrate(school)]
  await fill(first, 'Maya')
  await fill(second, 'Theo')
  for (const [url, urls] of [
    [home, first],
    [school, second],
    [home, first],
  ] as const)
    assert.deepEqual(await migrate(url), urls, 'a start changes no password and no name')
  assert.deepEqual(await Promise.all([childrenOf(first), childrenOf(second)]), [['Maya'], ['Theo']])

  const crossed = (urls: DbUrls, name: string) =>
    Promise.all(Object.values(urls.direct).map((url) => refusal(url.replace(/\/(home|school)$/, `/${name}`))))
  for (const reason of [...(await crossed(first, 'school')), ...(await crossed(second, 'home'))])
    assert.match(reason, /permission denied for database/)
  await client.query("create role stranger login password 'password-of-stranger'")
  for (const url of [home, school, server.superuserUrl])
    assert.match(
      await refusal(asRole(url, 'stranger', 'password-of-stranger')),
      /permission denied for database/,
    )
})

test('O1: when the password of the owner changes, servers that run go on, and the next start finds all as it was', async () => {
  await client.query("create role moving_owner login createrole password 'password-of-moving_owner'")
  const url = await aDatabase('moving', 'moving_owner')
  const urls = await migrate(url)
  await fill(urls, 'Maya')
  await client.query("alter role moving_owner password 'another'")
  assert.match(await refusal(url), /password authentication failed/)
  assert.deepEqual(await childrenOf(urls), ['Maya'], 'a server that knows only the old password')
  const renewed = await migrate(asRole(url, 'moving_owner', 'another'))
  assert.deepEqual([renewed, await childrenOf(urls)], [urls, ['Maya']])
})

test('O1: no logged database statement contains a password', async () => {
  await client.query("alter role all set log_statement = 'all'")
  try {
    const url = await aDatabase('logged')
    const urls = await migrate(url)
    await fill(urls, 'Maya')
    // One role's password is removed, then restored.
    await client.query(`alter role ${urls.rolePrefix}link password null`)
    await migrate(url)
    const log = readFileSync(`${clusterPlace(server.dataDir).data}.log`, 'utf8')
    assert.match(log, new RegExp(`alter role ${urls.rolePrefix}link login password 'SCRAM-SHA-256\\$`))
    const reader = await connectTo(url)
    const { rows } = await reader.query<{ secret: string }>('select secret from schema_secret')
    await reader.end()
    const secrets = [url, urls.server, urls.system, urls.link].map((one) => new URL(one).password)
    for (const secret of [...secrets, String(rows[0]?.secret)]) {
      assert.ok(secret.length > 20)
      assert.ok(!log.includes(secret))
    }
  } finally {
    await client.query('alter role all reset log_statement')
  }
})

test('O1: a copy of a database gets roles of its own with every right, and the original keeps its', async () => {
  await client.query("create role copying_owner login createrole password 'password-of-copying_owner'")
  const url = await aDatabase('original', 'copying_owner')
  const urls = await migrate(url)
  await fill(urls, 'Maya')
  await client.query('create database copy template original owner copying_owner')
  const copy = url.replace('/original', '/copy')
  const copied = await migrate(copy)
  assert.notEqual(copied.rolePrefix, urls.rolePrefix)
  await withDb(copied, (db) => addChild(db, 'Theo'))
  assert.deepEqual([await childrenOf(urls), await childrenOf(copied)], [['Maya'], ['Maya', 'Theo']])
  assert.deepEqual(await schemaOf(copy), await schemaOf(url))
  assert.deepEqual(await migrate(url), urls)

  // A copy whose original is gone takes over the original's roles.
  await client.query('create database later template copy owner copying_owner')
  await client.query('drop database copy')
  const later = url.replace('/original', '/later')
  assert.deepEqual(await childrenOf(await migrate(later)), ['Maya', 'Theo'])
  assert.deepEqual(await schemaOf(later), await schemaOf(url))
  const { rowCount } = await client.query('select from pg_roles where starts_with(rolname, $1)', [
    copied.rolePrefix,
  ])
  assert.equal(rowCount, 0)
})

test('a cluster is cut in two by a copy and an erasure on each side, as docs/operations.md says: no session is lost or doubled', async () => {
  const url = await aDatabase('whole')
  const urls = await migrate(url)
  await withDb(urls, (db) => makeDemonstration(db, '2026-11-20' as CalendarDay))
  await fill(urls, 'Maya')
  const superuser = async (database: string, text: string) => {
    const own = await connectTo(database)
    try {
      return (await own.query<Record<string, unknown>>(text)).rows
    } finally {
      await own.end()
    }
  }
  // The demo's family and tutor are connected, so they stay in the same half when the installation is split.
  // The FAMILY account goes to the other half.
  await withDb(urls, (db) =>
    db.asMember(speaker, (tx) =>
      tx
        .insertInto('sessions')
        .values({ workspace_id: FAMILY as WorkspaceId, day: '2026-11-04', minutes: 60 })
        .execute(),
    ),
  )
  const contents = `select count(*)::int as sessions, coalesce(sum(total_cents), 0)::int as cents,
    (select count(*)::int from history) as history, (select count(*)::int from users) as people from sessions`
  const [whole] = await superuser(url, contents)
  await client.query('create database part template whole')
  const part = url.replace('/whole', '/part')
  const erase = (test: string) =>
    `delete from users u where exists (select from members m where m.account_id = u.id and m.workspace_id ${test} '${FAMILY}')`
  const begun = String((await superuser(url, 'select clock_timestamp()::text as now'))[0]?.now)
  await superuser(url, erase('='))
  await superuser(part, erase('<>'))
  for (const each of [url, part])
    assert.deepEqual(await superuser(each, `select kind from outbox where created_at >= '${begun}'`), [])
  const [stays] = await superuser(url, contents)
  const [moved] = await superuser(part, contents)
  assert.deepEqual({ ...moved, cents: 0 }, { sessions: 1, cents: 0, history: 1, people: 1 })
  const sum = Object.entries(stays ?? {}).map(([name, value]) => [
    name,
    Number(value) + Number(moved?.[name]),
  ])
  assert.deepEqual(Object.fromEntries(sum), whole)
  const movedUrls = await migrate(part)
  assert.deepEqual([await childrenOf(urls), await childrenOf(movedUrls)], [[], ['Maya']])
  for (const each of [urls, movedUrls])
    assert.equal(await withDb(each, async (db) => (await verifyHistory(db)).broken), undefined)
})

test('O1: roles that another database uses are refused in one line, and stay as they are', async () => {
  const url = await aDatabase('late')
  const { rows } = await client.query<{ role: string }>(
    "select 'tutorlog_' || oid || '_server' as role from pg_database where datname = 'late'",
  )
  const role = String(rows[0]?.role)
  await client.query(`create role ${role} login password 'password-of-another'`)
  const another = await aDatabase('another')
  const inAnother = await connectTo(another)
  await inAnother.query(`create table theirs (); grant select on theirs to ${role}`)
  await inAnother.end()
  await assert.rejects(
    migrate(url),
    new Error(
      `The role ${role} is already used by database "another" in the same cluster, so this one can't use it. Use another database, or rename that role.`,
    ),
  )
  assert.equal(await refusal(asRole(another, role, 'password-of-another')), 'let in')
})

test('a server waits for one that migrates, says so, and gives up after a while in one line', async () => {
  const url = await aDatabase('waiting')
  const other = await connectTo(url)
  const said: string[] = []
  try {
    await other.query('begin; select pg_advisory_xact_lock(7348201)')
    await assert.rejects(
      migrate(url, { log: (line) => said.push(line), lockPatienceMs: 200 }),
      /^Error: Another server has been migrating the database for \d+ minutes. Start this one again when that's done.$/,
    )
    assert.deepEqual(said, ['waiting for another server to finish migrating'])
    const patient = migrate(url)
    await other.query('commit')
    await patient
  } finally {
    await other.end()
  }
})
