import { useEffect, useRef, useState } from 'react'
import { type Resolver, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { useMe, useSide } from '#features/accounts/client.web.ts'
import { useRecentSessions } from '#features/sessions/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import type { Student } from '#features/students/student.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { isolated } from '#kernel/isolate.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { readDraft, withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy } from '#platform/ui/form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { deleteSchedules, useSaveSchedule, useScheduleOffers, useSchedules } from './client.web.ts'
import { OfferAnswer, otherSide } from './parts/OfferAnswer.tsx'
import { ScheduleFieldset } from './parts/ScheduleFieldset.tsx'
import { ScheduleHistory } from './parts/ScheduleHistory.tsx'
import { NewSchedule, type Schedule } from './schedule.ts'
import {
  earliestDay,
  emptySchedule,
  fieldsOf,
  forNextStudent,
  likeLastClass,
  nextStudent,
  type ScheduleFields,
  toSchedule,
} from './schedule-form.ts'

interface ScheduleDialogProps {
  schedule?: Schedule
  onClose: () => void
  /** Adds days without lessons, if there are classes to come. What was typed here is kept. */
  onBreak?: (() => void) | undefined
}

export function ScheduleDialog(props: ScheduleDialogProps) {
  const draft = `schedule:${props.schedule?.id ?? 'new'}`
  return (
    <FormBoundary draft={draft}>
      <ScheduleForm draft={draft} {...props} />
    </FormBoundary>
  )
}

function ScheduleForm({ draft, schedule, onClose, onBreak }: ScheduleDialogProps & { draft: string }) {
  const students = useStudents()
  const tutors = useTutors()
  const save = useSaveSchedule()
  const toast = useToast()
  const { time_zone: zone, currency } = useMe()
  const [today] = useState(() => dayIn(new Date()))
  const earliest = earliestDay(today, schedule)
  const [start, setStart] = useState(() => ({
    values: withDraft(draft, schedule ? fieldsOf(schedule, currency) : emptySchedule(today, zone ?? '')),
    isFresh: schedule === undefined && readDraft(draft) === undefined,
  }))
  const form = useForm<ScheduleFields>({
    resolver: notBefore(earliest, checkedBy(NewSchedule, toSchedule, { currency, fields: ['hourly_rate'] })),
    defaultValues: start.values,
  })
  const next = useNextStudent(form, students.data, schedule === undefined)
  /** The student whose schedule comes after saving this one, if that button was pressed. */
  const goesOnWith = useRef<Student>(undefined)
  const entry = useRef<HTMLFormElement>(null)
  const undo = (created: Schedule[]) =>
    void deleteSchedules(created).catch(() => toast.error('Error', 'Failed to delete schedule'))
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft,
    save: (fields, idempotencyKey) => save.mutateAsync({ schedule, fields, idempotencyKey }),
    onDone: onClose,
    onSaved: () => {
      const student = goesOnWith.current
      if (!student) return onClose()
      // Before the button that was pressed goes, as it does for the last student: the dialog would take its focus.
      entry.current?.querySelector<HTMLElement>('[name=day_of_week]')?.focus()
      const values = forNextStudent(form.getValues(), student)
      setStart({ values, isFresh: true })
      form.reset(values, { keepFieldsRef: true })
    },
    success: (saved) =>
      schedule
        ? ['Schedule updated successfully']
        : [
            saved.length === 1
              ? 'Schedule created successfully'
              : `${saved.length} schedules created successfully`,
            goesOnWith.current && `Next: ${isolated(goesOnWith.current.name)}`,
            { label: 'Undo', run: () => undo(saved) },
          ],
    failure: schedule ? 'Failed to update schedule' : 'Failed to create schedule',
  })
  useLastClass(form, start)
  usePreselected(form, students.data, tutors.data)

  return (
    <FormDialog
      title={schedule ? 'Edit Schedule' : 'Create Schedule'}
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <div className="flex min-w-0 flex-1 flex-wrap gap-2.5">
          <FormButtons
            form="schedule-form"
            label={schedule ? 'Update Schedule' : 'Create Schedule'}
            isBusy={save.isPending}
            onCancel={close}
          />
          {next && (
            <Button
              type="submit"
              form="schedule-form"
              name={NEXT}
              tone="secondary"
              className="w-full"
              busy={save.isPending}
              busyText="Saving..."
              title={next.name}
            >
              <span className="line-clamp-2 wrap-anywhere">
                Create and continue with {isolated(next.name)}
              </span>
            </Button>
          )}
        </div>
      }
    >
      <form
        ref={entry}
        id="schedule-form"
        className="grid gap-4"
        onSubmit={(event) => {
          const { submitter } = event.nativeEvent as SubmitEvent
          goesOnWith.current = submitter?.getAttribute('name') === NEXT ? next : undefined
          void submit(event)
        }}
        noValidate
      >
        <ScheduleFieldset
          form={form}
          students={students}
          tutors={tutors}
          chosen={schedule && chosenIn(schedule)}
          earliest={earliest}
          isNew={schedule === undefined}
        />
        {onBreak && (
          <Button tone="quiet" className="justify-self-start" onClick={onBreak}>
            Add a break
          </Button>
        )}
      </form>
      {schedule && <Together schedule={schedule} />}
    </FormDialog>
  )
}

/** What the schedule is for both sides: what's offered about it, and what happened to it. */
function Together({ schedule }: { schedule: Schedule }) {
  const other = otherSide(useSide(), schedule.tutor_name)
  const offer = useScheduleOffers().data?.find((one) => one.schedule_id === schedule.id)
  return (
    <>
      {offer && (
        <section className="mt-6 border-t-[1.5px] border-line pt-4" aria-label="One schedule for both">
          <OfferAnswer offer={offer} own={schedule} />
        </section>
      )}
      <Disclosure className="mt-6" title={<b className="font-semibold">History</b>}>
        <div className="mt-2">
          <ScheduleHistory scheduleId={schedule.id} other={other} />
        </div>
      </Disclosure>
    </>
  )
}

/** The name of the button that goes on with the next student. */
const NEXT = 'next'

/** In a practice, the next student without a schedule. */
function useNextStudent(
  { control }: UseFormReturn<ScheduleFields>,
  students: Student[] | undefined,
  isNew: boolean,
): Student | undefined {
  const schedules = useSchedules().data
  const isPractice = useSide() === 'tutor'
  const current = useWatch({ control, name: 'student_id' })
  if (!isNew || !isPractice || !students || !schedules || !current) return undefined
  return nextStudent(students, schedules, current)
}

/** Selects the only student and the only tutor. In a practice, the tutor is the user. */
function usePreselected(
  { getValues, setValue }: UseFormReturn<ScheduleFields>,
  students: Student[] | undefined,
  tutors: Tutor[] | undefined,
): void {
  // Sets values even if they stay the same, because a select can't show a value that isn't among its options
  // yet.
  useEffect(() => {
    if (students) setValue('student_id', getValues('student_id') || onlyOne(students))
    const self = tutors?.find((tutor) => tutor.is_self)
    if (tutors) setValue('tutor_id', getValues('tutor_id') || (self?.id ?? onlyOne(tutors)))
  }, [students, tutors, getValues, setValue])
}

function onlyOne(rows: readonly { id: string }[]): string {
  return (rows.length === 1 && rows[0]?.id) || ''
}

/**
 * When you choose a student, fills in the day, time and length of their most recent class. Leaves fields
 * you've already edited alone.
 */
function useLastClass(
  form: UseFormReturn<ScheduleFields>,
  { values, isFresh }: { values: ScheduleFields; isFresh: boolean },
): void {
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
    // Begins with the form's first values, so that nothing filled in for a previously chosen student remains.
    const { day_of_week, start_time, duration } = values
    const last = { day_of_week, start_time, duration, ...likeLastClass(classes, studentId, tutorId) }
    for (const name of ['day_of_week', 'start_time', 'duration'] as const)
      if (!getFieldState(name).isDirty) setValue(name, last[name], { shouldValidate: isSubmitted })
  }, [isFresh, values, classes, studentId, tutorId, dirtyFields, isSubmitted, getFieldState, setValue])
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
