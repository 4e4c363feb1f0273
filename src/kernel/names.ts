// How names are compared and sorted. For searching, see plain-spelling.ts.
import { visibleOnly } from './text.ts'

/**
 * A name in a form for comparisons: it ignores case, spacing and what can't be seen (like RFC 8266, section 2).
 * Two names that look the same have the same key.
 */
export function nameKey(name: string): string {
  return visibleOnly(name).normalize('NFKC').toLowerCase().normalize('NFKC')
}

// The same order as PostgreSQL's "und-x-icu": English has no exceptions from Unicode's order.
const ORDER = new Intl.Collator('en')

/** Compares two names for sorting, so that Ángel is between Andy and Anna. */
export const compareNames: (one: string, other: string) => number = ORDER.compare
