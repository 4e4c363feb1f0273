import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useRef } from 'react'
import { useBackGesture } from './back-gesture.web.ts'
import { Button } from './Button.tsx'

interface ConfirmDialogProps {
  title: string
  text: string
  /** What happens if you confirm. */
  consequence?: string
  confirmLabel: string
  busyText: string
  /** Use 'primary' if the action doesn't delete any data. */
  tone?: 'danger' | 'primary'
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation before an action that can't be undone with one tap. Cancel has the initial focus. */
export function ConfirmDialog({
  title,
  text,
  consequence,
  confirmLabel,
  busyText,
  tone = 'danger',
  isBusy,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const close = () => {
    if (!isBusy) onCancel()
  }
  useBackGesture(close)
  return (
    <AlertDialog.Root open onOpenChange={close}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-30 bg-scrim" />
        <AlertDialog.Viewport className="fixed inset-0 z-30 grid grid-cols-1">
          <AlertDialog.Popup className="dlg" initialFocus={cancel}>
            <AlertDialog.Title>{title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-ink-2">{text}</AlertDialog.Description>
            {consequence && <p className="mt-2 text-ink-2">{consequence}</p>}
            <div className="mt-5 flex flex-wrap gap-3">
              <AlertDialog.Close ref={cancel} className="btn btn-s">
                Cancel
              </AlertDialog.Close>
              <Button tone={tone} className="flex-1" busy={isBusy} busyText={busyText} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
