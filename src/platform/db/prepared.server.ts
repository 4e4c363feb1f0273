// Named queries: each connection parses one only once, and plans it only once if a generic plan is good
// enough.
import { createHash } from 'node:crypto'
import type { QueryConfig } from 'pg'

/**
 * Each name takes up a few kilobytes per connection, and lists of varying length would produce an endless
 * number of different queries.
 */
const MOST_NAMES = 1000
const names = new Map<string, string>()

/**
 * Names a query after its text. Leaves it unnamed if one plan may not fit all values.
 * @param place the search path that gives the text its meaning; a plan for one side is useless for the other
 */
export function prepared(text: string, values: unknown[], place = ''): QueryConfig {
  const name = nameOf(text, `${place}\n${text}`)
  return name === undefined ? { text, values } : { name, text, values }
}

function nameOf(text: string, meaning: string): string | undefined {
  // Which partial index the conflict refers to depends on the values.
  if (/\bon conflict \([^)]*\) where\b/i.test(text)) return undefined
  const known = names.get(meaning)
  if (known !== undefined || names.size >= MOST_NAMES) return known
  // Behind a pooler, servers of two versions may share a connection, so the same name must never be used for
  // two different texts.
  const name = createHash('sha256').update(meaning).digest('base64url').slice(0, 32)
  names.set(meaning, name)
  return name
}

/**
 * Whether a query failed because the tables changed after its connection prepared it, or because the
 * connection lost the prepared statement (26000).
 */
export function isOutdated(error: Error): boolean {
  return (
    ('code' in error && error.code === '26000') ||
    /cached plan must not change result type/.test(error.message)
  )
}
