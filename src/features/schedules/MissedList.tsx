import { useSide } from '#features/accounts/client.web.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { costInWords, type MissedClass, missedInWords, outcomeInWords } from './outcome.ts'

interface MissedListProps {
  missed: readonly MissedClass[]
  className?: string
  /** Whether it's unfolded at first, where it's what someone looked for. */
  isOpen?: boolean
}

/** How many planned classes didn't take place, and which ones. */
export function MissedList({ missed, className, isOpen = false }: MissedListProps) {
  const reader = useSide()
  if (missed.length === 0) return null
  return (
    <Disclosure
      className={className}
      isOpenAtFirst={isOpen}
      title={<span className="num font-semibold">{missedInWords(missed)}</span>}
    >
      <ul className="grid gap-2 pb-2 text-small" aria-label="Missed classes">
        {missed.map((one) => (
          <li
            key={one.schedule_id + one.original_date}
            className="flex flex-wrap items-baseline justify-between gap-x-4"
          >
            <span className="num min-w-0 wrap-anywhere">
              {formatDay(one.date as CalendarDay, { weekday: 'short', month: 'short', day: 'numeric' })},{' '}
              {formatTime(one.start_time)}
              <span className="block text-ink-2">
                {inOneLine([
                  one.student_name ?? UNKNOWN_STUDENT,
                  ...(reader === 'tutor' ? [] : [one.tutor_name ?? UNKNOWN_TUTOR]),
                ])}
              </span>
            </span>
            <span className="text-ink-2">
              {outcomeInWords(one.outcome, reader)}
              {(one.charge ?? one.is_waived) && <span className="num block">{costInWords(one)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
