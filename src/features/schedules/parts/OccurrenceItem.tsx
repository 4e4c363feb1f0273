import { useSide } from '#features/accounts/client.web.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { isolated } from '#kernel/isolate.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { isOverNow } from '../client.web.ts'
import type { Occurrence } from '../occurrence.ts'
import { GENERAL_TUTORING } from '../schedule.ts'

/** For example, "4:30 PM, 1.5 h, Algebra with Ingrid". */
export function occurrenceLine(occurrence: Occurrence, reader: Side): string {
  const { start_time: time, duration } = occurrence
  return `${formatTime(time)}, ${hoursInWords(duration)}, ${subjectLine(occurrence, reader)}`
}

/** For example, "Algebra with Ingrid". Tutors don't see the tutor's name, because all of the classes are theirs. */
export function subjectLine({ subject, tutor_name: tutor }: Occurrence, reader: Side): string {
  const what = isolated(subject ?? GENERAL_TUTORING)
  return reader === 'tutor' ? what : `${what} with ${isolated(tutor)}`
}

/** What became of a class, or undefined as long as it's still to come. */
export function stateOf(occurrence: Occurrence): 'Logged' | 'Unanswered' | 'Skipped' | undefined {
  if (occurrence.status === 'logged') return 'Logged'
  if (occurrence.status === 'skipped') return 'Skipped'
  return isOverNow(occurrence) ? 'Unanswered' : undefined
}

/** A class in a calendar view. Tap it to open its dialog. */
export function OccurrenceItem({
  occurrence,
  onOpen,
}: {
  occurrence: Occurrence
  onOpen: (occurrence: Occurrence) => void
}) {
  const reader = useSide()
  const state = stateOf(occurrence)
  return (
    <button
      type="button"
      className={`flex min-h-14 w-full items-center gap-3 rounded-sm px-4 py-2.5 text-left wrap-anywhere hover:bg-sunken ${
        occurrence.status === 'skipped' ? 'text-ink-3 line-through' : ''
      }`}
      onClick={() => onOpen(occurrence)}
    >
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 block font-semibold leading-snug">{occurrence.student_name}</span>
        <span className="num block text-small text-ink-2">{occurrenceLine(occurrence, reader)}</span>
      </span>
      {state && (
        <Badge tone={state === 'Logged' ? 'ok' : state === 'Unanswered' ? 'warn' : 'plain'}>{state}</Badge>
      )}
    </button>
  )
}
