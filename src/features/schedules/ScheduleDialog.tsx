import { useEffect, useState } from 'react'
import { type Resolver, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { useRecentSessions } from '#features/sessions/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { readDraft, withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy } from '#platform/ui/form.web.ts'
import { useSaveSchedule } from './client.web.ts'
import { ScheduleFieldset } from './parts/ScheduleFieldset.tsx'
import { NewSchedule, type Schedule } from './schedule.ts'
import {
  earliestDay,
  emptySchedule,
  fieldsOf,
  likeLastClass,
  type ScheduleFields,
  toSchedule,
} from './schedule-form.ts'

export function ScheduleDialog({ schedule, onClose }: { schedule?: Schedule; onClose: () => void }) {
  const draft = `schedule:${schedule?.id ?? 'new'}`
  return (
    <FormBoundary draft={draft}>
      <ScheduleForm draft={draft} schedule={schedule} onClose={onClose} />
    </FormBoundary>
  )
}

interface ScheduleFormProps {
  draft: string
  schedule?: Schedule
  onClose: () => void
}

function ScheduleForm({ draft, schedule, onClose }: ScheduleFormProps) {
  const students = useStudents()
  const tutors = useTutors()
  const save = useSaveSchedule()
  const [today] = useState(() => dayIn(new Date()))
  const earliest = earliestDay(today, schedule)
  const [start] = useState(() => ({
    values: withDraft(draft, schedule ? fieldsOf(schedule) : emptySchedule(today)),
    isFresh: readDraft(draft) === undefined,
  }))
  const form = useForm<ScheduleFields>({
    resolver: notBefore(earliest, checkedBy(NewSchedule, toSchedule)),
    defaultValues: start.values,
  })
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft,
    save: (fields, idempotencyKey) =>
      save.mutateAsync({ schedule, input: toSchedule(fields), idempotencyKey }),
    onDone: onClose,
    success: schedule ? 'Schedule updated successfully' : 'Schedule created successfully',
    failure: schedule ? 'Failed to update schedule' : 'Failed to create schedule',
  })
  const { setValue, getValues } = form
  useLastClass(form, schedule === undefined && start.isFresh)

  // Sets the values again once the lists have loaded, because a select can't show a value that isn't among
  // its options yet.
  const selfId = tutors.data?.find((tutor) => tutor.is_self)?.id
  useEffect(() => {
    if (students.data) setValue('student_id', getValues('student_id'))
    if (tutors.data) setValue('tutor_id', getValues('tutor_id') || (selfId ?? ''))
  }, [students.data, tutors.data, selfId, getValues, setValue])

  return (
    <FormDialog
      title={schedule ? 'Edit Schedule' : 'Create Schedule'}
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <FormButtons
          form="schedule-form"
          label={schedule ? 'Update Schedule' : 'Create Schedule'}
          isBusy={save.isPending}
          onCancel={close}
        />
      }
    >
      <form id="schedule-form" className="grid gap-4" onSubmit={submit} noValidate>
        <ScheduleFieldset
          form={form}
          students={students}
          tutors={tutors}
          chosen={schedule && chosenIn(schedule)}
          earliest={earliest}
          canPause={schedule !== undefined}
        />
      </form>
    </FormDialog>
  )
}

/**
 * When you choose a student, fills in the day, time and length of their most recent class. Leaves fields
 * you've already edited alone.
 */
function useLastClass(form: UseFormReturn<ScheduleFields>, isFresh: boolean): void {
  const {
    control,
    setValue,
    getFieldState,
    formState: { dirtyFields, isSubmitted },
  } = form
  const classes = useRecentSessions().data?.sessions
  const [studentId, tutorId] = useWatch({ control, name: ['student_id', 'tutor_id'] })
  useEffect(() => {
    if (!isFresh || !studentId || !classes) return
    // Starts from empty values, so that nothing filled in for a previously chosen student remains.
    const { day_of_week, start_time, duration } = emptySchedule('')
    const last = { day_of_week, start_time, duration, ...likeLastClass(classes, studentId, tutorId) }
    for (const [name, value] of Object.entries(last) as [keyof typeof last, string][])
      if (!getFieldState(name).isDirty) setValue(name, value, { shouldValidate: isSubmitted })
  }, [isFresh, classes, studentId, tutorId, dirtyFields, isSubmitted, getFieldState, setValue])
}

// The student and tutor of the schedule being edited, so that they stay selectable even if archived.
function chosenIn({ student_id: student, student_name, tutor_id: tutor, tutor_name }: Schedule) {
  return {
    student: student && student_name ? { id: student, name: student_name } : undefined,
    tutor: tutor && tutor_name ? { id: tutor, name: tutor_name } : undefined,
  }
}

// Date pickers accept any typed date, so a start date before `earliest` is rejected here.
function notBefore(earliest: string, resolver: Resolver<ScheduleFields>): Resolver<ScheduleFields> {
  return async (fields, context, options) => {
    const result = await resolver(fields, context, options)
    if (!fields.start_date || fields.start_date >= earliest) return result
    return {
      values: {},
      errors: { ...result.errors, start_date: { type: 'invalid', message: 'Select today or a later day' } },
    }
  }
}
