// Verifies the history of every session and payment in the database, for `npm run admin -- verify-history`.
import { createHash } from 'node:crypto'
import type { Db } from '#platform/db/db.server.ts'
import { type Break, breaksOf } from './history.ts'
import { chainsAfter, type Kind, KINDS } from './queries.server.ts'

const AT_ONCE = 500

/** How many entries there are of each kind, and how many lines their histories have. */
type HistoryReport = Record<`${Kind}s`, number> & {
  entries: number
  /** Every invalid entry, if there are any, with the id of what it's about, oldest first. */
  broken?: (Break & { kind: Kind; id: string })[]
}

/** Verifies every chain and compares it with what it's about. */
export async function verifyHistory(db: Db): Promise<HistoryReport> {
  const counts = Object.fromEntries(KINDS.map((kind) => [`${kind}s`, 0])) as Record<`${Kind}s`, number>
  const report: HistoryReport = { ...counts, entries: 0 }
  for (const kind of KINDS) await verifyKind(db, kind, report)
  return report
}

async function verifyKind(db: Db, kind: Kind, report: HistoryReport): Promise<void> {
  // Starts at the lowest possible key. Sessions that were deleted before keys were introduced have negative
  // keys.
  let after = '-9223372036854775808'
  for (;;) {
    const chains = await db.asSystem((tx) => chainsAfter(tx, kind, after, AT_ONCE))
    for (const { key, id, facts, entries } of chains) {
      report[`${kind}s`] += 1
      report.entries += entries.length
      const breaks = breaksOf(entries, facts, (text) => createHash('sha256').update(text).digest('hex'))
      if (breaks.length > 0)
        report.broken = [...(report.broken ?? []), ...breaks.map((one) => ({ ...one, kind, id }))]
      after = key
    }
    if (chains.length < AT_ONCE) return
  }
}

/** Formats the report, with one line for each invalid entry. */
export function historyLines({ entries, broken, ...counts }: HistoryReport): string {
  const counted = KINDS.map((kind) => `${counts[`${kind}s`]} ${kind.replace('_', ' ')}s`)
  if (!broken) return `The history is intact: ${counted.join(', ')}, ${entries} entries.`
  return broken
    .map(({ kind, id, seq, problem }) => `The history is broken: entry ${seq} of ${kind} ${id} ${problem}.`)
    .join('\n')
}
