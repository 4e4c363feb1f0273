import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { verifyHistory } from '#features/sessions/jobs.server.ts'
import { makeFirstWorkspace } from '#features/workspaces/queries.server.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { makeDemonstration } from '#main/demo.ts'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { prepareQueue, queueJob } from '#platform/jobs/queue.server.ts'
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

/**
 * Creates an installation as it was before each database had its own roles. Runs the files in db/ as they
 * are, including their role names.
 */
async function anOlderInstallation(name: string): Promise<{ url: string; urls: DbUrls }> {
  const url = await aDatabase(name)
  const old = await connectTo(url)
  const known = await old.query("select from pg_roles where rolname = 'tutorlog_owner'")
  if (known.rowCount === 0)
    await old.query(`create role tutorlog_owner; create role tutorlog_app; create role tutorlog_family;
      create role tutorlog_practice; create role tutorlog_caregiver;
      create role tutorlog_family_link; create role tutorlog_tutor; create role tutorlog_link login password 'of-old';
      create role tutorlog_server login noinherit password 'of-old'; create role tutorlog_system login password 'of-old';
      grant tutorlog_app to tutorlog_family, tutorlog_practice, tutorlog_caregiver;
      grant tutorlog_family, tutorlog_practice, tutorlog_caregiver, tutorlog_family_link to tutorlog_server`)
  await old.query(`grant usage, create on schema public to tutorlog_owner; grant connect, create on database ${name} to tutorlog_owner, tutorlog_system;
    grant usage on schema public to tutorlog_server, tutorlog_system, tutorlog_link, tutorlog_app, tutorlog_family,
      tutorlog_practice, tutorlog_caregiver, tutorlog_family_link, tutorlog_tutor`)
  const as = (login: string) => asRole(url, `tutorlog_${login}`, 'of-old')
  await prepareQueue(as('system'), 'tutorlog_')
  await old.query(`set role tutorlog_owner; create table schema_migrations (name text primary key, applied_at timestamptz not null default now());
    create table schema_repeatable (content_hash text primary key, applied_at timestamptz not null default now())`)
  for (const table of ['schema_migrations', 'schema_repeatable'])
    await old.query(
      `alter table ${table} enable row level security; alter table ${table} force row level security;
        create policy owner_all on ${table} to tutorlog_owner using (true) with check (true)`,
    )
  for (const folder of ['migrations', 'repeatable']) {
    const place = new URL(`../../../db/${folder}/`, import.meta.url)
    for (const file of readdirSync(place).sort()) {
      await old.query(`begin; ${readFileSync(new URL(file, place), 'utf8')}; commit`)
      if (folder === 'migrations') await old.query('insert into schema_migrations (name) values ($1)', [file])
    }
  }
  await old.query("insert into schema_repeatable (content_hash) values ('of the version before')")
  await old.end()
  const [server, system, link] = [as('server'), as('system'), as('link')]
  return {
    url,
    urls: { server, system, link, direct: { server, system }, rolePrefix: 'tutorlog_' },
  }
}

/**
 * Every privilege, owner, policy and function body that names a role. Role names are converted to the ones
 * used in the files in db/.
 */
async function rightsIn(url: string): Promise<string[]> {
  const reader = await connectTo(url)
  try {
    const { rows } = await reader.query<{ line: string }>(`
      select 'relation ' || oid::regclass || ' ' || pg_get_userbyid(relowner) || ' ' || coalesce((select string_agg(x,
          ' ' order by x) from unnest(relacl::text[]) x), '') as line from pg_class where relnamespace >= 16384
        or relnamespace = 'public'::regnamespace
      union all select 'column ' || attrelid::regclass || '.' || attname || ' ' || (select string_agg(x, ' ' order by x)
          from unnest(attacl::text[]) x) from pg_attribute where attacl is not null
      union all select 'routine ' || oid::regprocedure || ' ' || pg_get_userbyid(proowner) || ' '
        || coalesce((select string_agg(x, ' ' order by x) from unnest(proacl::text[]) x), '') || prosrc
        from pg_proc where pronamespace >= 16384 or pronamespace = 'public'::regnamespace
      union all select 'schema ' || nspname || ' ' || pg_get_userbyid(nspowner) || ' ' || coalesce((select
        string_agg(x, ' ' order by x) from unnest(nspacl::text[]) x), '') from pg_namespace where nspname !~ '^pg_'
      union all select 'policy ' || polname || ' ' || polrelid::regclass || ' '
        || coalesce((select string_agg(pg_get_userbyid(r), ' ' order by pg_get_userbyid(r)) from unnest(polroles) r), '')
        || coalesce(pg_get_expr(polqual, polrelid), '') || coalesce(pg_get_expr(polwithcheck, polrelid), '') from pg_policy
      union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`)
    // Removes the OIDs from the role names, so that two databases in one cluster can be compared.
    return rows.map(({ line }) => line.replaceAll(/tutorlog_\d+_/g, 'tutorlog_')).sort()
  } finally {
    await reader.end()
  }
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

test('O1: installations that shared the roles of a cluster each get their own, with every right that they had', async () => {
  const [one, other] = [await anOlderInstallation('older_one'), await anOlderInstallation('older_other')]
  await fill(one.urls, 'Maya')
  await fill(other.urls, 'Theo')
  const fresh = await aDatabase('fresh')
  await migrate(fresh)
  const expected = await rightsIn(fresh)

  const urls = await migrate(one.url)
  assert.deepEqual(await childrenOf(urls), ['Maya'])
  assert.deepEqual(await rightsIn(one.url), expected)
  // A server running the previous version is still using the other database.
  assert.deepEqual(await childrenOf(other.urls), ['Theo'])
  await withDb(other.urls, (db) => addChild(db, 'Nora'))
  const moved = await migrate(other.url)
  assert.deepEqual(await childrenOf(moved), ['Nora', 'Theo'])
  assert.deepEqual(await rightsIn(other.url), expected)
  assert.deepEqual([await migrate(one.url), await migrate(other.url)], [urls, moved])
  const { rows } = await client.query("select rolname from pg_roles where rolname ~ '^tutorlog_[a-z]'")
  assert.deepEqual(rows, [], 'whoever was the last to use the shared roles renamed them')
})

test('O1: a copy of a database gets roles of its own, and the original keeps its', async () => {
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
  assert.deepEqual(await migrate(url), urls)
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
    (select count(*)::int from session_history) as history, (select count(*)::int from users) as people from sessions`
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
