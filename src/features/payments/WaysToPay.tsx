import type { Currency } from '#kernel/money.ts'
import { useConnectionWays } from './client.web.ts'
import { WaysCard } from './WaysCard.tsx'

interface WaysToPayProps {
  /** The active connection with whoever is paid. */
  connectionId: string
  name: string
  /** What is due, in units of the currency; more than 0. */
  amount: number
  currency: Currency
  /** Records the payment; left out if nothing can be recorded. */
  onPaid?: () => void
}

/** How a tutor can be paid what is due; nothing if the tutor said nothing. */
export function WaysToPay({ connectionId, name, amount, currency, onPaid }: WaysToPayProps) {
  const ways = useConnectionWays(connectionId)
  if (ways.isError)
    return (
      <p className="help mb-4">
        The ways to pay {name} did not load.{' '}
        <button type="button" className="link min-h-11" onClick={() => void ways.refetch()}>
          Try again
        </button>
      </p>
    )
  if (!ways.data?.ways.length) return null
  return (
    <WaysCard
      ways={ways.data.ways}
      changedAt={ways.data.changed_at}
      name={name}
      amount={amount}
      currency={currency}
      onPaid={onPaid}
    />
  )
}
