// Referrals: a user's code, and the days that both friends get (decisions, section 6).
import * as z from 'zod/mini'
import { endpoint } from '#kernel/endpoint.ts'

/** The maximum number of friends a user can earn days for within 365 days. */
export const MOST_REWARDS_A_YEAR = 12

const CODE_LENGTH = 12
// 32 characters, without lookalikes such as "o" and "l".
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
  /** The length of this server's free trial in days, for the invitation's text. */
  trial_days: z.number(),
  /** The days that each of the two friends gets when the invited one confirms. */
  bonus_days: z.number(),
  friends_joined: z.number(),
  /** Total days the user has earned, both by inviting and by being invited. */
  days_earned: z.number(),
  /**
   * Earned days that have postponed the subscription's next payment, and days that will. All other earned
   * days extend the trial.
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
