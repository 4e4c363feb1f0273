// The trial and the subscription: the plan an account has at a given time, and the calls that change it
// (docs/product-decisions.md, section 6).
import * as z from 'zod/mini'
import { type Trial, trialEnd } from '#features/accounts/trial.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { centsOfSmallest, Currency, dollars, formatAmount } from '#kernel/money.ts'

export const Interval = z.enum(['month', 'year'], { error: 'Choose monthly or yearly' })
export type Interval = z.output<typeof Interval>

const Money = { amount: z.number(), currency: Currency }

/** A price at the provider, in the currency's main unit (dollars, not cents). */
export const Price = z.object({ interval: Interval, ...Money })
export type Price = z.output<typeof Price>

export const Plan = z.object({
  /** 'unlimited' on a server that takes no payments; 'ended' when the trial is over and there's no subscription. */
  state: z.enum(['unlimited', 'trial', 'subscribed', 'ended']),
  can_write: z.boolean(),
  trial_ends_at: z.string(),
  /** When a new owner starts to need a plan; null for everyone else. */
  open_until: z.nullable(z.string()),
  /**
   * trial_days includes days earned from referrals. trial_days_left is rounded up: a partial day counts as a
   * full one.
   */
  trial_days: z.number(),
  trial_days_left: z.number(),
  subscription: z.nullable(
    z.object({
      interval: Interval,
      ...Money,
      period_ends_at: z.string(),
      cancels_at_period_end: z.boolean(),
      /** The last payment failed; the provider will try again. */
      is_past_due: z.boolean(),
      /** Subscribed during the trial; the first payment is due when the trial ends. */
      is_trialing: z.boolean(),
    }),
  ),
})
export type Plan = z.output<typeof Plan>

const NO_PAYMENTS = {
  no_payments: { status: 422, title: 'This server doesn’t take payments. Everything is included.' },
} as const
const NOT_SUBSCRIBED = {
  ...NO_PAYMENTS,
  not_subscribed: { status: 409, title: 'You don’t have a subscription.' },
} as const
const Nothing = z.strictObject({})
const CALLS = { hits: 30, seconds: 600 }
const FREE_CALL = { method: 'POST', access: 'confirmed', isFree: true, limit: CALLS } as const

export const ReadPlan = endpoint({
  operation: 'ReadPlan',
  summary: 'Get the trial and subscription',
  method: 'GET',
  path: '/api/v1/billing',
  access: 'confirmed',
  input: Nothing,
  output: Plan,
})

export const ReadPrices = endpoint({
  operation: 'ReadPrices',
  summary: 'List the subscription prices from the payment provider',
  method: 'GET',
  path: '/api/v1/billing/prices',
  access: 'confirmed',
  input: Nothing,
  output: z.object({ prices: z.array(Price) }),
  refusals: NO_PAYMENTS,
  limit: CALLS,
})

export const StartCheckout = endpoint({
  ...FREE_CALL,
  operation: 'StartCheckout',
  summary: "Get the URL of the provider's checkout page",
  path: '/api/v1/billing/checkout',
  input: z.strictObject({ interval: Interval }),
  output: z.object({ url: z.string() }),
  refusals: { ...NO_PAYMENTS, subscribed: { status: 409, title: 'You already have a subscription.' } },
})

export const OpenPortal = endpoint({
  ...FREE_CALL,
  operation: 'OpenPortal',
  summary: "Get the URL of the provider's billing portal, for changing the card and viewing invoices",
  path: '/api/v1/billing/portal',
  input: Nothing,
  output: z.object({ url: z.string() }),
  refusals: NOT_SUBSCRIBED,
})

export const CancelSubscription = endpoint({
  ...FREE_CALL,
  operation: 'CancelSubscription',
  summary: 'Cancel the subscription at the end of the paid period',
  path: '/api/v1/billing/cancel',
  input: Nothing,
  output: Plan,
  refusals: NOT_SUBSCRIBED,
})

export const ResumeSubscription = endpoint({
  ...FREE_CALL,
  operation: 'ResumeSubscription',
  summary: 'Undo a cancellation before the paid period ends',
  path: '/api/v1/billing/resume',
  input: Nothing,
  output: Plan,
  refusals: NOT_SUBSCRIBED,
})

export const RefreshPlan = endpoint({
  ...FREE_CALL,
  operation: 'RefreshPlan',
  summary: 'Refresh the subscription from the payment provider, for example after checkout',
  path: '/api/v1/billing/refresh',
  input: Nothing,
  output: Plan,
})

/** A subscription as last read from the provider. */
export interface Subscription {
  id: string
  status: string
  interval: Interval
  /** In the currency's smallest unit. */
  amount: number
  currency: Currency
  periodEndsAt: Date
  cancelsAtPeriodEnd: boolean
}

const DAY_MS = 86_400_000
/**
 * A subscription stays valid this many days after its period ends. If a webhook is lost, we find out about
 * the renewal late.
 */
const LATE_DAYS = 7
const PAID = new Set(['active', 'trialing', 'past_due'])

/** Whether a subscription currently lets its owner make changes. */
export function holds(subscription: Subscription, now: Date): boolean {
  const lateMs = subscription.cancelsAtPeriodEnd ? 0 : LATE_DAYS * DAY_MS
  return PAID.has(subscription.status) && now.getTime() < subscription.periodEndsAt.getTime() + lateMs
}

/** Whether a subscription renews automatically. If it does, its next payment can be postponed. */
export function renews(subscription: Subscription, now: Date): boolean {
  return holds(subscription, now) && subscription.status !== 'past_due' && !subscription.cancelsAtPeriodEnd
}

/**
 * The plan at a given time. If there are several subscriptions, the one that lasts longest counts.
 * @param openUntil when a new owner starts to need a plan
 */
export function planAt(
  now: Date,
  trial: Trial,
  subscriptions: Subscription[],
  takesPayments: boolean,
  openUntil?: Date | null,
): Plan {
  const end = trialEnd(trial)
  const isTrial = now < end
  const days = trial.rewards.reduce((sum, reward) => sum + reward.days, trial.days)
  const [paid] = subscriptions
    .filter((subscription) => holds(subscription, now))
    .sort((a, b) => b.periodEndsAt.getTime() - a.periodEndsAt.getTime())
  const isCovered = !takesPayments || isTrial || paid !== undefined
  const grace = !isCovered && openUntil && now < openUntil ? openUntil : undefined
  return {
    state: !takesPayments ? 'unlimited' : paid ? 'subscribed' : isTrial ? 'trial' : 'ended',
    can_write: isCovered || grace !== undefined,
    trial_ends_at: end.toISOString(),
    open_until: grace?.toISOString() ?? null,
    trial_days: days,
    trial_days_left: Math.max(0, Math.ceil((end.getTime() - now.getTime()) / DAY_MS)),
    subscription: paid
      ? {
          interval: paid.interval,
          amount: mainUnits(paid.amount, paid.currency),
          currency: paid.currency,
          period_ends_at: paid.periodEndsAt.toISOString(),
          cancels_at_period_end: paid.cancelsAtPeriodEnd,
          is_past_due: paid.status === 'past_due',
          is_trialing: paid.status === 'trialing',
        }
      : null,
  }
}

/**
 * Converts an amount from the currency's smallest unit to its main unit. Cents become dollars; yen stay the
 * same.
 */
export function mainUnits(amount: number, currency: Currency): number {
  return dollars(centsOfSmallest(amount, currency))
}

/** Formats a price for display: "$6.00 a month". */
export function priceText(price: { amount: number; currency: Currency; interval: Interval }): string {
  return `${formatAmount(price.amount, price.currency)} a ${price.interval}`
}
