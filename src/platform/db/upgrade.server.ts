// Before anything is changed, compares the steps that a database or a backup has been through with this version's.
// One baseline replaced the steps from before the first release (docs/decisions/0030-one-baseline.md).
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { withRoles } from './roles.server.ts'

/** The last step of the baseline. */
const END_OF_BASELINE = '0114-requests.sql'
/** The last of the steps that the baseline replaced, and a commit whose server runs all of them. */
const LAST_REPLACED = '0051-renewals.sql'
const COMMIT_OF_REPLACED = '4a8c0b7d3ef6'
const FILES = new URL('../../../db/', import.meta.url)
const DIFFERENCES = 'before-baseline.sql'
const HISTORIES = 'before-baseline-history.sql'
/** The only step of the baseline that creates a function. */
const KINDS = 'migrations/0106-kinds.sql'

const REFUSALS = {
  database: {
    newer: (step: string) =>
      `The database belongs to a newer version of Tutorlog (it has ${step}). Start that version, or restore a backup from before the upgrade.`,
    older: (step: string) =>
      `The database belongs to an older version of Tutorlog (its last step is ${step}): start commit ${COMMIT_OF_REPLACED} once, then this version.`,
  },
  backup: {
    newer: (step: string) => `This backup was made by a newer version that has ${step}. Upgrade first.`,
    older: (step: string) =>
      `This backup was made by an older version of Tutorlog (its last step is ${step}): restore it with commit ${COMMIT_OF_REPLACED}, and back up again with that.`,
  },
}

/**
 * The steps of this version that lead to the tables of a database or a backup. Throws a one-line Error if a newer
 * version made them, or one that is too old.
 * @param applied the steps that made the tables
 * @param known this version's steps, in order
 */
export function stepsBehind(
  what: 'database' | 'backup',
  applied: readonly string[],
  known: readonly string[],
): string[] {
  if (isBeforeBaseline(applied)) return baselineOf(known)
  const foreign = applied
    .filter((name) => !known.includes(name))
    .sort()
    .at(-1)
  if (foreign === undefined) return [...applied]
  throw new Error(REFUSALS[what][foreign > (known.at(-1) ?? '') ? 'newer' : 'older'](foreign))
}

/** The steps that a database has been through, in order. Undefined if it has no tables. Only the tables' owner can read them. */
export async function appliedSteps(client: pg.Client): Promise<string[] | undefined> {
  const { rows: tables } = await client.query(
    "select 1 where to_regclass('public.schema_migrations') is not null",
  )
  if (tables.length === 0) return undefined
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name')
  return rows.map(({ name }) => name)
}

/** True for tables as the last step before the baseline left them. */
export function isBeforeBaseline(applied: readonly string[]): boolean {
  return applied.at(-1) === LAST_REPLACED
}

/** Brings tables of the last step to the baseline, and records its steps. The transaction must use the tables' owner. */
export async function adoptBaseline(
  client: pg.Client,
  prefix: string,
  known: readonly string[],
): Promise<void> {
  await client.query('delete from schema_migrations')
  await client.query('insert into schema_migrations (name) select unnest($1::text[])', [baselineOf(known)])
  for (const name of [DIFFERENCES, KINDS, HISTORIES])
    await client.query(withRoles(prefix, await textOf(name)))
}

/**
 * Fills the baseline's empty tables from a backup of the last step.
 * @param load copies the backup's tables, with the names that it's given for each
 */
export async function loadBeforeBaseline(
  client: pg.Client,
  load: (named: typeof baselineNames) => Promise<void>,
): Promise<void> {
  await client.query("alter table history alter kind set default 'session'")
  await load(baselineNames)
  await client.query('alter table history alter kind drop default')
  await client.query(await textOf(HISTORIES))
}

/** What the baseline calls a table of the last step and its columns. */
function baselineNames(table: string, columns: readonly string[]): { table: string; columns: string[] } {
  if (table === 'session_history')
    return {
      table: 'history',
      columns: columns.map((name) => name.replace(/^session_(?=key$|id$)/, 'entry_')),
    }
  const renamed = columns.map((name) =>
    name.replace(/_word_at$/, '_answered_at').replace(/_word(?=_|$)/, '_answer'),
  )
  return { table, columns: renamed }
}

function baselineOf(known: readonly string[]): string[] {
  return known.slice(0, known.indexOf(END_OF_BASELINE) + 1)
}

function textOf(name: string): Promise<string> {
  return readFile(new URL(name, FILES), 'utf8')
}
