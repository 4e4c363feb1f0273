import { hoursInWords } from '#kernel/duration.ts'
import { DayMargin } from '#platform/ui/LogRow.tsx'
import { LastTimeSection } from './LastTimeSection.tsx'
import { type Occurrence, timesOf, yourDay } from './occurrence.ts'
import { OccurrenceAnswers } from './parts/OccurrenceAnswers.tsx'
import { GENERAL_TUTORING } from './schedule.ts'

interface DueRowProps {
  occurrence: Occurrence
  /** Called with true to keep the row visible after the user answers, and with false once it can disappear. */
  onKeep: (isKept: boolean) => void
}

/** A past class that hasn't been logged, with the question 'Did this class happen?'. */
export function DueRow({ occurrence, onKeep }: DueRowProps) {
  const day = yourDay(occurrence)
  return (
    <li className="log">
      <DayMargin day={day} />
      <div className="m col-[2/-1] pr-4!">
        <div className="t" title={occurrence.student_name}>
          {occurrence.student_name}
        </div>
        <div className="s num">
          {occurrence.subject ?? GENERAL_TUTORING}, {timesOf(occurrence)}, {hoursInWords(occurrence.duration)}
        </div>
        <LastTimeSection last={occurrence.last} className="mt-1" />
        <div className="mt-2.5">
          <OccurrenceAnswers occurrence={occurrence} onKeep={onKeep} />
        </div>
      </div>
    </li>
  )
}
