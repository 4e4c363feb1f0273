// Before anything is changed, compares the steps that a database or a backup has been through with this version's.
// One baseline replaced the steps from before the first release (docs/decisions/0030-one-baseline.md).
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { withRoles } from './roles.server.ts'

/** The last step of the baseline. */
const END_OF_BASELINE = '0112-requests.sql'
/** The last of the steps that the baseline replaced, and a commit whose server runs all of them. */
const LAST_REPLACED = '0051-renewals.sql'
const COMMIT_OF_REPLACED = '4a8c0b7d3ef6'
const DIFFERENCES = new URL('../../../db/before-baseline.sql', import.meta.url)

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

/** True for tables as the last step before the baseline left them. They're the same as the baseline's, except for names. */
export function isBeforeBaseline(applied: readonly string[]): boolean {
  return applied.at(-1) === LAST_REPLACED
}

/** Records the baseline's steps as applied. The transaction must use the tables' owner. */
export async function adoptBaseline(
  client: pg.Client,
  prefix: string,
  known: readonly string[],
): Promise<void> {
  await client.query('delete from schema_migrations')
  await client.query('insert into schema_migrations (name) select unnest($1::text[])', [baselineOf(known)])
  await client.query(withRoles(prefix, await readFile(DIFFERENCES, 'utf8')))
}

function baselineOf(known: readonly string[]): string[] {
  return known.slice(0, known.indexOf(END_OF_BASELINE) + 1)
}
