// Creates the roles, then runs each numbered file in db/migrations in its own transaction, then all of
// db/repeatable in a single transaction. One advisory lock covers everything. The role names in the files are
// replaced with this database's role names.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { DbUrls } from './db.server.ts'
import { prepareQueue } from '#platform/jobs/queue.server.ts'
import { refuseWithoutIcu } from './collation.server.ts'
import { connectTo } from './connection.server.ts'
import { asOwner, loginUrl, prepareRoles, readRoles, type Roles, withRoles } from './roles.server.ts'
import { adoptBaseline, appliedSteps, isBeforeBaseline, stepsBehind } from './upgrade.server.ts'

const LOCK = 7_348_201
/** How long a server waits while another one migrates. Migrating a large database takes minutes. */
const LOCK_PATIENCE_MS = 600_000
const LOCK_TIMEOUT = '55P03'
const MIGRATIONS = new URL('../../../db/migrations/', import.meta.url)
const REPEATABLE = new URL('../../../db/repeatable/', import.meta.url)

interface MigrateOptions {
  /** Runs only these migrations, so that an older backup can be loaded before the newer ones run. */
  only?: string[]
  /** The URL for serving requests when there's a pooler in front of the database. */
  servedUrl?: string
  log?: (event: string) => void
  lockPatienceMs?: number
  /** Whether the database will be thrown away, so a crash may lose what's in it. */
  isScratch?: boolean
  /** Called before any existing table is changed. */
  beforeUpgrade?: () => Promise<void>
}

/**
 * Migrates the database to the latest schema and returns the URLs of the roles that serve requests. The role
 * in the given URL must be allowed to create roles. It never serves any requests itself.
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<DbUrls> {
  const { only, servedUrl } = options
  const check = options.isScratch ? async () => undefined : refuseUnsafeSettings
  return underLock(ownerUrl, options, async () => {
    const client = await connectTo(ownerUrl)
    try {
      await check(client)
      await refuseWithoutIcu(client)
      const known = await knownMigrations()
      const roles = await prepareRoles(client, ownerUrl, check)
      const applied = await asOwner(client, roles.prefix, () => appliedSteps(client))
      const steps = stepsBehind('database', applied ?? [], known)
      const hasOtherNames = isBeforeBaseline(applied ?? [])
      if (applied && (hasOtherNames || steps.length < known.length)) await options.beforeUpgrade?.()
      // The queue belongs to the system role and must exist before the trigger that adds jobs to it.
      await prepareQueue(loginUrl(ownerUrl, roles, 'system'), roles.prefix)
      await asOwner(client, roles.prefix, () => prepareRecords(client, roles.prefix))
      if (hasOtherNames)
        await named(
          'the step to the baseline',
          asOwner(client, roles.prefix, () => adoptBaseline(client, roles.prefix, known)),
        )
      const missing = known.filter((name) => !steps.includes(name) && (!only || only.includes(name)))
      if (missing.length > 0) options.log?.(`migrating the tables, ${missing.length} steps`)
      for (const name of missing) await apply(client, roles.prefix, name)
      // The repeatable files assume the latest tables, so they run last.
      if (!only) await applyRepeatable(client, roles.prefix)
      return urlsOf(ownerUrl, roles, servedUrl)
    } finally {
      await client.end()
    }
  })
}

// A transaction-level lock on a dedicated connection. It's released whenever the transaction ends, for
// whatever reason, even behind a pooler.
async function underLock<Result>(
  ownerUrl: string,
  { servedUrl, log = () => undefined, lockPatienceMs = LOCK_PATIENCE_MS }: MigrateOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const name = servedUrl === undefined || servedUrl === ownerUrl ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  const client = await connectTo(ownerUrl, { keepAlive: true }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${name} is not valid: no connection to the database (${reason}).`, { cause: error })
  })
  try {
    await client.query(
      `begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0; set local lock_timeout = ${lockPatienceMs}`,
    )
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
      LOCK,
    ])
    if (!rows[0]?.taken) {
      log('waiting for another server to finish migrating')
      await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    }
    const result = await work()
    // Fails if the lock was lost along the way, because another server may have run migrations in the
    // meantime.
    await client.query('commit')
    return result
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_TIMEOUT) throw error
    throw new Error(
      `Another server has been migrating the database for ${Math.round(lockPatienceMs / 60_000)} minutes. Start this one again when that's done.`,
      { cause: error },
    )
  } finally {
    await client.end()
  }
}

/** Creates the tables that record what has been applied. */
async function prepareRecords(client: pg.Client, prefix: string): Promise<void> {
  for (const table of [
    'schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    'schema_repeatable (content_hash text primary key, applied_at timestamptz not null default now())',
  ]) {
    const name = table.slice(0, table.indexOf(' '))
    await client.query(
      withRoles(
        prefix,
        `create table if not exists ${table};
        alter table ${name} enable row level security; alter table ${name} force row level security;
        drop policy if exists owner_all on ${name}; create policy owner_all on ${name} to tutorlog_owner using (true) with check (true)`,
      ),
    )
  }
}

/** The names of this version's migrations. */
export async function knownMigrations(): Promise<string[]> {
  return (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).sort()
}

/** The role URLs of an already migrated database. */
export async function roleUrls(ownerUrl: string): Promise<DbUrls> {
  const client = await connectTo(ownerUrl)
  try {
    return urlsOf(ownerUrl, await readRoles(client))
  } finally {
    await client.end()
  }
}

function urlsOf(ownerUrl: string, roles: Roles, servedUrl = ownerUrl): DbUrls {
  return {
    server: loginUrl(servedUrl, roles, 'server'),
    system: loginUrl(servedUrl, roles, 'system'),
    link: loginUrl(servedUrl, roles, 'link'),
    direct: { server: loginUrl(ownerUrl, roles, 'server'), system: loginUrl(ownerUrl, roles, 'system') },
    rolePrefix: roles.prefix,
  }
}

async function apply(client: pg.Client, prefix: string, name: string): Promise<void> {
  const text = await readFile(new URL(name, MIGRATIONS), 'utf8')
  await named(
    `migration ${name}`,
    asOwner(client, prefix, async () => {
      await client.query(withRoles(prefix, text))
      await client.query('insert into schema_migrations (name) values ($1)', [name])
    }),
  )
}

// Recreates all functions and triggers if their files or the role names have changed. Otherwise does nothing,
// so a restart takes no locks.
async function applyRepeatable(client: pg.Client, prefix: string): Promise<void> {
  const files = (await readdir(REPEATABLE)).filter((file) => file.endsWith('.sql')).sort()
  const texts = await Promise.all(
    files.map(async (file) => withRoles(prefix, await readFile(new URL(file, REPEATABLE), 'utf8'))),
  )
  const hash = createHash('sha256').update(texts.join('\0')).digest('hex')
  await named(
    'a file of db/repeatable',
    asOwner(client, prefix, async () => {
      const { rowCount } = await client.query('select from schema_repeatable where content_hash = $1', [hash])
      if (rowCount) return
      for (const text of texts) await client.query(text)
      await client.query('delete from schema_repeatable')
      await client.query('insert into schema_repeatable (content_hash) values ($1)', [hash])
    }),
  )
}

async function named(what: string, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    throw new Error(`${what} failed: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

// If any of these three settings is off, a crash can lose an acknowledged write (promise F3). A role can
// override them, so this also checks the roles that save sessions.
async function refuseUnsafeSettings(client: pg.Client): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await client.query<{ value: string }>('select current_setting($1) as value', [setting])
    if (rows[0]?.value === 'off')
      throw new Error(
        `PostgreSQL is running with ${setting} = off: a crash would lose saved sessions. Turn it on.`,
      )
  }
}
