import { ChevronRight } from 'lucide-react'
import { useState } from 'react'

interface Labeled {
  label: string
  text: string | null
}

/** The maximum number of characters that fit in one row. */
const SHORT = 90

/**
 * Labeled paragraphs of user-written text. Short ones are shown in full, longer ones collapsed. Renders
 * nothing if all of them are empty.
 */
export function Folded({ texts, className = '' }: { texts: readonly Labeled[]; className?: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const written = texts.filter((one): one is { label: string; text: string } => Boolean(one.text))
  if (written.length === 0) return null
  const inFull = written.map(({ label, text }) => (
    <p key={label} className="break-words whitespace-pre-line">
      <span className="text-ink-3">{label}:</span> {text}
    </p>
  ))
  const all = written.map(({ label, text }) => `${label}: ${text}`).join(' ')
  if (all.length <= SHORT && !all.includes('\n'))
    return <div className={`text-small text-ink-2 ${className}`}>{inFull}</div>
  return (
    <details
      className={`min-w-0 text-small text-ink-2 ${className}`}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-11 cursor-pointer items-center gap-1.5">
        <ChevronRight className={`i shrink-0 ${isOpen ? 'rotate-90' : ''}`} aria-hidden="true" />
        <span className="min-w-0 flex-1 truncate">
          {isOpen ? written.map(({ label }) => label).join(', ') : all}
        </span>
      </summary>
      <div className="grid gap-1.5 pb-1">{isOpen && inFull}</div>
    </details>
  )
}
