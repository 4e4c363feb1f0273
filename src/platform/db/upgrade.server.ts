// What a start finds in the database before it changes anything: the tables of a newer version, of an older one, or none.
import type pg from 'pg'

/**
 * The migrations that a database has not seen; undefined where it has no tables yet. Throws an Error with one line where a newer
 * version has migrated it: this one would write over that one's functions.
 * @param known the migrations of this version, in order
 */
export async function pendingMigrations(client: pg.Client, known: string[]): Promise<string[] | undefined> {
  const applied = await appliedMigrations(client)
  if (!applied) return undefined
  const newest = known.at(-1) ?? ''
  const newer = applied.filter((name) => name > newest)
  if (newer.length > 0)
    throw new Error(
      `The database belongs to a newer version of Tutorlog (it has ${newer.at(-1)}). Start that version, or restore a backup from before the upgrade.`,
    )
  return known.filter((name) => !applied.includes(name))
}

// Their owner alone reads them, by whichever name a version of its day gave it.
async function appliedMigrations(client: pg.Client): Promise<string[] | undefined> {
  const { rows } = await client.query<{ owner: string }>(
    "select relowner::regrole::text as owner from pg_class where oid = to_regclass('public.schema_migrations')",
  )
  const [table] = rows
  if (!table) return undefined
  await client.query('begin read only')
  try {
    await client.query(`set local role ${table.owner}`)
    return (
      await client.query<{ name: string }>('select name from schema_migrations order by name')
    ).rows.map(({ name }) => name)
  } finally {
    await client.query('rollback')
  }
}
