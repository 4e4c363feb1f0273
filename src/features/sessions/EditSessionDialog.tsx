import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { forgetDraft, readDraft, useDraft, withDraft } from '#platform/ui/draft.web.ts'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { AddAnyway } from '#platform/ui/AddAnyway.tsx'
import { AnswerBox } from './AnswerBox.tsx'
import { useDeleteSession, useUpdateSession } from './client.web.ts'
import { HistoryPanel } from './HistoryPanel.tsx'
import { type Session, SessionChanges } from './session.ts'
import { fieldsOf, type SessionFields, toSessionChanges } from './session-form.ts'
import { SessionFieldset } from './SessionFieldset.tsx'
import { SessionWord } from './SessionRow.tsx'
import { standingOf } from './word.ts'

interface EditSessionDialogProps {
  session: Session
  onClose: () => void
}

/** Changes or deletes one session. */
export function EditSessionDialog(props: EditSessionDialogProps) {
  const draft = `session-edit:${props.session.id}`
  return (
    <FormBoundary draft={draft}>
      <EditSessionForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function EditSessionForm({ session, onClose, draft }: EditSessionDialogProps & { draft: string }) {
  const isParent = useMe().role === 'parent'
  const standing = standingOf(session)
  const toast = useToast()
  const students = useStudents('all')
  const tutors = useTutors('all')
  const update = useUpdateSession()
  const removal = useDeleteSession()
  const [isDeleting, setIsDeleting] = useState(false)
  const unknown = { student: session.student_id === null, tutor: session.tutor_id === null }
  const form = useForm<SessionFields>({
    resolver: checkedBy(SessionChanges, toSessionChanges),
    defaultValues: withDraft(draft, fieldsOf(session)),
  })
  useDraft(draft, form)
  const [wasKept] = useState(() => readDraft(draft) !== undefined)
  const { problem, fail, clear } = useFailure((name) => name in fieldsOf(session))
  const [asksAbout, setAsksAbout] = useState<SessionFields>()
  const {
    handleSubmit,
    setError,
    control,
    formState: { isDirty },
  } = form
  const typed = useWatch({ control }) as SessionFields
  const isComplete = (typed.student_id || unknown.student) && (typed.tutor_id || unknown.tutor)
  const isZero = typed.duration.trim() !== '' && Number(typed.duration) === 0 && session.duration !== 0
  const close = () => {
    forgetDraft(draft)
    onClose()
  }

  const store = async (fields: SessionFields) => {
    clear()
    try {
      await update.mutateAsync({ session, input: toSessionChanges(fields) })
      toast.success('Session updated successfully')
      close()
    } catch (error) {
      for (const { field, message } of fieldErrorsOf(error))
        setError(field as keyof SessionFields, { message })
      fail(error, 'Failed to update session')
    }
  }
  const submit = handleSubmit((fields) => (isZero ? setAsksAbout(fields) : store(fields)))
  const remove = async () => {
    try {
      await removal.mutateAsync(session)
      toast.success('Session deleted successfully')
      close()
    } catch (error) {
      setIsDeleting(false)
      fail(error, 'Failed to delete session')
    }
  }

  return (
    <>
      <FormDialog
        title="Edit Session"
        isDirty={isDirty || wasKept}
        onClose={close}
        problem={problem}
        footer={
          <>
            <Button tone="secondary" onClick={close}>
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
        {standing === 'disputed' && <AnswerBox session={session} onDone={close} />}
        {(standing === 'verified' || standing === 'waiting') && (
          <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <SessionWord session={session} />
            {standing === 'verified' && isParent && (
              <span className="help">
                Changing the date, duration, rate, child or tutor asks the tutor again.
              </span>
            )}
          </div>
        )}
        <form id="edit-session" className="grid gap-4" onSubmit={submit} noValidate>
          <SessionFieldset
            form={form}
            students={students}
            tutors={tutors}
            studentLabel={isParent ? 'Child' : 'Student'}
            unknown={unknown}
            kept={session}
            chosen={{
              student: listed(session.student_id, session.student_name),
              tutor: listed(session.tutor_id, session.tutor_name),
            }}
          />
          {isZero && asksAbout && (
            <AddAnyway
              doubt="0 h."
              question="Save anyway?"
              yes="Save anyway"
              busy={update.isPending}
              busyText="Updating..."
              onYes={() => void handleSubmit(store)()}
            />
          )}
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

function listed(id: string | null, name: string | null): { id: string; name: string } | undefined {
  return id !== null && name !== null ? { id, name } : undefined
}
