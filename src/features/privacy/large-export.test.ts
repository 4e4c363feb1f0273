// An export of 100,000 sessions uses no more memory than a small one and does none of its work on the
// server's main thread.
import assert from 'node:assert/strict'
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
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
import { checkedBy } from '#main/testing/exports.server.ts'
import { TaskProcess } from '#platform/task-process.server.ts'
import { pause } from '#platform/timeout.server.ts'
import type { PackTask } from './packer.server.ts'

const SESSIONS = 100_000
/**
 * The process's heap limit in megabytes. Its modules take up 20, and the JSON file alone is 90, so the file
 * doesn't fit.
 */
const MEGABYTES = 64

/** What the checker needs: it has the facts of all records in memory, and one history at a time. */
const CHECKED_IN_MEGABYTES = 256

const LIMITS = { deadlineMs: 300_000, mostWaiting: 1, mostWaitingPerAccount: 1 }
const neverAborted = new AbortController().signal
/** A process that returns its input. */
const ECHO = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { serveTasks } from '${new URL('../../platform/task-process.server.ts', import.meta.url).href}'
    serveTasks((task) => task)
  `)}`,
)

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
  // Each with a history of two entries, in the words of db/repeatable/history.sql.
  for (const [seq, previous] of [
    [1, "''"],
    [2, "encode((select hash from history h where h.kind = 'session' and h.entry_key = s.key), 'hex')"],
  ])
    await client.query(
      `insert into history (kind, entry_key, seq, entry_id, family_id, at, side, action, facts, previous_hash, hash, hashed_text)
        select 'session', key, ${seq}, id, family_id, at, 'system', 'recorded', facts, decode(previous, 'hex'), sha256(text::bytea), text
        from (select *, concat_ws(E'\n', '2', id, ${seq}, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
            'system', '-', 'recorded', '-', facts::text, '', '-', previous) as text
          from (select s.*, clock_timestamp() as at, facts_of(s) as facts, ${previous} as previous from sessions s offset 0) s) s`,
    )
  await client.query('set session_replication_role = origin')
  await client.query('analyze sessions')
  await client.end()
})
after(async () => server.stop())

interface Running {
  path: string
  file: number
  packer: TaskProcess<PackTask>
  packed: Promise<unknown>
}

/** Calls a function while an export of all sessions is in progress. */
async function exporting(work: (running: Running) => Promise<void>, signal = neverAborted): Promise<void> {
  const folder = scratchFolder()
  const path = join(folder, 'export.zip')
  const file = openSync(path, 'wx+')
  const packer = new TaskProcess<PackTask>(new URL('packer.server.ts', import.meta.url), {
    ...LIMITS,
    megabytes: MEGABYTES,
    isHeavy: true,
  })
  const workspace = { id: parent.id, kind: 'family' as const }
  const packed = packer.run(
    parent.id,
    {
      database: server.db.place,
      speaker: parent.member,
      exporter: { account: parent.id, workspace },
      place: { workspace: { ...workspace, owner_name: null }, others: 0 },
      writtenAt: new Date(),
      path,
    },
    signal,
  )
  try {
    await work({ path, file, packer, packed })
  } finally {
    closeSync(file)
    await packer.close()
    await removeScratch(folder)
  }
}

test('an export of 100,000 sessions contains all of them and needs no more memory than its process has', async () => {
  await exporting(async ({ path, file, packed }) => {
    assert.equal(await packed, 'written')
    assert.equal(existsSync(path), false)
    const zip = readFileSync(file)
    const files = unzipSync(zip)
    const json = strFromU8(files['json/sessions.json'] ?? new Uint8Array())
    assert.ok(json.length > MEGABYTES * 1024 * 1024, `${json.length} bytes`)
    assert.equal(new Set((JSON.parse(json) as { id: string }[]).map(({ id }) => id)).size, SESSIONS)
    assert.equal(
      strFromU8(files['csv/sessions.csv'] ?? new Uint8Array())
        .trim()
        .split('\r\n').length,
      SESSIONS + 1,
    )
    const { code, lines } = checkedBy(zip, zip, [`--max-old-space-size=${CHECKED_IN_MEGABYTES}`])
    assert.equal(code, 0, lines.join('\n'))
    assert.ok(
      lines.includes(`checked  ${SESSIONS} sessions: ${2 * SESSIONS} history entries`),
      lines.join('\n'),
    )
  })
})

test('an export whose caller leaves stops: its file and its connection close, and the next heavy task runs', async () => {
  const gone = new AbortController()
  await exporting(async ({ file, packed }) => {
    const printer = new TaskProcess<string>(ECHO, { ...LIMITS, isHeavy: true })
    const left = packed.catch((error: Error) => error.message)
    while (fstatSync(file).size === 0) await pause(20)
    const [size, printed] = [fstatSync(file).size, printer.run(parent.id, 'printed', neverAborted)]
    gone.abort(new Error('the caller has left'))
    try {
      assert.deepEqual(await Promise.all([left, printed]), ['the caller has left', 'printed'])
      await untilNone(exportsReading)
      await untilNone(() => openFiles('export.zip').length - 1)
      // A complete export is over 20 MB.
      assert.ok(fstatSync(file).size < size + 10_000_000)
    } finally {
      await printer.close()
    }
  }, gone.signal)
})

/** The number of exports that are reading from the database. */
async function exportsReading(): Promise<number> {
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where query ~ '^(declare|fetch)' and pid <> pg_backend_pid()",
  )
  await client.end()
  return rows[0]?.count ?? 0
}

const openFiles = (name: string) =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)].filter((path) => path.includes(name))
    } catch {
      return []
    }
  })

async function untilNone(count: () => number | Promise<number>): Promise<void> {
  for (let tries = 0; tries < 100 && (await count()) > 0; tries++) await pause(50)
  assert.equal(await count(), 0)
}
