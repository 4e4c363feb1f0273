// SQL for imports: what decides which account a charge belongs to, and whether it can be recorded there.
import { sql } from 'kysely'
import type { WorkspaceId } from '#kernel/id.ts'
import { monthOf } from '#kernel/calendar-day.ts'
import { accountsOfPayments } from '#features/payments/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Account, PlannedCharge } from './charge-plan.ts'

/** The accounts of charges that were read from a file, in the same order. */
export async function readAccounts(
  tx: Tx,
  workspaceId: WorkspaceId,
  charges: readonly PlannedCharge[],
): Promise<Account[]> {
  const accounts = await accountsOfPayments(
    tx,
    workspaceId,
    charges.map(({ student, tutor, day }) => ({
      studentId: student?.id ?? null,
      tutorId: tutor?.id ?? null,
      day,
    })),
  )
  const closed = await tx
    .selectFrom('closed_months')
    .select(['connection_id', 'month'])
    .where('state', '=', 'closed')
    .execute()
  const { rows: unclear } = await sql<{ student_id: string }>`
    select student_id from student_families() group by student_id having count(*) > 1`.execute(tx)
  const isClosed = new Set(closed.map(({ connection_id: id, month }) => `${id} ${month}`))
  const isUnclear = new Set(unclear.map(({ student_id: id }) => id))
  return accounts.map((account, at) => {
    const charge = charges[at]
    return {
      ...account,
      isUnclear: isUnclear.has(charge?.student?.id ?? ''),
      isClosed: charge !== undefined && isClosed.has(`${account.connectionId} ${monthOf(charge.day)}`),
    }
  })
}
