// The roles that may see rates, amounts and payments. db/repeatable/amounts.sql defines what caregivers see
// instead.
import type { MemberRole } from './endpoint.ts'

/**
 * True if a member with this role sees amounts. Also true without a workspace, because there's nothing to
 * hide then.
 */
export function seesAmounts(role: MemberRole | null | undefined): boolean {
  return role !== 'caregiver'
}
