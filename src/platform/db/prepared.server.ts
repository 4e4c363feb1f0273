// Named queries. Each connection parses a named query only once and, if a generic plan is good enough, also
// plans it only once.
import { createHash } from 'node:crypto'
import type { QueryConfig } from 'pg'

/**
 * Each name takes up a few kilobytes per connection, and lists of varying length would produce endless new
 * queries.
 */
const MOST_NAMES = 1000
const names = new Map<string, string>()

/**
 * Derives a query's name from its SQL. Leaves the query unnamed if one plan may not suit all values.
 * @param place the search path. The SQL's meaning depends on it, so a plan for one side can't be used for the
 * other.
 */
export function prepared(text: string, values: unknown[], place = ''): QueryConfig {
  const name = nameOf(text, `${place}\n${text}`)
  return name === undefined ? { text, values } : { name, text, values }
}

function nameOf(text: string, meaning: string): string | undefined {
  // The values determine which partial index the ON CONFLICT clause uses.
  if (/\bon conflict \([^)]*\) where\b/i.test(text)) return undefined
  const known = names.get(meaning)
  if (known !== undefined || names.size >= MOST_NAMES) return known
  // Behind a pooler, servers running different versions may share a connection, so two different statements
  // must never share a name.
  const name = createHash('sha256').update(meaning).digest('base64url').slice(0, 32)
  names.set(meaning, name)
  return name
}

/**
 * True if a query failed because the tables changed after its connection prepared it, or because the
 * connection lost the prepared statement (26000).
 */
export function isOutdated(error: Error): boolean {
  return (
    ('code' in error && error.code === '26000') ||
    /cached plan must not change result type/.test(error.message)
  )
}
