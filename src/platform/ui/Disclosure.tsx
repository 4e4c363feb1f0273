import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

/** Something that stays folded until it is asked for; what is inside is drawn, and fetched, only then. */
export function Disclosure({
  title,
  className = '',
  children,
}: {
  title: ReactNode
  className?: string
  children: ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className={className} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 items-center gap-1.5">
        <ChevronRight className={`i shrink-0 ${isOpen ? 'rotate-90' : ''}`} aria-hidden="true" />
        {title}
      </summary>
      {isOpen && children}
    </details>
  )
}
