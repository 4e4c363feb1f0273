import type { ReactNode } from 'react'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import { Figure } from '#platform/ui/Card.tsx'
import { Ticks } from '#platform/ui/Ticks.tsx'
import { type Amounts, hasOtherSide, type Summary } from './summary.ts'

interface TotalsProps {
  summary: Omit<Summary, 'month' | 'by_week'>
  /** What was paid, in cells of the same list. */
  children?: ReactNode
}

/** The three figures for a month or year, and how much of the amount both sides agree on. */
export function Totals({ summary, children }: TotalsProps) {
  const money = useMoney()
  return (
    <dl className="card figures totals mt-3 lg:mt-5">
      <div>
        <dt className="k">Total Sessions</dt>
        <Figure>{summary.total_sessions}</Figure>
      </div>
      <div>
        <dt className="k">Total Hours</dt>
        <Figure>{summary.total_hours.toFixed(1)}</Figure>
      </div>
      <div>
        <dt className="k">Total Amount</dt>
        <Figure isLarge>{money(summary.total_amount)}</Figure>
      </div>
      {hasOtherSide(summary) && (
        <div className="col-span-full">
          <dt className="sr-only">Total Amount by status</dt>
          <dd className="flex flex-wrap gap-x-4 gap-y-1 text-small leading-snug text-ink-2">
            <Sides amounts={summary} />
          </dd>
        </div>
      )}
      {children}
      {summary.other_currencies.length > 0 && (
        <div className="col-span-full">
          <dt className="k">In another currency, not included in these totals</dt>
          <dd className="text-small text-ink-2">
            {summary.other_currencies
              .map(({ currency, sessions, amount }) =>
                inOneLine([
                  sessions === 1 ? '1 session' : `${sessions} sessions`,
                  formatAmount(amount, currency),
                ]),
              )
              .join('; ')}
          </dd>
        </div>
      )}
    </dl>
  )
}

/** The amounts by status: agreed on by both sides, waiting, sent back, or only in this log. */
function Sides({ amounts }: { amounts: Amounts }) {
  const money = useMoney()
  return (
    <>
      <Part>
        <Ticks />
        {money(amounts.verified_amount)} agreed
      </Part>
      <Part>
        <Ticks by={[]} />
        {money(amounts.waiting_amount)} waiting
      </Part>
      {amounts.disputed_amount > 0 && (
        <Part>
          <span className="text-danger">{money(amounts.disputed_amount)} not right</span>
        </Part>
      )}
      {amounts.own_amount > 0 && <Part>{money(amounts.own_amount)} only yours</Part>}
    </>
  )
}

function Part({ children }: { children: ReactNode }) {
  return <span className="flex items-center gap-1.5">{children}</span>
}
