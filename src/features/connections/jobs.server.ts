// The daily job for connections.
import type { Db } from '#platform/db/db.server.ts'
import { forgetUnanswered } from './emailed-queries.server.ts'

/** When the job runs, in UTC. */
export const CONNECTION_CRONTAB = '20 4 * * * forget_unanswered\n'

/** The daily job, by name. It deletes the addresses of people who never answered. */
export function connectionJobs(db: Db, now: () => Date): Record<string, () => Promise<void>> {
  return { forget_unanswered: () => db.asSystem((tx) => forgetUnanswered(tx, now())) }
}
