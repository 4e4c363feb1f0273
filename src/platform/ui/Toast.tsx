import { Check, X } from 'lucide-react'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useLocation } from 'react-router'

// Our own few lines: a library's toast weighed 36 kB in the first load of every public page (decision record 0005).

/** DESIGN section 5: five seconds, errors stay, but for those that the form shows too (decision record 0013). */
const SHOWN_MS = 5000
/** What a toast must not cover while it is in use. */
const CONTROL = 'a[href], button, input, select, textarea, summary, [role=tab], [role=option]'

interface Notice {
  id: number
  kind: 'success' | 'error'
  title: string
  message?: string
  action?: { label: string; run: () => void }
  /** The same failure stands at the form, so this need not stay. */
  isAtForm?: boolean
}

export interface Toasts {
  success(title: string, message?: string, action?: Notice['action']): void
  error(title: string, message?: string, place?: Pick<Notice, 'isAtForm'>): void
}

let shown: Notice | undefined
let count = 0
/** What was pressed last; Safari gives no focus to a button that is tapped. */
let pressed: Element | null = null
/** Whether the user did anything since the toast appeared. A page that opens before that brought the toast along. */
let isSeen = false
const listeners = new Set<() => void>()

function show(notice?: Omit<Notice, 'id'>): void {
  shown = notice && { ...notice, id: ++count }
  isSeen = false
  for (const listener of listeners) listener()
}

const toasts: Toasts = {
  success: (title, message, action) => show({ kind: 'success', title, message, action }),
  error: (title, message, place) => show({ kind: 'error', title, message, ...place }),
}

function noteUse(event: Event): void {
  const target = event.target instanceof Element ? event.target : null
  if (event.type === 'pointerdown') pressed = target?.closest(CONTROL) ?? null
  if (!target?.closest('.toast')) isSeen = true
}

/** The way to show a notice from a screen. */
export function useToast(): Toasts {
  return toasts
}

/** Shows short notices above the page, one at a time. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const notice = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
    () => undefined,
  )
  useEffect(() => {
    const events = ['pointerdown', 'keydown', 'popstate'] as const
    for (const event of events) addEventListener(event, noteUse, true)
    return () => {
      for (const event of events) removeEventListener(event, noteUse, true)
    }
  }, [])
  const { pathname } = useLocation()
  useEffect(() => {
    if (shown && isSeen) show()
  }, [pathname])
  return (
    <>
      {children}
      {/* Both regions are always there: a screen reader announces what is put into one, not one that appears filled.
          A dialog hides everything but live regions that say so by aria-live. */}
      <div role="status" aria-live="polite">
        {notice?.kind === 'success' && <ToastCard key={notice.id} notice={notice} />}
      </div>
      <div role="alert" aria-live="assertive">
        {notice?.kind === 'error' && <ToastCard key={notice.id} notice={notice} />}
      </div>
    </>
  )
}

/** Whether the toast has to give way to the control in use, by moving to the other end of the screen. */
function useGivesWay(card: RefObject<HTMLElement | null>): boolean {
  const [givesWay, setGivesWay] = useState(false)
  useLayoutEffect(() => {
    const look = () => {
      const used = document.activeElement?.matches(CONTROL) ? document.activeElement : pressed
      if (covers(card.current, used)) setGivesWay((before) => !before)
    }
    // Only after the browser has scrolled to what got the focus.
    const lookSoon = () => requestAnimationFrame(look)
    look()
    const events = ['focusin', 'pointerdown', 'scrollend', 'resize'] as const
    for (const event of events) addEventListener(event, lookSoon, true)
    return () => {
      for (const event of events) removeEventListener(event, lookSoon, true)
    }
  }, [card])
  return givesWay
}

// By its place without the movement of its appearance.
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

function ToastCard({ notice }: { notice: Notice }) {
  const [isHeld, setIsHeld] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  const givesWay = useGivesWay(card)
  const isError = notice.kind === 'error'
  const stays = isHeld || (isError && !notice.isAtForm)
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => show(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [stays])
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
            show()
          }}
        >
          {notice.action.label}
        </button>
      )}
      <button
        type="button"
        className="-my-2 grid size-11 shrink-0 place-items-center rounded-md"
        aria-label="Dismiss"
        onClick={() => show()}
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </div>
  )
}
