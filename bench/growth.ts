// `node bench/growth.ts`: measures how much CPU time and disk space a session takes. From that and the
// assumptions below, calculates how many families a machine can serve (docs/operations.md, Growth). The
// kernel counts CPU time per process, so other load on the machine barely matters.
import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { addDays, type CalendarDay, dayIn, monthOf } from '#kernel/calendar-day.ts'
import { DEMO_PASSWORD, makeDemonstration } from '#main/demo.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import { openDb } from '#features/access/db.server.ts'
import { runningDatabaseUrl } from '#platform/db/embedded.server.ts'
import { roleUrls } from '#platform/db/migrate.server.ts'
import { freePort } from '#platform/free-port.server.ts'
import type { Session as Lesson } from '#features/sessions/session.ts'
import { call } from './load.ts'
import { MS_PER_TICK, postmasterOf, ticksOf, treeTicks } from './processor.ts'

const SESSIONS = 3000
const READS = 1000
const WARM_UP = 200
const WAL = 'write-ahead log'
/** A note of about average length. */
const NOTES = 'Worked through quadratic equations; the test is on Friday, so more of the same on Thursday.'
/** The date of the first session logged here, which is earlier than all other sessions. */
const FIRST_DAY = '2010-01-01' as CalendarDay
/** These are assumptions, not measurements. docs/operations.md lists each one. */
const SESSIONS_A_MONTH = 14
/**
 * How many times the app is opened per session. Each side accounts for half of these. Each time, the app
 * performs every read measured below.
 */
const OPENINGS = 4
/** How many times busier the busiest hour is than the average hour. */
const PEAK = 12
/** The fraction of a core we're willing to use. */
const LOAD = 0.5
const CORES = 16
const TERABYTES = 4
const GIGABYTES = 128
/** How many months we keep responses for retries. */
const KEPT_MONTHS = 3
const HOURS_A_MONTH = 730
const MILLION = 1e6

/** CPU milliseconds. */
interface Cost {
  app: number
  database: number
}

/**
 * Bytes per session: what's stored permanently, what's stored until the saved responses are deleted, and
 * what's written to the write-ahead log.
 */
interface Bytes {
  lasting: number
  passing: number
  wal: number
}

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
  for await (const [line] of on(server.stdout, 'data') as AsyncIterable<[Buffer]>)
    if (line.includes('is ready')) break
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
  const today = dayIn(new Date())
  const db = openDb(await roleUrls(ownerUrl), 2)
  await makeDemonstration(db, today)
  await db.close()
  const postmaster = await postmasterOf(client)
  const [family, tutor] = [await signIn('family@example.com'), await signIn('tutor@example.com')]

  const month = monthOf(today)
  const reads: Cost[] = []
  for (const [name, path] of [
    ["a month's list", `sessions?month=${month}`],
    ["a month's summary", `summary?month=${month}`],
    ['the dashboard', 'dashboard'],
    ['who is signed in', 'me'],
  ] as const) {
    let turn = 0
    const read = () => (turn++ % 2 ? tutor : family)('GET', path)
    reads.push(say(name, await time(postmaster, READS, read)))
  }

  const { sessions } = await tutor<{ sessions: Lesson[] }>('GET', 'sessions?limit=100')
  const shared = sessions.find((session) => session.is_shared)
  if (!shared) throw new Error('The demo tutor shares no session.')
  const { student_id, tutor_id } = await family<Lesson>('GET', `sessions/${shared.id}`)
  const logged: Lesson[] = []
  const log = async () => {
    const date = addDays(FIRST_DAY, logged.length)
    const lesson = { student_id, tutor_id, date, duration: 1, subject: 'Math', notes: NOTES }
    logged.push(await family<Lesson>('POST', 'sessions', lesson, 201))
  }
  const answer = async () => {
    const { id } = logged.pop() ?? shared
    await tutor('POST', `sessions/${id}/confirm`, {})
  }
  const before = await sizesOf(client)
  const logging = say('log a session', await time(postmaster, SESSIONS, log))
  const answering = say('answer it', await time(postmaster, SESSIONS, answer))
  const after = await sizesOf(client)
  const grown = new Map<string, number>()
  for (const [name, bytes] of after) {
    const growth = (bytes - (before.get(name) ?? 0)) / (SESSIONS + WARM_UP)
    if (growth > 50) console.log(`${name}: ${growth.toFixed(0)} bytes a session`)
    grown.set(name, growth)
  }
  const [wal, passing] = [grown.get(WAL) ?? 0, grown.get('idempotency_keys') ?? 0]
  const lasting = [...grown.values()].reduce((sum, bytes) => sum + bytes) - wal - passing
  const cost = (side: keyof Cost) =>
    logging[side] + answering[side] + OPENINGS * reads.reduce((sum, read) => sum + read[side], 0)
  compute({ app: cost('app'), database: cost('database') }, 2 + OPENINGS * reads.length, {
    lasting,
    passing,
    wal,
  })
  const { rows } = await client.query<{ bytes: number }>(
    `select (pg_indexes_size('sessions') + pg_indexes_size('history'))::float / count(*) as bytes from sessions`,
  )
  const indexes = rows[0]?.bytes ?? 0
  console.log(`indexes of sessions and history: ${indexes.toFixed(0)} bytes a session;`)
  console.log(`  those of ${rounded((GIGABYTES * 1e9) / 2 / indexes)} sessions fill half of ${GIGABYTES} GB`)
}

/** Prints how much a family costs and how many families a machine can serve. */
function compute(cost: Cost, calls: number, { lasting, passing, wal }: Bytes): void {
  // Actions per second in the busiest hour if a million families do something once per session.
  const rate = ((SESSIONS_A_MONTH * MILLION) / HOURS_A_MONTH / 3600) * PEAK
  for (const [name, ms] of Object.entries(cost) as [string, number][]) {
    const cores = (rate * ms) / 1000
    console.log(
      `${name}: ${ms.toFixed(0)} ms a session, ${((ms * SESSIONS_A_MONTH) / 1000).toFixed(2)} s a month,`,
    )
    console.log(`  ${cores.toFixed(1)} cores busy in the busiest hour of a million families;`)
    console.log(
      `  ${rounded((LOAD * MILLION) / cores)} families per core, ${rounded((LOAD * CORES * MILLION) / cores)} on ${CORES}`,
    )
  }
  const year = lasting * SESSIONS_A_MONTH * 12
  const kept = passing * SESSIONS_A_MONTH * KEPT_MONTHS
  console.log(`disk: ${megabytes(year)} per family and year, and ${megabytes(kept)} that come and go;`)
  console.log(
    `  a million families fill ${TERABYTES} TB in ${((TERABYTES * 1e6 - kept) / year).toFixed(1)} years`,
  )
  console.log(
    `a million families, busiest hour: ${rounded(rate * calls)} calls per second, ${rounded(rate * 2)} of them writes,`,
  )
  console.log(`  ${megabytes(rate * wal)} of write-ahead log per second`)
}

function rounded(count: number): string {
  return new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 }).format(count)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`
}

/** Signs in a user. Returns a function that calls the API as that user. */
async function signIn(email: string) {
  const input = JSON.stringify({ email, password: DEMO_PASSWORD })
  const { cookies } = await call(port, 'POST', '/api/auth/sign-in', { origin }, input, 200)
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  return async <Answer>(method: string, path: string, body?: object, status = 200) => {
    const headers = { origin, cookie, 'idempotency-key': crypto.randomUUID() }
    const sent = await call(port, method, `/api/v1/${path}`, headers, body && JSON.stringify(body), status)
    return JSON.parse(sent.body) as Answer
  }
}

function say(name: string, cost: Cost): Cost {
  console.log(`| ${name} | ${cost.app.toFixed(1)} ms | ${cost.database.toFixed(1)} ms |`)
  return cost
}

/**
 * The CPU time that a call takes in the server and in all PostgreSQL processes. Skips the first calls,
 * because they include compiling and planning.
 */
async function time(postmaster: number, count: number, work: () => Promise<unknown>): Promise<Cost> {
  const ticks = () => [ticksOf(server.pid ?? 0), treeTicks(postmaster)] as const
  for (let times = 0; times < WARM_UP; times++) await work()
  const [app, database] = ticks()
  for (let times = 0; times < count; times++) await work()
  const [appAfter, databaseAfter] = ticks()
  return {
    app: ((appAfter - app) * MS_PER_TICK) / count,
    database: ((databaseAfter - database) * MS_PER_TICK) / count,
  }
}

/** The sizes in bytes of the write-ahead log and of every table including its indexes. */
async function sizesOf(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select oid::regclass::text as name, pg_total_relation_size(oid) as bytes from pg_class
    where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
    union all select '${WAL}', pg_current_wal_lsn() - '0/0'::pg_lsn`,
  )
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}
