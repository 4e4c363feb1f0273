import { useState } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { monthLabel } from '#kernel/month.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, keepDraft, withDraft } from '#platform/ui/draft.web.ts'
import { TextArea } from '#platform/ui/Field.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useMonths, useReopenMonth } from './client.web.ts'
import { MAX_REASON } from './closing.ts'
import { monthName, otherName } from './closing-text.ts'

interface ReopenDialogProps {
  closed: { connection_id: string; month: string }
  /** Told whether the month was reopened. */
  onDone: (isReopened: boolean) => void
}

/** Asks why a closed month changes, and reopens it. */
export function ReopenDialog(props: ReopenDialogProps) {
  const draft = `reopen:${props.closed.connection_id}:${props.closed.month}`
  return (
    <FormBoundary draft={draft}>
      <ReasonForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function ReasonForm({ closed, onDone, draft }: ReopenDialogProps & { draft: string }) {
  const reader = useSide()
  const months = useMonths(closed.month)
  const reopen = useReopenMonth()
  const [reason, setReason] = useState(() => withDraft(draft, { reason: '' }).reason)
  const [problem, setProblem] = useState<string>()
  const month = months.data?.months.find((one) => one.connection_id === closed.connection_id)
  const other = otherName(reader, month?.other_name)
  const leave = (isReopened: boolean) => {
    forgetDraft(draft)
    onDone(isReopened)
  }
  const send = async () => {
    if (reason.trim() === '') return setProblem('Say in a few words why the month changes')
    try {
      await reopen.mutateAsync({ ...closed, reason })
      leave(true)
    } catch (error) {
      // Somebody else reopened it in the meantime: what was to be changed can be changed.
      if (error instanceof CallFailed && error.problem.code === 'not_closed') return leave(true)
      setProblem(
        error instanceof CallFailed
          ? (error.errorOf('reason') ?? error.problem.title)
          : 'The month could not be reopened',
      )
    }
  }
  return (
    <FormDialog
      title={`Why does ${monthName(closed.month)} change?`}
      isDirty={reason !== ''}
      onClose={() => leave(false)}
      footer={
        <>
          <Button tone="secondary" onClick={() => leave(false)}>
            Cancel
          </Button>
          <Button
            className="flex-1"
            busy={reopen.isPending}
            busyText="Reopening..."
            onClick={() => void send()}
          >
            Reopen {monthName(closed.month)}
          </Button>
        </>
      }
    >
      <p className="mb-4 text-ink-2">
        You and {other} closed {monthLabel(closed.month)}. This reopens it for both of you. The code on the
        page will then say that the month changed since.
      </p>
      <TextArea
        label={`Reason, which ${other} reads too`}
        required
        maxLength={MAX_REASON}
        help="For example: the lesson of the 17th was missing"
        value={reason}
        error={problem}
        onChange={(event) => {
          setReason(event.target.value)
          setProblem(undefined)
          keepDraft(draft, { reason: event.target.value })
        }}
      />
    </FormDialog>
  )
}
