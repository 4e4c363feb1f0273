// `npm run bench [-- --quick] [-- --large]`: measures the most common requests. Alternates between Tutorlog,
// a hand-written server on the same rows, and pgbench with the same query. The database has 0.8 million
// sessions (--large: 8 million; --quick: 34,000 and two short rounds). Then compares running two servers with running just one.
// Also measures how long other users wait while files are generated or hostile text is processed, how much
// memory an event stream takes, and whether response times reveal known addresses.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dayIn } from '#kernel/calendar-day.ts'
import { DEMO_PASSWORD, makeDemonstration } from '#main/demo.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import { openDb } from '#features/access/db.server.ts'
import { runningDatabaseUrl } from '#platform/db/embedded.server.ts'
import { roleUrls } from '#platform/db/migrate.server.ts'
import { freePort } from '#platform/free-port.server.ts'
import { fillDatabase, MONTH, YEAR } from './ground.ts'
import { call, median, millisecondsWhile } from './load.ts'
import { p95Beside } from './others.ts'
import { pgbenchPerSecond } from './pgbench.ts'
import { postmasterOf } from './processor.ts'
import { compare, type Operation } from './speed.ts'
import { kilobytesPerStream } from './streams.ts'
import { TOLD_BY_TIME, toldByTime } from './timing.ts'
import { pause } from '#platform/timeout.server.ts'

const { quick = false, large = false } = parseArgs({
  options: { quick: { type: 'boolean' }, large: { type: 'boolean' } },
}).values
const FAMILIES = quick ? 100 : large ? 24_000 : 2400
const PACE = quick ? { rounds: 2, ms: 400 } : { rounds: 5, ms: 2000 }
/** Limits relative to the hand-written server. */
const LIMITS = { "the month's list": { most: 1.2, least: 0.9 }, 'logging a session': { most: 2 } }
/**
 * How many calls to send to a new server before measuring, so that compiling and query planning are already
 * done.
 */
const WARM_UP = quick ? 500 : 10_000
/** How many sessions to confirm: one per parallel client. */
const CONFIRMED = 16
/** The SQL for the session list, and the settings that identify the caller. */
const LIST = `select family.lines_of_month('${MONTH}-01', '${MONTH}-31', 100, null, null)`
const settingsOf = (id: string) => ({
  'app.account_id': id,
  'app.workspace_id': id,
  search_path: 'family,public',
  plan_cache_mode: 'force_generic_plan',
})
/**
 * The slowest known input, which repeats two phrases (promise I19), and how many copies of it to send at
 * once.
 */
const HOSTILE = 'she had with maya '.repeat(300).slice(0, 4000)
const HOSTILE_AT_ONCE = 25
/** Stays below the limit of 60 transcripts per account per minute. */
const HOSTILE_ROUNDS = 2

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-bench-'))
chmodSync(folder, 0o711)
const dataDir = join(folder, 'data')
const children: ChildProcess[] = []
let missed = 0

try {
  await bench()
} finally {
  await Promise.all(children.map(stop))
  rmSync(folder, { recursive: true, force: true })
}
process.exit(missed > 0 ? 1 : 0)

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGINT')
  await once(child, 'exit')
}

/** The same read, sent to just one server and then alternated between two. */
function twoServers(
  servers: ChildProcess[],
  ports: number[],
  { name, most }: { name: string; most?: number },
  read: (port: number) => Promise<unknown>,
): Operation[] {
  const pids = servers.map(({ pid = 0 }) => pid)
  let turn = 0
  const from = (count: number) => async () => void (await read(ports[turn++ % count] ?? 0))
  const one = `${name} from one server`
  const peer = { name: one, ...(most !== undefined && { most }) }
  return [
    { name: one, pids: pids.slice(0, 1), work: from(1) },
    { name: `${name} from two servers`, pids, work: from(2), peers: [peer] },
  ]
}

async function bench(): Promise<void> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = await start(
    'src/main/server.ts',
    { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1' },
    'Tutorlog is ready',
  )
  const ownerUrl = (await runningDatabaseUrl(dataDir)) ?? ''
  const urls = await roleUrls(ownerUrl)
  const db = openDb(urls, 2)
  const today = dayIn(new Date())
  await makeDemonstration(db, today)

  const signIn = async (email: string) => {
    const input = JSON.stringify({ email, password: DEMO_PASSWORD })
    const { body, cookies } = await call(port, 'POST', '/api/auth/sign-in', { origin }, input, 200)
    return {
      id: (JSON.parse(body) as { user: { id: string } }).user.id,
      headers: { origin, cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') },
    }
  }
  const { id, headers } = await signIn('family@example.com')
  const client = await connectTo(ownerUrl)
  const own = await fillDatabase(client, FAMILIES, id)
  const postmaster = await postmasterOf(client)
  await client.end()
  const barePort = await freePort()
  const bare = await start('bench/bare.ts', { PORT: String(barePort), DATABASE_URL: ownerUrl }, 'ready')

  const listPath = `/api/v1/sessions?month=${MONTH}`
  const get = (path: string, at = port) => call(at, 'GET', path, headers, undefined, 200)
  const lengths = await Promise.all([port, barePort].map(async (at) => (await get(listPath, at)).body.length))
  if (lengths[0] !== lengths[1]) throw new Error(`the lists differ in length: ${lengths.join(' and ')}`)
  const servers = [
    { to: 'Tutorlog', at: port, pid: server.pid ?? 0 },
    { to: 'by hand', at: barePort, pid: bare.pid ?? 0 },
  ]
  const shared = await sharedSessions(get)
  const reads = [
    { what: "the month's list", path: listPath },
    { what: "the month's summary", path: `/api/v1/summary?month=${MONTH}` },
    // The demo's schedules start in the demo's year.
    {
      what: "the month's calendar",
      path: `/api/v1/occurrences?from=${today.slice(0, 7)}-01&to=${today.slice(0, 7)}-28`,
    },
    { what: 'the dashboard', path: '/api/v1/dashboard' },
  ]
  for (const { what, path } of reads) {
    const [own = 0, twin = 0] = await Promise.all(
      [port, barePort].map(async (at) => (await get(path, at)).body.length),
    )
    console.log(`${what}: ${own} bytes, by hand ${twin}`)
  }
  const operations: Operation[] = [
    ...reads.flatMap(({ what, path }) =>
      servers.map(({ to, at, pid }) => ({
        name: `${what}, ${to}`,
        pids: [pid],
        work: async () => void (await get(path, at)),
      })),
    ),
    ...servers.flatMap(({ to, at, pid }) => [
      { name: `logging a session, ${to}`, pids: [pid], work: () => logLesson(at, headers, own) },
      { name: `confirming a session, ${to}`, pids: [pid], work: confirming(at, headers, shared) },
    ]),
  ].map((operation: Operation) => {
    const [what, to] = operation.name.split(', ')
    if (to !== 'Tutorlog') return operation
    const peers = [{ name: `${what}, by hand`, ...LIMITS[what as keyof typeof LIMITS] }]
    const list = { name: "the month's list, Tutorlog", most: 1 }
    return { ...operation, peers: what === "the month's summary" ? [...peers, list] : peers }
  })
  missed += (await compare(operations, postmaster, PACE)).length
  sayPgbench(ownerUrl, id, urls.rolePrefix)
  line("buffers of the month's list", await buffersOfList(ownerUrl, id, urls.rolePrefix))

  const secondPort = await freePort()
  const second = await start(
    'src/main/server.ts',
    {
      PORT: String(secondPort),
      DATA_DIR: join(folder, 'second'),
      DATABASE_URL: ownerUrl,
      LOG_LEVEL: 'error',
    },
    'Tutorlog is ready',
  )
  const secondBarePort = await freePort()
  const secondBare = await start(
    'bench/bare.ts',
    { PORT: String(secondBarePort), DATABASE_URL: ownerUrl },
    'ready',
  )
  for (const at of [secondPort, secondBarePort])
    for (let done = 0; done < WARM_UP; done += 16)
      await Promise.all(Array.from({ length: 16 }, () => get(listPath, at)))
  // Running two hand-written servers shows how much of the difference comes from the machine: more processes
  // share its cores and their caches.
  const pairs = [
    ...twoServers([server, second], [port, secondPort], { name: "the month's list", most: 1.15 }, (at) =>
      get(listPath, at),
    ),
    ...twoServers([bare, secondBare], [barePort, secondBarePort], { name: 'the list by hand' }, (at) =>
      get(listPath, at),
    ),
  ]
  missed += (await compare(pairs, postmaster, PACE)).length
  await stop(second)

  const { headers: tutor } = await signIn('tutor@example.com')
  const others = `/api/v1/sessions?month=${today.slice(0, 7)}`
  const owner = await connectTo(ownerUrl)
  const waits = await p95Beside(owner, port, headers, YEAR, () =>
    call(port, 'GET', others, tutor, undefined, 200),
  )
  line("someone else's list, 95th percentile, ms", waits.alone)
  line('the same beside a PDF, an export and an import', waits.beside, waits.alone / waits.beside, 0.5)
  const each = await kilobytesPerStream(owner, port, server.pid ?? 0)
  // This comes out below 1 kB per stream if the streams reuse memory that the server already had.
  line('an event stream, kB', each, 30 / Math.max(each, 1), 1)
  await owner.end()

  // Compares how long it takes to read another user's list with and without someone's text being processed at
  // the same time.
  const read = (transcript: string, status?: number) =>
    call(port, 'POST', '/api/v1/speech', tutor, JSON.stringify({ transcript }), status)
  await read('maya had an hour of math', 200)
  // Alternates between the two, because other load on the machine varies over time.
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 0; round < HOSTILE_ROUNDS; round++) {
    alone.push(...(await millisecondsWhile(pause(1000), () => get(listPath))))
    const texts = Promise.all(Array.from({ length: HOSTILE_AT_ONCE }, () => read(HOSTILE)))
    beside.push(...(await millisecondsWhile(texts, () => get(listPath))))
  }
  line("the month's list, one after the other", 1000 / median(alone))
  line(
    `the same beside ${HOSTILE_AT_ONCE} hostile texts`,
    1000 / median(beside),
    median(alone) / median(beside),
    0.5,
  )

  for (const [name, route] of Object.entries(TOLD_BY_TIME))
    chanceLine(`time tells known addresses at ${name}, AUC`, await toldByTime(db, port, origin, route))
  await db.close()
}

// A probability of 0.5 means that the times reveal nothing. The limit allows for three standard deviations.
function chanceLine(name: string, chance: number): void {
  const isMissed = Math.abs(chance - 0.5) > 0.1
  if (isMissed) missed += 1
  console.log(
    [name.padEnd(56), chance.toFixed(3).padStart(8), '0.4-0.6'.padStart(8), isMissed ? 'MISSED' : '']
      .join('  ')
      .trimEnd(),
  )
}

function line(name: string, value: number, ratio?: number, limit?: number): void {
  const isMissed = ratio !== undefined && limit !== undefined && ratio < limit
  if (isMissed) missed += 1
  console.log(
    [
      name.padEnd(44),
      value.toFixed(0).padStart(10),
      (ratio?.toFixed(3) ?? '').padStart(8),
      (limit ? `>= ${limit}` : '').padStart(8),
      isMissed ? 'MISSED' : '',
    ]
      .join('  ')
      .trimEnd(),
  )
}

async function logLesson(
  port: number,
  headers: Record<string, string>,
  own: { studentId: string; tutorId: string },
): Promise<void> {
  // The date is far from the month the benchmark reads, so the new session doesn't affect those reads.
  const lesson = { student_id: own.studentId, tutor_id: own.tutorId, date: '2020-02-03', duration: 1 }
  const named = { ...headers, 'idempotency-key': crypto.randomUUID() }
  await call(port, 'POST', '/api/v1/sessions', named, JSON.stringify(lesson), 201)
}

/** Sessions from the demo that the family shares with a tutor and can confirm. */
async function sharedSessions(get: (path: string) => Promise<{ body: string }>): Promise<string[]> {
  const month = dayIn(new Date()).slice(0, 7)
  const { sessions } = JSON.parse((await get(`/api/v1/confirmations?month=${month}`)).body) as {
    sessions: { id: string; is_read_only: boolean; status: string }[]
  }
  const open = sessions.filter((one) => !one.is_read_only && one.status !== 'disputed')
  if (open.length === 0) throw new Error('the demo shares no session this month')
  return open.slice(0, CONFIRMED).map((one) => one.id)
}

/** Alternates between confirming a session and withdrawing that confirmation. */
function confirming(
  port: number,
  headers: Record<string, string>,
  sessions: string[],
): (client: number) => Promise<void> {
  const isConfirmed = new Set<number>()
  return async (client) => {
    const path = `/api/v1/sessions/${sessions[client % sessions.length]}/confirm`
    const method = isConfirmed.delete(client) ? 'DELETE' : 'POST'
    if (method === 'POST') isConfirmed.add(client)
    await call(port, method, path, headers, method === 'POST' ? '{}' : undefined)
  }
}

/** Runs the list's query directly in PostgreSQL, with and without policies. */
function sayPgbench(url: string, id: string, prefix: string): void {
  const settings = settingsOf(id)
  for (const clients of [1, 16]) {
    const [held, free] = [{ ...settings, role: `${prefix}family` }, settings].map((own) =>
      pgbenchPerSecond(
        { url, settings: own, statement: LIST },
        clients,
        Math.ceil(PACE.ms / 1000) + 1,
        folder,
      ),
    )
    if (held === undefined || free === undefined) return console.log('pgbench is not installed')
    line(`the list by pgbench, ${clients} at once, no policies`, free)
    line(`the list by pgbench, ${clients} at once, with policies`, held, held / free)
  }
}

/**
 * How many database pages the list's query reads. It's the same number no matter how many other sessions
 * there are.
 */
async function buffersOfList(url: string, id: string, prefix: string): Promise<number> {
  const client = await connectTo(url)
  const settings = { ...settingsOf(id), role: `${prefix}family` }
  for (const [name, value] of Object.entries(settings))
    await client.query('select set_config($1, $2, false)', [name, value])
  // The first call includes query planning.
  await client.query(LIST)
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) ${LIST}`,
  )
  await client.end()
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
}

async function start(file: string, settings: Record<string, string>, ready: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let output = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk)
    if (!output.includes(ready)) continue
    child.stdout.pipe(process.stderr, { end: false })
    return child
  }
  throw new Error(`${file} did not start: ${output}`)
}
