import type { RefObject } from 'react'
import { useMoney } from '#platform/ui/money.web.ts'
import { useFits } from '#platform/ui/fits.web.ts'
import { BarLegend, BarList } from './BarList.tsx'
import type { Measure } from './MeasureChoice.tsx'
import { type Amounts, barOf, hasOtherSide, sumOfAmounts, type Week } from './summary.ts'

/** The columns of the chart's data table when there's another side. */
const PARTS = [
  { field: 'verified_amount', header: 'Agreed' },
  { field: 'waiting_amount', header: 'Waiting' },
  { field: 'own_amount', header: 'Only yours' },
] as const

/** The plot's height, in percent. */
const HEIGHT = 100

/**
 * A month's totals by week. Verified amounts are solid and waiting amounts are hatched; hours are plain. Each
 * bar shows its exact value, and a table has the same data. The bars turn horizontal if the values don't fit
 * side by side.
 */
export function WeekChart({
  weeks,
  amounts,
  measure,
}: {
  weeks: Week[]
  amounts: Amounts
  measure: Measure
}) {
  const money = useMoney()
  const parts = PARTS.filter(({ field }) => hasOtherSide(amounts) && amounts[field] > 0)
  const bars = weeks.map((week) => {
    const amount = sumOfAmounts(week)
    return {
      week,
      amount,
      range: `${Number(week.from.slice(8))}–${Number(week.to.slice(8))}`,
      ...(measure === 'amount'
        ? { ...barOf(week), value: amount ? money(amount) : '–' }
        : { solid: week.hours, hatched: 0, value: week.hours ? `${week.hours.toFixed(1)} h` : '–' }),
    }
  })
  const most = Math.max(...bars.map(({ solid, hatched }) => solid + hatched), 0.01)
  // Leaves room for the value above the bar.
  const height = (part: number) => ({ height: `${(part / most) * HEIGHT * 0.82}%` })
  const [box, fits] = useFits<HTMLElement>(bars.map(({ value }) => value).join())
  if (!fits)
    return (
      <div ref={box as RefObject<HTMLDivElement>}>
        <BarList
          title="By week"
          note={measure === 'amount' && <BarLegend amounts={amounts} />}
          bars={bars.map(({ week, range, ...bar }) => ({ ...bar, id: week.from, label: range }))}
        />
      </div>
    )
  return (
    <figure ref={box} className="card flex min-w-0 flex-col p-5">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2>By week</h2>
        {measure === 'amount' && <BarLegend amounts={amounts} />}
      </figcaption>
      <div className="mt-4 flex flex-1 flex-col" aria-hidden="true">
        <div className="week-bars">
          {bars.map(({ week, solid, hatched, value }) => {
            const whole = solid + hatched
            const share = (part: number) => ({ height: `${(part / whole) * 100}%` })
            return (
              <div key={week.from} className="flex h-full flex-col items-center justify-end">
                <span className={`num mb-1 text-micro font-semibold ${whole ? '' : 'text-ink-3'}`}>
                  {value}
                </span>
                <span
                  className="flex w-full max-w-[52px] flex-col overflow-hidden rounded-t-[8px]"
                  style={height(whole)}
                >
                  {hatched > 0 && (
                    <span className="hatch border-[1.5px] border-b-0 border-accent" style={share(hatched)} />
                  )}
                  {solid > 0 && <span className="bg-accent" style={share(solid)} />}
                </span>
              </div>
            )
          })}
        </div>
        <div className="num mt-2 grid auto-cols-fr grid-flow-col gap-3 text-center text-small text-ink-3">
          {bars.map(({ week, range }) => (
            <span key={week.from}>{range}</span>
          ))}
        </div>
      </div>
      {/* Hides a box around the table, because a visually hidden table still grows with its content. */}
      <div className="sr-only">
        <table>
          <caption>Sessions, hours and money by week</caption>
          <thead>
            <tr>
              <th scope="col">Days</th>
              <th scope="col">Sessions</th>
              <th scope="col">Hours</th>
              {parts.map(({ header }) => (
                <th key={header} scope="col">
                  {header}
                </th>
              ))}
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ week, range, amount }) => (
              <tr key={week.from}>
                <th scope="row">{range}</th>
                <td>{week.sessions}</td>
                <td>{week.hours.toFixed(1)}</td>
                {parts.map(({ header, field }) => (
                  <td key={header}>{money(week[field])}</td>
                ))}
                <td>{money(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
