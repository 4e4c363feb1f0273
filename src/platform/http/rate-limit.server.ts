// Limits counted in the database, so that they hold in parallel and over several servers (promise I10).
import type { Limit } from '#kernel/endpoint.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { sql } from 'kysely'

/** Counts one hit; the seconds to wait when the limit is passed, otherwise undefined. */
export async function hitLimit(tx: Tx, key: string, limit: Limit): Promise<number | undefined> {
  const ends = sql<Date>`now() + make_interval(secs => ${limit.seconds})`
  const row = await tx
    .insertInto('rate_limits')
    .values({ key, window_ends_at: ends, hits: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        hits: sql`case when rate_limits.window_ends_at <= now() then 1 else rate_limits.hits + 1 end`,
        window_ends_at: sql`case when rate_limits.window_ends_at <= now() then excluded.window_ends_at else rate_limits.window_ends_at end`,
      }),
    )
    .returning(['hits', sql<number>`ceil(extract(epoch from window_ends_at - now()))::int`.as('wait')])
    .executeTakeFirstOrThrow()
  return row.hits > limit.hits ? Math.max(1, row.wait) : undefined
}

/** Starts a limit anew, after a try that was right. */
export async function forgetLimit(tx: Tx, key: string): Promise<void> {
  await tx.deleteFrom('rate_limits').where('key', '=', key).execute()
}
