import { WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'

interface EmptyProps {
  title: string
  line?: string
  action?: ReactNode
  /** True if the page has nothing else on it. The title is then the page's heading. */
  isPage?: boolean
}

/** An empty state: what will appear here, one line of text, and one thing to do. */
export function Empty({ title, line, action, isPage = false }: EmptyProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className="card grid justify-items-center px-6 py-10 text-center">
      <svg width="116" height="80" viewBox="0 0 116 80" aria-hidden="true">
        <rect width="116" height="80" rx="12" fill="var(--color-sunken)" />
        <path d="M31 0v80" stroke="var(--color-margin)" strokeWidth="3" />
        <path
          d="M42 26h54M42 42h54M42 58h32"
          stroke="var(--color-line)"
          strokeWidth="4"
          strokeLinecap="round"
        />
      </svg>
      <Heading className="mt-6 text-h2">{title}</Heading>
      {line && <p className="mt-1.5 text-ink-2">{line}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}

/** Shown when a list didn't load. Says that nothing was lost and offers to try again. */
export function LoadFailed({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <div className="card grid justify-items-center px-6 py-10 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-danger-soft text-danger">
        <WifiOff className="size-6" aria-hidden="true" />
      </span>
      <h2 className="mt-5">{title}</h2>
      <p className="mt-1.5 text-balance text-ink-2">Nothing is lost. Check the connection and try again.</p>
      <Button className="mt-5" tone="secondary" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
