// The order in which the database sorts names.
import { sql } from 'kysely'
import type pg from 'pg'

const COLLATION = 'und-x-icu'

/** Sorts a column by Unicode's order instead of by bytes, like compareNames in the browser. */
export const ALPHABETICAL = sql`collate ${sql.id(COLLATION)}`

/** Throws if this PostgreSQL was built without ICU, which knows Unicode's order. */
export async function refuseWithoutIcu(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_collation where collname = $1', [COLLATION])
  if (!rowCount)
    throw new Error(
      "This PostgreSQL was built without ICU, so it can't sort names. Use one with ICU, like those of packages and hosted services.",
    )
}
