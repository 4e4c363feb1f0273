import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { problemTitle } from '#platform/api.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { LoadingCard } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { ChoosePlanForm } from './ChoosePlanForm.tsx'
import { useCancel, usePlan, usePortal, useRefreshPlan } from './client.web.ts'
import { type Plan, priceText } from './plan.ts'
import { Tally } from './Tally.tsx'

const longDay = (instant: string) =>
  formatDay(dayIn(new Date(instant)), { month: 'long', day: 'numeric', year: 'numeric' })

export function PlanSection() {
  const plan = usePlan()
  useReturnFromCheckout()
  useFailureToast(plan.error, 'Failed to load your plan')
  if (plan.isPending)
    return <LoadingCard label="Loading your plan..." lines={['h-5 w-20', 'h-9 w-40', 'h-4 w-3/5']} />
  if (plan.isError) return <LoadFailed title="Your plan didn’t load" onRetry={() => void plan.refetch()} />
  return (
    <section className="card p-5" aria-labelledby="plan" id="plan-section">
      <div className="flex items-center justify-between gap-3">
        <h2 id="plan">Plan</h2>
        <PlanBadge plan={plan.data} />
      </div>
      <PlanBody plan={plan.data} />
    </section>
  )
}

function PlanBadge({ plan }: { plan: Plan }) {
  if (plan.state === 'trial') return <span className="bdg bg-marker! text-on-marker!">Free trial</span>
  if (plan.state === 'unlimited') return <Badge tone="ok">Unlimited</Badge>
  if (plan.state === 'ended')
    return <Badge tone="warn">{plan.open_until ? 'No plan yet' : 'Trial ended'}</Badge>
  if (plan.subscription?.is_past_due) return <Badge tone="warn">Payment due</Badge>
  return plan.subscription?.cancels_at_period_end ? (
    <Badge tone="warn">Canceled</Badge>
  ) : (
    <Badge tone="ok">Subscribed</Badge>
  )
}

function PlanBody({ plan }: { plan: Plan }) {
  const [isChoosing, setIsChoosing] = useState(plan.state === 'ended')
  if (plan.state === 'unlimited')
    return <p className="mt-3 text-ink-2">This server doesn’t take payments. Everything is included.</p>
  if (plan.subscription) return <Subscribed subscription={plan.subscription} />
  return (
    <>
      {plan.state === 'trial' ? (
        <>
          <p className="mt-3 flex items-baseline gap-2">
            <span className="disp num text-figure-lg leading-none">{plan.trial_days_left}</span>
            <span className="text-ink-2">of {plan.trial_days} days left</span>
          </p>
          <Tally days={plan.trial_days} used={plan.trial_days - plan.trial_days_left} />
          <p className="mt-4 text-small text-ink-2">
            Ends {longDay(plan.trial_ends_at)}. You will not be charged unless you choose a plan.
          </p>
        </>
      ) : (
        <p className="mt-3 text-ink-2">
          {plan.open_until
            ? `You’re the owner now. You have full access until ${longDay(plan.open_until)}. To log or change sessions after that, choose a plan.`
            : `Your free trial ended on ${longDay(plan.trial_ends_at)}. ` +
              'You can still read, export and delete everything. Choose a plan to log and change sessions again.'}
        </p>
      )}
      {isChoosing ? (
        <ChoosePlanForm
          firstCharge={
            plan.state === 'trial'
              ? `Your first payment is due when your trial ends on ${longDay(plan.trial_ends_at)}.`
              : undefined
          }
        />
      ) : (
        <Button className="mt-4 w-full sm:w-auto" onClick={() => setIsChoosing(true)}>
          Choose a plan
        </Button>
      )}
    </>
  )
}

function Subscribed({ subscription }: { subscription: NonNullable<Plan['subscription']> }) {
  const toast = useToast()
  const cancel = useCancel()
  const portal = usePortal()
  const [isAsking, setIsAsking] = useState(false)
  const end = longDay(subscription.period_ends_at)
  const say = (error: unknown) => toast.error('Error', problemTitle(error, 'An unexpected error occurred'))
  const change = async (isCancelled: boolean) => {
    try {
      await cancel.mutateAsync(isCancelled)
      toast.success(
        isCancelled ? 'Subscription canceled' : 'Subscription will continue',
        isCancelled ? `You’ll have full access until ${end}.` : `It renews on ${end}.`,
      )
    } catch (error) {
      say(error)
    }
    setIsAsking(false)
  }
  let line: ReactNode = `Renews on ${end}.`
  if (subscription.is_trialing) line = `No payment is due until ${end}.`
  if (subscription.cancels_at_period_end)
    line = `Ends on ${end}. You’ll have full access until then, and nothing will be deleted.`
  return (
    <>
      <p className="mt-3 text-h3 font-semibold">
        {subscription.interval === 'year' ? 'Yearly' : 'Monthly'} plan, {priceText(subscription)}
      </p>
      <p className="mt-1 text-ink-2">{line}</p>
      {subscription.is_past_due && (
        <div className="mt-4">
          <Notice>Your last payment didn’t go through. Please check your card.</Notice>
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          tone="secondary"
          busy={portal.isPending || portal.isSuccess}
          busyText="Opening..."
          onClick={() => portal.mutate(undefined, { onError: say })}
        >
          Card and invoices
        </Button>
        {subscription.cancels_at_period_end ? (
          <Button busy={cancel.isPending} busyText="Saving..." onClick={() => void change(false)}>
            Keep subscription
          </Button>
        ) : (
          <Button tone="danger-outline" onClick={() => setIsAsking(true)}>
            Cancel subscription
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Cancel subscription"
          text={`You’ll have full access until ${end}. There’s no refund for the rest of the period.`}
          consequence="Nothing is ever deleted for not paying: you can still read and export everything."
          confirmLabel="Cancel subscription"
          busyText="Canceling..."
          isBusy={cancel.isPending}
          onConfirm={() => void change(true)}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

// After checkout, tells the server to read the plan from the provider right away, and removes the query
// parameter.
function useReturnFromCheckout(): void {
  const toast = useToast()
  const refresh = useRefreshPlan()
  const [query, setQuery] = useSearchParams()
  const from = query.get('checkout')
  const { mutate } = refresh
  useEffect(() => {
    if (!from) return
    setQuery({}, { replace: true })
    if (from === 'left') return
    mutate(undefined, {
      onSuccess: (plan) => {
        if (from === 'done' && plan.subscription)
          toast.success('Subscribed', 'Thank you. You can log and change sessions again.')
      },
    })
  }, [from, setQuery, mutate, toast])
}
