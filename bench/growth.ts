// `node bench/growth.ts`: measures the disk space in bytes and the CPU time per session, for the section on
// growth in docs/operations.md. The kernel counts CPU time per process, so other load has little effect.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { dayIn } from '#kernel/calendar-day.ts'
import { DEMO_PASSWORD, makeDemonstration } from '#main/demo.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import { openDb } from '#platform/db/db.server.ts'
import { runningDatabaseUrl } from '#platform/db/embedded.server.ts'
import { roleUrls } from '#platform/db/migrate.server.ts'
import { freePort } from '#platform/free-port.server.ts'
import { call } from './load.ts'
import { MS_PER_TICK, postmasterOf, ticksOf, treeTicks } from './processor.ts'

const SESSIONS = 3000
const READS = 1000
/** A note of roughly average length. */
const NOTES = 'Worked through quadratic equations; the test is on Friday, so more of the same on Thursday.'

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-growth-'))
chmodSync(folder, 0o711)
const port = await freePort()
const origin = `http://localhost:${port}`
const server = spawn(process.execPath, ['src/main/server.ts'], {
  env: {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  await once(server.stdout, 'data')
  const ownerUrl = (await runningDatabaseUrl(join(folder, 'data'))) ?? ''
  const client = await connectTo(ownerUrl)
  await measure(client, ownerUrl)
  await client.end()
} finally {
  server.kill('SIGINT')
  await once(server, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

async function measure(client: pg.Client, ownerUrl: string): Promise<void> {
  const db = openDb(await roleUrls(ownerUrl), 2)
  await makeDemonstration(db, dayIn(new Date()))
  await db.close()
  const input = JSON.stringify({ email: 'family@example.com', password: DEMO_PASSWORD })
  const { cookies } = await call(port, 'POST', '/api/auth/sign-in', { origin }, input, 200)
  const headers = { origin, cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') }
  const get = async (path: string) =>
    JSON.parse((await call(port, 'GET', path, headers, undefined, 200)).body) as Record<string, unknown>
  const { sessions } = (await get('/api/v1/sessions?limit=1')) as {
    sessions: [{ date: string; student_id: string; tutor_id: string }]
  }
  const { student_id, tutor_id, date } = sessions[0]
  const lesson = JSON.stringify({
    student_id,
    tutor_id,
    date: '2020-02-03',
    duration: 1,
    subject: 'Math',
    notes: NOTES,
  })
  const log = () =>
    call(
      port,
      'POST',
      '/api/v1/sessions',
      { ...headers, 'idempotency-key': crypto.randomUUID() },
      lesson,
      201,
    )
  const postmaster = await postmasterOf(client)

  // The first calls include compiling and query planning.
  for (let times = 0; times < 200; times++) await log()
  const [sizes, wal] = [await sizesOf(client), await walOf(client)]
  const spent = await time(postmaster, SESSIONS, log)
  const after = await sizesOf(client)
  const grown = Object.entries(after)
    .map(([name, bytes]) => [name, (bytes - (sizes[name] ?? 0)) / SESSIONS] as const)
    .filter(([, bytes]) => bytes > 50)
    .sort((a, b) => b[1] - a[1])
  for (const [name, bytes] of grown) console.log(`${name.padEnd(40)} ${bytes.toFixed(0)} bytes a session`)
  console.log(
    `${'write-ahead log'.padEnd(40)} ${(((await walOf(client)) - wal) / SESSIONS).toFixed(0)} bytes a session`,
  )
  say('logging a session', spent)
  for (const path of [
    `/api/v1/sessions?month=${date.slice(0, 7)}`,
    `/api/v1/summary?month=${date.slice(0, 7)}`,
    '/api/v1/dashboard',
    '/api/v1/me',
  ])
    say(`GET ${path.replace(/\?.*/, '')}`, await time(postmaster, READS, () => get(path)))
}

function say(name: string, { app, database }: { app: number; database: number }): void {
  console.log(
    `${name.padEnd(40)} ${app.toFixed(2)} ms in the server, ${database.toFixed(2)} ms in PostgreSQL`,
  )
}

/** Returns CPU milliseconds per call, in the server and in all PostgreSQL processes. */
async function time(
  postmaster: number,
  count: number,
  work: () => Promise<unknown>,
): Promise<{ app: number; database: number }> {
  const ticks = () => [ticksOf(server.pid ?? 0), treeTicks(postmaster)] as const
  for (let times = 0; times < 50; times++) await work()
  const [app, database] = ticks()
  for (let times = 0; times < count; times++) await work()
  const [appAfter, databaseAfter] = ticks()
  return {
    app: ((appAfter - app) * MS_PER_TICK) / count,
    database: ((databaseAfter - database) * MS_PER_TICK) / count,
  }
}

async function sizesOf(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select oid::regclass::text as name, pg_total_relation_size(oid) as bytes from pg_class where relkind = 'r'
      and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  )
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

async function walOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes",
  )
  return Number(rows[0]?.bytes)
}
