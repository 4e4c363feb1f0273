import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { FormAlert } from './FormAlert.tsx'
import { useLeaving } from './LeaveQuestion.tsx'
import { usePlaceName } from './place.web.ts'

interface FormPanelProps {
  title: string
  /** True if something was typed. Back and Escape then ask for confirmation. */
  isDirty: boolean
  onClose: () => void
  /** Why the form couldn't be submitted. Shown until the next attempt. */
  problem?: string
  footer: ReactNode
  children: ReactNode
}

/** A form in the page, above the list it belongs to. Gets the focus when it opens, and returns it when it closes. */
export function FormPanel({ title, isDirty, onClose, problem, footer, children }: FormPanelProps) {
  const id = useId()
  const place = usePlaceName()
  const panel = useRef<HTMLElement>(null)
  const [opener] = useState(() => document.activeElement)
  const { leave, isAsking, dismiss, question } = useLeaving(isDirty, onClose, true)
  useEffect(() => {
    const opened = panel.current
    // On touch screens, focusing a field would open the keyboard over half of the form.
    const field = matchMedia('(pointer: coarse)').matches ? null : opened?.querySelector('input')
    ;(field ?? opened?.querySelector('h2'))?.focus({ preventScroll: true })
    opened?.scrollIntoView({ block: 'nearest' })
    return () => {
      // The button that opened the form may be gone, for example if you just added a list's first entry.
      const isLost = document.activeElement === document.body
      const canReturn = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
      if (isLost) (canReturn ? opener : document.querySelector<HTMLElement>('main h1'))?.focus()
    }
  }, [opener])
  useEffect(() => {
    const opened = panel.current
    const leaveOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && leave()
    opened?.addEventListener('keydown', leaveOnEscape)
    return () => opened?.removeEventListener('keydown', leaveOnEscape)
  })
  return (
    <section ref={panel} className="card mt-5 max-w-2xl p-5" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} className="outline-none">
        {title}
      </h2>
      {place && <p className="truncate text-small text-ink-2">{place}</p>}
      {/* Typing dismisses the "Discard?" question. */}
      <div className="mt-4" onInput={dismiss}>
        {children}
      </div>
      <FormAlert text={problem} className="mt-4" />
      {/* Hidden instead of removed, because the buttons belong to the form. */}
      <div className={isAsking ? 'hidden' : 'mt-5 flex gap-3'}>{footer}</div>
      {question}
    </section>
  )
}
