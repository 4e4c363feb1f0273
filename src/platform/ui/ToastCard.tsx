import { Check, X } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { CONTROL, type Notice } from './Toast.tsx'

/**
 * Five seconds (docs/design/look.md, section 5), or ten if there's something to take back. Errors stay on screen
 * unless the form shows them too (docs/decisions/0013-toasts-out-of-the-way.md).
 */
const SHOWN_MS = 5000
const UNDO_MS = 10_000

/** What's fixed to the bottom of the screen, one above the other. */
const BARS = '.nav, .pinned, .above-nav, .sheet .foot'
/** The space below the toasts, and where the page's header ends. */
const GAP = 12
const HEADER = 68

interface ToastCardProps {
  notice: Notice
  close: () => void
  act: () => void
  /** The control that was last pressed. Safari doesn't focus a button when it's tapped. */
  lastPressed: () => Element | null
}

/** Whether a dialog or sheet opened after the toast, which then waits behind it. */
function useIsBehind(): boolean {
  const [isBehind, setIsBehind] = useState(false)
  useEffect(() => {
    const count = () => document.querySelectorAll('.sheet, .dlg').length
    let first = count()
    const watch = new MutationObserver(() => {
      first = Math.min(first, count())
      setIsBehind(count() > first)
    })
    watch.observe(document.body, { childList: true, subtree: true })
    return () => watch.disconnect()
  }, [])
  return isBehind
}

/** Keeps the toasts above the keyboard, the bars at the bottom, and the control in use. */
function usePlace(card: RefObject<HTMLElement | null>, lastPressed: () => Element | null): void {
  useLayoutEffect(() => {
    const stack = card.current?.closest<HTMLElement>('.toasts')
    if (!stack) return
    const look = () => {
      const used = document.activeElement?.matches(CONTROL) ? document.activeElement : lastPressed()
      // A button that moves while it's pressed doesn't count as pressed.
      if (stack.style.bottom && used && stack.contains(used)) return
      stack.style.bottom = `${innerHeight - floorOf(stack, used)}px`
    }
    let isDue = false
    // Wait until the browser has scrolled to the focused element.
    const lookSoon = () => {
      if (isDue) return
      isDue = true
      requestAnimationFrame(() => {
        isDue = false
        look()
      })
    }
    look()
    const events = ['focusin', 'pointerdown', 'scrollend', 'resize'] as const
    for (const event of events) addEventListener(event, lookSoon, true)
    visualViewport?.addEventListener('resize', lookSoon)
    // Another page may have other bars.
    const watch = new MutationObserver(lookSoon)
    watch.observe(document.body, { childList: true, subtree: true })
    return () => {
      for (const event of events) removeEventListener(event, lookSoon, true)
      visualViewport?.removeEventListener('resize', lookSoon)
      watch.disconnect()
    }
  }, [card, lastPressed])
}

/** Where the toasts end, in pixels from the top of the screen. */
function floorOf(stack: HTMLElement, used: Element | null): number {
  const { left, right, height } = stack.getBoundingClientRect()
  const isBeside = (box: DOMRect) => box.right <= left || box.left >= right || box.height === 0
  const screen = visualViewport ? visualViewport.offsetTop + visualViewport.height : innerHeight
  const bars = [...document.querySelectorAll(BARS)].map((bar) => bar.getBoundingClientRect())
  let floor = screen
  for (const bar of bars.sort((one, other) => other.bottom - one.bottom)) {
    const isCovered = !isBeside(bar) && bar.bottom > floor - GAP - height && bar.top < floor
    if (isCovered && bar.top - GAP - height > HEADER) floor = bar.top
  }
  floor -= GAP
  if (!used?.isConnected || !used.matches(CONTROL) || stack.contains(used)) return floor
  const box = used.getBoundingClientRect()
  const isCovered = !isBeside(box) && box.bottom > floor - height && box.top < floor
  const above = box.top - GAP
  return isCovered && above - height > HEADER ? above : floor
}

/**
 * A single toast. It closes after a while or when dismissed. That time doesn't run while it's hovered or focused, or
 * while a dialog is in front of it.
 */
export function ToastCard({ notice, close, act, lastPressed }: ToastCardProps) {
  const [isHeld, setIsHeld] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  const isBehind = useIsBehind()
  usePlace(card, lastPressed)
  const isError = notice.kind === 'error'
  const stays = isHeld || isBehind || (isError && !notice.isAtForm)
  const ms = notice.action ? UNDO_MS : SHOWN_MS
  const lapse = useEffectEvent(close)
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => lapse(), ms)
    return () => clearTimeout(timer)
  }, [stays, ms])
  return (
    <div
      ref={card}
      className={notice.action ? 'toast' : 'toast passes'}
      hidden={isBehind}
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
        <p className="text-[.9375rem] font-semibold">{notice.title}</p>
        {notice.message && <p className="num text-small text-on-inverse-2">{notice.message}</p>}
      </div>
      {notice.action && (
        <button
          type="button"
          className="-my-2 min-h-11 min-w-11 shrink-0 px-1.5 font-semibold underline"
          onClick={act}
        >
          {notice.action.label}
        </button>
      )}
      <button
        type="button"
        className="-my-2 grid size-11 shrink-0 place-items-center rounded-md"
        aria-label="Dismiss"
        onClick={close}
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </div>
  )
}
