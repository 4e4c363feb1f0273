import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'
import { useBackGesture } from './back-gesture.web.ts'

/** A small centered dialog. The caller provides the buttons and handles Back. */
export function AlertPanel({
  title,
  onBack,
  children,
}: {
  title: string
  onBack: () => void
  children: ReactNode
}) {
  useBackGesture(onBack)
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <AlertDialog.Viewport className="fixed inset-0 z-40 grid grid-cols-1">
          <AlertDialog.Popup className="dlg">
            <AlertDialog.Title>{title}</AlertDialog.Title>
            {children}
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
