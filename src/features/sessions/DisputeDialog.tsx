import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { NoteDialog } from '#platform/ui/NoteDialog.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { disputeNote, type SharedSession } from './confirmation.ts'
import { capital, otherSide } from './standing-text.ts'

interface DisputeDialogProps {
  session: Pick<SharedSession, 'id' | 'student_name' | 'date' | 'other_name'>
  reader: Side
  onSend: (note: string) => Promise<unknown>
  onClose: () => void
}

/** Sends a session back with a note. */
export function DisputeDialog({ session, reader, onSend, onClose }: DisputeDialogProps) {
  const toast = useToast()
  const other = otherSide(reader, session.other_name)
  const send = async (note: string) => {
    await onSend(note)
    toast.success('Sent back', `${capital(other)} will see your note and can correct the session.`)
  }
  return (
    <NoteDialog
      {...disputeNote(session.id)}
      title="What isn't right?"
      send="Send back"
      label={`Note to ${other}`}
      failure="The session could not be sent back"
      onSend={send}
      onClose={onClose}
    >
      {session.student_name ?? UNKNOWN_STUDENT}, {formatDay(session.date as CalendarDay)}
    </NoteDialog>
  )
}
