import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

/** Collapsed content. It isn't rendered or loaded until you open it. */
export function Disclosure({
  title,
  className = '',
  mustShow = false,
  isOpenAtFirst = false,
  children,
}: {
  title: ReactNode
  className?: string
  /** True if there's something inside that must be visible, such as an error. */
  mustShow?: boolean
  isOpenAtFirst?: boolean
  children: ReactNode
}) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const shows = isOpen || mustShow
  return (
    <details className={className} open={shows} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 items-center gap-1.5">
        <ChevronRight className={`i shrink-0 ${shows ? 'rotate-90' : ''}`} aria-hidden="true" />
        {title}
      </summary>
      {shows && children}
    </details>
  )
}
