// Inserts invalid rows directly into the database, which the app itself would never do, and expects each one
// to violate a constraint.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Caller, startTestServer, type TestServer, withTestRoles } from './testing.server.ts'

let server: TestServer
let client: pg.Client
let mine: Caller
let other: Caller
const ids: Record<string, string> = {}

before(async () => {
  server = await startTestServer()
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  mine = await server.aUser()
  other = await server.aUser('tutor')
  const add = async (who: Caller, path: string, body: object) =>
    String((await who.call('POST', `/api/v1/${path}`, body)).body.id)
  ids.student = await add(mine, 'students', { name: 'Maya' })
  ids.tutor = await add(mine, 'tutors', { name: 'Ingrid', hourly_rate: 45 })
  ids.foreign = await add(other, 'students', { name: 'Theo' })
  ids.schedule = await add(mine, 'schedules', {
    student_id: ids.student,
    tutor_id: ids.tutor,
    day_of_week: 1,
    start_time: '16:00',
    duration: 1,
    start_date: '2026-11-02',
  })
})
after(async () => {
  await client.end()
  await server.stop()
})

interface Table {
  /** A row that the database should accept. */
  good: Record<string, unknown>
  /** Changes that each make the row invalid. */
  bad: Record<string, unknown>[]
}

// The kinds of violation: not null, foreign key, unique, check, number out of range, not a number, not a
// date, date out of range.
const REFUSALS = new Set(['23502', '23503', '23505', '23514', '22003', '22P02', '22007', '22008'])

test('D14: the database itself refuses every row that breaks a rule, whoever writes it', async () => {
  const owner = { workspace_id: mine.id }
  const long = 'x'.repeat(4001)
  const tables: Record<string, Table> = {
    students: {
      good: { ...owner, name: 'Maya' },
      bad: [
        { name: null },
        { name: '' },
        { name: 'x'.repeat(121) },
        { grade: 'x'.repeat(61) },
        { notes: long },
        { workspace_id: null },
        { workspace_id: crypto.randomUUID() },
      ],
    },
    tutors: {
      good: { ...owner, name: 'Ingrid', hourly_rate_cents: 4500 },
      bad: [
        { hourly_rate_cents: -1 },
        { hourly_rate_cents: 'NaN' },
        { hourly_rate_cents: 'Infinity' },
        { hourly_rate_cents: 50_000_001 },
        { hourly_rate_cents: '1e12' },
        { name: '' },
        { subjects: Array.from({ length: 41 }, () => 'x') },
        { phone: 'x'.repeat(41) },
        { email: 'x'.repeat(255) },
      ],
    },
    prices: {
      good: {
        ...owner,
        student_id: ids.student,
        tutor_id: ids.tutor,
        from_day: '2026-09-01',
        amount_cents: 3250,
        lesson_minutes: 45,
      },
      bad: [
        { amount_cents: -1 },
        { amount_cents: 50_000_001 },
        { amount_cents: null },
        { lesson_minutes: 4 },
        { lesson_minutes: 1441 },
        { from_day: null },
        { student_id: ids.foreign },
        { student_id: ids.tutor },
        { tutor_id: ids.student },
        { workspace_id: other.id },
      ],
    },
    sessions: {
      good: {
        family_id: mine.id,
        child_id: ids.student,
        family_tutor_id: ids.tutor,
        day: '2026-11-02',
        minutes: 60,
        tutor_rate_cents: 4500,
        currency: 'USD',
      },
      bad: [
        { minutes: -15 },
        { minutes: 7 },
        { minutes: 1455 },
        { minutes: 'NaN' },
        { minutes: null },
        { rate_override_cents: -1 },
        { rate_override_cents: 'NaN' },
        { tutor_rate_cents: -1 },
        { tutor_rate_cents: 50_000_001 },
        { tutor_rate_cents: null, lesson_price_cents: 3250 },
        { tutor_rate_cents: null, lesson_price_minutes: 45 },
        { lesson_price_cents: 3250, lesson_price_minutes: 45 },
        { tutor_rate_cents: null, lesson_price_cents: -1, lesson_price_minutes: 45 },
        { tutor_rate_cents: null, lesson_price_cents: 3250, lesson_price_minutes: 4 },
        { family_price_source: 'someone' },
        { day: null },
        { day: '2026-02-30' },
        { day: '1899-12-31' },
        { day: '2201-01-01' },
        { day: 'infinity' },
        { child_id: ids.foreign },
        { child_id: crypto.randomUUID() },
        { family_tutor_id: ids.student },
        { practice_id: other.id, student_id: ids.student },
        { practice_id: crypto.randomUUID() },
        { connection_id: crypto.randomUUID() },
        { family_id: null, child_id: null, family_tutor_id: null },
        { currency: 'usd' },
        { currency: null },
        { family_answer: 'paid' },
        { family_answer: 'disputed' },
        { family_answer: 'confirmed', family_answer_note: 'x' },
        { practice_answer: 'disputed', practice_answer_note: 'x'.repeat(501) },
        { practice_proposal: { is_removed: true } },
        { practice_answer: 'disputed', practice_proposal: { minutes: 45 } },
        {
          practice_answer: 'disputed',
          practice_proposal: { day: '2026-11-02', minutes: 45, rate_cents: 1, more: 1 },
        },
        { practice_reply: '' },
        { deletion_asked_by: 'family' },
        { deletion_asked_by: 'tutor', deletion_asked_at: new Date() },
        { subject: 'x'.repeat(121) },
        { family_schedule_id: ids.schedule },
        { family_schedule_id: crypto.randomUUID(), family_class_day: '2026-11-02' },
      ],
    },
    session_notes: {
      good: { ...owner, session_id: crypto.randomUUID(), text: 'Fractions' },
      bad: [{ text: long }, { text: null }, { workspace_id: crypto.randomUUID() }],
    },
    connections: {
      good: { family_id: mine.id, tutor_id: ids.tutor, email: 'i@x.example', email_key: 'i@x.example' },
      bad: [
        { family_id: crypto.randomUUID() },
        { tutor_id: crypto.randomUUID() },
        { practice_id: crypto.randomUUID() },
        { state: 'open' },
        { asked_by: 'tutor' },
        { ended_by: 'tutor' },
      ],
    },
    schedules: {
      good: {
        family_id: mine.id,
        child_id: ids.student,
        family_tutor_id: ids.tutor,
        currency: 'USD',
        day_of_week: 1,
        start_time: '16:00',
        minutes: 60,
        day: '2026-11-02',
        end_day: '2026-11-02',
      },
      bad: [
        { minutes: 0 },
        { minutes: 15 },
        { minutes: 45 },
        { minutes: 1470 },
        { day_of_week: 7 },
        { day_of_week: -1 },
        { start_time: '24:01' },
        { start_time: '7 pm o clock' },
        { end_day: '2026-11-01' },
        { day: '2026-13-01' },
        { hourly_rate_cents: -1 },
        { hourly_rate_cents: 'NaN' },
        { frequency: 'daily' },
        { frequency: 'custom' },
        { custom_interval_days: 3 },
        { frequency: 'custom', custom_interval_days: 0 },
        { frequency: 'custom', custom_interval_days: 367 },
        { timezone: 'Europe/Berlin' },
        { child_id: ids.foreign },
        { family_id: null, child_id: null, family_tutor_id: null },
        { practice_answer: 'disputed', practice_proposal: { day_of_week: 2 } },
      ],
    },
    schedule_notes: {
      good: { ...owner, schedule_id: crypto.randomUUID(), text: 'the blue book' },
      bad: [{ text: long }, { text: null }, { workspace_id: crypto.randomUUID() }],
    },
    schedule_changes: {
      good: {
        family_id: mine.id,
        schedule_id: ids.schedule,
        day: '2026-11-09',
        currency: 'USD',
        outcome: 'no_show',
        outcome_at: '2026-11-09T20:00:00Z',
        outcome_by: 'family',
      },
      bad: [
        { outcome: 'ill' },
        { outcome: null },
        { outcome_at: null },
        { outcome_by: null },
        { outcome_by: 'tutor' },
        { moved_to: '2026-11-10' },
        { start_time: '10:00' },
        { schedule_id: crypto.randomUUID() },
        { day: null },
      ],
    },
    payments: {
      good: {
        family_id: mine.id,
        family_tutor_id: ids.tutor,
        day: '2026-11-02',
        amount_cents: 4500,
        currency: 'USD',
      },
      bad: [
        { amount_cents: -1 },
        { amount_cents: 0 },
        { amount_cents: 'NaN' },
        { amount_cents: 2_000_000_001 },
        { kind: 'gift' },
        { kind: 'hours' },
        { prepaid_minutes: 60 },
        { kind: 'hours', prepaid_minutes: 7 },
        { method: 'barter' },
        { child_id: ids.foreign },
        { family_tutor_id: ids.foreign },
        { family_id: null },
        { currency: 'dollars' },
        { family_answer: 'maybe' },
        { family_answer: 'disputed' },
        { practice_answer_note: 'No' },
        { practice_answer: 'disputed', practice_proposal: { day: '2026-11-02', minutes: 45, rate_cents: 1 } },
        { deletion_asked_by: 'family' },
      ],
    },
    profiles: {
      good: {},
      bad: [{ user_id: mine.id }, { user_id: crypto.randomUUID() }],
    },
    workspaces: {
      good: { kind: 'family' },
      bad: [{ kind: 'school' }, { currency: 'usd' }, { id: mine.id }],
    },
    members: {
      good: {},
      bad: [
        { workspace_id: mine.id, account_id: mine.id, role: 'owner' },
        { workspace_id: mine.id, account_id: crypto.randomUUID(), role: 'parent' },
        { workspace_id: mine.id, account_id: mine.id, role: 'guest' },
      ],
    },
    member_invitations: {
      good: {
        workspace_id: mine.id,
        email: 'x@example.com',
        email_key: 'x@example.com',
        role: 'viewer',
        expires_at: '2026-12-01',
      },
      bad: [{ role: 'owner' }, { token_hash: '\\x01' }, { email_key: null }],
    },
    user_roles: {
      good: {},
      bad: [
        { user_id: mine.id, role: 'tutor' },
        { user_id: mine.id, role: 'parent' },
        { user_id: mine.id, role: 'owner' },
      ],
    },
    users: {
      good: {},
      bad: [
        { email: mine.email, email_key: mine.email, email_confirmed_at: new Date() },
        { email: 'A@x.example', email_key: 'A@x.example' },
        { email: 'A@x.example', email_key: 'b@x.example' },
        { email: 'x', email_key: 'x' },
      ],
    },
  }
  let refused = 0
  for (const [table, { good, bad }] of Object.entries(tables)) {
    const insert = async (row: Record<string, unknown>) => {
      const names = Object.keys(row)
      await client.query('begin')
      try {
        await client.query(
          `insert into ${table} (${names.join()}) values (${names.map((_, at) => `$${at + 1}`).join()})`,
          Object.values(row),
        )
        return 'taken'
      } catch (error) {
        return String((error as { code?: string }).code)
      } finally {
        await client.query('rollback')
      }
    }
    if (Object.keys(good).length > 0) assert.equal(await insert(good), 'taken', table)
    for (const change of bad) {
      const code = await insert({ ...good, ...change })
      assert.ok(REFUSALS.has(code), `${table} ${JSON.stringify(change).slice(0, 80)}: ${code}`)
      refused += 1
    }
  }
  assert.ok(refused > 70)
})

test('T11: what is taken in one account is free in another, and its keys say nothing about others', async () => {
  const theirs = (await other.call('GET', '/api/v1/students')).body as unknown as {
    id: string
    name: string
  }[]
  assert.equal((await mine.call('POST', '/api/v1/students', { name: theirs[0]?.name })).status, 201)
  // Both workspaces use the same idempotency key, day and tutor address, and neither can tell that the other
  // does.
  const key = crypto.randomUUID()
  const both = await Promise.all(
    [mine, other].map((who) =>
      who.call('POST', '/api/v1/students', { name: 'The same' }, { 'idempotency-key': key }),
    ),
  )
  assert.deepEqual(
    both.map(({ status }) => status),
    [201, 201],
  )
  assert.notEqual(both[0]?.body.id, both[1]?.body.id)
  const { rows } = await client.query<{
    name: string
  }>(`select c.conrelid::regclass || ' ' || pg_get_constraintdef(c.oid) as name from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1] where c.contype in ('u', 'p') and c.connamespace = 'public'::regnamespace
    and exists (select from pg_attribute o where o.attrelid = c.conrelid and o.attname = 'workspace_id') and a.attname <> 'workspace_id'
    and has_any_column_privilege('${withTestRoles('tutorlog_app')}', c.conrelid, 'INSERT')`)
  // A uniqueness error must not reveal other people's rows. For that reason, unique keys are either per owner
  // or hashes of random tokens that nobody can guess.
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => !/UNIQUE \((token_hash|code)\)/.test(name)),
    [],
  )
})
