import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="flex gap-3 rounded-md border border-warn-line bg-warn-soft p-4">
      <TriangleAlert className="i mt-0.5 size-5 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}
