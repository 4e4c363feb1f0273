import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { migrate } from './migrate.server.ts'

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

async function bodyOf(name: string): Promise<string> {
  const { rows } = await client.query<{ body: string }>(
    'select prosrc as body from pg_proc where proname = $1',
    [name],
  )
  return rows[0]?.body ?? ''
}

test('a start brings functions and triggers to the text in db/repeatable, and does nothing where they have it', async () => {
  const current = await bodyOf('chain_history')
  const old = 'begin return new; end'
  await client.query(
    `create or replace function chain_history() returns trigger language plpgsql as '${old}'`,
  )
  await migrate(server.superuserUrl)
  assert.equal(await bodyOf('chain_history'), old, 'the files are the same, so nothing ran')

  await client.query("update schema_repeatable set content_hash = 'of an older version'")
  await migrate(server.superuserUrl)
  assert.equal(await bodyOf('chain_history'), current)
})

test('functions and triggers stand in db/repeatable, where their current text is found', () => {
  const folder = new URL('../../../db/migrations/', import.meta.url)
  const later = readdirSync(folder).filter((name) => name > '0028')
  const creating = later.filter((name) =>
    /create (or replace )?(function|trigger)/i.test(readFileSync(new URL(name, folder), 'utf8')),
  )
  assert.deepEqual(creating, [])
})
