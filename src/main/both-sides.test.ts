// Reads every table that stores records, both as the people involved and as outsiders, and then reads them
// all again after both sides are erased. A new table fails this test until it's listed below and this file
// adds rows to it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { purgeAccounts } from '#features/privacy/jobs.server.ts'
import type { Principal } from '#features/access/db.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from './testing.server.ts'
import { aFamily, aPair, idOf, LESSON, type Pair, rowsOf } from './testing/two-sides.server.ts'

type Reader = 'family' | 'practice' | 'caregiver' | 'otherFamily' | 'otherPractice'

/** Groups of people who may read a table's rows: everyone in either workspace, or only the two owners. */
const ALL = ['family', 'practice', 'caregiver'] as const
const OWNERS = ['family', 'practice'] as const
/** Who may read each table that stores records. Nobody else can read any of its rows. */
const READERS: Record<string, readonly Reader[]> = {
  workspaces: ALL,
  members: ALL,
  member_students: ALL,
  member_invitations: OWNERS,
  students: ALL,
  tutors: ALL,
  // A caregiver sees no amounts.
  prices: OWNERS,
  schedules: ALL,
  schedule_notes: ALL,
  schedule_changes: ALL,
  // Nobody writes notes about single classes.
  schedule_change_notes: [],
  calendar_feeds: ALL,
  learned_names: ALL,
  sessions: ALL,
  session_notes: ALL,
  history: ALL,
  session_pairs: OWNERS,
  connections: ALL,
  connection_people: OWNERS,
  // Only the emailed link reads its keys.
  idempotency_keys: [],
  link_tokens: [],
  handed_links: OWNERS,
  payments: OWNERS,
  payment_notes: OWNERS,
  charges: OWNERS,
  // Nobody writes notes about a charge: what it's for is for both to read.
  charge_notes: [],
  terms: OWNERS,
  // Nobody writes notes about terms.
  term_notes: [],
  // Families read these rows through a function instead.
  payment_ways: ['practice'],
  // Families read none of these: the grant is for the export.
  paper_providers: ['practice'],
  paper_numbers: ['practice'],
  papers: ['practice'],
  // What a family typed on a paper in its tutor's name is the family's.
  family_papers: ['family'],
  schedule_places: ['practice'],
  sign_offs: ['family'],
  closed_months: OWNERS,
  // Only jobs read when to look at classes, and whom to ask about which.
  class_asks: [],
  class_clocks: [],
  // Only a job reads which fees were proposed.
  proposed_fees: [],
  class_questions: [],
}

let server: TestServer
let client: pg.Client
let pair: Pair
let people: Record<Reader, Caller & { speaks: Principal }>
before(async () => {
  server = await startTestServer()
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
})
after(async () => {
  await client.end()
  await server.stop()
})
const rows = async (text: string, values: unknown[] = []) =>
  (await client.query<Record<string, unknown>>(text, values)).rows

/**
 * The SQL condition that selects a workspace's rows, including those of its connections. Undefined if the
 * table has no workspace data.
 */
async function ownRows(table: string): Promise<string | undefined> {
  const columns = new Set(
    (
      await rows(
        "select column_name from information_schema.columns where table_schema = 'public' and table_name = $1",
        [table],
      )
    ).map((row) => row.column_name),
  )
  const links = '(select id from connections where $1 in (family_id, practice_id))'
  // A side may read the name of the workspace it's connected to.
  if (table === 'workspaces')
    return `id = $1 or id in (select unnest(array[family_id, practice_id]) from connections where $1 in (family_id, practice_id))`
  if (columns.has('workspace_id')) return 'workspace_id = $1'
  if (columns.has('family_id')) return '$1 in (family_id, practice_id)'
  const link = ['connection_id', 'link_id'].find((name) => columns.has(name))
  return link && `${link} in ${links}`
}

/** How many of the table's rows the database lets a caller see; 0 if the caller may not read the table at all. */
async function seenBy({ speaks }: { speaks: Principal }, table: string): Promise<number> {
  try {
    const { rows: found } = await server.db.asMember(speaks, (tx) =>
      sql<{ n: number }>`select count(*)::int as n from public.${sql.table(table)}`.execute(tx),
    )
    return found[0]?.n ?? 0
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return 0
    throw error
  }
}
const countOf = async (table: string, predicate: string, id: string) =>
  Number((await rows(`select count(*) as n from ${table} where ${predicate}`, [id]))[0]?.n)

/**
 * A family and a tutor with at least one row in every table, a caregiver limited to one child, and two
 * outsiders.
 */
async function everybody(): Promise<void> {
  pair = await aPair(server)
  const { family, practice, child, tutor, student, self, connection } = pair
  const ok = async (who: Caller, method: string, path: string, body: object) => {
    const answer = await who.call(method, `/api/v1/${path}`, body)
    assert.ok(answer.status < 300, `${method} ${path} ${JSON.stringify(answer.body)}`)
    return answer
  }
  // A month that both sides close and sign off on.
  const october = await pair.log({ date: '2026-10-05' })
  await ok(practice, 'POST', `sessions/${october}/confirm`, {})
  await ok(family, 'POST', 'sign-offs', { month: '2026-10', tutor_id: tutor })
  const paid = { date: '2026-10-06', amount: 67.5, note: 'in cash' }
  const payment = idOf(await ok(family, 'POST', 'payments', { ...paid, tutor_id: tutor }))
  await ok(practice, 'POST', `payments/${payment}/confirm`, {})
  await ok(practice, 'PATCH', `payments/${payment}`, { note: 'thanks' })
  const book = { date: '2026-10-07', amount: 12.5, reason: 'materials', label: 'Reading book' }
  const charge = idOf(await ok(family, 'POST', 'charges', { ...book, tutor_id: tutor }))
  await ok(practice, 'POST', `charges/${charge}/confirm`, {})
  await ok(practice, 'POST', 'terms', { student_id: student, rules: { due_day: 5 } })
  for (const who of [family, practice])
    await ok(who, 'POST', 'months/close', { connection_id: connection, month: '2026-10' })
  // A lesson that both sides logged. The practice sent its entry late, so the two are listed as a pair.
  await pair.log()
  await pair.logByPractice({ is_late: true, duration: 2 })
  const when = { day_of_week: 2, start_time: '16:00', duration: 1, start_date: '2026-11-03' }
  const plan = async (who: Caller, whose: object) => {
    const schedule = idOf(await ok(who, 'POST', 'schedules', { ...when, notes: 'ours', ...whose }))
    await ok(who, 'PUT', `schedules/${schedule}/occurrence`, {
      date: '2026-11-17',
      status: 'canceled',
      outcome: 'canceled_late',
    })
    await ok(who, 'POST', 'calendar-feed', {})
    const { student_id } = whose as { student_id: string }
    await ok(who, 'POST', 'learned-names', { names: [{ words: 'Mimi', student_id }] })
  }
  await plan(family, { student_id: child, tutor_id: tutor })
  await plan(practice, { student_id: student, tutor_id: self, start_time: '18:00' })
  await ok(practice, 'PUT', 'payment-ways', { ways: [{ kind: 'text', text: 'Cash or check' }] })
  await rows(
    "insert into schedule_places (workspace_id, schedule_id, place) select practice_id, id, 'online' from schedules where practice_id = $1",
    [practice.member.workspaceId],
  )
  const provider = { legal_name: 'Ingrid Lindqvist', address: '12 Elm Street' }
  await ok(practice, 'PUT', 'paper-provider', provider)
  const paper = {
    student_id: student,
    kind: 'receipt',
    program: 'free-form',
    from: '2026-10-01',
    to: '2026-10-31',
  }
  const { seen, missing } = (await ok(practice, 'POST', 'papers/preview', paper)).body
  const known_missing = (missing as { field: string }[]).map(({ field }) => field)
  await ok(practice, 'POST', 'papers', { paper, seen, known_missing })
  await ok(practice, 'PUT', `connections/${connection}/papers`, { is_allowed: true })
  const own = { ...paper, student_id: child, tutor_id: tutor, from: '2026-09-01', to: '2026-09-30' }
  await ok(family, 'POST', 'sessions', { student_id: child, tutor_id: tutor, ...LESSON, date: '2026-09-15' })
  const shown = (await ok(family, 'POST', 'papers/preview', own)).body
  await ok(family, 'POST', 'papers', {
    paper: own,
    seen: shown.seen,
    known_missing: (shown.missing as { field: string }[]).map(({ field }) => field),
  })
  const caregiver = await joins(family, 'caregiver', [child])
  await ok(caregiver, 'POST', 'learned-names', { names: [{ words: 'Mimi', student_id: child }] })
  await joins(practice, 'assistant', [student])
  for (const who of [family, practice])
    await ok(who, 'POST', 'members', {
      email: `invited-by-${who.id}@example.com`,
      role: who === family ? 'viewer' : 'assistant',
    })
  await ok(caregiver, 'POST', 'sessions', {
    student_id: child,
    tutor_id: tutor,
    ...LESSON,
    date: '2026-11-12',
  })
  const ana = idOf(await ok(family, 'POST', 'tutors', { name: 'Ana', hourly_rate: 40 }))
  const price = { from: '2026-09-01', amount: 32.5, lesson_minutes: 45 }
  await ok(family, 'POST', 'prices', { ...price, student_id: child, tutor_id: tutor })
  await ok(practice, 'POST', 'prices', { ...price, student_id: student, tutor_id: self })
  for (const [who, whom] of [
    [family, { tutor_id: ana }],
    [practice, { student_ids: [student] }],
  ] as const) {
    const handed = idOf(await ok(who, 'POST', 'connections', { ...whom, by_link: true }))
    await ok(who, 'POST', `connections/${handed}/link`, {})
  }
  // A tutor without an account.
  const edgar = await aFamily(server, 'edgar@example.com')
  await server.mailTo(edgar.email, 'asks you to confirm')
  const owner = (who: Caller) => Object.assign(who, { speaks: who.member as Principal })
  const familyId = family.member.workspaceId
  people = {
    family: owner(family),
    practice: owner(practice),
    caregiver: Object.assign(caregiver, {
      speaks: {
        accountId: caregiver.id,
        workspace: { id: familyId, kind: 'family' as const, role: 'caregiver' as const },
      },
    }),
    otherFamily: owner(edgar.family),
    otherPractice: owner(await server.aUser('tutor')),
  }
}
/** Adds an invited member who's limited to some students. */
async function joins(owner: Caller, role: string, student_ids: string[]): Promise<Caller> {
  const person = server.aStranger()
  await owner.call('POST', '/api/v1/members', { email: person.email, role, student_ids })
  const { text } = await server.mailTo(person.email, 'invited you to their')
  const token = /#token=([\w-]{43})/.exec(text)?.[1]
  const joined = await person.call('POST', '/api/auth/join', { token, password: PASSWORD })
  assert.equal(joined.status, 200, JSON.stringify(joined.body))
  await person.call('POST', '/api/v1/calendar-feed', {})
  person.id = String((await person.call('GET', '/api/v1/me')).body.id)
  return person
}

test('T8, T13: every table with records is read by the sides it belongs to, and by nobody else', async () => {
  await everybody()
  const tables = (
    await rows(
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
    )
  ).map((row) => String(row.relname))
  const found: Record<string, Reader[]> = {}
  for (const table of tables) {
    const predicate = await ownRows(table)
    if (!predicate) continue
    const readers: Reader[] = []
    for (const [name, who] of Object.entries(people) as [Reader, (typeof people)[Reader]][]) {
      const workspace = who.speaks.workspace?.id ?? assert.fail()
      const own = await countOf(table, predicate, workspace)
      const seen = await seenBy(who, table)
      assert.ok(seen <= own, `the ${name} reads ${seen} rows of ${table}, and has ${own}`)
      if (READERS[table]?.includes(name) && name !== 'caregiver')
        assert.ok(own > 0, `this file gives the ${name} no row of ${table}`)
      if (seen > 0 && !name.startsWith('other')) readers.push(name)
    }
    found[table] = readers
  }
  assert.deepEqual(found, READERS)
})

test('P1, T13: once both sides are erased, no table has a row of either', async () => {
  const erase = async (who: Caller) => {
    assert.equal((await who.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status, 204)
    await rows("update users set deletion_asked_at = now() - interval '40 days' where id = $1", [who.id])
    await purgeAccounts(server.db, join(server.dataDir, 'mailbox'), server.clock.now)
  }
  const left = async (who: Caller) => {
    const full: string[] = []
    for (const table of Object.keys(READERS)) {
      const predicate = (await ownRows(table)) ?? assert.fail(table)
      if ((await countOf(table, predicate, who.member.workspaceId)) > 0) full.push(table)
    }
    return full
  }
  const before = rowsOf(await pair.family.call('GET', '/api/v1/sessions')).length
  await erase(pair.practice)
  assert.deepEqual(await left(pair.practice), [])
  assert.equal(rowsOf(await pair.family.call('GET', '/api/v1/sessions')).length, before)
  await erase(pair.family)
  assert.deepEqual(await left(pair.family), [])
})
