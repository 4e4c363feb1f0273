// Referrals: each user has a code, and both friends earn days (docs/product-decisions.md, section 6).
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'

/** The maximum number of friends a user can earn days for within 365 days. */
export const MOST_REWARDS_A_YEAR = 12

const CODE_LENGTH = 12
// 32 characters; leaves out lookalikes such as "o" and "l".
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Creates a random code with 60 bits of entropy. */
export function newReferralCode(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(CODE_LENGTH)), (byte) => ALPHABET[byte & 31]).join(
    '',
  )
}

export const Referral = z.object({
  code: z.string(),
  /** The URL of the sign-up page with the code. */
  link: z.string(),
  /** The length of this server's free trial in days, mentioned in the invitation. */
  trial_days: z.number(),
  /** How many days each of the two friends gets once the invited one confirms. */
  bonus_days: z.number(),
  friends_joined: z.number(),
  /** Total days the user has earned, both by inviting and by being invited. */
  days_earned: z.number(),
  /**
   * Earned days that already postponed a subscription payment, and days that will postpone the next one. The
   * remaining earned days extend the trial.
   */
  days_credited: z.number(),
  days_due: z.number(),
})
export type Referral = z.output<typeof Referral>

export const ReadReferral = endpoint({
  operation: 'ReadReferral',
  summary: 'Get your invitation link and the rewards it has earned',
  method: 'GET',
  path: '/api/v1/referral',
  access: 'confirmed',
  input: z.strictObject({}),
  output: Referral,
})
