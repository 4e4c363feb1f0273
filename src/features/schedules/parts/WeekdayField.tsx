import { CircleAlert } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { WEEKDAYS } from '../schedule.ts'

/** A weekday picker that starts with Sunday. Its props come from react-hook-form's register. */
export function WeekdayField({ error, ...input }: { error?: string } & ComponentProps<'input'>) {
  const id = useId()
  return (
    <fieldset className="field" aria-describedby={error ? id : undefined}>
      <legend className="lab mb-1.5">
        Day
        <span className="text-danger" aria-hidden="true">
          {' '}
          *
        </span>
      </legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(2.4rem,1fr))] gap-1 max-[389px]:gap-px max-[359px]:grid-cols-4">
        {WEEKDAYS.map((name, day) => (
          <label key={name} className="day relative grid cursor-pointer place-items-center">
            <input {...input} type="radio" value={day} className="sr-only" />
            <span aria-hidden="true">{name.slice(0, 3)}</span>
            <span className="sr-only">{name}</span>
          </label>
        ))}
      </div>
      {error && (
        <p id={id} className="err">
          <CircleAlert className="i" aria-hidden="true" />
          {error}
        </p>
      )}
    </fieldset>
  )
}
