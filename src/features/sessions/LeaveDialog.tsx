import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { capital } from './standing-text.ts'

interface LeaveDialogProps {
  /** What to call the other side within a sentence. */
  other: string
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before a session is deleted from both logs, as the other side wants. */
export function AgreeDialog({ other, ...dialog }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      title="Agree to delete"
      text={`${capital(other)} asks to delete this session. It will be deleted from both logs for good.`}
      confirmLabel="Delete"
      busyText="Deleting..."
      {...dialog}
    />
  )
}

/** Asks before a session is deleted from your own log only, after the other side didn't answer in time. */
export function LeaveDialog({ other, ...dialog }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      title="Delete From Your Log"
      text={`${capital(other)} has not answered. It will be deleted from your log for good; ${other} keeps a copy.`}
      confirmLabel="Delete"
      busyText="Deleting..."
      {...dialog}
    />
  )
}
