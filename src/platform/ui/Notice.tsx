import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export interface NoticeProps {
  tone?: 'warn' | 'info'
  className?: string
  children: ReactNode
}

/** A note in the page that stays until its cause is gone. */
export function Notice({ tone = 'info', className = '', children }: NoticeProps) {
  const Icon = tone === 'warn' ? TriangleAlert : Info
  return (
    <div className={`note note-${tone} ${className}`}>
      <Icon aria-hidden="true" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}
