import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'

export interface EmptyProps {
  title: string
  line?: ReactNode
  /** One button. */
  action?: ReactNode
  className?: string
}

/** A list with nothing in it yet: an empty page corner, what will be here, and how to start. */
export function Empty({ title, line, action, className = 'mt-4' }: EmptyProps) {
  return (
    <div className={`card px-6 py-10 text-center ${className}`}>
      <svg className="mx-auto" width="120" height="84" viewBox="0 0 120 84" aria-hidden="true">
        <rect x="2" y="2" width="116" height="80" rx="14" fill="var(--color-sunken)" />
        <path d="M34 2v80" stroke="var(--color-margin)" strokeWidth="2.5" />
        <path d="M46 26h52M46 43h52M46 60h30" stroke="var(--color-line)" strokeWidth="5" strokeLinecap="round" />
      </svg>
      <h2 className="mt-5">{title}</h2>
      {line && <p className="mt-1 text-ink-2">{line}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}

export interface LoadFailedProps {
  /** For example "Your students did not load". */
  title: string
  onRetry: () => void
  /** The new attempt is under way. */
  busy?: boolean
  className?: string
}

/** In the place of something that did not load; a toast alone would leave an empty page. */
export function LoadFailed({ title, onRetry, busy, className = 'mt-4' }: LoadFailedProps) {
  return (
    <div className={`card px-6 py-10 text-center ${className}`}>
      <span className="mx-auto grid size-14 place-items-center rounded-full bg-danger-soft text-danger"><CloudOff className="size-7" aria-hidden="true" /></span>
      <h2 className="mt-4">{title}</h2>
      <p className="mt-1 text-ink-2">Nothing is lost. Check the connection and try again.</p>
      <Button className="mt-5" tone="secondary" busy={busy} busyText="Trying..." onClick={onRetry}>Try again</Button>
    </div>
  )
}
