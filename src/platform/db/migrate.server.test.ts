import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { openDb } from './db.server.ts'
import { knownMigrations, migrate } from './migrate.server.ts'

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

async function bodyOf(name: string): Promise<string> {
  const { rows } = await client.query<{ body: string }>(
    'select prosrc as body from pg_proc where proname = $1',
    [name],
  )
  return rows[0]?.body ?? ''
}

test('a start brings functions and triggers to the text in db/repeatable, and does nothing where they have it', async () => {
  const current = await bodyOf('chain_history')
  const old = 'begin return new; end'
  await client.query(
    `create or replace function chain_history() returns trigger language plpgsql as '${old}'`,
  )
  await migrate(server.superuserUrl)
  assert.equal(await bodyOf('chain_history'), old, 'the files are the same, so nothing ran')

  await client.query("update schema_repeatable set content_hash = 'of an older version'")
  await migrate(server.superuserUrl)
  assert.equal(await bodyOf('chain_history'), current)
})

test('functions and triggers stand in db/repeatable, where their current text is found', () => {
  const folder = new URL('../../../db/migrations/', import.meta.url)
  const later = readdirSync(folder).filter((name) => name > '0028')
  const creating = later.filter((name) =>
    /create (or replace )?(function|trigger)/i.test(readFileSync(new URL(name, folder), 'utf8')),
  )
  assert.deepEqual(creating, [])
})

test('everything that the version before kept belongs to a workspace with the same id, and no total changes', async () => {
  await client.query('create database before_workspaces')
  const url = new URL(server.superuserUrl)
  url.pathname = '/before_workspaces'
  const known = await knownMigrations()
  await migrate(
    url.href,
    known.filter((name) => name < '0028'),
  )
  const old = new pg.Client({ connectionString: url.href })
  await old.connect()
  try {
    await old.query(BEFORE_WORKSPACES)
    const totals = async (owner: string) =>
      (
        await old.query(
          `select (select count(*)::int from students) as students, (select count(*)::int from session_history) as entries,
          (select string_agg(o || ' ' || cents, ', ' order by o) from (select ${owner}::text as o, sum(total_cents) as cents from sessions group by 1) s) as sessions,
          (select string_agg(o || ' ' || cents, ', ' order by o) from (select ${owner}::text as o, sum(amount_cents) as cents from payments group by 1) p) as payments,
          (select array_agg(seq || encode(hash, 'hex') order by session_id, seq) from session_history) as hashes`,
        )
      ).rows[0]
    const before = await totals('owner_id')
    assert.equal(before.entries, 2)
    const urls = await migrate(url.href)
    assert.deepEqual(await totals('workspace_id'), before)
    const { rows } = await old.query(
      'select email, kind, m.role, owner_name, currency from users u join members m on m.account_id = u.id join workspaces w on w.id = m.workspace_id and w.id = u.id order by email',
    )
    assert.deepEqual(rows, [
      { email: 'family@example.com', kind: 'family', role: 'owner', owner_name: 'family', currency: 'EUR' },
      { email: 'tutor@example.com', kind: 'practice', role: 'owner', owner_name: 'tutor', currency: 'USD' },
    ])
    const db = openDb(urls, 2)
    const accountId = '00000000-0000-4000-8000-000000000001'
    const member = { accountId, workspaceId: accountId as WorkspaceId }
    try {
      const own = await db.asMember(member, (tx) => tx.selectFrom('sessions').select('total_cents').execute())
      assert.deepEqual(own, [{ total_cents: 6750 }])
    } finally {
      await db.close()
    }
  } finally {
    await old.end()
  }
})

/** A family and a tutor with a link, a session each, and a payment; and a sign-up that chose no role. */
const BEFORE_WORKSPACES = `
  insert into users (id, email, email_key, email_confirmed_at) values
    ('00000000-0000-4000-8000-000000000001', 'family@example.com', 'family@example.com', now()),
    ('00000000-0000-4000-8000-000000000002', 'tutor@example.com', 'tutor@example.com', now()),
    ('00000000-0000-4000-8000-000000000003', 'nobody@example.com', 'nobody@example.com', now());
  insert into profiles (user_id, full_name, currency) select id, split_part(email, '@', 1), case when email like 'family%' then 'EUR' else 'USD' end from users;
  insert into user_roles (user_id, role) values ('00000000-0000-4000-8000-000000000001', 'parent'), ('00000000-0000-4000-8000-000000000002', 'tutor');
  insert into students (owner_id, id, name) values
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000a', 'Maya Whitfield'),
    ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-00000000000b', 'Maya');
  insert into tutors (owner_id, id, name) values ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000c', 'Ingrid');
  insert into sessions (owner_id, student_id, tutor_id, day, minutes, tutor_rate_cents) values
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000c', '2026-11-02', 90, 4500),
    ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-00000000000b', null, '2026-11-02', 90, 4500);
  insert into payments (owner_id, tutor_id, day, amount_cents) values ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000c', '2026-11-03', 5000);
  insert into tutor_links (owner_id, tutor_id, state, tutor_user_id) values
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000c', 'active', '00000000-0000-4000-8000-000000000002');
  insert into calendar_feeds (owner_id, token_hash) values ('00000000-0000-4000-8000-000000000001', '\\x01');`
