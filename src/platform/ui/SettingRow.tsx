import type { ReactNode } from 'react'

interface SettingRowProps {
  title: ReactNode
  line?: ReactNode
  /** Shown on the right: a button, a badge or another control. */
  children?: ReactNode
}

export function SettingRow({ title, line, children }: SettingRowProps) {
  return (
    <div className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="min-w-32 flex-1">
        <p className="leading-snug font-semibold [overflow-wrap:anywhere]">{title}</p>
        {line && <p className="text-small leading-snug text-ink-2 [overflow-wrap:anywhere]">{line}</p>}
      </div>
      {children}
    </div>
  )
}
