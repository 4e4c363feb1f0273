// The job that proposes the fees for holding a place.
import { proposeFee } from '#features/charges/fee-queries.server.ts'
import type { Db } from '#platform/db/db.server.ts'
import { holdingFeesUpTo } from './holding.ts'
import { listHeldPlaces } from './change-queries.server.ts'

/** Every hour, because a week ends at another hour in each time zone. */
export const HOLDING_CRONTAB = '9 * * * * propose_holding_fees ?fill=1d\n'

/** The job by name. What was proposed is in the database, so it catches up after up to a year, and running it twice is harmless. */
export function holdingJobs(db: Db, now: () => Date): Record<string, () => Promise<void>> {
  return { propose_holding_fees: () => proposeHoldingFees(db, now()) }
}

async function proposeHoldingFees(db: Db, now: Date): Promise<void> {
  for (const { id, proposed, ...held } of await db.readAsSystem((tx) => listHeldPlaces(tx, now)))
    for (const fee of holdingFeesUpTo(held).filter(({ period }) => !proposed.includes(period)))
      await db.asSystem((tx) => proposeFee(tx, id, fee))
}
