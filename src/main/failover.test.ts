// A primary fails and a replica takes over while people log sessions.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connectTo } from '#platform/db/connection.server.ts'
import { pause } from '#platform/timeout.server.ts'
import { aParent, type Parent, type ServerProcess, startProcess, until } from './testing/process.server.ts'
import { type ReplicatedDatabase, startReplicated } from './testing/replica.server.ts'
import { removeScratch, scratchFolder } from './testing/scratch.server.ts'

const folder = scratchFolder()
after(() => removeScratch(folder))

/** How long it may take for writes to work again after a new primary takes over (promise O3). */
const DEADLINE_MS = 15_000

/** Starts a server on a primary with a replica, and signs up a parent who logs sessions. */
async function withReplica(
  name: string,
  isSynchronous: boolean,
  work: (database: ReplicatedDatabase, server: ServerProcess, parent: Parent) => Promise<void>,
): Promise<void> {
  const place = join(folder, name)
  mkdirSync(place, { mode: 0o711 })
  const database = await startReplicated(place, isSynchronous)
  try {
    const server = await startProcess({ DATA_DIR: join(place, 'server'), DATABASE_URL: database.url })
    try {
      await work(database, server, await aParent(server, 'parent@example.com'))
    } finally {
      await server.stop()
    }
  } finally {
    await database.stop()
  }
}

/** Logs a session, retrying with the same key until it's saved. Returns the key. */
async function log(parent: Parent): Promise<string> {
  const key = crypto.randomUUID()
  for (const end = Date.now() + 60_000; ;) {
    assert.ok(Date.now() < end, 'nothing is saved any more')
    const answer = await parent
      .call('POST', '/api/v1/sessions', parent.lesson(key), { 'idempotency-key': key })
      .catch(() => undefined)
    if (answer?.status === 201) return key
    if (answer) assert.equal(answer.status, 503, await answer.text())
    await pause(50)
  }
}

async function storedIn(url: string): Promise<string[]> {
  const client = await connectTo(url)
  try {
    const { rows } = await client.query<{ text: string }>('select text from session_notes')
    return rows.map(({ text }) => text)
  } finally {
    await client.end()
  }
}

test('O3: the server follows a promoted replica by itself, and with synchronous replication no acknowledged session is lost', async () => {
  await withReplica('synchronous', true, async (database, server, parent) => {
    const saved: string[] = []
    let isOn = true
    const people = Array.from({ length: 4 }, async () => {
      while (isOn) saved.push(await log(parent))
    })
    await until('sessions are saved', async () => saved.length > 20)
    await database.killPrimary()
    const acknowledged = saved.length
    assert.equal((await fetch(`${server.base}/readyz`)).status, 503)
    await database.promoteReplica()
    await until('writes are taken again', async () => saved.length > acknowledged + 10, DEADLINE_MS)
    isOn = false
    await Promise.all(people)
    const stored = await storedIn(database.replicaUrl)
    assert.deepEqual(
      saved.filter((key) => !stored.includes(key)),
      [],
    )
    assert.equal(stored.length, new Set(stored).size)
    // By now, background jobs and the event stream have switched to the new primary too.
    assert.equal((await fetch(`${server.base}/readyz`)).status, 200)
    const other = await aParent(server, 'later@example.com')
    const stream = await other.listen()
    await log(other)
    await until('the change is heard', async () => stream.changes() > 0)
    stream.end()
  })
})

test('O3: an asynchronous replica that was behind loses what was acknowledged last, which is what the test above would show', async () => {
  await withReplica('asynchronous', false, async (database, _server, parent) => {
    const before = await log(parent)
    await until('the replica has it', async () => (await storedIn(database.replicaUrl)).includes(before))
    await database.pauseReplica()
    const last = await log(parent)
    await database.killPrimary()
    await database.promoteReplica()
    const next = await log(parent)
    const stored = await storedIn(database.replicaUrl)
    assert.deepEqual(
      [before, last, next].map((key) => stored.includes(key)),
      [true, false, true],
    )
  })
})

/**
 * The longest a call waits on a hanging primary before it gets a 503: the time limit for one query, plus the
 * time to reconnect to both hosts.
 */
const ANSWER_MS = 30_000

/** The response to a call while the primary hangs; fails if there's no response at all. */
async function answered(parent: Parent): Promise<[number, boolean]> {
  const answer = await Promise.race([
    parent.call('POST', '/api/v1/sessions', parent.lesson(), { 'idempotency-key': crypto.randomUUID() }),
    pause(ANSWER_MS),
  ])
  assert.ok(answer, 'no answer came')
  return [answer.status, Number(answer.headers.get('retry-after')) > 0]
}

test('O3: while the primary hangs, calls get 503 within a limit; the server goes on by itself once it answers again or the replica is promoted', async () => {
  await withReplica('hanging', true, async (database, server, parent) => {
    const heard = await parent.listen()
    const saved = [await log(parent)]
    await until('the change is heard', async () => heard.changes() > 0)

    database.hangPrimary()
    assert.deepEqual(
      await Promise.all(Array.from({ length: 20 }, async () => answered(parent))),
      Array.from({ length: 20 }, () => [503, true]),
    )
    assert.equal((await fetch(`${server.base}/readyz`)).status, 503)
    assert.equal((await fetch(`${server.base}/healthz`)).status, 200)
    database.wakePrimary()
    saved.push(await log(parent))
    assert.equal((await fetch(`${server.base}/readyz`)).status, 200)

    // This time the primary never comes back, but its connections don't break either. A proxy keeps checking
    // whether the server is ready.
    database.hangPrimary()
    assert.equal((await fetch(`${server.base}/readyz`)).status, 503)
    await database.promoteReplica()
    let isSaved = false
    const later = log(parent).then((key) => {
      isSaved = true
      saved.push(key)
    })
    await until('writes are taken again', async () => isSaved, DEADLINE_MS)
    await later
    const stored = await storedIn(database.replicaUrl)
    assert.deepEqual(
      saved.filter((key) => !stored.includes(key)),
      [],
    )
    const other = await aParent(server, 'later@example.com')
    const stream = await other.listen()
    await until('a change is heard', async () => {
      await log(other)
      return stream.changes() > 0
    })
    stream.end()
    heard.end()
  })
})
