// SQL for customers, subscriptions, webhooks and first trials.
import { sql } from 'kysely'
import { addressHash } from '#features/notices/queries.server.ts'
import { type Reward, setCredit } from '#features/referrals/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { queueJob } from '#platform/jobs/queue.server.ts'
import { renews, type Subscription } from './plan.ts'

export async function customerOf(tx: Tx, ownerId: string): Promise<string | undefined> {
  return (
    await tx.selectFrom('customers').select('customer_id').where('owner_id', '=', ownerId).executeTakeFirst()
  )?.customer_id
}

export async function ownerOfCustomer(tx: Tx, customer: string): Promise<string | undefined> {
  return (
    await tx.selectFrom('customers').select('owner_id').where('customer_id', '=', customer).executeTakeFirst()
  )?.owner_id
}

/** Stores the provider's customer id for a user. If one is already stored, keeps it. */
export async function insertCustomer(tx: Tx, ownerId: string, customer: string): Promise<void> {
  await tx
    .insertInto('customers')
    .values({ owner_id: ownerId, customer_id: customer })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function subscriptionsOf(tx: Tx, ownerId: string): Promise<Subscription[]> {
  return tx
    .selectFrom('subscriptions')
    .select([
      'id',
      'status',
      'billing_interval as interval',
      'amount_cents as amount',
      'currency',
      'period_ends_at as periodEndsAt',
      'cancels_at_period_end as cancelsAtPeriodEnd',
    ])
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .execute()
}

/**
 * Stores a subscription, unless a newer state is already stored.
 * @param askedAt when we requested it from the provider
 */
export async function keepSubscription(
  tx: Tx,
  ownerId: string,
  subscription: Subscription,
  askedAt: Date,
): Promise<void> {
  const values = {
    status: subscription.status,
    billing_interval: subscription.interval,
    amount_cents: subscription.amount,
    currency: subscription.currency,
    period_ends_at: subscription.periodEndsAt,
    cancels_at_period_end: subscription.cancelsAtPeriodEnd,
    read_at: askedAt,
  }
  await tx
    .insertInto('subscriptions')
    .values({ owner_id: ownerId, id: subscription.id, ...values })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'id']).doUpdateSet(values).where('subscriptions.read_at', '<=', askedAt),
    )
    .execute()
}

/** Records a webhook; false if it was already recorded. */
export async function insertEvent(tx: Tx, event: { id: string; type: string }, now: Date): Promise<boolean> {
  const row = await tx
    .insertInto('billing_events')
    .values({ id: event.id.slice(0, 100), type: event.type.slice(0, 100), received_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Customers with subscriptions that may have changed without a webhook reaching us. */
export async function customersToRead(tx: Tx, readBefore: Date): Promise<string[]> {
  const rows = await tx
    .selectFrom('customers')
    .innerJoin('subscriptions', 'subscriptions.owner_id', 'customers.owner_id')
    .select('customer_id')
    .distinct()
    .where('read_at', '<', readBefore)
    .where('status', 'not in', ['canceled', 'incomplete_expired'])
    .orderBy(sql`customer_id`)
    .execute()
  return rows.map((row) => row.customer_id)
}

/** The names of the jobs that call the provider. */
export const READ_CUSTOMER = 'read_customer'
export const CANCEL_CUSTOMER = 'cancel_customer'
export const FORGET_CUSTOMER = 'forget_customer'
export const GIVE_CREDITS = 'give_credits'

/** Queues a job about a customer. Jobs about the same customer run one at a time. */
async function queueFor(tx: Tx, customer: string, task: string, key?: string): Promise<void> {
  await queueJob(tx, task, { customer }, { key, queue: `customer:${customer}` })
}

/** Queues a job that reads a customer's subscriptions, unless one is already queued. */
export async function askToRead(tx: Tx, customer: string): Promise<void> {
  await queueFor(tx, customer, READ_CUSTOMER, `customer:${customer}`)
}

/** Queues a job that cancels a user's subscriptions at the end of the paid period. */
export async function askToCancel(tx: Tx, ownerId: string): Promise<void> {
  const customer = await customerOf(tx, ownerId)
  if (customer) await queueFor(tx, customer, CANCEL_CUSTOMER)
}

/** Queues a job that ends a user's subscriptions right away and deletes the customer at the provider. */
export async function askToForget(tx: Tx, ownerId: string): Promise<void> {
  const customer = await customerOf(tx, ownerId)
  if (customer) await queueFor(tx, customer, FORGET_CUSTOMER)
}

/**
 * If the rewarded user is a paying subscriber, queues a job that postpones the next payment. Otherwise the
 * reward counts as trial days.
 */
export async function creditSubscriber(tx: Tx, { ownerId, id }: Reward, now: Date): Promise<void> {
  const customer = await customerOf(tx, ownerId)
  if (!customer || !(await subscriptionsOf(tx, ownerId)).some((subscription) => renews(subscription, now)))
    return
  await setCredit(tx, ownerId, id, 'due')
  await queueFor(tx, customer, GIVE_CREDITS, `credits:${customer}`)
}

/**
 * When an account is erased or its address changes, records when the address's trial started, keyed by the
 * address's hash. Skips addresses that were never confirmed, because they had no trial.
 */
export async function rememberTrial(tx: Tx, user: { id: string; email: string }, now: Date): Promise<void> {
  await tx
    .insertInto('first_trials')
    .columns(['address_hash', 'began_at', 'left_at'])
    .expression((from) =>
      from
        .selectFrom('users')
        .where('id', '=', user.id)
        .where('email_confirmed_at', 'is not', null)
        .select(({ val, fn }) => [
          val(addressHash(user.email)).as('address_hash'),
          fn.coalesce('trial_since', 'created_at').as('began_at'),
          val(now).as('left_at'),
        ]),
    )
    .onConflict((conflict) =>
      conflict.column('address_hash').doUpdateSet({
        began_at: sql`least(first_trials.began_at, excluded.began_at)`,
        left_at: sql`excluded.left_at`,
      }),
    )
    .execute()
}

/** If a newly confirmed address had a trial before, continues that one (promise T17). */
export async function continueTrial(tx: Tx, userId: string): Promise<void> {
  const { email } = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const first = await tx
    .selectFrom('first_trials')
    .select('began_at')
    .where('address_hash', '=', addressHash(email))
    .executeTakeFirst()
  if (first)
    await tx.updateTable('users').set({ trial_since: first.began_at }).where('id', '=', userId).execute()
}
