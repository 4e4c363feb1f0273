// Runs the server behind a pooler in transaction mode, where each transaction can use a different connection.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connectTo } from '#platform/db/connection.server.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { copyCluster } from './testing/cluster.server.ts'
import { type Pooler, startPooler } from './testing/pooler.server.ts'
import { aParent, type Parent, startProcess, until } from './testing/process.server.ts'
import { removeScratch, scratchFolder } from './testing/scratch.server.ts'

const folder = scratchFolder()
const dataDir = join(folder, 'data')
let database: EmbeddedDatabase
let pooler: Pooler

before(async () => {
  await copyCluster(dataDir)
  database = await startEmbeddedDatabase({ dataDir, log: () => undefined })
  pooler = await startPooler(database.superuserUrl, folder)
})
after(async () => {
  await pooler?.stop()
  await database?.stop()
  removeScratch(folder)
})

/** Session state that would be passed on to the next client on the same connection. */
async function leftovers(name: string): Promise<unknown> {
  const client = await connectTo(pooler.url(name))
  try {
    const { rows } = await client.query(
      `select (select count(*)::int from pg_locks where locktype = 'advisory') as locks, current_user::text as speaks,
        (select count(*)::int from pg_prepared_statements) as prepared`,
    )
    return rows[0]
  } finally {
    await client.end()
  }
}

test('O2: people sign up, log, read and hear of changes behind a pooler in transaction mode, start after start', async () => {
  const parents: Parent[] = []
  for (let starts = 0; starts < 4; starts++) {
    const server = await startProcess({
      DATA_DIR: join(folder, 'server'),
      DATABASE_URL: pooler.url('postgres'),
      DATABASE_DIRECT_URL: database.superuserUrl,
    })
    try {
      // Parents from before the restart are still signed in on the new server. One more parent signs up.
      for (const parent of parents) parent.moveTo(server)
      parents.push(await aParent(server, `parent-${starts}@example.com`))
      const streams = await Promise.all(parents.map((parent) => parent.listen()))
      // Run them all at once, so that each connection serves many people.
      const logged = await Promise.all(
        Array.from({ length: 5 }, () =>
          parents.map((parent) => parent.call('POST', '/api/v1/sessions', parent.lesson())),
        ).flat(),
      )
      assert.deepEqual(new Set(logged.map(({ status }) => status)), new Set([201]))
      for (const [nth, parent] of parents.entries()) {
        const month = await parent.call('GET', '/api/v1/sessions?month=2026-11')
        const { sessions } = (await month.json()) as { sessions: unknown[] }
        assert.equal(sessions.length, 5 * (starts + 1 - nth))
      }
      await until('everybody heard of the change', async () => streams.every(({ changes }) => changes() > 0))
      for (const stream of streams) stream.end()
      assert.doesNotMatch(server.output(), /pooler|job runner/)
    } finally {
      await server.stop()
    }
    assert.deepEqual(await leftovers('postgres'), { locks: 0, speaks: 'postgres', prepared: 0 })
  }
})

test('O2: with the pooler alone the tables are made, mails go out and nothing is left on its connections; the start says what is missing', async () => {
  const client = await connectTo(database.superuserUrl)
  await client.query('create database behind')
  await client.end()
  for (let starts = 0; starts < 2; starts++) {
    const server = await startProcess({
      DATA_DIR: join(folder, 'alone'),
      DATABASE_URL: pooler.url('behind'),
    })
    try {
      const parent = await aParent(server, `alone-${starts}@example.com`)
      assert.equal((await parent.call('POST', '/api/v1/sessions', parent.lesson())).status, 201)
      assert.match(
        server.output(),
        /^DATABASE_URL points to a connection pooler. Set DATABASE_DIRECT_URL to the database behind it/m,
      )
    } finally {
      await server.stop()
    }
    assert.deepEqual(await leftovers('behind'), { locks: 0, speaks: 'postgres', prepared: 0 })
  }
})
