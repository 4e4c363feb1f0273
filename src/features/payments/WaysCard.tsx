import { centsOfDollars, type Currency, formatAmount } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { PayWay } from './PayWay.tsx'
import { type PaymentWay, shownWay } from './payment-way.ts'

interface WaysCardProps {
  /** At least one. */
  ways: PaymentWay[]
  /** Who is paid. */
  name: string
  /** What is due, in units of the currency; more than 0. */
  amount: number
  currency: Currency
  /** Records the payment; left out where nothing can be recorded. */
  onPaid?: (() => void) | undefined
  /** Whether the page has its filled button elsewhere. */
  isQuiet?: boolean
}

/** The ways to pay what is due, and the button that says that it was paid. */
export function WaysCard({ ways, name, amount, currency, onPaid, isQuiet = false }: WaysCardProps) {
  const due = { amount: centsOfDollars(amount), currency }
  return (
    <section className="card mb-4" aria-labelledby="ways-to-pay">
      <h2 id="ways-to-pay" className="px-5 pt-4 pb-3 [overflow-wrap:anywhere]">
        Pay <bdi>{name}</bdi> <span className="num whitespace-nowrap">{formatAmount(amount, currency)}</span>
      </h2>
      <ul className="list border-y border-line">
        {ways.map((way) => (
          <li key={way.id}>
            <PayWay shown={shownWay(way, due)} folds={ways.length > 1} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
        <p className="text-small text-ink-2">Money never passes through Tutorlog.</p>
        {onPaid && (
          <Button tone={isQuiet ? 'secondary' : 'primary'} className="max-md:w-full" onClick={onPaid}>
            I paid
          </Button>
        )}
      </div>
    </section>
  )
}
