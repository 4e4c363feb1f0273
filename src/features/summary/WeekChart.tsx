import { useMoney } from '#features/accounts/client.web.ts'
import { centsOfDollars } from '#kernel/money.ts'
import { BarLegend } from './BarList.tsx'
import type { Week } from './summary.ts'

/** What the charts of the summary show. */
export type Measure = 'amount' | 'hours'

/** The plot's height in the units of its picture. */
const HEIGHT = 100

/** The month by week: money solid for verified and hatched for waiting, or hours; the exact value on each bar, and the same as a table. */
export function WeekChart({ weeks, measure }: { weeks: Week[]; measure: Measure }) {
  const money = useMoney()
  const bars = weeks.map((week) => {
    const amount = (centsOfDollars(week.verified_amount) + centsOfDollars(week.waiting_amount)) / 100
    return {
      week,
      amount,
      range: `${Number(week.from.slice(8))}–${Number(week.to.slice(8))}`,
      ...(measure === 'amount'
        ? { solid: week.verified_amount, hatched: week.waiting_amount, value: amount ? money(amount) : '–' }
        : { solid: week.hours, hatched: 0, value: week.hours ? `${week.hours.toFixed(1)} h` : '–' }),
    }
  })
  const most = Math.max(...bars.map(({ solid, hatched }) => solid + hatched), 0.01)
  // The rest of the height is for the value above the bar.
  const height = (part: number) => ({ height: `${(part / most) * HEIGHT * 0.82}%` })
  return (
    <figure className="card flex flex-col p-5">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2>By week</h2>
        {measure === 'amount' && <BarLegend />}
      </figcaption>
      <div className="mt-4 flex flex-1 flex-col" aria-hidden="true">
        <div className="week-bars">
          {bars.map(({ week, solid, hatched, value }) => (
            <div key={week.from} className="flex h-full flex-col items-center justify-end">
              <span className={`num mb-1 text-micro font-semibold ${solid + hatched ? '' : 'text-ink-3'}`}>
                {value}
              </span>
              {hatched > 0 && (
                <span
                  className="hatch w-full max-w-[52px] rounded-t-[8px] border-[1.5px] border-b-0 border-accent"
                  style={height(hatched)}
                />
              )}
              {solid > 0 && (
                <span
                  className={`w-full max-w-[52px] bg-accent ${hatched > 0 ? '' : 'rounded-t-[8px]'}`}
                  style={height(solid)}
                />
              )}
            </div>
          ))}
        </div>
        <div className="num mt-2 grid auto-cols-fr grid-flow-col gap-3 text-center text-small text-ink-3">
          {bars.map(({ week, range }) => (
            <span key={week.from}>{range}</span>
          ))}
        </div>
      </div>
      {/* A table grows with its figures however it is hidden; a box does not. */}
      <div className="sr-only">
        <table>
          <caption>Sessions, hours and money by week</caption>
          <thead>
            <tr>
              <th scope="col">Days</th>
              <th scope="col">Sessions</th>
              <th scope="col">Hours</th>
              <th scope="col">Verified</th>
              <th scope="col">Waiting</th>
              <th scope="col">Together</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ week, range, amount }) => (
              <tr key={week.from}>
                <th scope="row">{range}</th>
                <td>{week.sessions}</td>
                <td>{week.hours.toFixed(1)}</td>
                <td>{money(week.verified_amount)}</td>
                <td>{money(week.waiting_amount)}</td>
                <td>{money(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
