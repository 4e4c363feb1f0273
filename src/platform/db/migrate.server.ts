// Roles, then the numbered files of db/migrations, each in a transaction of its own, then the files of db/repeatable in one; all under one advisory lock.
import { createHash, createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Cents, Currency } from '#kernel/money.ts'
import type { DbUrls, Tx } from './db.server.ts'
import { prepareQueue } from '#platform/jobs/queue.server.ts'

const LOCK = 7_348_201
const MIGRATIONS = new URL('../../../db/migrations/', import.meta.url)
const REPEATABLE = new URL('../../../db/repeatable/', import.meta.url)
/** The roles that reach the database. The server's takes the role of a side in each transaction, and has no rights of its own. */
const ROLES = ['tutorlog_server', 'tutorlog_system', 'tutorlog_link'] as const
/** What all members have in common, the sides, a family's caregivers, its emailed page, and a role that older migrations name. */
const GROUPS = [
  'tutorlog_app',
  'tutorlog_family',
  'tutorlog_practice',
  'tutorlog_caregiver',
  'tutorlog_family_link',
  'tutorlog_tutor',
] as const

/**
 * Brings the database to the newest schema and returns the URLs of the roles that serve it.
 * The URL given belongs to a role that may create roles; no request is ever served through it.
 * @param only the migrations to stop at, for tables that are filled from an older backup before the newer ones run
 */
export async function migrate(ownerUrl: string, only?: string[]): Promise<DbUrls> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 })
  // The query that a broken connection fails says so; without a listener the break would also end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`DATABASE_URL is not valid: no connection to the database (${reason}).`, { cause: error })
  }
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await refuseUnsafeSettings(client)
    await createRoles(client, ownerUrl)
    for (const role of ROLES) await refuseUnsafeRole(urlFor(ownerUrl, role))
    // The queue belongs to the system role and has to be there before the trigger that fills it.
    await prepareQueue(urlFor(ownerUrl, 'tutorlog_system'))
    await client.query('set role tutorlog_owner')
    await client.query(`create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now());
      alter table schema_migrations enable row level security; alter table schema_migrations force row level security;
      drop policy if exists owner_all on schema_migrations; create policy owner_all on schema_migrations to tutorlog_owner using (true) with check (true)`)
    await client.query(`create table if not exists schema_repeatable (content_hash text primary key, applied_at timestamptz not null default now());
      alter table schema_repeatable enable row level security; alter table schema_repeatable force row level security;
      drop policy if exists owner_all on schema_repeatable; create policy owner_all on schema_repeatable to tutorlog_owner using (true) with check (true)`)
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
    const applied = new Set(rows.map((row) => row.name))
    for (const name of await knownMigrations()) {
      if (!applied.has(name) && (!only || only.includes(name))) await apply(client, name)
    }
    // They are written for the newest tables.
    if (!only) await applyRepeatable(client)
  } finally {
    await client.end()
  }
  return roleUrls(ownerUrl)
}

/** The names of the migrations that this version knows. */
export async function knownMigrations(): Promise<string[]> {
  return (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).sort()
}

export interface MigrationDifference {
  workspace_id: string
  kind: 'family' | 'practice'
  /** As 2026-11. */
  month: string
  session_id: string
  reason: 'gained' | 'merged' | 'kept apart' | 'sent back'
  currency: Currency
  before_cents: Cents
  after_cents: Cents
}

/** As the system: what migration 0030 changed in the months of each side, session by session (docs/operations.md). */
export async function migrationDifferences(tx: Tx): Promise<MigrationDifference[]> {
  const { rows } = await sql<MigrationDifference>`
    select workspace_id, kind, month, session_id, reason, d.currency, before_cents, after_cents from migration_differences d join workspaces w on w.id = workspace_id
    order by kind, workspace_id, month, session_id, d.currency`.execute(tx)
  return rows
}

/** The URLs of the roles of a database that was migrated before. */
export function roleUrls(ownerUrl: string): DbUrls {
  return {
    server: urlFor(ownerUrl, 'tutorlog_server'),
    system: urlFor(ownerUrl, 'tutorlog_system'),
    link: urlFor(ownerUrl, 'tutorlog_link'),
  }
}

async function apply(client: pg.Client, name: string): Promise<void> {
  const text = await readFile(new URL(name, MIGRATIONS), 'utf8')
  await inTransaction(client, `migration ${name}`, async () => {
    await client.query(text)
    await client.query('insert into schema_migrations (name) values ($1)', [name])
  })
}

// The functions and triggers as they stand now: all of them again when any of their files changed, so that a server that
// restarts takes no locks for nothing.
async function applyRepeatable(client: pg.Client): Promise<void> {
  const files = (await readdir(REPEATABLE)).filter((file) => file.endsWith('.sql')).sort()
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, REPEATABLE), 'utf8')))
  const hash = createHash('sha256').update(texts.join('\0')).digest('hex')
  const { rowCount } = await client.query('select from schema_repeatable where content_hash = $1', [hash])
  if (rowCount) return
  await inTransaction(client, 'a file of db/repeatable', async () => {
    for (const text of texts) await client.query(text)
    await client.query('delete from schema_repeatable')
    await client.query('insert into schema_repeatable (content_hash) values ($1)', [hash])
  })
}

async function inTransaction(client: pg.Client, what: string, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`${what} failed: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

// Without these three a crash can lose an acknowledged write (promise F3).
async function refuseUnsafeSettings(client: pg.Client): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await client.query<{ value: string }>('select current_setting($1) as value', [setting])
    if (rows[0]?.value === 'off')
      throw new Error(`PostgreSQL runs with ${setting} = off: a crash would lose saved sessions. Turn it on.`)
  }
}

// A role may have settings of its own, and the roles are what saves sessions.
async function refuseUnsafeRole(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await refuseUnsafeSettings(client)
  } finally {
    await client.end()
  }
}

async function createRoles(client: pg.Client, ownerUrl: string): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>(
    "select rolname from pg_roles where rolname like 'tutorlog\\_%'",
  )
  const existing = new Set(rows.map((row) => row.rolname))
  if (!existing.has('tutorlog_owner')) await client.query('create role tutorlog_owner nologin')
  for (const role of GROUPS)
    await client.query(`${existing.has(role) ? 'alter' : 'create'} role ${role} nologin`)
  for (const role of ROLES) {
    const options = `login nosuperuser nocreatedb nocreaterole nobypassrls password '${passwordFor(ownerUrl, role)}'`
    await client.query(
      `${existing.has(role) ? 'alter' : 'create'} role ${role} ${existing.has(role) ? `login password '${passwordFor(ownerUrl, role)}'` : options}`,
    )
  }
  await client.query(
    `alter role tutorlog_server noinherit; grant tutorlog_app to tutorlog_family, tutorlog_practice, tutorlog_caregiver;
    grant tutorlog_family, tutorlog_practice, tutorlog_caregiver, tutorlog_family_link to tutorlog_server;
    alter role tutorlog_server set statement_timeout = '10s'; alter role tutorlog_link set statement_timeout = '10s'`,
  )
  const database = client.escapeIdentifier(client.database ?? 'postgres')
  await client.query(`grant tutorlog_owner to current_user;
    grant usage, create on schema public to tutorlog_owner; grant usage on schema public to ${[...ROLES, ...GROUPS].join(', ')};
    grant connect, create on database ${database} to tutorlog_owner; grant connect, create on database ${database} to tutorlog_system`)
}

// Every server that knows DATABASE_URL knows the roles' passwords; they stand nowhere else.
function passwordFor(ownerUrl: string, role: string): string {
  return createHmac('sha256', decodeURIComponent(new URL(ownerUrl).password))
    .update(role)
    .digest('hex')
}

function urlFor(ownerUrl: string, role: (typeof ROLES)[number]): string {
  const url = new URL(ownerUrl)
  url.username = role
  url.password = passwordFor(ownerUrl, role)
  return url.href
}
