import type { ReactNode } from 'react'

export interface LogListProps {
  /** Names the list for screen readers. */
  label?: string
  className?: string
  children: ReactNode
}

/** The exercise-book page that holds log rows. */
export function LogList({ label, className = '', children }: LogListProps) {
  return <ul className={`card list overflow-hidden ${className}`} aria-label={label}>{children}</ul>
}

export interface LogRowProps {
  /** yyyy-MM-dd */
  day: string
  title: string
  detail: ReactNode
  /** A VerificationLine. */
  verification?: ReactNode
  /** Formatted money, never wrapped or cut. */
  amount?: string
  /** An icon button under the amount. */
  action?: ReactNode
  /** Anything under the text, for example the Confirm buttons. */
  children?: ReactNode
}

/** One line of the log: the day in the margin, the text, the amount at the right. */
export function LogRow({ day, title, detail, verification, amount, action, children }: LogRowProps) {
  const hasRight = amount !== undefined || action !== undefined
  return (
    <li className="log">
      <div className="d">
        <time dateTime={day}>
          <span className="grid justify-items-center" aria-hidden="true"><b>{Number(day.slice(8))}</b><span>{dayText(day, { weekday: 'short' })}</span></span>
          <span className="sr-only">{dayText(day, { weekday: 'long', month: 'long', day: 'numeric' })}</span>
        </time>
      </div>
      <div className={hasRight ? 'm' : 'm col-span-2 pr-4'}>
        <div className="t" title={title}>{title}</div>
        <div className="s">{detail}</div>
        {verification && <div className="mt-1">{verification}</div>}
        {children}
      </div>
      {hasRight && <div className="a">{amount !== undefined && <b>{amount}</b>}{action && <div className="log-action">{action}</div>}</div>}
    </li>
  )
}

// A calendar day has no time zone: reading it as UTC midnight and printing it in UTC keeps it the same day everywhere.
function dayText(day: string, parts: Intl.DateTimeFormatOptions): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { ...parts, timeZone: 'UTC' })
}
