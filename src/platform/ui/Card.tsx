import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'

export interface CardProps extends ComponentProps<'div'> {
  as?: 'div' | 'section' | 'article' | 'li' | 'figure'
}

/** A flat surface with a hairline; never put one into another. */
export function Card({ as: Tag = 'div', className = '', ...rest }: CardProps) {
  const Element = Tag as 'div'
  return <Element {...rest} className={`card ${className}`} />
}

export interface SectionHeadingProps {
  children: ReactNode
  id?: string
  /** A link or button at the right, for example "View Summary". */
  action?: ReactNode
}

/** The h2 above a section. */
export function SectionHeading({ children, id, action }: SectionHeadingProps) {
  return (
    <div className="mb-2.5 flex min-h-11 items-center justify-between gap-3">
      <h2 id={id}>{children}</h2>
      {action}
    </div>
  )
}

export interface Stat {
  label: string
  value: ReactNode
  /** Where the cell leads. */
  to?: string
  /** A second, quieter line. */
  note?: string
}

export interface StatStripProps {
  items: readonly Stat[]
  className?: string
}

/** A row of small figures in one card, each a link where it has somewhere to go. */
export function StatStrip({ items, className = '' }: StatStripProps) {
  return (
    <div className={`card strip ${className}`}>
      {items.map(({ label, value, to, note }) => {
        const cell = (
          <>
            <span className="figure block">{value}</span>
            <span className="k">{label}</span>
            {note && <span className="block text-[.8125rem] leading-tight text-ink-3">{note}</span>}
          </>
        )
        return to === undefined ? <div key={label}>{cell}</div> : <Link key={label} to={to} className="hover:bg-sunken">{cell}</Link>
      })}
    </div>
  )
}
