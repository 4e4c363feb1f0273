import { useSide } from '#features/accounts/client.web.ts'
import { monthLabel } from '#kernel/month.ts'
import { CallFailed } from '#platform/api.web.ts'
import { NoteDialog } from '#platform/ui/NoteDialog.tsx'
import { useMonths, useReopenMonth } from './client.web.ts'
import { MAX_REASON } from './closing.ts'
import { monthName, otherName } from './closing-text.ts'

interface ReopenDialogProps {
  closed: { connection_id: string; month: string }
  /** Called when the user is done with the dialog. `isReopened` is true if the month was reopened. */
  onDone: (isReopened: boolean) => void
}

/** Asks why a closed month needs to change, then reopens it. */
export function ReopenDialog({ closed, onDone }: ReopenDialogProps) {
  const reader = useSide()
  const months = useMonths(closed.month)
  const reopen = useReopenMonth()
  const month = months.data?.months.find((one) => one.connection_id === closed.connection_id)
  const other = otherName(reader, month?.other_name)
  const send = async (reason: string) => {
    try {
      await reopen.mutateAsync({ ...closed, reason })
    } catch (error) {
      // If someone else has already reopened the month, the change can go ahead.
      if (!(error instanceof CallFailed && error.problem.code === 'not_closed')) throw error
    }
  }
  return (
    <NoteDialog
      draft={`reopen:${closed.connection_id}:${closed.month}`}
      title={`Why reopen ${monthName(closed.month)}?`}
      label={`Reason (${other} will see this)`}
      help="For example: the lesson on the 17th was missing"
      maxLength={MAX_REASON}
      missing="Briefly say why you're reopening the month"
      failure="The month could not be reopened"
      send={`Reopen ${monthName(closed.month)}`}
      busyText="Reopening..."
      onSend={send}
      onSent={() => onDone(true)}
      onClose={() => onDone(false)}
    >
      You and {other} closed {monthLabel(closed.month)}. This reopens it for both of you. The code on the page
      will then show that the month has changed.
    </NoteDialog>
  )
}
