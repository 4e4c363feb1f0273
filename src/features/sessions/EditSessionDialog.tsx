import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
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
import { OwnWordBox } from './OwnWordBox.tsx'
import { useDeleteSession, useUpdateSession } from './client.web.ts'
import { HistoryPanel } from './HistoryPanel.tsx'
import { type Session, SessionChanges } from './session.ts'
import { fieldsOf, type SessionFields, toSessionChanges } from './session-form.ts'
import { SessionFieldset } from './SessionFieldset.tsx'
import { capital, otherSide } from './standing-text.ts'

interface EditSessionDialogProps {
  session: Session
  onClose: () => void
  /** Called instead of onClose once the session is gone from the log. */
  onGone?: () => void
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

function EditSessionForm({
  session,
  onClose,
  onGone = onClose,
  draft,
}: EditSessionDialogProps & { draft: string }) {
  const isParent = useMe().role === 'parent'
  const seesAmounts = useSeesAmounts()
  const other = otherSide(isParent ? 'parent' : 'tutor', session.tutor_name)
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
  const asksOther = session.is_shared && !session.is_read_only && changesFacts(session, typed)
  const close = (isGone = false) => {
    forgetDraft(draft)
    if (isGone) onGone()
    else onClose()
  }

  const store = async (fields: SessionFields) => {
    clear()
    try {
      const input = toSessionChanges(fields)
      await update.mutateAsync({ session, input: session.is_read_only ? { notes: input.notes } : input })
      toast.success(
        'Session updated successfully',
        asksOther ? `${capital(other)} is asked to confirm the change.` : undefined,
      )
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
      const answer = await removal.mutateAsync(session)
      if (answer)
        toast.success(
          'Asked to delete',
          `${capital(other)} took part in this session, so it stays until ${other} agrees.`,
        )
      else toast.success('Session deleted successfully')
      close(!answer)
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
        onClose={() => close()}
        problem={problem}
        footer={
          <>
            <Button tone="secondary" onClick={() => close()}>
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
        {session.other_confirmation === 'disputed' &&
        session.is_shared &&
        !session.is_read_only &&
        seesAmounts ? (
          <AnswerBox session={session} onDone={() => close()} />
        ) : (
          <OwnWordBox session={session} isChanged={isDirty || wasKept} onDone={close} />
        )}
        <form id="edit-session" className="grid gap-4" onSubmit={submit} noValidate>
          <SessionFieldset
            form={form}
            students={students}
            tutors={tutors}
            studentLabel={isParent ? 'Child' : 'Student'}
            unknown={unknown}
            kept={session}
            currency={session.currency}
            isReadOnly={session.is_read_only}
            chosen={{
              student: listed(session.student_id, session.student_name),
              tutor: listed(session.tutor_id, session.tutor_name),
            }}
          />
          {asksOther && <p className="help">{capital(other)} is asked to confirm the change.</p>}
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
            <HistoryPanel sessionId={session.id} other={capital(other)} />
          </div>
        </Disclosure>
        {!session.is_read_only && session.deletion_asked_by === null && (
          <Button tone="danger-outline" className="mt-6 w-full" onClick={() => setIsDeleting(true)}>
            Delete session
          </Button>
        )}
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

/** Whether a fact that both sides confirm was changed. */
function changesFacts(session: Session, typed: SessionFields): boolean {
  const before = fieldsOf(session)
  return (['student_id', 'tutor_id', 'date', 'duration', 'hourly_rate'] as const).some(
    (fact) => typed[fact].trim() !== before[fact],
  )
}

function listed(id: string | null, name: string | null): { id: string; name: string } | undefined {
  return id !== null && name !== null ? { id, name } : undefined
}
