// The roles that may see rates, amounts and payments. db/repeatable/amounts.sql defines what caregivers see
// instead.
import type { MemberRole } from './endpoint.ts'

/**
 * True if a member with this role can see amounts. Also true if there's no workspace, because then there's
 * nothing to hide.
 */
export function seesAmounts(role: MemberRole | null | undefined): boolean {
  return role !== 'caregiver'
}
