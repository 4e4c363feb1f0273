import { typedNumber } from '#kernel/typed-number.ts'
import { useState } from 'react'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { asksToDelete } from '#features/agreements/answer.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { forgetDraft, readDraft, useDraft, withDraft } from '#platform/ui/draft.web.ts'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { AddAnyway } from '#platform/ui/AddAnyway.tsx'
import { AnswerBox } from './AnswerBox.tsx'
import { OwnWordBox } from './OwnWordBox.tsx'
import { AskDeletionDialog } from './AskDeletionDialog.tsx'
import { useUpdateSession } from './client.web.ts'
import { SessionHistory } from './SessionHistory.tsx'
import { type Session, SessionChanges } from './session.ts'
import { CHOOSE_FAMILY, familiesToAsk } from './family-choice.ts'
import { changeNotice, fieldsOf, type SessionFields, toSessionChanges } from './session-form.ts'
import { SessionFieldset } from './SessionFieldset.tsx'
import { capital, otherSide } from './standing-text.ts'
import { useSessionUndo } from './undo.web.ts'

interface EditSessionDialogProps {
  session: Session
  onClose: () => void
  /** Called instead of onClose if the session is no longer in the log. */
  onGone?: () => void
}

/** A dialog to change or delete one session. */
export function EditSessionDialog(props: EditSessionDialogProps) {
  const draft = `session-edit:${props.session.id}`
  return (
    <FormBoundary draft={draft}>
      <EditSessionForm {...props} draft={draft} />
    </FormBoundary>
  )
}

type EditSessionFormProps = EditSessionDialogProps & { draft: string }

function EditSessionForm({ session, onClose, onGone = onClose, draft }: EditSessionFormProps) {
  const isParent = useMe().role === 'parent'
  const seesAmounts = useSeesAmounts()
  const other = otherSide(isParent ? 'parent' : 'tutor', session.tutor_name)
  const students = useStudents('all')
  const tutors = useTutors('all')
  const form = useForm<SessionFields>({
    resolver: checkedBy(SessionChanges, toSessionChanges, {
      currency: session.currency,
      fields: ['hourly_rate'],
    }),
    defaultValues: withDraft(draft, fieldsOf(session)),
  })
  useDraft(draft, form)
  const [wasKept] = useState(() => readDraft(draft) !== undefined)
  const isChanged = form.formState.isDirty || wasKept
  const failure = useFailure((name) => name in fieldsOf(session))
  const [isAsking, setIsAsking] = useState(false)
  const typed = useWatch({ control: form.control }) as SessionFields
  const unknown = { student: session.student_id === null, tutor: session.tutor_id === null }
  const isComplete = (typed.student_id || unknown.student) && (typed.tutor_id || unknown.tutor)
  const isZero = typedNumber(typed.duration) === 0 && session.duration !== 0
  const notice = changeNotice(session, typed, other)
  const asksFamily =
    isOtherStudent(session, typed) &&
    !typed.connection_id &&
    familiesToAsk(students.data ?? [], typed.student_id).length > 0
  const close = (isGone = false) => {
    forgetDraft(draft)
    if (isGone) onGone()
    else onClose()
  }
  const { store, isStoring } = useStoring({ session, form, failure, asksFamily, notice, onStored: close })

  return (
    <FormDialog
      title="Edit Session"
      isDirty={isChanged}
      onClose={() => close()}
      problem={failure.problem}
      footer={
        <FormButtons
          form="edit-session"
          label="Update Session"
          isBusy={isStoring}
          busyText="Updating..."
          blockedReason={isComplete ? undefined : ''}
          onCancel={() => close()}
        />
      }
    >
      {isAnswerable(session) && seesAmounts ? (
        <AnswerBox session={session} onDone={() => close()} />
      ) : (
        <OwnWordBox session={session} isChanged={isChanged} onDone={close} />
      )}
      <form
        id="edit-session"
        className="grid gap-4"
        onSubmit={form.handleSubmit((fields) => (isZero ? setIsAsking(true) : store(fields)))}
        noValidate
      >
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
        {notice && <p className="help">{notice}</p>}
        {isZero && isAsking && (
          <AddAnyway
            doubt="0 h."
            question="Save anyway?"
            yes="Save anyway"
            busy={isStoring}
            busyText="Updating..."
            onYes={() => void form.handleSubmit(store)()}
          />
        )}
      </form>
      <Disclosure className="mt-6" title={<b className="font-semibold">History</b>}>
        <div className="mt-2">
          <SessionHistory sessionId={session.id} other={capital(other)} />
        </div>
      </Disclosure>
      {!session.is_read_only && session.deletion_asked_by === null && (
        <Deletion session={session} other={other} onDone={close} />
      )}
    </FormDialog>
  )
}

type Failure = ReturnType<typeof useFailure>

interface Storing {
  session: Session
  form: UseFormReturn<SessionFields>
  failure: Failure
  /** Whether the user still has to choose which family the lesson is with. */
  asksFamily: boolean
  /** Explains how saving affects the confirmations. */
  notice: string | undefined
  onStored: () => void
}

/** Saves the changes. */
function useStoring({ session, form, failure, asksFamily, notice, onStored }: Storing) {
  const toast = useToast()
  const update = useUpdateSession()
  const store = async (fields: SessionFields) => {
    failure.clear()
    if (asksFamily) return form.setError('connection_id', { message: CHOOSE_FAMILY }, { shouldFocus: true })
    try {
      const input = toSessionChanges(fields)
      await update.mutateAsync({ session, input: session.is_read_only ? { notes: input.notes } : input })
      toast.success('Session updated successfully', session.is_shared ? notice : undefined)
      onStored()
    } catch (error) {
      for (const { field, message } of fieldErrorsOf(error))
        form.setError(field as keyof SessionFields, { message })
      failure.fail(error, 'Failed to update session')
    }
  }
  return { store, isStoring: update.isPending }
}

interface DeletionProps {
  session: Session
  other: string
  onDone: (isGone: boolean) => void
}

/** Deletes the session at once, with Undo, or says that the other side has to agree and asks it. */
function Deletion({ session, other, onDone }: DeletionProps) {
  const { removeLater } = useSessionUndo()
  const [isAsking, setIsAsking] = useState(false)
  const asks = asksToDelete(session)
  const remove = () => {
    onDone(true)
    removeLater(session)
  }
  return (
    <>
      <Button
        tone="danger-outline"
        className="mt-6 w-full"
        onClick={() => (asks ? setIsAsking(true) : remove())}
      >
        {asks ? `Ask ${other} to delete it` : 'Delete session'}
      </Button>
      {isAsking && (
        <AskDeletionDialog
          session={session}
          onAsked={() => onDone(false)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

/** Whether the other side sent the session back. If so, the user should respond to that first. */
function isAnswerable(session: Session): boolean {
  return session.other_confirmation === 'disputed' && session.is_shared && !session.is_read_only
}

/** Whether the user picked a student other than the session's current one. */
function isOtherStudent(session: Session, typed: SessionFields): boolean {
  return typed.student_id !== (session.student_id ?? '')
}

function listed(id: string | null, name: string | null): { id: string; name: string } | undefined {
  return id !== null && name !== null ? { id, name } : undefined
}
