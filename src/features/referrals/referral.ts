// Referrals: a user's code, and the days that both friends get (decisions, section 6).
import * as z from 'zod/mini'
import { endpoint } from '#kernel/endpoint.ts'

/** How many friends can earn a user days within 365 days. */
export const MOST_REWARDS_A_YEAR = 12

const CODE_LENGTH = 12
// 32 characters, without lookalikes such as "o" and "l".
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Creates a code with 60 random bits. */
export function newReferralCode(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(CODE_LENGTH)), (byte) => ALPHABET[byte & 31]).join(
    '',
  )
}

export const Referral = z.object({
  code: z.string(),
  /** The sign-up page, with the code. */
  link: z.string(),
  /** Days of free trial on this server, for the invitation's text. */
  trial_days: z.number(),
  /** Days each of the two gets when a friend confirms. */
  bonus_days: z.number(),
  friends_joined: z.number(),
  /** Days the user has earned so far, by inviting and by being invited. */
  days_earned: z.number(),
  /**
   * Earned days that have moved or will move the subscription's next payment. All other days extend the
   * trial.
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
