import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useBackGesture } from './back-gesture.web.ts'

interface FormDialogProps {
  title: string
  /** Whether something was typed: then only the buttons close it, so that nothing is lost by a slip. */
  isDirty: boolean
  onClose: () => void
  footer: ReactNode
  children: ReactNode
}

/** A form above the page: a sheet from below on a phone, a centred dialog on wider screens. */
export function FormDialog({ title, isDirty, onClose, footer, children }: FormDialogProps) {
  const body = useRef<HTMLDivElement>(null)
  const [opener] = useState(() => document.activeElement)
  useBackGesture(() => {
    if (!isDirty) onClose()
  })
  return (
    <Dialog.Root
      open
      onOpenChange={(_open, details) => {
        const isOutside = details.reason === 'outside-press'
        const isNotice =
          isOutside &&
          details.event.target instanceof Element &&
          details.event.target.closest('.toast') !== null
        if (isNotice || (isDirty && (isOutside || details.reason === 'escape-key'))) details.cancel()
        else onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-scrim" />
        <Dialog.Viewport className="fixed inset-0 z-30 grid items-end md:items-center">
          {/* By touch the sheet itself gets the focus: the keyboard would cover half of the form at once. */}
          <Dialog.Popup
            className="sheet"
            initialFocus={(openedBy) =>
              openedBy === 'touch' ||
              (body.current?.querySelector<HTMLElement>('input,select,textarea') ?? true)
            }
            // The button may be gone by then, as with the first entry of a list.
            finalFocus={() => (opener?.isConnected ?? true) || document.querySelector<HTMLElement>('main h1')}
          >
            <div className="grab" aria-hidden="true" />
            <div className="head">
              <Dialog.Title>{title}</Dialog.Title>
              <Dialog.Close className="ib" aria-label="Close">
                <X className="i" aria-hidden="true" />
              </Dialog.Close>
            </div>
            <div className="body" ref={body}>
              {children}
            </div>
            <div className="foot">{footer}</div>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
