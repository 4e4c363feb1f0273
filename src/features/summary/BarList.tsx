import type { ReactNode } from 'react'
import { type Amounts, hasOtherSide } from './summary.ts'

interface Bar {
  id: string
  label: ReactNode
  /** Lengths of the bar's two parts: a solid part, and a hatched part for amounts that are still waiting. */
  solid: number
  hatched?: number
  /** The exact value as text. */
  value: string
}

/**
 * Horizontal bars, one per line. Each shows its exact value as text, so screen readers read the chart as a
 * list.
 */
export function BarList({ title, bars, note }: { title: string; bars: Bar[]; note?: ReactNode }) {
  const most = Math.max(...bars.map(lengthOf), 1e-9)
  const width = (part: number) => ({ width: `${(part / most) * 100}%` })
  return (
    <section className="card p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2>{title}</h2>
        {note}
      </div>
      <ul className="mt-3 grid gap-3">
        {bars.map((bar) => (
          <li key={bar.id}>
            <span className="flex items-baseline justify-between gap-3 text-small">
              <span className="min-w-0 font-semibold wrap-anywhere">{bar.label}</span>
              <span className={`num whitespace-nowrap ${lengthOf(bar) ? 'font-semibold' : 'text-ink-3'}`}>
                {bar.value}
              </span>
            </span>
            <span className="mt-1 flex h-3 overflow-hidden rounded-[4px] bg-sunken" aria-hidden="true">
              {bar.solid > 0 && <span className="bg-accent" style={width(bar.solid)} />}
              {!!bar.hatched && (
                <span className="hatch border-[1.5px] border-accent" style={width(bar.hatched)} />
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function lengthOf({ solid, hatched = 0 }: Bar): number {
  return solid + hatched
}

/** The legend for the parts of the bars. Renders nothing if nobody else can confirm sessions. */
export function BarLegend({ amounts }: { amounts: Amounts }) {
  if (!hasOtherSide(amounts)) return null
  const hasOwn = amounts.own_amount > 0
  return (
    <span className="flex flex-wrap gap-x-4 text-small text-ink-2">
      <span className="inline-flex items-center gap-1.5">
        <i className="size-3 rounded-[4px] bg-accent" />
        {hasOwn ? 'Agreed or only yours' : 'Agreed'}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <i className="hatch size-3 rounded-[4px] border-[1.5px] border-accent" />
        Waiting
      </span>
    </span>
  )
}
