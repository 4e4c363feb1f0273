// Background jobs that read subscriptions from the provider: after a webhook, and once a day in case a
// webhook got lost.
import { creditsDue, setCredit } from '#features/referrals/queries.server.ts'
import type { Db } from '#platform/db/db.server.ts'
import { holds } from './plan.ts'
import {
  askToRead,
  CANCEL_CUSTOMER,
  customersToRead,
  FORGET_CUSTOMER,
  GIVE_CREDITS,
  keepSubscription,
  ownerOfCustomer,
  READ_CUSTOMER,
} from './queries.server.ts'
import type { Payments } from './stripe.server.ts'

/** The billing jobs, by name. They do nothing on a server that takes no payments. */
export function billingTasks(
  db: Db,
  payments: Payments | undefined,
  now: () => Date,
): Record<string, (payload: unknown) => Promise<void>> {
  const customerIn = (payload: unknown) => String((payload as { customer: unknown }).customer)
  if (!payments)
    return Object.fromEntries(
      [READ_CUSTOMER, CANCEL_CUSTOMER, FORGET_CUSTOMER, GIVE_CREDITS, 'read_stale_customers'].map((name) => [
        name,
        async () => undefined,
      ]),
    )
  return {
    [READ_CUSTOMER]: (payload) => readCustomer(db, payments, customerIn(payload), now),
    [CANCEL_CUSTOMER]: async (payload) => {
      const customer = customerIn(payload)
      for (const subscription of await payments.subscriptionsOf(customer)) {
        if (holds(subscription, now())) await payments.setCancelled(subscription.id, true)
      }
      await readCustomer(db, payments, customer, now)
    },
    [FORGET_CUSTOMER]: (payload) => payments.forget(customerIn(payload)),
    [GIVE_CREDITS]: (payload) => giveCredits(db, payments, customerIn(payload), now),
    read_stale_customers: () => readStaleCustomers(db, now()),
  }
}

/** Reads a customer's subscriptions from the provider and stores them. The webhook's content is never used. */
export async function readCustomer(
  db: Db,
  payments: Payments,
  customer: string,
  now: () => Date,
): Promise<void> {
  const owner = await db.asSystem((tx) => ownerOfCustomer(tx, customer))
  if (!owner) return
  const askedAt = now()
  const subscriptions = await payments.subscriptionsOf(customer)
  await db.asSystem(async (tx) => {
    for (const subscription of subscriptions) await keepSubscription(tx, owner, subscription, askedAt)
  })
}

// Applies rewards one at a time and waits for each one to be settled, because the provider stores only the
// latest.
async function giveCredits(db: Db, payments: Payments, customer: string, now: () => Date): Promise<void> {
  const owner = await db.asSystem((tx) => ownerOfCustomer(tx, customer))
  if (!owner) return
  for (const credit of await db.asSystem((tx) => creditsDue(tx, owner))) {
    const isGiven = await payments.movePayment(customer, credit, now())
    // Stores the new payment date first, so that the plan already shows it when the reward is marked as
    // given.
    await readCustomer(db, payments, customer, now)
    await db.asSystem((tx) => setCredit(tx, owner, credit.id, isGiven ? 'given' : null))
  }
}

/** Queues a read for every customer with subscriptions that haven't been read in a day. */
async function readStaleCustomers(db: Db, now: Date): Promise<void> {
  await db.asSystem(async (tx) => {
    for (const customer of await customersToRead(tx, new Date(now.getTime() - 86_400_000))) {
      await askToRead(tx, customer)
    }
  })
}
