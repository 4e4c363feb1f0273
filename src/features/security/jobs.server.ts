// The operator's log of security: JSON lines on standard output, like the rest of the log.
import type { Db } from '#platform/db/db.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { takeUnlogged } from './queries.server.ts'

const BATCH = 500

export const SECURITY_CRONTAB = `
* * * * * log_security
`

/**
 * The same for all events of an account, and nobody's name. The account's id is random, so once it's erased, nobody can
 * tell whose lines these were.
 */
export function pseudonym(userId: string): string {
  return tokenHash(`security-log:${userId}`).toString('hex').slice(0, 16)
}

/**
 * Writes the events that the log doesn't have yet. If writing breaks off, they're written again.
 * @param log writes one line
 */
export function securityJobs(
  db: Db,
  log: (event: string, details: object) => void,
): Record<string, () => Promise<void>> {
  return {
    log_security: async () => {
      for (;;) {
        const rows = await db.asSystem(async (tx) => {
          const taken = await takeUnlogged(tx, BATCH)
          for (const { user_id: userId, happened_at: at, ...details } of taken)
            log('security', {
              ...details,
              at: at.toISOString(),
              account: userId === null ? null : pseudonym(userId),
            })
          return taken
        })
        if (rows.length < BATCH) return
      }
    },
  }
}
