import { useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import { CallFailed } from '#platform/api.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { forgetDraft, keepDraft, readDraft, useDraft } from '#platform/ui/draft.web.ts'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { Notice } from '#platform/ui/Notice.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useLogSession } from './client.web.ts'
import { NewSession } from './session.ts'
import {
  defaultRateOf,
  emptySession,
  fieldsOfWaiting,
  type SessionFields,
  toNewSession,
  toWaiting,
} from './session-form.ts'
import { SessionFieldset } from './SessionFieldset.tsx'
import { edited, type WaitingSession } from './waiting.ts'
import { addWaiting, changeWaiting, sendNow } from './waiting.web.ts'

const DRAFT = 'session'

/** The manual way to log a session, or to edit one that waits on this device. What was heard is filled in over what was typed; a new hearing takes a new key. */
export function LogSessionForm({
  heard,
  waiting,
}: {
  heard?: Partial<SessionFields>
  waiting?: WaitingSession
}) {
  const { id: userId, role } = useMe()
  const isParent = role === 'parent'
  const draft = waiting ? `session-${waiting.id}` : DRAFT
  const navigate = useNavigate()
  const toast = useToast()
  const students = useStudents()
  const tutors = useTutors()
  const log = useLogSession()
  const [idempotencyKey] = useState(newId)
  const given = (useLocation().state as { session?: SessionFields } | null)?.session
  const form = useForm<SessionFields>({
    resolver: checkedBy(NewSession, toNewSession),
    defaultValues: waiting
      ? (readDraft<SessionFields>(draft) ?? fieldsOfWaiting(waiting))
      : startingValues(given, heard),
  })
  useDraft(draft, form)
  useFailureToast(students.error, isParent ? 'Failed to fetch children' : 'Failed to fetch students')
  useFailureToast(tutors.error, 'Failed to fetch tutors')
  const { handleSubmit, setError, setValue, getValues, control } = form
  const [studentId, tutorId] = useWatch({ control, name: ['student_id', 'tutor_id'] })

  // A tutor teaches themself: their own row is chosen for them (decisions, section 2).
  const selfId = tutors.data?.find((tutor) => tutor.is_self)?.id
  useEffect(() => {
    if (selfId && !getValues('tutor_id')) setValue('tutor_id', selfId)
  }, [selfId, getValues, setValue])
  // A select shows a value only once its option is there.
  useEffect(() => {
    if (students.data && getValues('student_id')) setValue('student_id', getValues('student_id'))
    if (tutors.data && getValues('tutor_id')) setValue('tutor_id', getValues('tutor_id'))
  }, [students.data, tutors.data, getValues, setValue])

  const keep = async (fields: SessionFields, tries: number) => {
    const student =
      students.data?.find(({ id }) => id === fields.student_id)?.name ?? waiting?.shown.student ?? ''
    const tutor = tutors.data?.find(({ id }) => id === fields.tutor_id)?.name ?? ''
    const rate = defaultRateOf(fields, students.data ?? [], tutors.data ?? [])
    const item = toWaiting(idempotencyKey, fields, { student, tutor }, rate, tries)
    try {
      if (!waiting) await addWaiting(userId, item)
      else if (!(await changeWaiting(userId, (queue) => edited(queue, waiting.id, item))).includes(item))
        return toast.error(
          'Error',
          'This session was sent in the meantime. You can change it in the summary.',
        )
    } catch {
      return toast.error('Error', 'Failed to add session')
    }
    forgetDraft(draft)
    toast.success('Waiting to be sent', 'The session is kept on this device until it is stored.')
    navigate(paths.dashboard)
    void sendNow()
  }
  const submit = handleSubmit(async (fields) => {
    // What the device has to send itself anyway need not be tried first.
    if (waiting) return keep(fields, 0)
    try {
      await log.mutateAsync({ input: toNewSession(fields), idempotencyKey: idempotencyKey })
      forgetDraft(draft)
      toast.success('Session added successfully')
      navigate(paths.dashboard)
    } catch (error) {
      // It may have arrived although no answer came: it is sent again under the same key.
      if (error instanceof CallFailed && error.isRetryable) return keep(fields, 1)
      for (const { field, message } of fieldErrorsOf(error))
        setError(field as keyof SessionFields, { message })
      toast.error('Error', 'Failed to add session')
    }
  })

  return (
    <>
      {students.isSuccess && tutors.isSuccess && (
        <WhatIsMissing
          isParent={isParent}
          hasStudents={students.data.length > 0}
          hasTutors={tutors.data.length > 0}
        />
      )}
      <form className="mt-5 grid gap-4 lg:grid-cols-2" onSubmit={submit} noValidate>
        <SessionFieldset
          form={form}
          students={students.data ?? []}
          tutors={tutors.data ?? []}
          studentLabel={isParent ? 'Child' : 'Student'}
        />
        <div className="flex gap-3 lg:col-span-2 lg:justify-end">
          <ButtonLink tone="secondary" to={paths.dashboard} onClick={() => forgetDraft(draft)}>
            Cancel
          </ButtonLink>
          <Button
            type="submit"
            className="flex-1 lg:flex-none lg:px-10"
            busy={log.isPending}
            busyText="Adding..."
            blockedReason={studentId && tutorId ? undefined : ''}
          >
            {waiting ? 'Save Session' : 'Add Session'}
          </Button>
        </div>
      </form>
    </>
  )
}

// What was typed wins over what was handed in, unless it is about another class.
function startingValues(
  given: SessionFields | undefined,
  heard: Partial<SessionFields> | undefined,
): SessionFields {
  const draft = readDraft<SessionFields>(DRAFT)
  if (heard) {
    const values = { ...(draft ?? given ?? emptySession(dayIn(new Date()))), ...heard }
    keepDraft(DRAFT, values)
    return values
  }
  if (given && (draft?.schedule_id !== given.schedule_id || draft?.occurrence_date !== given.occurrence_date))
    return given
  return draft ?? emptySession(dayIn(new Date()))
}

function WhatIsMissing({
  isParent,
  hasStudents,
  hasTutors,
}: {
  isParent: boolean
  hasStudents: boolean
  hasTutors: boolean
}) {
  if (hasStudents && hasTutors) return null
  const studentLink = (
    <Link className="link" to={isParent ? paths.children : paths.students}>
      {isParent ? 'add a child' : 'add a student'}
    </Link>
  )
  const tutorLink = (
    <Link className="link" to={paths.tutors}>
      add a tutor
    </Link>
  )
  return (
    <div className="mt-5">
      <Notice>
        Before you log a session, {!hasStudents && studentLink}
        {!hasStudents && !hasTutors && ' and '}
        {!hasTutors && tutorLink}.
      </Notice>
    </div>
  )
}
