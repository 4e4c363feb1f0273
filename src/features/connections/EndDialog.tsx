import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useEndConnection } from './client.web.ts'
import type { Connection } from './connection.ts'

interface EndDialogProps {
  connection: Connection
  /** What the other side is called. */
  other: string
  onClose: () => void
}

/** Ends a connection, or takes a question back that nobody answered. */
export function EndDialog({ connection, other, onClose }: EndDialogProps) {
  const toast = useToast()
  const end = useEndConnection()
  const isAsked = connection.state === 'asked'
  const run = async () => {
    try {
      await end.mutateAsync(connection)
      toast.success(isAsked ? 'Question taken back' : 'Connection ended')
      onClose()
    } catch {
      toast.error('Error', 'The connection could not be ended')
    }
  }
  return (
    <ConfirmDialog
      title={isAsked ? 'Take the question back' : 'End the connection'}
      text={
        isAsked
          ? `${other} can no longer answer, and the emailed link stops working.`
          : `You and ${other} no longer see what the other logs or changes.`
      }
      consequence={
        isAsked
          ? 'You can ask again later.'
          : 'Each of you keeps a copy of every session you shared, with its confirmations and history. From then on the copies are independent.'
      }
      confirmLabel={isAsked ? 'Take it back' : 'End'}
      busyText={isAsked ? 'Taking back...' : 'Ending...'}
      isBusy={end.isPending}
      onConfirm={() => void run()}
      onCancel={onClose}
    />
  )
}
