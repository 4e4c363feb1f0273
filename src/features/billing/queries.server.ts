// SQL of the customers, their subscriptions and the provider's notices.
import { sql } from 'kysely'
import type { Tx } from '#platform/db/db.server.ts'
import { queueJob } from '#platform/jobs/queue.server.ts'
import type { Subscription } from './plan.ts'

export async function customerOf(tx: Tx, ownerId: string): Promise<string | undefined> {
  return (await tx.selectFrom('customers').select('customer_id').where('owner_id', '=', ownerId).executeTakeFirst())?.customer_id
}

export async function ownerOfCustomer(tx: Tx, customer: string): Promise<string | undefined> {
  return (await tx.selectFrom('customers').select('owner_id').where('customer_id', '=', customer).executeTakeFirst())?.owner_id
}

/** Keeps who a user is to the provider; of two calls at once the first counts. */
export async function insertCustomer(tx: Tx, ownerId: string, customer: string): Promise<void> {
  await tx.insertInto('customers').values({ owner_id: ownerId, customer_id: customer }).onConflict((conflict) => conflict.doNothing()).execute()
}

export async function subscriptionsOf(tx: Tx, ownerId: string): Promise<Subscription[]> {
  const rows = await tx.selectFrom('subscriptions').select(['id', 'status', 'billing_interval', 'amount_cents', 'currency', 'period_ends_at', 'cancels_at_period_end'])
    .where('owner_id', '=', ownerId).orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id, status: row.status, interval: row.billing_interval, amount: row.amount_cents, currency: row.currency, periodEndsAt: row.period_ends_at, cancelsAtPeriodEnd: row.cancels_at_period_end,
  }))
}

/**
 * Keeps what the provider said; an answer that was asked for earlier never replaces a later one.
 * @param askedAt the moment before the provider was asked
 */
export async function keepSubscription(tx: Tx, ownerId: string, subscription: Subscription, askedAt: Date): Promise<void> {
  const values = {
    status: subscription.status, billing_interval: subscription.interval, amount_cents: subscription.amount, currency: subscription.currency,
    period_ends_at: subscription.periodEndsAt, cancels_at_period_end: subscription.cancelsAtPeriodEnd, read_at: askedAt,
  }
  await tx.insertInto('subscriptions').values({ owner_id: ownerId, id: subscription.id, ...values })
    .onConflict((conflict) => conflict.columns(['owner_id', 'id']).doUpdateSet(values).where('subscriptions.read_at', '<=', askedAt)).execute()
}

/** Takes a notice in; false when it was taken in before. */
export async function insertEvent(tx: Tx, event: { id: string; type: string }, now: Date): Promise<boolean> {
  const row = await tx.insertInto('billing_events').values({ id: event.id.slice(0, 100), type: event.type.slice(0, 100), received_at: now })
    .onConflict((conflict) => conflict.doNothing()).returning('id').executeTakeFirst()
  return row !== undefined
}

/** Customers whose subscription may have changed without a notice reaching us. */
export async function customersToRead(tx: Tx, readBefore: Date): Promise<string[]> {
  const rows = await tx.selectFrom('customers').innerJoin('subscriptions', 'subscriptions.owner_id', 'customers.owner_id').select('customer_id').distinct()
    .where('read_at', '<', readBefore).where('status', 'not in', ['canceled', 'incomplete_expired']).orderBy(sql`customer_id`).execute()
  return rows.map((row) => row.customer_id)
}

/** The queue's names of the jobs that speak with the provider. */
export const READ_CUSTOMER = 'read_customer'
export const CANCEL_CUSTOMER = 'cancel_customer'
export const FORGET_CUSTOMER = 'forget_customer'

/** Asks for a customer's subscriptions to be read again; one such job waits at a time. */
export async function askToRead(tx: Tx, customer: string): Promise<void> {
  await queueJob(tx, READ_CUSTOMER, { customer }, { key: `customer:${customer}`, queue: `customer:${customer}` })
}

/** Asks for the subscriptions of a user to end with their paid period. */
export async function askToCancel(tx: Tx, ownerId: string): Promise<void> {
  const customer = await customerOf(tx, ownerId)
  if (customer) await queueJob(tx, CANCEL_CUSTOMER, { customer }, { queue: `customer:${customer}` })
}

/** Asks for a user's subscriptions to end at once and for the provider to forget them. */
export async function askToForget(tx: Tx, ownerId: string): Promise<void> {
  const customer = await customerOf(tx, ownerId)
  if (customer) await queueJob(tx, FORGET_CUSTOMER, { customer }, { queue: `customer:${customer}` })
}
