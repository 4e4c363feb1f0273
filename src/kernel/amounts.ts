// Roles that may see rates, amounts and payments. What the database shows caregivers instead is defined in
// db/repeatable/amounts.sql.
import type { MemberRole } from './endpoint.ts'

/** Whether a member with this role sees amounts. True without a workspace, because there is nothing to hide. */
export function seesAmounts(role: MemberRole | null | undefined): boolean {
  return role !== 'caregiver'
}
