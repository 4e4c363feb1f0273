// Who may see rates, amounts and payments. What the database shows caregivers instead is in db/repeatable/amounts.sql.
import type { MemberRole } from './endpoint.ts'

/** Whether a member with this role sees amounts; someone without a workspace has none to hide. */
export function seesAmounts(role: MemberRole | null | undefined): boolean {
  return role !== 'caregiver'
}
