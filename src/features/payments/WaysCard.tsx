import { centsOfDollars, type Currency, formatAmount } from '#kernel/money.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { Notice } from '#platform/ui/Notice.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { PayWay } from './PayWay.tsx'
import { type PaymentWay, shownWay, TOLD_DAYS } from './payment-way.ts'

interface WaysCardProps {
  /** Never empty. */
  ways: PaymentWay[]
  /** When the options last changed; null if they never have. */
  changedAt: string | null
  /** What the tutor recognizes the payment by; null if there's none. */
  reference: string | null
  /** The tutor's name. */
  name: string
  /** The amount due in the currency's main unit, such as dollars. Always more than 0. */
  amount: number
  currency: Currency
  /** Opens the form to record the payment. Omitted if the reader can't record payments. */
  onPaid?: ((reference: string | null) => void) | undefined
  /** True if the page's primary button is elsewhere, so that this card's button has to be secondary. */
  isQuiet?: boolean
}

/** Whether the options changed recently. */
const isNews = (changedAt: string) => Date.now() - Date.parse(changedAt) < TOLD_DAYS * 86_400_000

/** The payment options for the amount due, with a button to report that it was paid. */
export function WaysCard({
  ways,
  changedAt,
  reference,
  name,
  amount,
  currency,
  onPaid,
  isQuiet = false,
}: WaysCardProps) {
  const due = { amount: centsOfDollars(amount), currency, reference }
  return (
    <section className="card mb-4" aria-labelledby="ways-to-pay">
      <h2 id="ways-to-pay" className="px-5 pt-4 pb-3 [overflow-wrap:anywhere]">
        Pay <bdi>{name}</bdi> <span className="num whitespace-nowrap">{formatAmount(amount, currency)}</span>
      </h2>
      {reference && (
        <p className="px-5 pb-3 text-small text-ink-2">
          Reference <b className="num font-semibold text-ink">{reference}</b>. Add it when you pay, so{' '}
          <bdi>{name}</bdi> can tell what it’s for.
        </p>
      )}
      {changedAt && isNews(changedAt) && (
        <div className="px-5 pb-4">
          <Notice>
            <p className="wrap-anywhere">
              <bdi>{name}</bdi> updated these details on{' '}
              {formatDay(dayIn(new Date(changedAt)), { month: 'long', day: 'numeric' })}. If you did not
              expect that, ask in person or by phone before you pay.
            </p>
          </Notice>
        </div>
      )}
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
          <Button
            tone={isQuiet ? 'secondary' : 'primary'}
            className="max-md:w-full"
            onClick={() => onPaid(reference)}
          >
            I paid
          </Button>
        )}
      </div>
    </section>
  )
}
