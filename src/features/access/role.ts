// Roles, sides, and who may see rates, amounts and payments. db/repeatable/amounts.sql defines what caregivers
// see instead.

/** What an account is for. */
export type Role = 'parent' | 'tutor' | 'admin'

export const MEMBER_ROLES = ['owner', 'parent', 'caregiver', 'viewer', 'assistant'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** The side a workspace is on. Each side has its own database role. */
export type Side = 'family' | 'practice'

/**
 * True if a member with this role can see amounts. Also true if there's no workspace, because then there's
 * nothing to hide.
 */
export function seesAmounts(role: MemberRole | null | undefined): boolean {
  return role !== 'caregiver'
}
