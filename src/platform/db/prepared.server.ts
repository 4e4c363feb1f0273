// Queries with a name: each connection has PostgreSQL parse one once, and plan it once where that plan serves.
import { createHash } from 'node:crypto'
import type { QueryConfig } from 'pg'

/** Each name takes some kilobytes of each connection; lists of any length make new texts without end. */
const MOST_NAMES = 1000
const names = new Map<string, string>()

/**
 * A query under a name of its text's own, or without one where a plan for all values might not do.
 * @param place the search path that says what the text means: a plan for one side is of no use to the other
 */
export function prepared(text: string, values: unknown[], place = ''): QueryConfig {
  const name = nameOf(text, `${place}\n${text}`)
  return name === undefined ? { text, values } : { name, text, values }
}

function nameOf(text: string, meaning: string): string | undefined {
  // Which partial index a conflict is of is known with the values alone.
  if (/\bon conflict \([^)]*\) where\b/i.test(text)) return undefined
  const known = names.get(meaning)
  if (known !== undefined || names.size >= MOST_NAMES) return known
  // Behind a pooler, servers of two versions may share a connection: one name never means two texts.
  const name = createHash('sha256').update(meaning).digest('base64url').slice(0, 32)
  names.set(meaning, name)
  return name
}

/** Whether a query failed because the tables changed since its connection prepared it, or the connection has lost it (26000). */
export function isOutdated(error: Error): boolean {
  return (
    ('code' in error && error.code === '26000') ||
    /cached plan must not change result type/.test(error.message)
  )
}
