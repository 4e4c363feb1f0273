import { useState } from 'react'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, keepDraft, withDraft } from '#platform/ui/draft.web.ts'
import { TextArea } from '#platform/ui/Field.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import type { SharedSession } from './confirmation.ts'
import { capital, otherSide } from './standing-text.ts'

interface DisputeDialogProps {
  session: SharedSession
  reader: Side
  onSend: (note: string) => Promise<unknown>
  onClose: () => void
}

/** The name of the draft of a note that sends a session back. */
export function disputeDraft(sessionId: string): string {
  return `dispute:${sessionId}`
}

/** Sends a session back with a note. */
export function DisputeDialog(props: DisputeDialogProps) {
  const draft = disputeDraft(props.session.id)
  return (
    <FormBoundary draft={draft}>
      <NoteForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function NoteForm({ session, reader, onSend, onClose, draft }: DisputeDialogProps & { draft: string }) {
  const toast = useToast()
  const other = otherSide(reader, session.other_name)
  const [note, setNote] = useState(() => withDraft(draft, { note: '' }).note)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const send = async () => {
    if (note.trim() === '') return setProblem('Say in a few words what is not right')
    setIsBusy(true)
    try {
      await onSend(note)
      toast.success('Sent back', `${capital(other)} sees your note and can correct the session.`)
      close()
    } catch (error) {
      setIsBusy(false)
      setProblem(
        error instanceof CallFailed
          ? (error.errorOf('note') ?? error.problem.title)
          : 'The session could not be sent back',
      )
    }
  }
  return (
    <FormDialog
      title="What is not right?"
      isDirty={note !== ''}
      onClose={close}
      footer={
        <>
          <Button tone="secondary" onClick={close}>
            Cancel
          </Button>
          <Button className="flex-1" busy={isBusy} busyText="Sending..." onClick={() => void send()}>
            Send back
          </Button>
        </>
      }
    >
      <p className="mb-4 text-ink-2">
        {session.student_name ?? UNKNOWN_STUDENT}, {formatDay(session.date as CalendarDay)}
      </p>
      <TextArea
        label={`Note to ${other}`}
        required
        maxLength={500}
        help="For example: it was one hour, not one and a half"
        value={note}
        error={problem}
        onChange={(event) => {
          setNote(event.target.value)
          keepDraft(draft, { note: event.target.value })
        }}
      />
    </FormDialog>
  )
}
