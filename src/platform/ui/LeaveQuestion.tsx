// Asks before a form with typed text is closed.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useBackGesture } from './back-gesture.web.ts'
import { Button } from './Button.tsx'

/**
 * How to leave a form. Back leaves it too.
 * @param isDirty true if something was typed; the user is then asked first
 * @param isInPage true if the form is part of the page, and doesn't cover it
 */
export function useLeaving(
  isDirty: boolean,
  onClose: () => void,
  isInPage = false,
): {
  leave: () => void
  isAsking: boolean
  dismiss: () => void
  question: ReactNode
} {
  const used = useRef<Element>(null)
  const [isAsking, setIsAsking] = useState(false)
  const stay = () => {
    setIsAsking(false)
    if (used.current instanceof HTMLElement) used.current.focus()
  }
  const leave = () => {
    if (isAsking) return stay()
    if (!isDirty) return onClose()
    used.current = document.activeElement
    setIsAsking(true)
  }
  useBackGesture(leave, true, isInPage)
  return {
    leave,
    isAsking,
    dismiss: () => setIsAsking(false),
    question: isAsking && (
      <LeaveQuestion className={isInPage ? 'mt-5 flex gap-3' : 'foot'} onStay={stay} onLeave={onClose} />
    ),
  }
}

interface LeaveQuestionProps {
  className: string
  onStay: () => void
  onLeave: () => void
}

function LeaveQuestion({ className, onStay, onLeave }: LeaveQuestionProps) {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector<HTMLElement>('button:last-of-type')?.focus(), [])
  return (
    <div ref={place} className={`${className} flex-wrap`} role="group" aria-labelledby={id}>
      <p id={id} className="basis-full font-semibold">
        Discard what you typed?
      </p>
      <Button tone="secondary" onClick={onLeave}>
        Discard
      </Button>
      <Button className="flex-1" aria-describedby={id} onClick={onStay}>
        Keep editing
      </Button>
    </div>
  )
}
