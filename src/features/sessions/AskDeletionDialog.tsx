import { useState } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import type { Session } from './session.ts'
import { deletionQuestion, otherSide } from './standing-text.ts'
import { useSessionUndo } from './undo.web.ts'

interface AskDeletionDialogProps {
  session: Session
  onClose: () => void
  onAsked?: () => void
}

/** Says whom deleting a session asks, and asks them. */
export function AskDeletionDialog({ session, onClose, onAsked }: AskDeletionDialogProps) {
  const other = otherSide(useSide(), session.tutor_name)
  const { remove } = useSessionUndo()
  const [isBusy, setIsBusy] = useState(false)
  const ask = async () => {
    setIsBusy(true)
    const isAsked = await remove(session)
    onClose()
    if (isAsked) onAsked?.()
  }
  return (
    <ConfirmDialog
      title={deletionQuestion(session, other)}
      text={`It stays in both logs until ${other} agrees. Without an answer in time, you can delete it from your own log.`}
      confirmLabel={`Ask ${other}`}
      busyText="Asking..."
      isBusy={isBusy}
      onConfirm={() => void ask()}
      onCancel={onClose}
    />
  )
}
