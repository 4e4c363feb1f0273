// Verifies the history of every session in the database, for `npm run admin -- verify-history`.
import { createHash } from 'node:crypto'
import type { Db } from '#platform/db/db.server.ts'
import { type Break, breaksOf } from './history.ts'
import { chainsAfter } from './queries.server.ts'

const AT_ONCE = 500

export interface HistoryReport {
  sessions: number
  entries: number
  /** Every invalid entry, if there are any. Sessions are checked in the order they were created. */
  broken?: (Break & { session: string })[]
}

/** Verifies every chain and compares it with its session. */
export async function verifyHistory(db: Db): Promise<HistoryReport> {
  const report: HistoryReport = { sessions: 0, entries: 0 }
  // Starts at the lowest possible key. Sessions that were deleted before keys were introduced have negative
  // keys.
  let after = '-9223372036854775808'
  for (;;) {
    const chains = await db.asSystem((tx) => chainsAfter(tx, after, AT_ONCE))
    for (const { key, session, facts, entries } of chains) {
      report.sessions += 1
      report.entries += entries.length
      const breaks = breaksOf(entries, facts, (text) => createHash('sha256').update(text).digest('hex'))
      if (breaks.length > 0)
        report.broken = [...(report.broken ?? []), ...breaks.map((one) => ({ ...one, session }))]
      after = key
    }
    if (chains.length < AT_ONCE) return report
  }
}

/** Formats the report, with one line for each invalid entry. */
export function historyLines({ sessions, entries, broken }: HistoryReport): string {
  if (!broken) return `The history is intact: ${sessions} sessions, ${entries} entries.`
  return broken
    .map(
      ({ session, seq, problem }) => `The history is broken: entry ${seq} of session ${session} ${problem}.`,
    )
    .join('\n')
}
