import { useEffect, useRef } from 'react'
import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'

interface AddAnywayProps {
  /** A description of what looks wrong, such as "0 h." */
  doubt: string
  question: string
  yes: string
  busy?: boolean
  busyText?: string
  onYes: () => void
}

/**
 * Asks for confirmation before saving something that looks wrong. It's shown inside the form, away from the
 * button you just pressed.
 */
export function AddAnyway({ doubt, question, yes, busy, busyText, onYes }: AddAnywayProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [doubt])
  return (
    <div ref={place} tabIndex={-1} role="group" aria-label={`${doubt} ${question}`} className="col-span-full">
      <Notice>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="font-semibold">
            {doubt} {question}
          </p>
          <Button tone="secondary" size="small" busy={busy} busyText={busyText} onClick={onYes}>
            {yes}
          </Button>
        </div>
      </Notice>
    </div>
  )
}
