import { Check, X } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { CONTROL, type Notice } from './Toast.tsx'

/**
 * Five seconds (docs/design/look.md, section 5). Errors stay on screen unless the form shows them too
 * (docs/decisions/0013-toasts-out-of-the-way.md).
 */
const SHOWN_MS = 5000

interface ToastCardProps {
  notice: Notice
  dismiss: () => void
  /** The control that was last pressed. Safari doesn't focus a button when it's tapped. */
  lastPressed: () => Element | null
}

/** True if the toast covers the control in use and has to move to the other end of the screen. */
function useGivesWay(card: RefObject<HTMLElement | null>, lastPressed: () => Element | null): boolean {
  const [givesWay, setGivesWay] = useState(false)
  useLayoutEffect(() => {
    const look = () => {
      const used = document.activeElement?.matches(CONTROL) ? document.activeElement : lastPressed()
      if (covers(card.current, used)) setGivesWay((before) => !before)
    }
    // Wait until the browser has scrolled to the focused element.
    const lookSoon = () => requestAnimationFrame(look)
    look()
    const events = ['focusin', 'pointerdown', 'scrollend', 'resize'] as const
    for (const event of events) addEventListener(event, lookSoon, true)
    return () => {
      for (const event of events) removeEventListener(event, lookSoon, true)
    }
  }, [card, lastPressed])
  return givesWay
}

// Offsets, unlike bounding boxes, aren't affected by the entrance animation.
function covers(card: HTMLElement | null, used: Element | null): boolean {
  if (!card || !used?.isConnected || !used.matches(CONTROL) || card.contains(used)) return false
  const { left, right, top, bottom } = used.getBoundingClientRect()
  const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = card
  return (
    left < offsetLeft + offsetWidth &&
    right > offsetLeft &&
    top < offsetTop + offsetHeight &&
    bottom > offsetTop
  )
}

/**
 * A single toast. It moves away from the control in use, and closes after five seconds or when dismissed. It
 * stays open while it's hovered or focused.
 */
export function ToastCard({ notice, dismiss, lastPressed }: ToastCardProps) {
  const [isHeld, setIsHeld] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  const givesWay = useGivesWay(card, lastPressed)
  const isError = notice.kind === 'error'
  const stays = isHeld || (isError && !notice.isAtForm)
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(dismiss, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [stays, dismiss])
  return (
    <div
      ref={card}
      className={givesWay ? 'toast gives-way' : 'toast'}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <span
        className={`mt-0.5 grid size-[22px] shrink-0 place-items-center rounded-full ${isError ? 'bg-danger text-on-danger' : 'bg-marker text-on-marker'}`}
        aria-hidden="true"
      >
        {isError ? (
          <X className="size-3.5" strokeWidth={3} />
        ) : (
          <Check className="size-3.5" strokeWidth={3.5} />
        )}
      </span>
      <div className="min-w-0 flex-1 py-0.5">
        <p className="font-semibold">{notice.title}</p>
        {notice.message && <p className="text-small text-on-inverse-2">{notice.message}</p>}
      </div>
      {notice.action && (
        <button
          type="button"
          className="min-h-11 px-2 font-semibold underline"
          onClick={() => {
            notice.action?.run()
            dismiss()
          }}
        >
          {notice.action.label}
        </button>
      )}
      <button
        type="button"
        className="-my-2 grid size-11 shrink-0 place-items-center rounded-md"
        aria-label="Dismiss"
        onClick={dismiss}
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </div>
  )
}
