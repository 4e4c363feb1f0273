import { useMoney } from '#features/accounts/client.web.ts'
import { Ticks } from '#platform/ui/Ticks.tsx'
import type { Summary } from './summary.ts'

/** The three figures of a month or a year, and how much of the money both sides agree on. */
export function Totals({ summary }: { summary: Omit<Summary, 'month' | 'by_week'> }) {
  const money = useMoney()
  return (
    <dl className="card mt-3 grid grid-cols-2 lg:mt-5 lg:grid-cols-[1fr_1fr_2fr]">
      <div className="p-4 lg:p-5">
        <dt className="k">Total Sessions</dt>
        <dd className="figure mt-1">{summary.total_sessions}</dd>
      </div>
      <div className="border-l border-line p-4 lg:p-5">
        <dt className="k">Total Hours</dt>
        <dd className="figure mt-1">{summary.total_hours.toFixed(1)}</dd>
      </div>
      <div className="col-span-2 flex flex-wrap items-end justify-between gap-x-3 border-t border-line p-4 lg:col-span-1 lg:border-t-0 lg:border-l lg:p-5">
        <dt className="k w-full">Total Amount</dt>
        <dd className="disp num mt-1 text-figure-lg leading-none">{money(summary.total_amount)}</dd>
        <dd className="ml-auto pb-1 text-right text-small leading-snug text-ink-2">
          <span className="inline-flex items-center gap-1.5">
            <Ticks isVerified />
            {money(summary.verified_amount)} verified
          </span>
          <br />
          <span className="inline-flex items-center gap-1.5">
            <Ticks isVerified={false} />
            {money(summary.waiting_amount)} waiting
          </span>
        </dd>
      </div>
    </dl>
  )
}
