import { Check, X } from 'lucide-react'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'

// Our own few lines: a library's toast weighed 36 kB in the first load of every public page (decision record 0005).

/** DESIGN section 5: five seconds, errors stay. */
const SHOWN_MS = 5000

interface Notice {
  id: number
  kind: 'success' | 'error'
  title: string
  message?: string
  action?: { label: string; run: () => void }
}

export interface Toasts {
  success(title: string, message?: string, action?: Notice['action']): void
  error(title: string, message?: string): void
}

let shown: Notice | undefined
let count = 0
const listeners = new Set<() => void>()

function show(notice?: Omit<Notice, 'id'>): void {
  shown = notice && { ...notice, id: ++count }
  for (const listener of listeners) listener()
}

const toasts: Toasts = {
  success: (title, message, action) => show({ kind: 'success', title, message, action }),
  error: (title, message) => show({ kind: 'error', title, message }),
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

function ToastCard({ notice }: { notice: Notice }) {
  const [isHeld, setIsHeld] = useState(false)
  const isError = notice.kind === 'error'
  useEffect(() => {
    if (isHeld || isError) return
    const timer = setTimeout(() => show(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isHeld, isError])
  return (
    <div
      className="toast"
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
