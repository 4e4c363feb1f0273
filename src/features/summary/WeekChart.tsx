import { centsOfDollars, formatMoney } from '#kernel/money.ts'
import type { Week } from './summary.ts'

/** The plot's height in the units of its picture. */
const HEIGHT = 100

/** The month's money by week: solid for verified, hatched for waiting, the exact value on each bar. */
export function WeekChart({ weeks }: { weeks: Week[] }) {
  const totals = weeks.map((week) => centsOfDollars(week.verified_amount) + centsOfDollars(week.waiting_amount))
  const most = Math.max(...totals, 1)
  const money = (amount: number) => formatMoney(centsOfDollars(amount))
  const range = (week: Week) => `${Number(week.from.slice(8))}–${Number(week.to.slice(8))}`
  const sentence = weeks.map((week, at) => (totals[at] ? `${range(week)}: ${money((totals[at] ?? 0) / 100)}, of which ${money(week.waiting_amount)} is waiting` : `${range(week)}: nothing`)).join('; ')
  return (
    <figure className="card flex flex-col p-5">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2>By week</h2>
        <span className="flex gap-4 text-small text-ink-2">
          <span className="inline-flex items-center gap-1.5"><i className="size-3 rounded-[4px] bg-accent" />Verified</span>
          <span className="inline-flex items-center gap-1.5"><i className="hatch size-3 rounded-[4px] border-[1.5px] border-accent" />Waiting</span>
        </span>
      </figcaption>
      <div role="img" aria-label={`Money by week. ${sentence}`} className="mt-4 flex flex-1 flex-col">
        <div className="week-bars" aria-hidden="true">
          {weeks.map((week, at) => {
            const height = (amount: number) => (centsOfDollars(amount) / most) * HEIGHT
            return (
              <div key={week.from} className="flex h-full flex-col items-center justify-end">
                <span className={`num mb-1 text-micro font-semibold ${totals[at] ? '' : 'text-ink-3'}`}>{totals[at] ? money((totals[at] ?? 0) / 100) : '–'}</span>
                {week.waiting_amount > 0 && <span className="hatch w-full max-w-[52px] rounded-t-[8px] border-[1.5px] border-b-0 border-accent" style={{ height: `${height(week.waiting_amount) * 0.82}%` }} />}
                {week.verified_amount > 0 && <span className={`w-full max-w-[52px] bg-accent ${week.waiting_amount > 0 ? '' : 'rounded-t-[8px]'}`} style={{ height: `${height(week.verified_amount) * 0.82}%` }} />}
              </div>
            )
          })}
        </div>
        <div className="num mt-2 grid auto-cols-fr grid-flow-col gap-3 text-center text-small text-ink-3" aria-hidden="true">{weeks.map((week) => <span key={week.from}>{range(week)}</span>)}</div>
      </div>
    </figure>
  )
}
