import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { BACKUP, makeLastStep } from '#main/testing/last-step.server.ts'
import { schemaOf } from '#main/testing/schema.server.ts'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { readBackup } from './backup.server.ts'
import { connectTo } from './connection.server.ts'
import { knownMigrations, migrate } from './migrate.server.ts'
import { stepsBehind } from './upgrade.server.ts'

let server: TestServer
let client: pg.Client

before(async () => {
  server = await startTestServer()
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
})
after(async () => {
  await client.end()
  await server.stop()
})

/** A second database, at the last step before the baseline. */
async function atLastStep(name: string): Promise<{ url: string; rows(text: string): Promise<unknown[]> }> {
  const url = new URL(server.superuserUrl)
  url.pathname = `/${name}`
  await client.query(`create database ${name}`)
  await makeLastStep(url.href)
  return {
    url: url.href,
    async rows(text) {
      const own = await connectTo(url.href)
      return (await own.query(text).finally(() => own.end())).rows
    },
  }
}

async function bodyOf(name: string): Promise<string> {
  const { rows } = await client.query<{ body: string }>(
    'select prosrc as body from pg_proc where proname = $1',
    [name],
  )
  return rows[0]?.body ?? ''
}

test('a start brings functions and triggers to the text in db/repeatable, and does nothing where they have it', async () => {
  const current = await bodyOf('keep_history')
  const old = 'begin return new; end'
  await client.query(`create or replace function keep_history() returns trigger language plpgsql as '${old}'`)
  await migrate(server.superuserUrl)
  assert.equal(await bodyOf('keep_history'), old, 'the files are the same, so nothing ran')

  await client.query("update schema_repeatable set content_hash = 'of an older version'")
  await migrate(server.superuserUrl)
  assert.equal(await bodyOf('keep_history'), current)
})

test('functions and triggers stand in db/repeatable, where their current text is found', () => {
  const folder = new URL('../../../db/migrations/', import.meta.url)
  const created = readdirSync(folder).flatMap((name) =>
    Array.from(
      readFileSync(new URL(name, folder), 'utf8').matchAll(
        /create (?:or replace )?((?:function|trigger) \w+)/gi,
      ),
      ([, what]) => what,
    ),
  )
  // The tables of a kind, the queue, and the amounts that tables compute and check need these before db/repeatable runs.
  assert.deepEqual(created, [
    'function make_kind',
    'trigger outbox_queued',
    'function make_proposals',
    'function least_amount',
    'function price_of',
    'function is_whole',
    'function are_whole',
  ])
})

test('a PostgreSQL without ICU, which could not sort names, is refused in one line before anything is created', async () => {
  await client.query('create database without_icu')
  const url = new URL(server.superuserUrl)
  url.pathname = '/without_icu'
  const other = new pg.Client({ connectionString: url.href })
  await other.connect()
  try {
    await other.query('drop collation pg_catalog."und-x-icu"')
    await assert.rejects(
      migrate(url.href),
      /^Error: This PostgreSQL was built without ICU, .*hosted services/,
    )
    const { rowCount } = await other.query("select from pg_tables where tablename = 'schema_migrations'")
    assert.equal(rowCount, 0)
  } finally {
    await other.end()
  }
})

test('a database of the last step before the baseline becomes what a new one is, with a backup before it', async () => {
  const { url, rows } = await atLastStep('last_step')
  let applied: unknown[] = []
  await migrate(url, {
    async beforeUpgrade() {
      applied = await rows('select name from schema_migrations order by name')
    },
  })
  assert.deepEqual(applied.at(-1), { name: '0051-renewals.sql' })
  const known = await knownMigrations()
  assert.deepEqual(
    await rows('select name from schema_migrations order by name'),
    known.map((name) => ({ name })),
  )
  assert.deepEqual(await schemaOf(url), await schemaOf(server.superuserUrl))
  let backups = 0
  await migrate(url, { beforeUpgrade: async () => void (backups += 1) })
  assert.equal(backups, 0, 'the next start changes nothing')
})

test('a database of an earlier step is refused in one sentence that names the commit to start, and stays as it was', async () => {
  const { url, rows } = await atLastStep('too_old')
  await rows("delete from schema_migrations where name = '0051-renewals.sql'")
  const applied = await rows('select * from schema_migrations order by name')
  const schema = await schemaOf(url)
  await assert.rejects(
    migrate(url, { beforeUpgrade: async () => assert.fail('nothing is changed') }),
    new Error(
      'The database belongs to an older version of Tutorlog (its last step is 0049-time-zones.sql): start commit 4a8c0b7d3ef6 once, then this version.',
    ),
  )
  assert.deepEqual(await rows('select * from schema_migrations order by name'), applied)
  assert.deepEqual(await schemaOf(url), schema)
})

test('F15: a backup of the last step before the baseline is known, an earlier and a later one are refused in one sentence', async () => {
  const [known, { migrations }] = [await knownMigrations(), await readBackup(BACKUP)]
  const baseline = stepsBehind('backup', migrations, known)
  assert.deepEqual(baseline, known.slice(0, baseline.length))
  assert.equal(baseline.at(-1), '0114-requests.sql')
  assert.throws(
    () => stepsBehind('backup', migrations.slice(0, -1), known),
    new Error(
      'This backup was made by an older version of Tutorlog (its last step is 0049-time-zones.sql): restore it with commit 4a8c0b7d3ef6, and back up again with that.',
    ),
  )
  assert.throws(
    () => stepsBehind('backup', [...known, '9999-later.sql'], known),
    new Error('This backup was made by a newer version that has 9999-later.sql. Upgrade first.'),
  )
})
