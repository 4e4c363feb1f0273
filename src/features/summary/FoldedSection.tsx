import type { ReactNode } from 'react'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { useWidth } from '#platform/ui/width.web.ts'

interface FoldedSectionProps {
  title: string
  /** Shown beside the heading. */
  action?: ReactNode
  children: ReactNode
}

/** A heading with a card below it. On a phone, the card is collapsed until you open it. */
export function FoldedSection({ title, action, children }: FoldedSectionProps) {
  if (useWidth('phone'))
    return (
      <Disclosure
        className="card overflow-hidden [&>summary]:px-3"
        title={<h2 className="text-h3">{title}</h2>}
      >
        {action && <div className="px-4">{action}</div>}
        {children}
      </Disclosure>
    )
  return (
    <section className="card overflow-hidden">
      <div className="flex flex-wrap items-center justify-between gap-x-3 px-4 pt-4 pb-1">
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}
