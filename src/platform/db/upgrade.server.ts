// What a start finds in the database before it changes anything: the tables of a newer version, of an older one, or none.
import type pg from 'pg'

/**
 * The migrations that a database has not seen; undefined where it has no tables yet. Throws an Error with one line where a newer
 * version has migrated it: this one would write over that one's functions. Their owner alone reads them.
 * @param known the migrations of this version, in order
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
