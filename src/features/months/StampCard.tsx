import { formatAmount } from '#kernel/money.ts'
import type { Side } from '#platform/ui/Ticks.tsx'
import type { ClosedMonth } from './closing.ts'
import { monthInWords, monthName } from './closing-text.ts'
import { Stamp } from './Stamp.tsx'

interface StampCardProps {
  one: ClosedMonth
  /** The side whose tick is animated before the stamp appears. Only set if the month was just closed. */
  drawn?: Side | undefined
}

export function StampCard({ one, drawn }: StampCardProps) {
  return (
    <div className="sheet-of-month" role={drawn ? 'status' : undefined}>
      <MonthFigures one={one} />
      {one.balance_now !== null && (
        <p className="num mt-1 text-small text-ink-2">
          An earlier month has since changed: {formatAmount(Math.abs(one.balance_now), one.currency)}{' '}
          {one.balance_now < 0 ? 'paid ahead' : 'due'} now
        </p>
      )}
      <Stamp closedAt={one.closed_at ?? ''} drawn={drawn} />
      {drawn && <span className="sr-only">{monthName(one.month)} is closed.</span>}
    </div>
  )
}

/**
 * For example, "3 sessions, $157.50 ($45.00 carried over, $60.00 paid). $142.50 due". Without the end if the page
 * says what's due elsewhere.
 */
export function MonthFigures({ one, hasEnd = true }: { one: ClosedMonth; hasEnd?: boolean }) {
  const { sum, end } = monthInWords(one)
  return (
    <p className="num mt-1 text-ink-2">
      {sum} {hasEnd && <b className="inline-block text-ink">{end}</b>}
    </p>
  )
}
