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
  /** What the toast announced. Done when the toast closes in any way but its action. */
  send?: Held['send']
}

/** Something that's done only once nobody can take it back anymore. */
interface Held {
  /** @param isLeaving whether the page may be closing, so the request has to outlive it */
  send: (isLeaving: boolean) => Promise<unknown>
  undo: () => void
}

export interface Toasts {
  success(title: string, message?: string, action?: Notice['action']): void
  error(title: string, message?: string, more?: Pick<Notice, 'isAtForm' | 'action'>): void
  /**
   * Announces something with Undo, and does it once the toast closes, the page is hidden or closed, or the user
   * signs out. If the browser dies before that, it never happens.
   */
  held(title: string, message: string, held: Held): void
}

/** How many toasts that hold something back stay next to each other. */
const MOST = 3

let shown: readonly Notice[] = []
const NONE: readonly Notice[] = []
let count = 0
let pressed: Element | null = null
/**
 * True once the user has done something since the newest toast appeared. Until then, navigating doesn't dismiss
 * the toasts.
 */
let isSeen = false
/** When the newest toast appeared, and for how long it stays in any case: someone may be tapping just then. */
let shownAt = 0
const NOTICED_MS = 1500
const listeners = new Set<() => void>()
/**
 * Loaded on first use, so that it isn't part of the public pages' first load. Until it has loaded, only the
 * toast's text is shown.
 */
let Card: typeof ToastCard | undefined
let loading: Promise<void> | undefined

function loadCard(): Promise<void> {
  loading ??= import('./ToastCard.tsx').then(
    (loaded) => {
      Card = loaded.ToastCard
      change([...shown])
    },
    () => {
      loading = undefined
    },
  )
  return loading
}

const lastPressed = () => pressed

function change(next: readonly Notice[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/**
 * Toasts that hold something back stay next to a new one. Any other gives way to it: what it said is done, and may
 * be what the new one is about.
 */
function show(notice: Omit<Notice, 'id'>): void {
  const held = shown.filter(({ send }) => send)
  for (const one of held.slice(0, Math.max(0, held.length - MOST + 1))) close(one)
  isSeen = false
  shownAt = performance.now()
  void loadCard()
  change([...shown.filter(({ send }) => send), { ...notice, id: ++count }])
}

function close({ id, send }: Notice, isLeaving = false): unknown {
  change(shown.filter((one) => one.id !== id))
  return send?.(isLeaving)
}

function act({ id, action }: Notice): void {
  change(shown.filter((one) => one.id !== id))
  action?.run()
}

/**
 * Does everything that Undo still holds back, and closes those toasts.
 * @param isLeaving whether the page may be closing
 */
export async function sendHeld(isLeaving = false): Promise<void> {
  await Promise.allSettled(shown.filter(({ send }) => send).map((one) => close(one, isLeaving)))
}

const toasts: Toasts = {
  success: (title, message, action) => show({ kind: 'success', title, message, action }),
  error: (title, message, more) => show({ kind: 'error', title, message, ...more }),
  held: (title, message, { send, undo }) =>
    show({ kind: 'success', title, message, send, action: { label: 'Undo', run: undo } }),
}

function noteUse(event: Event): void {
  const target = event.target instanceof Element ? event.target : null
  if (event.type === 'pointerdown') pressed = target?.closest(CONTROL) ?? null
  if (event instanceof KeyboardEvent && event.key === 'F6' && shown.length > 0) {
    event.preventDefault()
    void loadCard().then(() => document.querySelector<HTMLElement>('.toast button')?.focus())
  }
  if (!target?.closest('.toast')) isSeen = true
  void loadCard()
}

// Opening a dialog or another page dismisses old toasts, because they'd cover what's new. Those with an action
// stay, so that it can still be taken.
function makeRoom(): void {
  if (!isSeen) return
  const early = shownAt + NOTICED_MS - performance.now()
  if (early > 0) setTimeout(makeRoom, early)
  else change(shown.filter(({ action }) => action))
}

function sendIfHidden({ type }: Event): void {
  if (type === 'pagehide' || document.visibilityState === 'hidden') void sendHeld(true)
}

export function useToast(): Toasts {
  return toasts
}

/** Shows toasts on top of the page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const notices = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
    () => NONE,
  )
  useEffect(() => {
    const events = ['pointerdown', 'keydown', 'popstate'] as const
    for (const event of events) addEventListener(event, noteUse, true)
    addEventListener(LAYER_OPENED, makeRoom)
    // A phone may end a page that's only hidden, without another event.
    for (const event of ['pagehide', 'visibilitychange']) addEventListener(event, sendIfHidden, true)
    return () => {
      for (const event of ['pagehide', 'visibilitychange']) removeEventListener(event, sendIfHidden, true)
      removeEventListener(LAYER_OPENED, makeRoom)
      for (const event of events) removeEventListener(event, noteUse, true)
    }
  }, [])
  const { pathname } = useLocation()
  useEffect(makeRoom, [pathname])
  const cards = (kind: Notice['kind']) => notices.filter((notice) => notice.kind === kind).map(cardOf)
  return (
    <>
      {children}
      {/* Both live regions are always present, because screen readers announce text added to a region, but
          not a region added with its text. A dialog hides everything except elements with aria-live. */}
      <div className="toasts">
        <div role="status" aria-live="polite">
          {cards('success')}
        </div>
        <div role="alert" aria-live="assertive">
          {cards('error')}
        </div>
      </div>
    </>
  )
}

function cardOf(notice: Notice): ReactNode {
  if (Card)
    return (
      <Card
        key={notice.id}
        notice={notice}
        close={() => void close(notice)}
        act={() => act(notice)}
        lastPressed={lastPressed}
      />
    )
  return (
    <p key={notice.id} className="toast">
      {notice.title} {notice.message}
    </p>
  )
}
