import type { CSSProperties, ReactNode } from 'react'
import { Link } from 'react-router'

export function SectionHeading({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="mb-2.5 flex min-h-11 items-center justify-between gap-3">
      <h2>{children}</h2>
      {action}
    </div>
  )
}

/** A few numbers side by side. Each links to the items it counts. */
export function StatStrip({
  items,
}: {
  items: { label: string; value: string; to: string; note?: string }[]
}) {
  return (
    <div className="card strip mt-5">
      {items.map(({ label, value, to, note }) => (
        <Link key={label} to={to} className="first:rounded-l-lg last:rounded-r-lg hover:bg-sunken">
          <span className="figure block">{value}</span> <span className="k">{label}</span>
          {note && <span className="block text-[.8125rem] leading-tight text-ink-3"> {note}</span>}
        </Link>
      ))}
    </div>
  )
}

/** A number in large type, in a `.figures` cell. It shrinks to fit. */
export function Figure({ isLarge = false, children }: { isLarge?: boolean; children: string | number }) {
  const style = { '--chars': String(children).length } as CSSProperties
  return (
    <dd className={`${isLarge ? 'figure-lg' : 'figure'} mt-1`} style={style}>
      {children}
    </dd>
  )
}
