import { useId, useState } from 'react'
import { useCanWrite, useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { cents } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { late } from '#platform/ui/late.tsx'
import { pairOf } from './price-form.ts'
import { pairPriceName, type PricedPeople } from './price-words.ts'
import { type ListedPrice, priceInWords } from './price.ts'

const PriceDialog = late(async () => (await import('./PriceDialog.tsx')).PriceDialog)

/** A tutor and a child or student, and the names that the reader gave them. */
export interface Pair extends PricedPeople {
  student_id: string
  tutor_id: string
}

interface PricesCardProps {
  /** The pairs that a price can be set for. */
  pairs: readonly Pair[]
  prices: readonly ListedPrice[]
}

/** What the lessons of one person cost, by pair and from which day on; nothing for people who can't see amounts. */
export function PricesCard({ pairs, prices }: PricesCardProps) {
  const id = useId()
  const { currency } = useMe()
  const canWrite = useCanWrite()
  const seesAmounts = useSeesAmounts()
  const [open, setOpen] = useState<ListedPrice | 'new'>()
  const peopleOf = new Map(pairs.map((pair) => [pairOf(pair), pair]))
  const shown = prices.flatMap((price) => {
    const people = peopleOf.get(pairOf(price))
    return people ? [{ price, people }] : []
  })
  if (!seesAmounts || pairs.length === 0 || (shown.length === 0 && !canWrite)) return null
  return (
    <section className="card px-5 pt-3 pb-4" aria-labelledby={id}>
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h2 id={id}>Prices</h2>
        {canWrite && (
          <Button tone="quiet" size="small" className="-mr-4" onClick={() => setOpen('new')}>
            Set a price
          </Button>
        )}
      </div>
      {shown.length > 0 ? (
        <ul className="grid gap-1">
          {shown.map(({ price, people }) => (
            <li key={price.id} className="flex items-center justify-between gap-x-3">
              <div className="min-w-0 wrap-anywhere">
                <p className="s">{pairPriceName(people)}</p>
                <p className="num">
                  <b className="font-semibold">
                    {priceInWords(
                      { cents: cents(Math.round(price.amount * 100)), lesson_minutes: price.lesson_minutes },
                      currency,
                    )}
                  </b>{' '}
                  since{' '}
                  {formatDay(price.from as CalendarDay, { month: 'short', day: 'numeric', year: 'numeric' })}
                </p>
              </div>
              {canWrite && (
                <Button
                  tone="quiet"
                  size="small"
                  className="-mr-4"
                  aria-label={`Change ${pairPriceName(people)}`}
                  onClick={() => setOpen(price)}
                >
                  Change
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-2">
          The usual rate applies. You can set another price from a day on, per hour or per lesson.
        </p>
      )}
      {open && (
        <PriceDialog
          pairs={pairs}
          {...(open === 'new' ? {} : { price: open })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}
