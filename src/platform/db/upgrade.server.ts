// Before startup changes anything, checks whether the database has tables from a newer version, tables from
// an older version, or none.
import type pg from 'pg'

/**
 * The migrations that haven't run on a database yet, or undefined if it has no tables. Throws a one-line
 * Error if a newer version has migrated it, because this version would overwrite the newer functions. Only
 * the tables' owner can read the list.
 * @param known this version's migrations, in order
 */
export async function pendingMigrations(client: pg.Client, known: string[]): Promise<string[] | undefined> {
  const { rows: tables } = await client.query(
    "select 1 where to_regclass('public.schema_migrations') is not null",
  )
  if (tables.length === 0) return undefined
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name')
  const applied = rows.map(({ name }) => name)
  const newest = known.at(-1) ?? ''
  const newer = applied.filter((name) => name > newest)
  if (newer.length > 0)
    throw new Error(
      `The database belongs to a newer version of Tutorlog (it has ${newer.at(-1)}). Start that version, or restore a backup from before the upgrade.`,
    )
  return known.filter((name) => !applied.includes(name))
}
