import { formatAmount } from '#kernel/money.ts'
import type { Side } from '#platform/ui/Ticks.tsx'
import type { ClosedMonth } from './closing.ts'
import { monthName } from './closing-text.ts'
import { Stamp } from './Stamp.tsx'

interface StampCardProps {
  one: ClosedMonth
  /** The side whose tick draws itself before the stamp lands: the month was closed just now. */
  drawn?: Side | undefined
}

/** A closed month with its figures, its code and its stamp. */
export function StampCard({ one, drawn }: StampCardProps) {
  return (
    <div className="sheet-of-month" role={drawn ? 'status' : undefined}>
      <MonthFigures one={one} />
      <p className="num mt-1 text-small text-ink-2">Code {one.code}</p>
      {one.balance_now !== null && (
        <p className="num mt-1 text-small text-ink-2">
          An earlier month changed since: {formatAmount(Math.abs(one.balance_now), one.currency)}{' '}
          {one.balance_now < 0 ? 'paid ahead' : 'due'} now
        </p>
      )}
      <Stamp closedAt={one.closed_at ?? ''} drawn={drawn} />
      {drawn && <span className="sr-only">{monthName(one.month)} is closed.</span>}
    </div>
  )
}

/** "3 sessions, $157.50. $45.00 carried over, $60.00 paid: $142.50 due." */
export function MonthFigures({ one }: { one: ClosedMonth }) {
  const inMoney = (amount: number) => formatAmount(amount, one.currency)
  const moved = [
    one.carried_over !== 0 && `${inMoney(one.carried_over)} carried over`,
    one.paid_amount !== 0 && `${inMoney(one.paid_amount)} paid`,
  ].filter((part) => part !== false)
  // As in the totals, what was sent back or is to be deleted doesn't count.
  const out = one.in_the_way.filter(
    ({ what, why }) => what === 'session' && (why === 'sent_back' || why === 'deletion_asked'),
  )
  const count = one.sessions - out.reduce((sum, obstacle) => sum + obstacle.count, 0)
  return (
    <p className="num mt-1 text-ink-2">
      {count === 1 ? '1 session' : `${count} sessions`}, {inMoney(one.sessions_amount)}
      {moved.length > 0 && ` (${moved.join(', ')})`}.{' '}
      <b className="text-ink">
        {inMoney(Math.abs(one.balance))} {one.balance < 0 ? 'paid ahead' : 'due'}
      </b>
    </p>
  )
}
