import { CircleAlert } from 'lucide-react'
import { useContext, useEffect, useRef } from 'react'
import { StartedOver } from './FormBoundary.tsx'

const STARTED_OVER = "What you typed couldn't be restored, so this form was reset."

/**
 * Why the form couldn't be submitted, shown until the problem is fixed. This isn't a live region, because a
 * toast already announces the error.
 */
export function FormAlert({ text, className = '' }: { text?: string; className?: string }) {
  const isStartedOver = useContext(StartedOver)
  const shown = text ?? (isStartedOver ? STARTED_OVER : undefined)
  const line = useRef<HTMLParagraphElement>(null)
  // In newer browsers, this call returns a promise, which an effect must not return.
  useEffect(() => {
    void line.current?.scrollIntoView({ block: 'nearest' })
  }, [shown])
  if (!shown) return null
  return (
    <p ref={line} className={`form-alert ${className}`}>
      <CircleAlert className="i mt-0.5 shrink-0" aria-hidden="true" />
      <span className="min-w-0 flex-1 wrap-anywhere">{shown}</span>
    </p>
  )
}
