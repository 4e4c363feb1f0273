// Verifies the history of every session in the database, for `npm run admin -- verify-history`.
import { createHash } from 'node:crypto'
import type { Db } from '#platform/db/db.server.ts'
import { firstBreak } from './history.ts'
import { chainsAfter } from './queries.server.ts'

const AT_ONCE = 500

export interface HistoryReport {
  sessions: number
  entries: number
  /** The first invalid entry found. Sessions are checked in the order they were created. */
  broken?: { session: string; seq: number; problem: string }
}

/** Verifies every chain and compares it with its session. Stops at the first invalid entry. */
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
      const problem = firstBreak(entries, facts, (text) => createHash('sha256').update(text).digest('hex'))
      if (problem) return { ...report, broken: { session, ...problem } }
      after = key
    }
    if (chains.length < AT_ONCE) return report
  }
}

/** Formats the report as one line. */
export function historyLine({ sessions, entries, broken }: HistoryReport): string {
  if (!broken) return `The history is intact: ${sessions} sessions, ${entries} entries.`
  return `The history is broken: entry ${broken.seq} of session ${broken.session} ${broken.problem}.`
}
