// Roles that may see rates, amounts and payments. db/repeatable/amounts.sql has what the database shows
// caregivers instead.
import type { MemberRole } from './endpoint.ts'

/** Whether a member with this role sees amounts. True without a workspace, because there is nothing to hide. */
export function seesAmounts(role: MemberRole | null | undefined): boolean {
  return role !== 'caregiver'
}
