import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import type { Side } from '#platform/ui/Ticks.tsx'
import { classesInWords, type EndedByBreak, MOST_ENDED } from '../break.ts'
import { type ListedClass, type Occurrence, yourDay } from '../occurrence.ts'
import { outcomeInWords } from '../outcome.ts'
import { occurrenceLine, stateInWords } from './OccurrenceItem.tsx'

interface CanceledProps {
  ends: readonly EndedByBreak[]
  reader: Side
  isTooMany: boolean
}

/** The classes that are canceled, by day. */
export function ClassesCanceled({ ends, reader, isTooMany }: CanceledProps) {
  return (
    <section aria-labelledby="break-classes">
      <h3 id="break-classes" className="num" aria-live="polite">
        {ends.length === 0 ? 'No classes on these days' : classesInWords(ends.length)}
      </h3>
      {isTooMany && (
        <p className="mt-1 text-danger" role="alert">
          At most {MOST_ENDED} classes at once. Choose fewer days or schedules.
        </p>
      )}
      {[...Map.groupBy(ends, yourDay)].map(([day, classes]) => (
        <div key={day} className="mt-3">
          <h4 className="num text-small text-ink-2">{longDay(day)}</h4>
          <ul className="mt-0.5 grid gap-1">
            {classes.map((one) => (
              <ClassLine
                key={one.schedule_id + one.original_date}
                one={one}
                reader={reader}
                // In time is the usual case, and what a tutor cancels is said above.
                note={one.outcome === 'canceled_late' ? outcomeInWords(one.outcome, reader) : undefined}
              />
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

/** What isn't canceled, and why. */
export function ClassesStaying({ stays, reader }: { stays: readonly ListedClass[]; reader: Side }) {
  if (stays.length === 0) return null
  return (
    <section aria-labelledby="break-stays">
      <h3 id="break-stays">{stays.length === 1 ? 'Stays as it is' : 'Stay as they are'}</h3>
      <ul className="mt-2 grid gap-1">
        {stays.map((one) => (
          <ClassLine
            key={one.schedule_id + one.original_date}
            one={one}
            reader={reader}
            day={longDay(yourDay(one))}
            note={one.is_in_closed_month ? `${monthName(one.date)} is closed` : stateInWords(one, reader)}
          />
        ))}
      </ul>
    </section>
  )
}

interface ClassLineProps {
  one: Omit<Occurrence, 'outcome'>
  reader: Side
  day?: string
  note?: string | undefined
}

function ClassLine({ one, reader, day, note }: ClassLineProps) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 wrap-anywhere">
      <span className="min-w-0">
        <span className="font-semibold">{one.student_name}</span>{' '}
        <span className="num block text-small text-ink-2">
          {day && `${day}, `}
          {occurrenceLine(one, reader)}
        </span>
      </span>
      {note && <span className="text-small text-ink-2">{note}</span>}
    </li>
  )
}

const longDay = (day: string) =>
  formatDay(day as CalendarDay, { weekday: 'long', month: 'short', day: 'numeric' })

/** For example, "November". */
const monthName = (day: string) => formatDay(day as CalendarDay, { month: 'long' })
