// Rate limits. The database does the counting, so that they hold across parallel requests and servers
// (promise I10).
import { isIPv4, isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { Limit } from '#kernel/endpoint.ts'
import type { Tx } from '#platform/db/db.server.ts'

/**
 * The key for limits when nobody is signed in. For IPv4, that's the address, even if it's written as IPv6.
 * For IPv6, it's the /64, the smallest range that a provider assigns to a customer (RFC 6177). Whatever else a proxy
 * passes on counts as one.
 */
export function networkOf(address: string): string {
  const bare = address.split('%')[0] ?? ''
  const words = isIPv6(bare) ? wordsOf(bare) : undefined
  if (words) return mappedIn(words) ?? `${words.slice(0, 4).join(':')}::/64`
  return isIPv4(bare) ? bare : 'unknown'
}

/**
 * The range of addresses to write down for a request: the /24 of IPv4, the /48 of IPv6. Many people share it. Null for
 * anything else, because a proxy may pass on what somebody made up.
 */
export function rangeOf(address: string): string | null {
  const bare = address.split('%')[0] ?? ''
  const words = isIPv6(bare) ? wordsOf(bare) : undefined
  const plain = words ? mappedIn(words) : bare
  if (words && plain === undefined) return `${words.slice(0, 3).join(':')}::/48`
  return plain !== undefined && isIPv4(plain) ? `${plain.split('.').slice(0, 3).join('.')}.0/24` : null
}

/** The eight words of an IPv6 address. */
function wordsOf(address: string): string[] {
  // The URL parser normalizes all spellings of an address.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const words = (text: string | undefined) => (text ? text.split(':') : [])
  const [before, after] = [words(head), words(tail)]
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}

/** The IPv4 address that's written as an IPv6 one. */
function mappedIn(words: string[]): string | undefined {
  if (words.slice(0, 6).join() !== '0,0,0,0,0,ffff') return undefined
  return words
    .slice(6)
    .flatMap((word) => [parseInt(word, 16) >> 8, parseInt(word, 16) & 255])
    .join('.')
}

/** Counts one hit. If the limit is exceeded, returns the number of seconds to wait. */
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

/** Removes one hit after a successful attempt, because only failed attempts count. */
export async function undoHit(tx: Tx, key: string): Promise<void> {
  await tx
    .updateTable('rate_limits')
    .set({ hits: sql`greatest(hits - 1, 0)` })
    .where('key', '=', key)
    .execute()
}

/** Resets a limit after a successful attempt. */
export async function forgetLimit(tx: Tx, key: string): Promise<void> {
  await tx.deleteFrom('rate_limits').where('key', '=', key).execute()
}
