import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import type { Student } from '#features/students/student.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { inCurrency } from '#kernel/money.ts'
import { AmountField, DurationField } from '#platform/ui/EntryField.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { type FetchedList, ListField } from '#platform/ui/ListField.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { FREQUENCIES } from '../recurrence.ts'
import { FREQUENCY_LABELS, GENERAL_TUTORING } from '../schedule.ts'
import type { ScheduleFields } from '../schedule-form.ts'
import { WeekdayField } from './WeekdayField.tsx'

interface ScheduleFieldsetProps {
  form: UseFormReturn<ScheduleFields>
  students: FetchedList<Student>
  tutors: FetchedList<Tutor>
  /** The schedule's student and tutor, so that their names show before the lists have loaded. */
  chosen?: { student?: { id: string; name: string }; tutor?: { id: string; name: string } }
  /** The first day you can pick in the date pickers. */
  earliest: string
  /** True when editing, since only an existing schedule can be paused. */
  canPause: boolean
}

export function ScheduleFieldset({
  form,
  students,
  tutors,
  chosen,
  earliest,
  canPause,
}: ScheduleFieldsetProps) {
  const {
    register,
    control,
    formState: { errors },
  } = form
  const { currency } = useMe()
  const [frequency, start] = useWatch({ control, name: ['frequency', 'start_date'] })
  return (
    <>
      <ListField
        label="Student"
        required
        error={errors.student_id?.message}
        list={students}
        plural="students"
        prompt="Select a student"
        chosen={chosen?.student}
        {...register('student_id')}
      />
      <ListField
        label="Tutor"
        required
        error={errors.tutor_id?.message}
        list={tutors}
        plural="tutors"
        prompt="Select a tutor"
        chosen={chosen?.tutor}
        nameOf={(tutor) => (tutor.is_self ? 'You' : tutor.name)}
        {...register('tutor_id')}
      />
      <WeekdayField error={errors.day_of_week?.message} {...register('day_of_week')} />
      <div className="pair">
        <TextField
          label="Start time"
          type="time"
          required
          error={errors.start_time?.message}
          {...register('start_time')}
        />
        <Controller
          control={control}
          name="duration"
          render={({ field }) => (
            <DurationField
              label="Duration (hours)"
              required
              step={0.5}
              least={0.5}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              ref={field.ref}
              error={errors.duration?.message}
            />
          )}
        />
      </div>
      <Controller
        control={control}
        name="frequency"
        render={({ field }) => (
          <SegmentedChoice
            label="Frequency"
            name="frequency"
            value={field.value}
            onValueChange={field.onChange}
            options={FREQUENCIES.map((value) => ({ value, label: FREQUENCY_LABELS[value] }))}
          />
        )}
      />
      {frequency === 'custom' && (
        <TextField
          label="Custom interval (days)"
          required
          className="num"
          inputMode="numeric"
          autoComplete="off"
          error={errors.custom_interval_days?.message}
          {...register('custom_interval_days')}
        />
      )}
      <div className="pair">
        <TextField
          label="Start date"
          type="date"
          required
          min={earliest}
          error={errors.start_date?.message}
          {...register('start_date')}
        />
        <TextField
          label="End date"
          type="date"
          min={start > earliest ? start : earliest}
          error={errors.end_date?.message}
          {...register('end_date')}
        />
      </div>
      <div className="pair">
        <TextField
          label="Subject"
          autoComplete="off"
          placeholder={GENERAL_TUTORING}
          error={errors.subject?.message}
          {...register('subject')}
        />
        <Controller
          control={control}
          name="hourly_rate"
          render={({ field }) => (
            <AmountField
              label={inCurrency('Hourly rate ($)', currency)}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              ref={field.ref}
              error={errors.hourly_rate?.message}
            />
          )}
        />
      </div>
      <TextArea label="Notes" error={errors.notes?.message} {...register('notes')} />
      {canPause && (
        <label className="flex min-h-11 items-center gap-3 font-semibold">
          <input type="checkbox" className="size-5 accent-accent" {...register('is_active')} />
          Active
          {errors.is_active && (
            <span className="err" role="alert">
              {errors.is_active.message}
            </span>
          )}
        </label>
      )}
    </>
  )
}
