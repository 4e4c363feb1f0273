// Routes for the plan, checkout, cancellation and the provider's webhooks.
import type { FastifyInstance } from 'fastify'
import { trialRewards } from '#features/accounts/queries.server.ts'
import { trialEnd } from '#features/accounts/trial.ts'
import { declarationOf } from '#features/access/declaration.server.ts'
import { done, refused } from '#kernel/outcome.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { type CurrentUser, principalOf, type Services } from '#features/access/admission.server.ts'
import { OUTSIDE, serve } from '#features/access/operation.server.ts'
import { readCustomer } from './jobs.server.ts'
import {
  CancelSubscription,
  holds,
  OpenPortal,
  type Plan,
  planAt,
  ReadPlan,
  ReadPrices,
  RefreshPlan,
  ResumeSubscription,
  StartCheckout,
} from './plan.ts'
import { askToRead, customerOf, insertCustomer, insertEvent, subscriptionsOf } from './queries.server.ts'
import { ReceiveNotice } from './provider-notice.ts'
import type { Payments } from './stripe.server.ts'

export interface BillingServices extends Services {
  trialDays: number
}

/** Whether the workspace's members can make changes. Its owner needs a trial or a subscription (promise D11). */
export async function mayWrite(
  services: BillingServices,
  user: CurrentUser,
  payments: Payments | undefined,
): Promise<boolean> {
  const owner = payer(user)
  const now = services.now()
  if (!payments || now < trialEnd({ since: owner.since, days: services.trialDays, rewards: [] })) return true
  return (await planOf(services, owner, payments)).can_write
}

/** Adds the billing routes. On a server without payment keys, everyone's plan is 'unlimited'. */
export function addBillingRoutes(
  app: FastifyInstance,
  services: BillingServices,
  payments: Payments | undefined,
): void {
  const { db, now } = services
  const page = `${services.baseUrl}/account`
  const current = (user: CurrentUser) =>
    planOf(services, payer(user).id === user.id ? payer(user) : user, payments)

  serve(app, services, ReadPlan, async ({ user }) => done(await planOf(services, payer(user), payments)))

  serve(app, services, ReadPrices, OUTSIDE, async () =>
    payments ? done({ prices: await payments.prices() }) : refused('no_payments'),
  )

  serve(app, services, StartCheckout, OUTSIDE, async ({ user, input }) => {
    if (!payments) return refused('no_payments')
    const plan = await current(user)
    if (plan.state === 'subscribed') return refused('subscribed')
    const known = await db.asSystem((tx) => customerOf(tx, user.id))
    const customer = known ?? (await payments.makeCustomer(user.id, user.email))
    if (!known) await db.asSystem((tx) => insertCustomer(tx, user.id, customer))
    const wish = {
      interval: input.interval,
      ownerId: user.id,
      trialEndsAt: new Date(plan.trial_ends_at),
      now: now(),
      returnTo: page,
    }
    return done({ url: await payments.checkout(customer, wish) })
  })

  serve(app, services, OpenPortal, OUTSIDE, async ({ user }) => {
    if (!payments) return refused('no_payments')
    const customer = await db.asSystem((tx) => customerOf(tx, user.id))
    return customer ? done({ url: await payments.portal(customer, page) }) : refused('not_subscribed')
  })

  serve(app, services, CancelSubscription, OUTSIDE, ({ user }) => change(user, true))
  serve(app, services, ResumeSubscription, OUTSIDE, ({ user }) => change(user, false))

  serve(app, services, RefreshPlan, OUTSIDE, async ({ user }) => {
    await reread(user)
    return done(await current(user))
  })

  // The signature covers the raw bytes, so the body must not be parsed first.
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, next) =>
      next(null, body),
    )
    services.served.push(declarationOf(ReceiveNotice))
    raw.post(ReceiveNotice.path, async (request, reply) => {
      if (!payments) throw new ProblemError(404, 'not_found', 'This does not exist')
      const signature = request.headers['stripe-signature']
      const notice =
        Buffer.isBuffer(request.body) && typeof signature === 'string'
          ? payments.noticeIn(request.body, signature, now())
          : 'bad_signature'
      if (typeof notice === 'string') {
        const { status, title } = ReceiveNotice.refusals[notice]
        throw new ProblemError(status, notice, title)
      }
      await db.asSystem(async (tx) => {
        if (!(await insertEvent(tx, notice, now())) || !notice.customer) return
        await askToRead(tx, notice.customer)
      })
      return reply.send({ received: true })
    })
  })

  async function change(user: CurrentUser, isCancelled: boolean) {
    if (!payments) return refused('no_payments')
    const paid = (await db.asMember(principalOf(user), (tx) => subscriptionsOf(tx, user.id))).filter(
      (subscription) => holds(subscription, now()),
    )
    if (paid.length === 0) return refused('not_subscribed')
    for (const subscription of paid) await payments.setCancelled(subscription.id, isCancelled)
    await reread(user)
    return done(await current(user))
  }

  async function reread(user: CurrentUser): Promise<void> {
    const customer = payments && (await db.asSystem((tx) => customerOf(tx, user.id)))
    if (payments && customer) await readCustomer(db, payments, customer, now)
  }
}

/**
 * The account whose plan applies, and when its trial started. For a new owner, also when a plan becomes
 * necessary.
 */
interface Payer {
  id: string
  since: Date
  writableUntil?: Date | null
}

/** Uses the workspace owner's plan, not the caller's. */
function payer(user: CurrentUser): Payer {
  return user.workspace?.owner ?? user
}

async function planOf(services: BillingServices, user: Payer, payments: Payments | undefined): Promise<Plan> {
  return services.db.asSystem(async (tx) => {
    const rewards = await trialRewards(tx, user.id)
    return planAt(
      services.now(),
      { since: user.since, days: services.trialDays, rewards },
      await subscriptionsOf(tx, user.id),
      payments !== undefined,
      user.writableUntil,
    )
  })
}
