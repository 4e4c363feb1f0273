import type { Currency } from '#kernel/money.ts'
import { useConnectionWays } from './client.web.ts'
import { WaysCard } from './WaysCard.tsx'

interface WaysToPayProps {
  /** The id of the active connection with the tutor. */
  connectionId: string
  name: string
  /** The amount due in the currency's main unit, such as dollars. Always more than 0. */
  amount: number
  currency: Currency
  /** Opens the form to record the payment. Omitted if the reader can't record payments. */
  onPaid?: ((reference: string | null) => void) | undefined
}

/** The ways to pay a tutor the amount due. Renders nothing if the tutor hasn't entered any. */
export function WaysToPay({ connectionId, name, amount, currency, onPaid }: WaysToPayProps) {
  const ways = useConnectionWays(connectionId)
  if (ways.isError)
    return (
      <p className="help mb-4">
        Payment options for {name} didn’t load.{' '}
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
      reference={ways.data.reference}
      name={name}
      amount={amount}
      currency={currency}
      onPaid={onPaid}
    />
  )
}
