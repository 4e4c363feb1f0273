import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { knownMigrations, migrate } from '#platform/db/migrate.server.ts'
import { openDb } from '#features/access/db.server.ts'
import {
  addressHash,
  deleteUnsubscribesBefore,
  insertUnsubscribe,
  isOptedOut,
  unsubscribe,
} from './queries.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

test('P9: anyone who opted out of either kind of email before the two lists became one stays out, and every link still works', async () => {
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  await client.query('create database two_lists')
  await client.end()
  const url = new URL(server.superuserUrl)
  url.pathname = '/two_lists'
  await migrate(url.href, { only: (await knownMigrations()).filter((name) => name < '0015') })
  const old = new pg.Client({ connectionString: url.href })
  await old.connect()
  for (const address of ['invited@example.com', 'both@example.com'])
    await old.query('insert into opt_outs (address_hash) values ($1)', [addressHash(address)])
  for (const address of ['asked@example.com', 'both@example.com'])
    await old.query('insert into mail_opt_outs (address_hash) values ($1)', [addressHash(address)])
  await old.query(
    "insert into opt_out_links (token_hash, address_hash, created_at) values (sha256('mailed'), $1, now() - interval '2 days')",
    [addressHash('later@example.com')],
  )
  await old.end()

  const db = openDb(await migrate(url.href), 1)
  try {
    await db.asSystem(async (tx) => {
      assert.equal(await unsubscribe(tx, 'mailed'), true)
      const outs = await Promise.all(
        ['invited', 'asked', 'both', 'later', 'other'].map((name) => isOptedOut(tx, `${name}@example.com`)),
      )
      assert.deepEqual(outs, [true, true, true, true, false])
    })
  } finally {
    await db.close()
  }
})

test("P9: a link stops emails to its address, however that's spelled, until the link expires, and they stay stopped", async () => {
  await server.db.asSystem(async (tx) => {
    await insertUnsubscribe(tx, 'a token', { address: 'Ingrid@example.com' })
    assert.equal(await isOptedOut(tx, 'ingrid@example.com'), false)
    assert.equal(await unsubscribe(tx, 'a token'), true)
    await deleteUnsubscribesBefore(tx, new Date(Date.now() - 60_000))
    assert.equal(await unsubscribe(tx, 'a token'), true, 'a second click changes nothing')
    await deleteUnsubscribesBefore(tx, new Date(Date.now() + 60_000))
    assert.equal(await unsubscribe(tx, 'a token'), false)
    assert.equal(await isOptedOut(tx, 'INGRID@example.com'), true)
  })
})
