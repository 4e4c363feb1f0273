import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import type { Student } from '#features/students/student.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { inCurrency } from '#kernel/money.ts'
import { timeZones } from '#kernel/time-zone.ts'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { FormAmountField, FormDurationField } from '#platform/ui/FormEntryField.tsx'
import { type FetchedList, ListField } from '#platform/ui/ListField.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { FREQUENCIES } from '../recurrence.ts'
import { FREQUENCY_LABELS, GENERAL_TUTORING, placeOfZone, WEEKDAYS } from '../schedule.ts'
import { type ScheduleFields, timesOf } from '../schedule-form.ts'
import { WeekdayField } from './WeekdayField.tsx'

interface ScheduleFieldsetProps {
  form: UseFormReturn<ScheduleFields>
  students: FetchedList<Student>
  tutors: FetchedList<Tutor>
  /** The schedule's student and tutor, so that their names show before the lists have loaded. */
  chosen?: { student?: { id: string; name: string }; tutor?: { id: string; name: string } }
  /** The first day you can pick in the date pickers. */
  earliest: string
  /** A new schedule can have several weekdays, an existing one can be paused. */
  isNew: boolean
}

export function ScheduleFieldset({ form, students, tutors, chosen, earliest, isNew }: ScheduleFieldsetProps) {
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
        list={students}
        plural="students"
        prompt="Select a student"
        chosen={chosen?.student}
        {...fieldIn(form, 'student_id')}
      />
      <ListField
        label="Tutor"
        required
        list={tutors}
        plural="tutors"
        prompt="Select a tutor"
        chosen={chosen?.tutor}
        nameOf={(tutor) => (tutor.is_self ? 'You' : tutor.name)}
        {...fieldIn(form, 'tutor_id')}
      />
      <WeekdayField form={form} hasSeveral={isNew} />
      <div className="pair md:grid-cols-2">
        <StartTimeFields form={form} />
        <FormDurationField
          control={control}
          name="duration"
          label="Duration (hours)"
          required
          step={0.5}
          least={0.5}
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
          {...fieldIn(form, 'custom_interval_days')}
        />
      )}
      <div className="pair">
        <TextField label="Start date" type="date" required min={earliest} {...fieldIn(form, 'start_date')} />
        <TextField
          label="End date"
          type="date"
          min={start > earliest ? start : earliest}
          {...fieldIn(form, 'end_date')}
        />
      </div>
      <div className="pair">
        <TextField
          label="Subject"
          autoComplete="off"
          placeholder={GENERAL_TUTORING}
          {...fieldIn(form, 'subject')}
        />
        <FormAmountField
          control={control}
          name="hourly_rate"
          label={inCurrency('Hourly rate ($)', currency)}
        />
      </div>
      <TextArea label="Notes" {...fieldIn(form, 'notes')} />
      <More form={form} />
      {!isNew && (
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

/** The time zone, which is shown if it isn't the user's own. */
function More({ form }: Pick<ScheduleFieldsetProps, 'form'>) {
  const own = useMe().time_zone
  const chosen = useWatch({ control: form.control, name: 'time_zone' })
  const { time_zone: error } = form.formState.errors
  const isElsewhere = chosen !== '' && chosen !== own
  return (
    <Disclosure
      mustShow={Boolean(error)}
      title={
        <span className="min-w-0 flex-1 truncate">
          <b className="font-semibold">More</b>
          {isElsewhere && <span className="text-ink-2"> · Time in {placeOfZone(chosen)}</span>}
        </span>
      }
    >
      <div className="mt-2">
        <SelectField label="Time zone" help="Where the lesson takes place" {...fieldIn(form, 'time_zone')}>
          {chosen === '' && <option value="">Not known yet</option>}
          {timeZones(chosen || own).map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
      </div>
    </Disclosure>
  )
}

/** The start time, or one for each weekday if there are several. */
function StartTimeFields({ form }: { form: UseFormReturn<ScheduleFields> }) {
  const days = useWatch({ control: form.control, name: 'day_of_week' })
  const only = fieldIn(form, 'start_time')
  if (days.length < 2) return <TextField label="Start time" type="time" required {...only} />
  // What timesOf would send for the weekdays without a time is shown as soon as you leave the field.
  const fill = () => {
    for (const { day, time } of timesOf(form.getValues())) form.setValue(`own_times.${Number(day)}`, time)
  }
  return days.map((day, at) => {
    const field = fieldIn(form, `own_times.${Number(day)}`, {
      onBlur: fill,
      onChange: () => form.formState.isSubmitted && void form.trigger('start_time'),
    })
    return (
      <TextField
        key={day}
        label={`Start time, ${WEEKDAYS[Number(day)]?.slice(0, 3)}`}
        type="time"
        required
        {...field}
        error={at === 0 ? only.error : undefined}
      />
    )
  })
}
