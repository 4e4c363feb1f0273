import { Toast } from '@base-ui/react/toast'
import { Check, X } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'

/** DESIGN section 5: five seconds, errors stay. */
const SHOWN_MS = 5000

export interface Toasts {
  success(title: string, message?: string, action?: { label: string; run: () => void }): void
  error(title: string, message?: string): void
}

const manager = Toast.createToastManager()

/** Shows short notices above the page, one at a time. */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={1} timeout={SHOWN_MS}>
      {children}
      <Toast.Portal><Toast.Viewport><Notices /></Toast.Viewport></Toast.Portal>
    </Toast.Provider>
  )
}

function Notices() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" data-kind={toast.type}
      // A notice is news and not a dialog: it takes no focus and asks nothing.
      role={toast.type === 'error' ? 'alert' : 'status'} aria-modal={undefined}>
      <span className={`mt-0.5 grid size-[22px] shrink-0 place-items-center rounded-full ${toast.type === 'error' ? 'bg-danger text-on-danger' : 'bg-marker text-on-marker'}`} aria-hidden="true">
        {toast.type === 'error' ? <X className="size-3.5" strokeWidth={3} /> : <Check className="size-3.5" strokeWidth={3.5} />}
      </span>
      <div className="min-w-0 flex-1 py-0.5"><Toast.Title render={<p />} className="font-semibold" /><Toast.Description className="text-small text-on-inverse-2" /></div>
      {toast.actionProps && <Toast.Action className="min-h-11 px-2 font-semibold underline" />}
      <Toast.Close className="-my-2 grid size-11 shrink-0 place-items-center rounded-md" aria-label="Dismiss" aria-hidden={false}><X className="size-4" aria-hidden="true" /></Toast.Close>
    </Toast.Root>
  ))
}

/** The way to show a notice from a screen. */
export function useToast(): Toasts {
  return useMemo(() => ({
    success(title, message, action) {
      manager.add({ title, description: message, type: 'success', actionProps: action && { children: action.label, onClick: action.run } })
    },
    error(title, message) {
      manager.add({ title, description: message, type: 'error', timeout: 0 })
    },
  }), [])
}
