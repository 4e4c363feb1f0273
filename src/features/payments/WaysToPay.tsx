import { centsOfDollars, type Currency, formatAmount } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useConnectionWays } from './client.web.ts'
import { PayWay } from './PayWay.tsx'
import { shownWay } from './payment-way.ts'

interface WaysToPayProps {
  /** The active connection with whoever is paid. */
  connectionId: string
  name: string
  /** What is due, in units of the currency; more than 0. */
  amount: number
  currency: Currency
  /** Records the payment; left out where nothing can be recorded. */
  onPaid?: () => void
}

/** How a tutor can be paid what is due; nothing where the tutor said nothing. */
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
  const due = { amount: centsOfDollars(amount), currency }
  const list = ways.data.ways
  return (
    <section className="card mb-4" aria-labelledby="ways-to-pay">
      <h2 id="ways-to-pay" className="px-5 pt-4 pb-3 [overflow-wrap:anywhere]">
        Pay <bdi>{name}</bdi> <span className="num whitespace-nowrap">{formatAmount(amount, currency)}</span>
      </h2>
      <ul className="list border-y border-line">
        {list.map((way) => (
          <li key={way.id}>
            <PayWay shown={shownWay(way, due)} folds={list.length > 1} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
        <p className="text-small text-ink-2">Money never passes through Tutorlog.</p>
        {onPaid && (
          <Button className="max-md:w-full" onClick={onPaid}>
            I paid
          </Button>
        )}
      </div>
    </section>
  )
}
