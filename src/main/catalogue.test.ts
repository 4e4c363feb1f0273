// What must hold for every table, whatever is added later: a new table without it fails here.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
let client: pg.Client

before(async () => {
  server = await startTestServer()
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
})
after(async () => {
  await client.end()
  await server.stop()
})

const rows = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows
const OWNED = [
  'students',
  'tutors',
  'sessions',
  'schedules',
  'schedule_changes',
  'calendar_feeds',
  'payments',
  'tutor_links',
]
/** Owned too, but nobody changes a row of it. */
const KEPT = ['link_tokens', 'sign_offs']

test('T13: every table has row-level security, forced, and a policy', async () => {
  const unsafe =
    await rows(`select relname from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and not (relrowsecurity and relforcerowsecurity and exists (select from pg_policy where polrelid = c.oid))`)
  assert.deepEqual(unsafe, [])
})

test('T13: the serving roles are no superusers, own no table and cannot pass row-level security', async () => {
  assert.deepEqual(
    await rows(
      "select rolname from pg_roles where rolname in ('tutorlog_app', 'tutorlog_system', 'tutorlog_tutor') and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)",
    ),
    [],
  )
  assert.deepEqual(
    await rows(
      "select tablename from pg_tables where schemaname = 'public' and tableowner <> 'tutorlog_owner'",
    ),
    [],
  )
})

test('T13: no role may update or insert whole rows: every write grant names its columns', async () => {
  assert.deepEqual(
    await rows(`select table_name, grantee, privilege_type from information_schema.table_privileges
    where table_schema = 'public' and grantee in ('tutorlog_app', 'tutorlog_system', 'tutorlog_tutor', 'PUBLIC') and privilege_type in ('INSERT', 'UPDATE', 'TRUNCATE')`),
    [],
  )
})

test('T13: the SECURITY DEFINER functions are the ones that admit a member, queue mails and compare two sides', async () => {
  const functions = await rows(
    "select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = pronamespace where prosecdef and nspname in ('public', 'graphile_worker')",
  )
  assert.deepEqual(functions.map((row) => row.name).sort(), [
    'agreed_sessions()',
    'app_role()',
    'app_workspace()',
    'end_membership()',
    'graphile_worker.queue_mail()',
    'name_workspaces()',
    'shared_students()',
    'tutor_logged_same(uuid,uuid,date,integer,integer)',
  ])
})

test("T8, T13: what the tutor's role may write is its word and nothing else, and the family's role may not", async () => {
  const writes =
    await rows(`select grantee, table_name, privilege_type, string_agg(column_name::text, ' ' order by column_name) as columns from information_schema.column_privileges
    where table_schema = 'public' and grantee = 'tutorlog_tutor' and privilege_type in ('INSERT', 'UPDATE') group by 1, 2, 3 order by 2, 3`)
  assert.deepEqual(
    writes.map((row) => `${row.privilege_type} ${row.table_name}: ${row.columns}`),
    [
      'INSERT family_students: link_id student_id workspace_id',
      'UPDATE family_students: link_id',
      'INSERT outbox: data kind recipient user_id',
      'INSERT session_history: action actor_id changed facts note session_id side tutor_id workspace_id',
      'UPDATE sessions: dispute_note status updated_at verified_by_tutor version',
      'UPDATE tutor_links: answered_at ended_at ended_by state tutor_user_id updated_at version',
    ],
  )
  assert.deepEqual(
    await rows(
      "select grantee, column_name from information_schema.column_privileges where table_name = 'sessions' and column_name in ('verified_by_tutor', 'status', 'dispute_note') and privilege_type in ('INSERT', 'UPDATE') and grantee <> 'tutorlog_owner' and grantee <> 'tutorlog_tutor'",
    ),
    [],
  )
  assert.deepEqual(
    await rows(
      "select table_name, column_name from information_schema.column_privileges where table_schema = 'public' and grantee = 'tutorlog_tutor' and (column_name in ('notes', 'phone', 'email', 'password_hash', 'token_hash') or (table_name = 'students' and column_name = 'name') or table_name = 'tutors')",
    ),
    [],
  )
  assert.deepEqual(
    await rows(
      "select table_name, grantee, privilege_type from information_schema.table_privileges where table_schema = 'public' and grantee = 'tutorlog_tutor' and privilege_type <> 'DELETE'",
    ),
    [],
  )
  assert.deepEqual(
    (
      await rows(
        "select table_name from information_schema.table_privileges where table_schema = 'public' and grantee = 'tutorlog_tutor'",
      )
    ).map((row) => row.table_name),
    ['family_students'],
  )
})

test('T3: the keys of owned tables begin with the owner, and every reference carries it along', async () => {
  for (const table of [...OWNED, ...KEPT]) {
    const [key] = await rows(
      `select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = '${table}'::regclass and contype = 'p'`,
    )
    assert.equal(key?.text, 'PRIMARY KEY (workspace_id, id)', table)
  }
  const loose =
    await rows(`select conrelid::regclass::text as name, pg_get_constraintdef(oid) as text from pg_constraint
    where contype = 'f' and confrelid in (${OWNED.map((table) => `'${table}'::regclass`).join()}) and pg_get_constraintdef(oid) not like 'FOREIGN KEY (workspace_id, %'
    -- A tutor's student belongs to a family by the family's link: two owners by its nature, and its policy admits the tutor's own links only.
    and conname <> 'family_students_link_id_fkey'`)
  assert.deepEqual(loose, [])
})

test('every table that a user changes carries a version', async () => {
  for (const table of [...OWNED, 'profiles']) {
    assert.equal(
      (
        await rows(
          `select from information_schema.columns where table_name = '${table}' and column_name = 'version'`,
        )
      ).length,
      1,
      table,
    )
  }
})

test('D14: money is whole cents, time whole minutes and days are dates; no column is a float', async () => {
  assert.deepEqual(
    await rows(
      "select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type in ('real', 'double precision')",
    ),
    [],
  )
})
