import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { capital } from './standing-text.ts'

interface LeaveDialogProps {
  /** The other side's name, for use within a sentence. */
  other: string
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks the user to confirm that a session should be deleted from both logs, as the other side requested. */
export function AgreeDialog({ other, ...dialog }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      title="Agree to delete"
      text={`${capital(other)} asked to delete this session. It will be deleted from both logs for good.`}
      confirmLabel="Delete"
      busyText="Deleting..."
      {...dialog}
    />
  )
}

/**
 * Asks the user to confirm deleting a session from their log only. Available once the other side has missed
 * the deadline to answer.
 */
export function LeaveDialog({ other, ...dialog }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      title="Delete From Your Log"
      text={`${capital(other)} hasn’t answered. The session will be deleted from your log for good. ${capital(other)} will keep a copy.`}
      confirmLabel="Delete"
      busyText="Deleting..."
      {...dialog}
    />
  )
}
