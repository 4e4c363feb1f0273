// An export of 100,000 sessions uses no more memory than a small one and does none of its work on the
// server's main thread.
import assert from 'node:assert/strict'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import pg from 'pg'
import {
  type Caller,
  removeScratch,
  scratchFolder,
  startTestServer,
  type TestServer,
} from '#main/testing.server.ts'
import { TaskThread } from '#platform/task-thread.server.ts'
import type { PackTask } from './packer.server.ts'

const SESSIONS = 100_000
/** The thread's whole heap in megabytes. Its modules take 20 of them, and the JSON file alone has 90. */
const MEGABYTES = 64

let server: TestServer
let parent: Caller

before(async () => {
  server = await startTestServer()
  parent = await server.aUser()
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into sessions (family_id, day, minutes, tutor_rate_cents, currency, summary)
      select $1, date '2010-01-01' + n % 5000, 60, 4000, 'USD', 'Lesson ' || n || ': ' || md5(n::text) from generate_series(1, $2::int) n`,
    [parent.id, SESSIONS],
  )
  await client.query('set session_replication_role = origin')
  await client.query('analyze sessions')
  await client.end()
})
after(async () => server.stop())

test('an export of 100,000 sessions needs no more memory than its thread has, and has each of them', async () => {
  const folder = scratchFolder()
  const path = join(folder, 'export.zip')
  const file = openSync(path, 'wx+')
  const packer = new TaskThread<PackTask>(new URL('packer.server.ts', import.meta.url), {
    deadlineMs: 120_000,
    mostWaiting: 1,
    mostWaitingPerAccount: 1,
    megabytes: MEGABYTES,
  })
  const workspace = { id: parent.id, kind: 'family' as const }
  try {
    const answer = await packer.run(
      parent.id,
      {
        database: server.db.place,
        speaker: parent.member,
        exporter: { account: parent.id, workspace },
        place: { workspace: { ...workspace, owner_name: null }, others: 0 },
        writtenAt: new Date(),
        path,
      },
      new AbortController().signal,
    )
    assert.equal(answer, 'written')
  } finally {
    await packer.close()
  }
  assert.equal(existsSync(path), false)
  const files = unzipSync(readFileSync(file))
  closeSync(file)
  const json = strFromU8(files['json/sessions.json'] ?? new Uint8Array())
  assert.ok(json.length > MEGABYTES * 1024 * 1024, `${json.length} bytes`)
  assert.equal(new Set((JSON.parse(json) as { id: string }[]).map(({ id }) => id)).size, SESSIONS)
  assert.equal(
    strFromU8(files['csv/sessions.csv'] ?? new Uint8Array())
      .trim()
      .split('\r\n').length,
    SESSIONS + 1,
  )
  await removeScratch(folder)
})
