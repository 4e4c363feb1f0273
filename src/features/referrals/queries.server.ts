// SQL of codes, referrals, rewards and opt-outs.
import { createHash } from 'node:crypto'
import { emailKey } from '#features/accounts/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { newReferralCode } from './referral.ts'

/** The hash under which an address is remembered without being kept. */
export function addressHash(email: string): Buffer {
  return createHash('sha256').update(`address:${emailKey(email)}`).digest()
}

/** The user's own code. */
export async function readReferralCode(tx: Tx, ownerId: string): Promise<string> {
  return (await tx.selectFrom('referral_codes').select('code').where('owner_id', '=', ownerId).executeTakeFirstOrThrow()).code
}

/** Friends who joined by this user's code, and all the days that the user got. */
export async function rewardTotals(tx: Tx, ownerId: string): Promise<{ friends: number; days: number }> {
  const row = await tx.selectFrom('rewards').where('owner_id', '=', ownerId)
    .select(({ fn }) => [fn.countAll<number>().filterWhere('reason', '=', 'friend_joined').as('friends'), fn.sum<number | null>('days').as('days')])
    .executeTakeFirstOrThrow()
  return { friends: row.friends, days: row.days ?? 0 }
}

/**
 * Gives a new user a code of their own and notes who invited them, instead of whoever an earlier sign-up with the address named.
 * A code that nobody has is passed over.
 */
export async function noteReferral(tx: Tx, friendId: string, code: string | undefined): Promise<void> {
  await tx.insertInto('referral_codes').values({ owner_id: friendId, code: newReferralCode() }).onConflict((conflict) => conflict.doNothing()).execute()
  await tx.deleteFrom('referrals').where('friend_id', '=', friendId).execute()
  if (!code) return
  const inviter = await tx.selectFrom('referral_codes').innerJoin('users', 'users.id', 'referral_codes.owner_id').select('owner_id')
    .where('code', '=', code.trim().toLowerCase()).where('owner_id', '<>', friendId).where('disabled_at', 'is', null).executeTakeFirst()
  if (inviter) await tx.insertInto('referrals').values({ owner_id: inviter.owner_id, friend_id: friendId }).execute()
}

/** Rewards both friends once the invited one has confirmed; one reward for each friend, however often they come (promise T17). */
export async function rewardReferral(tx: Tx, friendId: string, days: number): Promise<void> {
  const referral = await tx.selectFrom('referrals').innerJoin('users as friend', 'friend.id', 'referrals.friend_id').innerJoin('users as inviter', 'inviter.id', 'referrals.owner_id')
    .select(['referrals.owner_id', 'friend.email']).where('friend_id', '=', friendId)
    .where('friend.email_confirmed_at', 'is not', null).where('inviter.disabled_at', 'is', null).executeTakeFirst()
  if (!referral) return
  const first = await tx.insertInto('rewards').values({ owner_id: referral.owner_id, days, reason: 'friend_joined', friend_hash: addressHash(referral.email) })
    .onConflict((conflict) => conflict.doNothing()).returning('id').executeTakeFirst()
  if (first) await tx.insertInto('rewards').values({ owner_id: friendId, days, reason: 'joined_by_invitation' }).onConflict((conflict) => conflict.doNothing()).execute()
}

/** Whether an address wants no invitations. */
export async function isOptedOut(tx: Tx, email: string): Promise<boolean> {
  const hash = addressHash(email)
  // Who ended a tutor's mails for good is not invited either.
  return (await tx.selectFrom('opt_outs').select('address_hash').where('address_hash', '=', hash)
    .unionAll(tx.selectFrom('mail_opt_outs').select('address_hash').where('address_hash', '=', hash)).executeTakeFirst()) !== undefined
}

/** Keeps the link of one mail by which its address can opt out. */
export async function insertOptOutLink(tx: Tx, tokenHash: Buffer, email: string): Promise<void> {
  await tx.insertInto('opt_out_links').values({ token_hash: tokenHash, address_hash: addressHash(email) }).execute()
}

/** Opts the address of a link out, for good; false when no mail carried this link. */
export async function optOut(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const link = await tx.selectFrom('opt_out_links').select('address_hash').where('token_hash', '=', tokenHash).executeTakeFirst()
  if (!link) return false
  await tx.insertInto('opt_outs').values({ address_hash: link.address_hash }).onConflict((conflict) => conflict.doNothing()).execute()
  return true
}

export async function deleteOptOutLinksBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('opt_out_links').where('created_at', '<', before).execute()
}
