import { useState } from 'react'
import { problemTitle } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useCheckout, usePrices } from './client.web.ts'
import { type Interval, priceText } from './plan.ts'

const CHOSEN = 'border-accent bg-accent-soft'

/**
 * Lets the user choose between monthly and yearly at the provider's prices, then opens the provider's
 * checkout.
 */
export function ChoosePlanForm({ firstCharge }: { firstCharge?: string }) {
  const toast = useToast()
  const prices = usePrices()
  const checkout = useCheckout()
  const [interval, setInterval] = useState<Interval>('month')

  if (prices.isPending)
    return (
      <div className="mt-4">
        <Loading label="Loading prices...">
          <div className="grid gap-3 sm:grid-cols-2">
            <div className="sk h-16" />
            <div className="sk h-16" />
          </div>
        </Loading>
      </div>
    )
  if (prices.isError) {
    return (
      <div className="mt-4">
        <Notice>
          The payment provider can't be reached right now. Nothing was charged and nothing has changed.
          <Button className="mt-3" tone="secondary" size="small" onClick={() => void prices.refetch()}>
            Try again
          </Button>
        </Notice>
      </div>
    )
  }
  const submit = () =>
    checkout.mutate(interval, {
      onError: (error) => toast.error('Error', problemTitle(error, 'An unexpected error occurred')),
    })
  return (
    <form
      className="mt-4 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!checkout.isPending) submit()
      }}
    >
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="sr-only">Plan</legend>
        {prices.data.prices.map((price) => (
          <label
            key={price.interval}
            className={`radio-card min-h-16 gap-3 rounded-md px-4 py-3 ${interval === price.interval ? CHOSEN : 'border-line bg-surface'}`}
          >
            <input
              type="radio"
              name="interval"
              value={price.interval}
              checked={interval === price.interval}
              onChange={() => setInterval(price.interval)}
              className="size-5 accent-accent"
            />
            <span className="flex-1 font-semibold">{price.interval === 'year' ? 'Yearly' : 'Monthly'}</span>
            <span className="text-ink-2">{priceText(price)}</span>
          </label>
        ))}
      </fieldset>
      <p className="text-small text-ink-2">
        {firstCharge} Your plan renews automatically until you cancel it here. You’ll pay by card on our
        payment provider’s page.
      </p>
      <Button
        type="submit"
        className="w-full sm:w-auto sm:justify-self-start"
        busy={checkout.isPending || checkout.isSuccess}
        busyText="Opening..."
      >
        Continue to payment
      </Button>
    </form>
  )
}
