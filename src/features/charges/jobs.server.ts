// The job that proposes the fees that terms ask for.
import { feesUpTo } from '#features/terms/fees.ts'
import type { Db } from '#platform/db/db.server.ts'
import { listFeeConnections, proposeFee } from './fee-queries.server.ts'

/** Every hour, because a month begins at another hour in each time zone. */
export const FEE_CRONTAB = '6 * * * * propose_fees ?fill=1d\n'

/** The job by name. What was proposed is in the database, so it catches up after any time, and running it twice is harmless. */
export function feeJobs(db: Db, now: () => Date): Record<string, () => Promise<void>> {
  return { propose_fees: () => proposeFees(db, now()) }
}

/** Proposes every fee that's due by now and wasn't proposed yet, each in a transaction of its own. */
async function proposeFees(db: Db, now: Date): Promise<void> {
  for (const { id, today, versions, proposed } of await db.readAsSystem((tx) => listFeeConnections(tx, now)))
    for (const fee of feesUpTo(versions, today).filter(({ period }) => !proposed.includes(period)))
      await db.asSystem((tx) => proposeFee(tx, id, fee))
}
