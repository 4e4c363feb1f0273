// SQL for referral codes, referrals and rewards.
import { type Insertable, sql } from 'kysely'
import { emailKey } from '#kernel/text.ts'
import { addressHash } from '#features/notices/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import { MOST_REWARDS_A_YEAR, newReferralCode } from './referral.ts'

export async function readReferralCode(tx: Tx, ownerId: string): Promise<string> {
  return (
    await tx
      .selectFrom('referral_codes')
      .select('code')
      .where('owner_id', '=', ownerId)
      .executeTakeFirstOrThrow()
  ).code
}

/**
 * Totals for one user: friends who joined with the user's code, days earned, days already used to postpone a
 * payment, and days waiting to be used that way.
 */
export async function rewardTotals(
  tx: Tx,
  ownerId: string,
): Promise<{ friends: number; days: number; credited: number; due: number }> {
  const row = await tx
    .selectFrom('rewards')
    .where('owner_id', '=', ownerId)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('reason', '=', 'friend_joined').as('friends'),
      fn.sum<number | null>('days').as('days'),
      fn.sum<number | null>('days').filterWhere('credit', '=', 'given').as('credited'),
      fn.sum<number | null>('days').filterWhere('credit', '=', 'due').as('due'),
    ])
    .executeTakeFirstOrThrow()
  return { friends: row.friends, days: row.days ?? 0, credited: row.credited ?? 0, due: row.due ?? 0 }
}

/** A reward that still has to be passed on to the payment provider. */
interface Credit {
  id: string
  days: number
}

/** A user's rewards that haven't postponed a payment yet, oldest first. */
export async function creditsDue(tx: Tx, ownerId: string): Promise<Credit[]> {
  return tx
    .selectFrom('rewards')
    .select(['id', 'days'])
    .where('owner_id', '=', ownerId)
    .where('credit', '=', 'due')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Sets how a reward is used: 'due' and then 'given' if it postpones a payment, null if it extends the trial. */
export async function setCredit(
  tx: Tx,
  ownerId: string,
  id: string,
  credit: 'due' | 'given' | null,
): Promise<void> {
  await tx
    .updateTable('rewards')
    .set({ credit })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .execute()
}

/**
 * Creates a new user's code and records who invited them, replacing any inviter from an earlier sign-up with
 * the same address. Ignores unknown codes.
 */
export async function noteReferral(tx: Tx, friendId: string, code: string | undefined): Promise<void> {
  await tx
    .insertInto('referral_codes')
    .values({ owner_id: friendId, code: newReferralCode() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.deleteFrom('referrals').where('friend_id', '=', friendId).execute()
  if (!code) return
  const inviter = await tx
    .selectFrom('referral_codes')
    .innerJoin('users', 'users.id', 'referral_codes.owner_id')
    .select('owner_id')
    .where('code', '=', code.trim().toLowerCase())
    .where('owner_id', '<>', friendId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (inviter)
    await tx.insertInto('referrals').values({ owner_id: inviter.owner_id, friend_id: friendId }).execute()
}

export interface Reward {
  ownerId: string
  id: string
}

/**
 * Normalizes an address so that each mailbox counts as one friend. Ignores case and anything after a plus
 * sign (RFC 5233). For Gmail, also ignores dots and treats both domains as the same.
 */
function mailboxOf(email: string): string {
  const [, local = '', domain = ''] = /^(.*)@(.*)$/s.exec(emailKey(email)) ?? []
  const untagged = local.split('+')[0] || local
  return ['gmail.com', 'googlemail.com'].includes(domain)
    ? `${untagged.replaceAll('.', '')}@gmail.com`
    : `${untagged}@${domain}`
}

/**
 * Rewards both friends when the invited one confirms their address. Each mailbox counts only once, and you
 * can't earn days by inviting yourself (promise T17). Once the inviter reaches the yearly limit, only the
 * invited friend gets days.
 */
export async function rewardReferral(tx: Tx, friendId: string, days: number, now: Date): Promise<Reward[]> {
  const referral = await tx
    .selectFrom('referrals')
    .innerJoin('users as friend', 'friend.id', 'referrals.friend_id')
    .innerJoin('users as inviter', 'inviter.id', 'referrals.owner_id')
    .select(['referrals.owner_id', 'friend.email', 'inviter.email as inviter_email'])
    .where('friend_id', '=', friendId)
    .where('friend.email_confirmed_at', 'is not', null)
    .where('inviter.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!referral || mailboxOf(referral.email) === mailboxOf(referral.inviter_email)) return []
  const insert = (reward: Insertable<Tables['rewards']>) =>
    tx
      .insertInto('rewards')
      .values(reward)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['owner_id as ownerId', 'id', 'days'])
      .executeTakeFirst()
  const first = await insert({
    owner_id: referral.owner_id,
    days: (await hasReachedYearlyLimit(tx, referral.owner_id, now)) ? 0 : days,
    reason: 'friend_joined',
    friend_hash: addressHash(mailboxOf(referral.email)),
    created_at: now,
  })
  if (!first) return []
  const reason = 'joined_by_invitation'
  const second = await insert({ owner_id: friendId, days, reason, created_at: now })
  return [first, second].flatMap((reward) =>
    reward && reward.days > 0 ? [{ ownerId: reward.ownerId, id: reward.id }] : [],
  )
}

// The lock makes concurrent confirmations run one at a time, so that each one counts those before it.
async function hasReachedYearlyLimit(tx: Tx, ownerId: string, now: Date): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rewards:${ownerId}`}, 0))`.execute(tx)
  const { count } = await tx
    .selectFrom('rewards')
    .where('owner_id', '=', ownerId)
    .where('reason', '=', 'friend_joined')
    .where('days', '>', 0)
    .where('created_at', '>', new Date(now.getTime() - 365 * 86_400_000))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count >= MOST_REWARDS_A_YEAR
}
