import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import { useController, type UseFormReturn } from 'react-hook-form'
import { WEEKDAYS, weekdaysInOrder } from '../schedule.ts'
import { type ScheduleFields, withWeekday } from '../schedule-form.ts'

interface WeekdayFieldProps {
  form: UseFormReturn<ScheduleFields>
  /** True for a new schedule, which becomes one for each weekday. */
  hasSeveral: boolean
}

/** A weekday picker that starts with the reader's first weekday. */
export function WeekdayField({ form, hasSeveral }: WeekdayFieldProps) {
  const id = useId()
  const {
    field: { ref, name, value: chosen, onChange, onBlur },
    fieldState: { error },
  } = useController({ control: form.control, name: 'day_of_week' })
  const press = (day: string) => {
    if (!hasSeveral) return onChange([day])
    const times = withWeekday(form.getValues(), day)
    form.setValue('start_time', times.start_time, { shouldValidate: form.formState.isSubmitted })
    form.setValue('own_times', times.own_times)
    onChange(times.day_of_week)
  }
  return (
    <fieldset className="field" aria-describedby={error ? id : undefined}>
      <legend className="lab mb-1.5">
        {hasSeveral ? 'Days' : 'Day'}
        <span className="text-danger" aria-hidden="true">
          {' '}
          *
        </span>
      </legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(2.4rem,1fr))] gap-1 max-[389px]:gap-px max-[359px]:grid-cols-4">
        {weekdaysInOrder().map((number, at) => {
          const [day, weekday = ''] = [String(number), WEEKDAYS[number]]
          return (
            <label key={day} className="day relative grid cursor-pointer place-items-center">
              <input
                ref={at === 0 ? ref : undefined}
                type={hasSeveral ? 'checkbox' : 'radio'}
                name={name}
                className="sr-only"
                checked={chosen.includes(day)}
                onChange={() => press(day)}
                onBlur={onBlur}
              />
              <span aria-hidden="true">{weekday.slice(0, 3)}</span>
              <span className="sr-only">{weekday}</span>
            </label>
          )
        })}
      </div>
      {error && (
        <p id={id} className="err">
          <CircleAlert className="i" aria-hidden="true" />
          {error.message}
        </p>
      )}
    </fieldset>
  )
}
