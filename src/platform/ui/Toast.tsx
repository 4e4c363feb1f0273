import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import type { ToastCard } from './ToastCard.tsx'

// Hand-written, because a toast library would add 36 kB to every public page's first load
// (docs/decisions/0005-a-toast-of-our-own.md).

/** Controls that a toast must not cover while they're in use. */
export const CONTROL = 'a[href], button, input, select, textarea, summary, [role=tab], [role=option]'

/** The window event that fires when a dialog, a sheet or a menu opens. */
export const LAYER_OPENED = 'layeropened'

export interface Notice {
  id: number
  kind: 'success' | 'error'
  title: string
  message?: string
  action?: { label: string; run: () => void }
  /** True if the form shows this error too. The toast can then close automatically. */
  isAtForm?: boolean
}

export interface Toasts {
  success(title: string, message?: string, action?: Notice['action']): void
  error(title: string, message?: string, place?: Pick<Notice, 'isAtForm'>): void
}

let shown: Notice | undefined
let count = 0
let pressed: Element | null = null
/**
 * True once the user has done something since the toast appeared. Until then, navigating doesn't dismiss the
 * toast.
 */
let isSeen = false
const listeners = new Set<() => void>()
/**
 * Loaded on first use, so that it isn't part of the public pages' first load. Until it has loaded, only the
 * toast's text is shown.
 */
let Card: typeof ToastCard | undefined
let isLoading = false

function loadCard(): void {
  if (isLoading) return
  isLoading = true
  import('./ToastCard.tsx').then(
    (loaded) => {
      Card = loaded.ToastCard
      if (shown) show(shown)
    },
    () => {
      isLoading = false
    },
  )
}

const dismiss = () => show()
const lastPressed = () => pressed

function show(notice?: Omit<Notice, 'id'>): void {
  shown = notice && { ...notice, id: ++count }
  isSeen = false
  if (notice) loadCard()
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
  loadCard()
}

// Opening a dialog dismisses an old toast, just as navigating does, because the toast would cover the
// dialog's buttons.
function makeRoom(): void {
  if (shown && isSeen && !shown.action) show()
}

export function useToast(): Toasts {
  return toasts
}

/** Shows toasts on top of the page, one at a time. */
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
    addEventListener(LAYER_OPENED, makeRoom)
    return () => {
      removeEventListener(LAYER_OPENED, makeRoom)
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
      {/* Both live regions are always present, because screen readers announce text added to a region, but
          not a region added with its text. A dialog hides everything except elements with aria-live. */}
      <div role="status" aria-live="polite">
        {notice?.kind === 'success' && cardOf(notice)}
      </div>
      <div role="alert" aria-live="assertive">
        {notice?.kind === 'error' && cardOf(notice)}
      </div>
    </>
  )
}

function cardOf(notice: Notice): ReactNode {
  if (Card) return <Card key={notice.id} notice={notice} dismiss={dismiss} lastPressed={lastPressed} />
  return (
    <p className="toast">
      {notice.title} {notice.message}
    </p>
  )
}
