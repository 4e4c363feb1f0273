import { Check, Info, X } from 'lucide-react'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

export interface ToastOptions {
  /** One thing to do about it, for example Undo; pressing it also closes the toast. */
  action?: { label: string; run: () => void }
}

export interface Toasts {
  success: (title: string, message?: string, options?: ToastOptions) => void
  error: (title: string, message?: string, options?: ToastOptions) => void
  info: (title: string, message?: string, options?: ToastOptions) => void
}

interface Toast extends ToastOptions {
  key: number
  kind: 'success' | 'error' | 'info'
  title: string
  message: string | undefined
}

const SHOWN_MS = 5000
const Context = createContext<Toasts | undefined>(undefined)

/** Tells people what just happened; a failed load also leaves its own card on the page. */
export function useToast(): Toasts {
  const toasts = useContext(Context)
  if (!toasts) throw new Error('useToast needs a ToastProvider above it')
  return toasts
}

/** Shows one toast at a time over everything beneath it; a new one replaces the old one. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>()
  const toasts = useMemo<Toasts>(() => {
    let count = 0
    const show = (kind: Toast['kind']): Toasts[Toast['kind']] => (title, message, options) => setToast({ key: ++count, kind, title, message, ...options })
    return { success: show('success'), error: show('error'), info: show('info') }
  }, [])
  const box = toast && <ToastBox key={toast.key} toast={toast} onClose={() => setToast(undefined)} />
  const isError = toast?.kind === 'error'
  return (
    <Context value={toasts}>
      {children}
      {/* Both live regions are on the page before there is news: screen readers miss a region that arrives together with its text. */}
      <div role="status" aria-live="polite">{!isError && box}</div>
      <div role="alert" aria-live="assertive">{isError && box}</div>
    </Context>
  )
}

const MARKS = {
  success: <span className="toast-mark bg-marker text-on-marker"><Check strokeWidth={3} aria-hidden="true" /></span>,
  error: <span className="toast-mark bg-danger text-on-danger"><X strokeWidth={3} aria-hidden="true" /></span>,
  info: <span className="toast-mark"><Info aria-hidden="true" /></span>,
}

function ToastBox({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const [isHovered, setIsHovered] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const stays = toast.kind === 'error' || isHovered || hasFocus
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(onClose, SHOWN_MS)
    return () => clearTimeout(timer)
    // onClose is new at every render of the provider and must not restart the five seconds.
  }, [stays])
  return (
    <div
      className="toast"
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      {MARKS[toast.kind]}
      <div className="min-w-0 flex-1 py-0.5">
        <p className="font-semibold">{toast.title}</p>
        {toast.message && <p className="text-small text-on-inverse-2">{toast.message}</p>}
      </div>
      {toast.action && <button type="button" className="toast-action" onClick={() => { toast.action?.run(); onClose() }}>{toast.action.label}</button>}
      <button type="button" className="ib toast-close" aria-label="Dismiss" onClick={onClose}><X aria-hidden="true" /></button>
    </div>
  )
}
