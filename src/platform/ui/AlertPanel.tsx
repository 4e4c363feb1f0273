import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'

/** A small centred dialog that closes only by its own buttons. */
export function AlertPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <AlertDialog.Viewport className="fixed inset-0 z-40 grid">
          <AlertDialog.Popup className="dlg">
            <AlertDialog.Title>{title}</AlertDialog.Title>
            {children}
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
