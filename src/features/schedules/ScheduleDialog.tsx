import { useEffect, useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { Button } from '#platform/ui/Button.tsx'
import { readDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy } from '#platform/ui/form.web.ts'
import { useSaveSchedule } from './client.web.ts'
import { ScheduleFieldset } from './parts/ScheduleFieldset.tsx'
import { NewSchedule, type Schedule } from './schedule.ts'
import { earliestDay, emptySchedule, fieldsOf, type ScheduleFields, toSchedule } from './schedule-form.ts'

/** Creates a schedule, or changes the one that is given: a dialog on a desktop, a sheet on a phone. It closes only on success. */
export function ScheduleDialog({ schedule, onClose }: { schedule?: Schedule; onClose: () => void }) {
  const draft = `schedule:${schedule?.id ?? 'new'}`
  const students = useStudents()
  const tutors = useTutors()
  const save = useSaveSchedule()
  const [today] = useState(() => dayIn(new Date()))
  const earliest = earliestDay(today, schedule)
  const form = useForm<ScheduleFields>({
    resolver: notBefore(earliest, checkedBy(NewSchedule, toSchedule)),
    defaultValues: readDraft<ScheduleFields>(draft) ?? (schedule ? fieldsOf(schedule) : emptySchedule(today)),
  })
  const { submit, close, isDirty } = useEntryForm(form, {
    draft,
    save: (fields, idempotencyKey) =>
      save.mutateAsync({ schedule, input: toSchedule(fields), idempotencyKey }),
    onDone: onClose,
    success: schedule ? 'Schedule updated successfully' : 'Schedule created successfully',
    failure: schedule ? 'Failed to update schedule' : 'Failed to create schedule',
  })
  const { setValue, getValues } = form

  // The choices arrive after the form: a select shows a value only once its option is there.
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
      footer={
        <>
          <Button tone="secondary" onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            form="schedule-form"
            className="flex-1"
            busy={save.isPending}
            busyText="Saving..."
          >
            {schedule ? 'Update Schedule' : 'Create Schedule'}
          </Button>
        </>
      }
    >
      <form id="schedule-form" className="grid gap-4" onSubmit={submit} noValidate>
        <ScheduleFieldset
          form={form}
          students={students.data ?? []}
          tutors={tutors.data ?? []}
          earliest={earliest}
          canPause={schedule !== undefined}
        />
      </form>
    </FormDialog>
  )
}

// The pickers offer no day before today; a date can be typed all the same.
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
