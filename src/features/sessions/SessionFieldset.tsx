import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { formatHours } from '#kernel/duration.ts'
import { isolated } from '#kernel/isolate.ts'
import { formatAmount, formatMoney, inCurrency } from '#kernel/money.ts'
import { type Student, UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type Tutor, UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { DurationField, SelectField, TextArea, TextField } from '#platform/ui/Field.tsx'
import { defaultRateOf, type KeptRate, runningTotal, type SessionFields } from './session-form.ts'

interface SessionFieldsetProps {
  form: UseFormReturn<SessionFields>
  students: Student[]
  tutors: Tutor[]
  /** What the first select is called: a child to a parent, a student otherwise. */
  studentLabel: 'Child' | 'Student'
  /** Shown for a student or tutor who was deleted, and who need not be replaced. */
  unknown?: { student: boolean; tutor: boolean }
  /** The session that is changed, whose rate stays. */
  kept?: KeptRate
}

/** The fields that logging and editing a session share, and the amount they come to. */
export function SessionFieldset({
  form,
  students,
  tutors,
  studentLabel,
  unknown,
  kept,
}: SessionFieldsetProps) {
  const {
    register,
    control,
    formState: { errors },
  } = form
  const { currency } = useMe()
  const fields = useWatch({ control }) as SessionFields
  const total = runningTotal(fields, defaultRateOf(fields, students, tutors, kept))
  const plural = studentLabel === 'Child' ? 'children' : 'students'

  return (
    <>
      <SelectField
        label={studentLabel}
        required={!unknown?.student}
        error={errors.student_id?.message}
        {...register('student_id')}
      >
        <option value="">
          {unknown?.student
            ? UNKNOWN_STUDENT
            : students.length
              ? `Select a ${studentLabel.toLowerCase()}`
              : `No ${plural} added yet`}
        </option>
        {students.map((student) => (
          <option key={student.id} value={student.id}>
            {student.name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Tutor"
        required={!unknown?.tutor}
        error={errors.tutor_id?.message}
        {...register('tutor_id')}
      >
        <option value="">
          {unknown?.tutor ? UNKNOWN_TUTOR : tutors.length ? 'Select a tutor' : 'No tutors added yet'}
        </option>
        {tutors.map((tutor) => (
          <option key={tutor.id} value={tutor.id}>
            {tutor.is_self ? 'You' : isolated(tutor.name)}
            {tutor.hourly_rate === null ? '' : ` (${formatAmount(tutor.hourly_rate, currency)}/hour)`}
          </option>
        ))}
      </SelectField>
      <div className="grid grid-cols-2 gap-3">
        <TextField label="Date" type="date" required error={errors.date?.message} {...register('date')} />
        <Controller
          control={control}
          name="duration"
          render={({ field }) => (
            <DurationField
              label="Duration (hours)"
              required
              step={0.25}
              least={0}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              error={errors.duration?.message}
            />
          )}
        />
      </div>
      <TextField
        label="Subject"
        autoComplete="off"
        error={errors.subject?.message}
        {...register('subject')}
      />
      <TextField
        label={inCurrency('Rate Override ($/hour)', currency)}
        className="num"
        inputMode="decimal"
        autoComplete="off"
        placeholder="Leave blank to use tutor's default rate"
        error={errors.hourly_rate?.message}
        {...register('hourly_rate')}
      />
      <TextArea
        label="Notes"
        placeholder="What you covered, homework set"
        error={errors.notes?.message}
        {...register('notes')}
      />
      {total && (
        <div className="flex items-center justify-between rounded-md bg-accent-soft px-4 py-3 col-span-full">
          <span className="num text-ink-2">
            {formatHours(total.minutes)} h at {formatMoney(total.rate, currency)}
          </span>
          <output className="disp num text-[1.5rem] leading-none">
            {formatMoney(total.amount, currency)}
          </output>
        </div>
      )}
    </>
  )
}
