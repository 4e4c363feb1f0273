// Even with many people's sessions in the database, queries that run under row-level security as the server's
// role read only one owner's rows.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { lastLessons } from '#features/person/queries.server.ts'
import { listSessions } from '#features/sessions/queries.server.ts'
import { searchSessions } from '#features/sessions/search-queries.server.ts'
import { monthPortions } from '#features/summary/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import { type Caller, startTestServer, type TestServer, withTestRoles } from './testing.server.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

// 300,000 rows load in a third of the time that a million would take, and the query plans are the same.
// Either way, one owner's month is far below 0.1% of the rows.
const OTHERS = 120
const SESSIONS_EACH = 2500
const OWN = 1400

let server: TestServer
let client: pg.Client
let parent: Caller

before(async () => {
  server = await startTestServer()
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  parent = await server.aUser()
  // Turns off per-row triggers and foreign keys. With them on, loading would take minutes.
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into users (id, email, email_key) select gen_random_uuid(), name, name
      from (select $1 || n || $2 as name from generate_series(1, $3::int) n) names`,
    ['other', '@example.com', OTHERS],
  )
  await client.query(
    `insert into sessions (family_id, day, minutes, tutor_rate_cents, currency) select id, date '2024-01-01' + n % 700,
      60, 4000, 'USD' from generate_series(1, ${SESSIONS_EACH}) n, users where id <> '${parent.id}'`,
  )
  await client.query(
    `insert into sessions (family_id, day, minutes, tutor_rate_cents, currency) select '${parent.id}',
      date '2024-01-01' + n % 700, 60, 4000, 'USD' from generate_series(1, ${OWN}) n`,
  )
  await client.query(
    "update sessions set subject = 'Needle' where key in (select key from sessions where family_id = $1 limit 40)",
    [parent.id],
  )
  await client.query('select spell_all()')
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze sessions')
})
after(async () => {
  await client.end()
  await server.stop()
})

/** Runs queries as the user and returns each query's plan. */
async function plansOf(work: (tx: Tx) => Promise<unknown>): Promise<PlanNode[]> {
  const plans: PlanNode[] = []
  const explaining = {
    async query(text: string, values: unknown[]) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      )
      plans.push(...(rows[0]?.['QUERY PLAN'].map(({ Plan }) => Plan) ?? []))
      return client.query(text, values)
    },
    release: () => undefined,
  }
  const tx = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { connect: async () => explaining, end: async () => undefined } as never,
    }),
  })
  await client.query(
    withTestRoles('begin; set local role tutorlog_family; set local search_path = family, public'),
  )
  try {
    await client.query(
      "select set_config('app.account_id', $1, true), set_config('app.workspace_id', $1, true)",
      [parent.id],
    )
    await work(tx)
  } finally {
    await client.query('rollback')
  }
  return plans
}

const nodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

/** How many session rows a plan read, including the ones it filtered out. */
function touched(plan: PlanNode): number {
  // Parts of the plan that are only for members limited to some students don't run for anyone else, so skip
  // them.
  const scans = nodes(plan).filter((node) => node['Relation Name'] === 'sessions' && node['Actual Loops'] > 0)
  assert.ok(scans.length > 0)
  for (const scan of scans) {
    assert.match(scan['Node Type'], /^(Index|Index Only|Bitmap Heap) Scan$/)
    const index = scan['Index Name'] ? scan : (scan.Plans ?? [])[0]
    assert.equal(index?.['Index Name'], 'sessions_of_family_by_day')
    assert.match(index?.['Index Cond'] ?? '', /family_id = .* AND \(day >= .* AND \(day <= /)
  }
  return scans.reduce(
    (sum, scan) =>
      sum +
      scan['Actual Loops'] *
        (scan['Actual Rows'] +
          (scan['Rows Removed by Filter'] ?? 0) +
          (scan['Rows Removed by Index Recheck'] ?? 0)),
    0,
  )
}

const MAY = { from: '2024-05-01' as CalendarDay, to: '2024-05-31' as CalendarDay }
// The owner has two sessions on each of the 700 days.
const OWN_IN_MAY = 31 * 2

test("a month's list reads only its owner's sessions of the month", async () => {
  const [plan] = await plansOf(async (tx) =>
    assert.equal((await listSessions(tx, parent.member.workspaceId, MAY, 101)).length, OWN_IN_MAY),
  )
  assert.ok(plan)
  assert.ok(touched(plan) <= OWN_IN_MAY, JSON.stringify(plan))
})

test('the next page starts where the last one ended', async () => {
  const [plan] = await plansOf((tx) =>
    listSessions(tx, parent.member.workspaceId, MAY, 21, {
      day: '2024-05-11',
      id: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
    }),
  )
  assert.ok(plan)
  assert.ok(touched(plan) <= 22, JSON.stringify(plan))
})

test("a search reads its owner's sessions once, from the index alone, and then only what it shows", async () => {
  const [plan] = await plansOf(async (tx) => {
    const found = await searchSessions(tx, parent.member.workspaceId, { words: ['needle'] }, { limit: 21 })
    assert.deepEqual([found.sessions.length, found.found?.sessions], [21, 40])
  })
  const scans = nodes(plan ?? assert.fail()).filter(
    (node) => node['Relation Name'] === 'sessions' && node['Actual Loops'] > 0,
  )
  const read = (node: PlanNode) =>
    node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
  const [whole, ...others] = scans.toSorted((one, other) => read(other) - read(one))
  assert.deepEqual(
    [whole?.['Node Type'], whole?.['Index Name'], whole && read(whole)],
    ['Index Only Scan', 'sessions_of_family_by_day', OWN],
  )
  assert.ok(
    others.every((node) => node['Node Type'].startsWith('Index') && read(node) <= 21),
    JSON.stringify(others),
  )
})

test("a month's summary reads only its owner's sessions of the month", async () => {
  const [plan] = await plansOf(async (tx) =>
    assert.equal(
      (await monthPortions(tx, parent.member.workspaceId, MAY.from, MAY.to)).reduce(
        (sum, portion) => sum + Number(portion.sessions),
        0,
      ),
      OWN_IN_MAY,
    ),
  )
  assert.ok(plan)
  assert.ok(touched(plan) <= OWN_IN_MAY, JSON.stringify(plan))
})

test("everyone's last lesson is found in one year, however long the log is", async () => {
  const year = { from: '2024-05-01' as CalendarDay, to: '2025-05-01' as CalendarDay }
  const [plan] = await plansOf((tx) => lastLessons(tx, { workspaceId: parent.member.workspaceId, ...year }))
  assert.ok(plan)
  assert.ok(touched(plan) <= 366 * 2, JSON.stringify(plan))
})

test('T6: the same list with another owner named gives nothing, at no greater cost', async () => {
  const [other] = (
    await client.query<{ id: string }>('select id from users where id <> $1 limit 1', [parent.id])
  ).rows
  const [plan] = await plansOf(async (tx) =>
    assert.deepEqual(await listSessions(tx, (other?.id ?? '') as WorkspaceId, MAY, 101), []),
  )
  assert.ok(plan)
  assert.ok(
    nodes(plan).every((node) => node['Node Type'] !== 'Seq Scan' || node['Relation Name'] !== 'sessions'),
  )
})
