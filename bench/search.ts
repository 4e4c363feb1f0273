// `node bench/search.ts [--quick]`: what a search over 5,000 sessions costs, compared with a month's list of the same
// family. The table has 0.5 million sessions of other families (--quick: 50,000), written in turns, so that no
// family's rows are next to each other.
import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { dayIn } from '#kernel/calendar-day.ts'
import { openDb } from '#features/access/db.server.ts'
import { DEMO_PASSWORD, makeDemonstration } from '#main/demo.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import { runningDatabaseUrl } from '#platform/db/embedded.server.ts'
import { roleUrls } from '#platform/db/migrate.server.ts'
import { freePort } from '#platform/free-port.server.ts'
import { call } from './load.ts'
import { postmasterOf } from './processor.ts'
import { compare } from './speed.ts'

const { quick = false } = parseArgs({
  options: { quick: { type: 'boolean' }, large: { type: 'boolean' } },
}).values
const OTHERS = quick ? 10 : 100
const OWN = 5000
const MONTH = '2024-05'
/** At least half as many searches as lists per second, and CPU time for both servers together. */
const LIMITS = { least: 0.5, most: 2.5 }
const PACE = quick ? { rounds: 3, ms: 500 } : { rounds: 5, ms: 2000 }
/** What people search for: a rare word, a common one, a child, a note, and a tutor's year. */
const SEARCHES = {
  'a rare word': 'search=compass',
  'a common word': 'search=fractions',
  'two words': 'search=zoe+algebra',
  'a word of a note': 'search=tired',
  'a month': 'search=march+2024',
  'what waits in a year': 'standing=own&from=2024-01-01&to=2024-12-31',
}

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-search-'))
chmodSync(folder, 0o711)
const port = await freePort()
const origin = `http://localhost:${port}`
const dataDir = join(folder, 'data')
const server = spawn(process.execPath, ['src/main/server.ts'], {
  env: {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let missed: string[] = []
try {
  for await (const [line] of on(server.stdout, 'data') as AsyncIterable<[Buffer]>)
    if (line.includes('is ready')) break
  missed = await measure()
} finally {
  server.kill('SIGINT')
  await once(server, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
process.exit(missed.length > 0 ? 1 : 0)

async function measure(): Promise<string[]> {
  const ownerUrl = (await runningDatabaseUrl(dataDir)) ?? ''
  const db = openDb(await roleUrls(ownerUrl), 2)
  await makeDemonstration(db, dayIn(new Date()))
  await db.close()
  const input = JSON.stringify({ email: 'family@example.com', password: DEMO_PASSWORD })
  const { body, cookies } = await call(port, 'POST', '/api/auth/sign-in', { origin }, input, 200)
  const headers = { origin, cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') }
  const client = await connectTo(ownerUrl)
  await fill(client, (JSON.parse(body) as { user: { id: string } }).user.id)
  const postmaster = await postmasterOf(client)
  await client.end()
  const get = (query: string) => call(port, 'GET', `/api/v1/sessions?${query}`, headers, undefined, 200)
  const list = `a month's list`
  const pids = [server.pid ?? 0]
  for (const [name, query] of Object.entries(SEARCHES)) {
    const { found } = JSON.parse((await get(query)).body) as { found: { sessions: number } }
    console.log(`${name}: ${found.sessions} of ${OWN} sessions`)
  }
  return compare(
    [
      { name: list, pids, work: async () => void (await get(`month=${MONTH}&limit=100`)) },
      ...Object.entries(SEARCHES).map(([name, query]) => ({
        name,
        pids,
        work: async () => void (await get(`${query}&limit=20`)),
        peers: [{ name: list, ...LIMITS }],
      })),
    ],
    postmaster,
    PACE,
  )
}

/** Gives each family as many sessions as the measured one, one each in turn, a hundred in a month. */
async function fill(client: pg.Client, ownId: string): Promise<void> {
  await client.query('set session_replication_role = replica')
  await client.query(
    'create temp table families as select $2::uuid as id union all select gen_random_uuid() from generate_series(1, $1::int)',
    [OTHERS, ownId],
  )
  await client.query(
    `insert into workspaces (id, kind, owner_name) select id, 'family', 'Family' from families where id <> $1`,
    [ownId],
  )
  await client.query(`insert into students (workspace_id, name) select id, (array['Zoë', 'Maya', 'José', '小明', 'Ali', 'Ann'])[nth]
    from families, generate_series(1, 6) nth`)
  await client.query(`insert into tutors (workspace_id, name, hourly_rate_cents) select id, (array['Jordan Okafor', 'Ingrid Lindqvist', 'Noor Said'])[nth], 6000
    from families, generate_series(1, 3) nth`)
  await client.query(`create temp table people as select f.id, array(select s.id from students s where s.workspace_id = f.id order by s.name) as children,
    array(select t.id from tutors t where t.workspace_id = f.id order by t.name) as tutors from families f`)
  await client.query(
    `insert into sessions (family_id, child_id, family_tutor_id, day, minutes, tutor_rate_cents, currency, subject, start_time, summary, homework)
    select id, children[1 + nth % 6], tutors[1 + nth % 3], date '2021-01-01' + nth * 30 / 100, 60 + 15 * (nth % 3), 6000, 'USD',
      (array['Math', 'Algebra', 'Reading', 'Química'])[1 + nth / 7 % 4], time '16:30',
      case when nth % 3 > 0 then 'Fractions, and the first page of the test, with more of it at home' end,
      case when nth % 200 = 0 then 'Bring the compass' when nth % 4 = 0 then 'Pages 12 and 13, without the last exercise' end
    from people, generate_series(1, ${OWN}) nth order by nth, id`,
  )
  await client.query(
    `insert into session_notes (workspace_id, session_id, text) select family_id, id, case when key % 50 = 0 then 'Was tired today' else 'A short break helped, and so did the drawing' end
    from sessions where subject is not null and family_id in (select id from families) and key % 3 = 0 on conflict do nothing`,
  )
  await client.query('select spell_all()')
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
}
