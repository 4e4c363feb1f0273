import type { ReactNode } from 'react'

export interface Bar {
  id: string
  label: ReactNode
  /** What the bar's length shows: the solid part, and the hatched part that is still waiting. */
  solid: number
  hatched?: number
  /** The exact value in words. */
  value: string
}

/** Lying bars, one a line, each with its exact value in words, so that a screen reader reads it as a list. */
export function BarList({ title, bars, note }: { title: string; bars: Bar[]; note?: ReactNode }) {
  const most = Math.max(...bars.map(({ solid, hatched = 0 }) => solid + hatched), 1e-9)
  const width = (part: number) => ({ width: `${(part / most) * 100}%` })
  return (
    <section className="card p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2>{title}</h2>
        {note}
      </div>
      <ul className="mt-3 grid gap-3">
        {bars.map(({ id, label, solid, hatched = 0, value }) => (
          <li key={id}>
            <span className="flex items-baseline justify-between gap-3 text-small">
              <span className="min-w-0 font-semibold">{label}</span>
              <span className={`num whitespace-nowrap ${solid + hatched ? 'font-semibold' : 'text-ink-3'}`}>
                {value}
              </span>
            </span>
            <span className="mt-1 flex h-3 overflow-hidden rounded-[4px] bg-sunken" aria-hidden="true">
              {solid > 0 && <span className="bg-accent" style={width(solid)} />}
              {hatched > 0 && <span className="hatch border-[1.5px] border-accent" style={width(hatched)} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What solid and hatched stand for. */
export function BarLegend() {
  return (
    <span className="flex gap-4 text-small text-ink-2">
      <span className="inline-flex items-center gap-1.5">
        <i className="size-3 rounded-[4px] bg-accent" />
        Verified
      </span>
      <span className="inline-flex items-center gap-1.5">
        <i className="hatch size-3 rounded-[4px] border-[1.5px] border-accent" />
        Waiting
      </span>
    </span>
  )
}
