import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { Button } from './Button.tsx'

export interface FormDialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** Something was typed: Esc and a press beside the dialog no longer close it. */
  dirty?: boolean
  children: ReactNode
  /** Stays at the bottom: Cancel first at its own width, then the primary button with className="flex-1". */
  footer?: ReactNode
  /** When given, body and footer are one form, so that a type="submit" button in the footer sends it. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
}

/** A form over the page: a bottom sheet on phones, a centred dialog from 768 px. */
export function FormDialog({ open, onClose, title, dirty = false, children, footer, onSubmit }: FormDialogProps) {
  const body = useRef<HTMLDivElement>(null)
  const content = (
    <>
      <div className="body" ref={body}>{children}</div>
      {footer && <div className="foot">{footer}</div>}
    </>
  )
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(_, { reason, event }) => {
        const isEasyExit = reason === 'escape-key' || reason === 'outside-press'
        // A press on a toast lies outside the dialog but means the toast.
        const isOnToast = event.target instanceof Element && event.target.closest('.toast') !== null
        if (!isOnToast && !(isEasyExit && dirty)) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Viewport className="overlay">
          <Dialog.Popup
            className="sheet"
            // By touch the sheet itself gets the focus: the keyboard would cover half of the form at once.
            initialFocus={(openedBy) => openedBy === 'touch' || (body.current?.querySelector<HTMLElement>('input,select,textarea') ?? true)}
          >
            <div className="grab" aria-hidden="true" />
            <div className="head">
              <Dialog.Title>{title}</Dialog.Title>
              <Dialog.Close className="ib" aria-label="Close"><X aria-hidden="true" /></Dialog.Close>
            </div>
            {onSubmit ? <form className="sheet-form" onSubmit={onSubmit} noValidate>{content}</form> : content}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

export interface ConfirmDialogProps {
  open: boolean
  title: string
  text: ReactNode
  confirmLabel: string
  busyLabel?: string
  busy?: boolean
  /** The confirming button cannot be pressed yet, for example until a word is typed. */
  blocked?: boolean
  cancelLabel?: string
  onConfirm: () => void
  onCancel: () => void
  tone?: 'danger' | 'primary'
  /** Anything between the text and the buttons. */
  children?: ReactNode
}

/** Asks before something that cannot be undone; Cancel has the focus. */
export function ConfirmDialog({ open, title, text, confirmLabel, busyLabel, busy = false, blocked, cancelLabel = 'Cancel', onConfirm, onCancel, tone = 'danger', children }: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Root open={open} onOpenChange={() => { if (!busy) onCancel() }}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="scrim" />
        <AlertDialog.Viewport className="overlay">
          <AlertDialog.Popup className="dlg" initialFocus={cancel}>
            <AlertDialog.Title>{title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-ink-2">{text}</AlertDialog.Description>
            {children}
            <div className="mt-6 grid grid-cols-2 gap-3">
              <Button ref={cancel} tone="secondary" blocked={busy} onClick={onCancel}>{cancelLabel}</Button>
              <Button tone={tone} busy={busy} busyText={busyLabel} blocked={blocked} onClick={onConfirm}>{confirmLabel}</Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
