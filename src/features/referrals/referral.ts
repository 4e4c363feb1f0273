// Referrals: the code of an invitation, and what both friends get for it (decisions, section 6).
import * as z from 'zod/mini'
import { endpoint } from '#kernel/endpoint.ts'

/** How many friends earn someone days, per 365 days. */
export const MOST_REWARDS_A_YEAR = 12

const CODE_LENGTH = 12
// Thirty-two characters that can't be mistaken for one another.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** A new code with 60 random bits. */
export function newReferralCode(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(CODE_LENGTH)), (byte) => ALPHABET[byte & 31]).join(
    '',
  )
}

export const Referral = z.object({
  code: z.string(),
  /** The sign-up page, with the code. */
  link: z.string(),
  /** The trial of a new account on this server, for the words of the invitation. */
  trial_days: z.number(),
  /** Extra trial days for each of the two when a friend confirms. */
  bonus_days: z.number(),
  friends_joined: z.number(),
  /** Days this user got so far, by inviting and by being invited. */
  days_earned: z.number(),
  /** Those of them that moved a subscription's next payment, and those that are about to. The others count toward the trial. */
  days_credited: z.number(),
  days_due: z.number(),
})
export type Referral = z.output<typeof Referral>

export const ReadReferral = endpoint({
  operation: 'ReadReferral',
  summary: "The user's invitation link, and what it has earned",
  method: 'GET',
  path: '/api/v1/referral',
  access: 'confirmed',
  input: z.strictObject({}),
  output: Referral,
})
