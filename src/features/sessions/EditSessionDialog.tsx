import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { AnswerBox } from './AnswerBox.tsx'
import { useDeleteSession, useUpdateSession } from './client.web.ts'
import { HistoryPanel } from './HistoryPanel.tsx'
import { type Session, SessionChanges } from './session.ts'
import { fieldsOf, type SessionFields, toSessionChanges } from './session-form.ts'
import { SessionFieldset } from './SessionFieldset.tsx'
import { SessionWord } from './SessionRow.tsx'
import { wordOf } from './word.ts'

/** Changes or deletes one session. */
export function EditSessionDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const isParent = useMe().role === 'parent'
  const toast = useToast()
  const students = useStudents('all')
  const tutors = useTutors('all')
  const update = useUpdateSession()
  const removal = useDeleteSession()
  const [isDeleting, setIsDeleting] = useState(false)
  const unknown = { student: session.student_id === null, tutor: session.tutor_id === null }
  const form = useForm<SessionFields>({
    resolver: checkedBy(SessionChanges, toSessionChanges),
    values: students.data && tutors.data ? fieldsOf(session) : undefined,
    defaultValues: fieldsOf(session),
    resetOptions: { keepDirtyValues: true },
  })
  const {
    handleSubmit,
    setError,
    control,
    formState: { isDirty },
  } = form
  const [studentId, tutorId] = useWatch({ control, name: ['student_id', 'tutor_id'] })
  const isComplete = (studentId || unknown.student) && (tutorId || unknown.tutor)

  const submit = handleSubmit(async (fields) => {
    try {
      await update.mutateAsync({ session, input: toSessionChanges(fields) })
      toast.success('Session updated successfully')
      onClose()
    } catch (error) {
      for (const { field, message } of fieldErrorsOf(error))
        setError(field as keyof SessionFields, { message })
      toast.error('Error', 'Failed to update session')
    }
  })
  const remove = async () => {
    try {
      await removal.mutateAsync(session)
      toast.success('Session deleted successfully')
      onClose()
    } catch {
      setIsDeleting(false)
      toast.error('Error', 'Failed to delete session')
    }
  }

  return (
    <>
      <FormDialog
        title="Edit Session"
        isDirty={isDirty}
        onClose={onClose}
        footer={
          <>
            <Button tone="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              form="edit-session"
              className="flex-1"
              busy={update.isPending}
              busyText="Updating..."
              blockedReason={isComplete ? undefined : ''}
            >
              Update Session
            </Button>
          </>
        }
      >
        {wordOf(session) === 'disputed' ? (
          <AnswerBox session={session} onDone={onClose} />
        ) : (
          <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <SessionWord session={session} />
            {session.verified_by_tutor && (
              <span className="help">
                Changing the date, duration, rate, child or tutor asks the tutor again.
              </span>
            )}
          </div>
        )}
        <form id="edit-session" className="grid gap-4" onSubmit={submit} noValidate>
          <SessionFieldset
            form={form}
            students={(students.data ?? []).filter(
              (student) => !student.archived || student.id === session.student_id,
            )}
            tutors={(tutors.data ?? []).filter((tutor) => !tutor.archived || tutor.id === session.tutor_id)}
            studentLabel={isParent ? 'Child' : 'Student'}
            unknown={unknown}
            kept={session}
          />
        </form>
        <Disclosure className="mt-6" title={<b className="font-semibold">History</b>}>
          <div className="mt-2">
            <HistoryPanel sessionId={session.id} other={session.tutor_name ?? 'The tutor'} />
          </div>
        </Disclosure>
        <Button tone="danger-outline" className="mt-6 w-full" onClick={() => setIsDeleting(true)}>
          Delete session
        </Button>
      </FormDialog>
      {isDeleting && (
        <ConfirmDialog
          title="Delete Session"
          text="Are you sure you want to delete this session?"
          confirmLabel="Delete"
          busyText="Deleting..."
          isBusy={removal.isPending}
          onConfirm={() => void remove()}
          onCancel={() => setIsDeleting(false)}
        />
      )}
    </>
  )
}
