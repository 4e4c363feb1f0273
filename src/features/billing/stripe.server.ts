// The payment provider, Stripe: hosted checkout, customer portal and subscriptions.
import { Stripe } from 'stripe'
import * as z from 'zod/mini'
import { currencyOf } from '#kernel/money.ts'
import type { StripeSettings } from '#platform/config.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { type Interval, mainUnits, type Price, renews, type Subscription } from './plan.ts'

const PRICE_CACHE_MS = 600_000
/** Stripe rejects trials that end within 48 hours. This adds one hour, to be safe. */
const MIN_TRIAL_MS = 49 * 3_600_000
/** The maximum age of a webhook's signature. Every delivery attempt is signed again. */
const MAX_WEBHOOK_AGE_SECONDS = 300

export type Payments = ReturnType<typeof stripePayments>

interface Checkout {
  interval: Interval
  ownerId: string
  trialEndsAt: Date
  now: Date
  returnTo: string
}

interface Notice {
  id: string
  type: string
  customer: string | undefined
}

const Id = z.string().check(z.minLength(1), z.maxLength(100), z.regex(/^[\x21-\x7e]+$/))
/** Stripe sends a customer as an id or as an object. */
const Customer = z.union([Id, z.object({ id: Id })])
/** The only parts of an event we use; we read everything else from the API. */
const Event = z.object({
  id: Id,
  type: Id,
  data: z.object({
    object: z.object({
      id: z.optional(z.unknown()),
      object: z.optional(z.unknown()),
      customer: z.optional(z.unknown()),
    }),
  }),
})

/** A client for Stripe, or for a server with the same API. */
export function stripePayments(settings: StripeSettings) {
  const url = new URL(settings.apiUrl)
  const stripe = new Stripe(settings.secretKey, {
    host: url.hostname,
    protocol: url.protocol === 'http:' ? 'http' : 'https',
    port: url.port || (url.protocol === 'http:' ? 80 : 443),
    timeout: 8000,
    maxNetworkRetries: 1,
    telemetry: false,
  })
  let cached: { at: number; prices: Price[] } | undefined
  /** All subscriptions the customer has ever had. */
  const subscriptionsOf = async (customer: string) =>
    (await callStripe(() => stripe.subscriptions.list({ customer, status: 'all', limit: 100 }))).data

  return {
    async prices(): Promise<Price[]> {
      if (cached && Date.now() - cached.at < PRICE_CACHE_MS) return cached.prices
      const prices = await Promise.all(
        (['month', 'year'] as const).map(async (interval): Promise<Price> => {
          const price = await callStripe(() => stripe.prices.retrieve(settings.prices[interval]))
          const currency = currencyOf(price.currency.toUpperCase())
          return { interval, amount: mainUnits(price.unit_amount ?? 0, currency), currency }
        }),
      )
      cached = { at: Date.now(), prices }
      return prices
    },
    /** Creates a customer for a user. Calling it again returns the same customer. */
    async makeCustomer(ownerId: string, email: string): Promise<string> {
      const { id } = await callStripe(() =>
        stripe.customers.create(
          { email, metadata: { owner: ownerId } },
          { idempotencyKey: `customer-${ownerId}` },
        ),
      )
      return id
    },
    /** Opens a checkout page and returns its URL. Closes earlier unpaid pages, so that nobody can pay twice. */
    async checkout(customer: string, wish: Checkout): Promise<string> {
      const { interval, ownerId, trialEndsAt, now, returnTo } = wish
      const open = await callStripe(() =>
        stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }),
      )
      for (const session of open.data) await callStripe(() => stripe.checkout.sessions.expire(session.id))
      const isTrialLong = trialEndsAt.getTime() - now.getTime() > MIN_TRIAL_MS
      const session = await callStripe(() =>
        stripe.checkout.sessions.create({
          mode: 'subscription',
          customer,
          client_reference_id: ownerId,
          line_items: [{ price: settings.prices[interval], quantity: 1 }],
          subscription_data: {
            metadata: { owner: ownerId },
            ...(isTrialLong ? { trial_end: Math.floor(trialEndsAt.getTime() / 1000) } : {}),
          },
          success_url: `${returnTo}?checkout=done`,
          cancel_url: `${returnTo}?checkout=left`,
        }),
      )
      if (!session.url) throw unreachable()
      return session.url
    },
    async portal(customer: string, returnTo: string): Promise<string> {
      const { url } = await callStripe(() =>
        stripe.billingPortal.sessions.create({ customer, return_url: `${returnTo}?checkout=portal` }),
      )
      return url
    },
    subscriptionsOf: async (customer: string) => (await subscriptionsOf(customer)).map(toSubscription),
    async setCancelled(subscription: string, isCancelled: boolean): Promise<void> {
      await callStripe(() => stripe.subscriptions.update(subscription, { cancel_at_period_end: isCancelled }))
    },
    /**
     * Postpones the customer's next payment by the given number of days, at most once per id; false if no
     * payment is due. Only the last id is stored, so don't use another id until the call for this one has
     * succeeded.
     */
    async movePayment(
      customer: string,
      { id, days }: { id: string; days: number },
      now: Date,
    ): Promise<boolean> {
      const data = await subscriptionsOf(customer)
      // An earlier response may have been lost, and Stripe forgets idempotency keys after a day. So the
      // metadata records which reward was applied.
      if (data.some((subscription) => subscription.metadata.reward === id)) return true
      const [next] = data
        .map(toSubscription)
        .filter((subscription) => renews(subscription, now))
        .sort((a, b) => b.periodEndsAt.getTime() - a.periodEndsAt.getTime())
      if (!next) return false
      const end = Math.max(next.periodEndsAt.getTime(), now.getTime()) / 1000 + days * 86_400
      // Stripe treats the free days as a trial and would otherwise refund part of the current period.
      await callStripe(() =>
        stripe.subscriptions.update(
          next.id,
          { trial_end: Math.floor(end), proration_behavior: 'none', metadata: { reward: id } },
          { idempotencyKey: id },
        ),
      )
      return true
    },
    /** Ends the customer's subscriptions and deletes the customer. */
    async forget(customer: string): Promise<void> {
      await callStripe(() => stripe.customers.del(customer)).catch((error: unknown) => {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404))
          throw error
      })
    },
    /**
     * Verifies and parses a webhook. 'bad_signature' if it isn't from the provider or is too old, 'malformed'
     * if the body isn't a webhook.
     */
    noticeIn(bytes: Buffer, signature: string, now: Date): Notice | 'bad_signature' | 'malformed' {
      try {
        const { webhookSecret } = settings
        const age = [MAX_WEBHOOK_AGE_SECONDS, undefined, now.getTime()] as const
        const event = stripe.webhooks.constructEvent(bytes, signature, webhookSecret, ...age)
        const { id, type, data } = Event.parse(event)
        const { object } = data
        const named = Customer.safeParse(object.object === 'customer' ? object.id : object.customer).data
        return { id, type, customer: typeof named === 'object' ? named.id : named }
      } catch (error) {
        return error instanceof Stripe.errors.StripeSignatureVerificationError ? 'bad_signature' : 'malformed'
      }
    },
  }
}

function toSubscription(subscription: Stripe.Subscription): Subscription {
  const [item] = subscription.items.data
  if (!item) throw new Error('a subscription without items')
  return {
    id: subscription.id,
    status: subscription.status,
    interval: item.price.recurring?.interval === 'year' ? 'year' : 'month',
    amount: item.price.unit_amount ?? 0,
    currency: currencyOf(item.price.currency.toUpperCase()),
    periodEndsAt: new Date(item.current_period_end * 1000),
    // Canceling in the portal sets cancel_at instead.
    cancelsAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
  }
}

/** The error for an unreachable payment provider; nothing was changed (promise F8). */
function unreachable(cause?: unknown): ProblemError {
  const error = new ProblemError(
    503,
    'payment_away',
    "The payment provider can't be reached right now. Nothing was charged and nothing has changed. Please try again.",
    { retryAfterSeconds: 30 },
  )
  error.cause = cause
  return error
}

async function callStripe<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    const isUnreachable =
      error instanceof Stripe.errors.StripeConnectionError ||
      error instanceof Stripe.errors.StripeAPIError ||
      error instanceof Stripe.errors.StripeRateLimitError
    throw isUnreachable ? unreachable(error) : error
  }
}
