import { useSide } from '#features/accounts/client.web.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { isolated } from '#kernel/isolate.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { isOverNow } from '../client.web.ts'
import { type Occurrence, timesOf } from '../occurrence.ts'
import { outcomeInWords } from '../outcome.ts'
import { GENERAL_TUTORING } from '../schedule.ts'

/** For example, "4:30 PM, 1.5 h, Algebra with Ingrid". */
export function occurrenceLine(occurrence: Omit<Occurrence, 'outcome'>, reader: Side): string {
  return `${timesOf(occurrence)}, ${hoursInWords(occurrence.duration)}, ${subjectLine(occurrence, reader)}`
}

/** For example, "Algebra with Ingrid". Tutors don't see the tutor's name, because all of the classes are theirs. */
export function subjectLine(
  { subject, tutor_name: tutor }: Pick<Occurrence, 'subject' | 'tutor_name'>,
  reader: Side,
): string {
  const what = isolated(subject ?? GENERAL_TUTORING)
  return reader === 'tutor' ? what : `${what} with ${isolated(tutor)}`
}

type ClassState = 'logged' | 'canceled' | 'unanswered' | 'planned'

/** What became of a class. */
export function stateOf(occurrence: Occurrence): ClassState {
  if (occurrence.status !== 'planned') return occurrence.status
  return isOverNow(occurrence) ? 'unanswered' : 'planned'
}

/** What became of a class, such as "Canceled late"; undefined as long as it's still to come. */
export function stateInWords(occurrence: Occurrence, reader: Side): string | undefined {
  if (occurrence.outcome) return outcomeInWords(occurrence.outcome, reader)
  return { logged: 'Logged', unanswered: 'Unanswered', canceled: 'Canceled', planned: undefined }[
    stateOf(occurrence)
  ]
}

const TONES = { logged: 'ok', unanswered: 'warn', canceled: 'plain', planned: 'plain' } as const

/** A class in a calendar view. Tap it to open its dialog. */
export function OccurrenceItem({
  occurrence,
  onOpen,
}: {
  occurrence: Occurrence
  onOpen: (occurrence: Occurrence) => void
}) {
  const reader = useSide()
  const words = stateInWords(occurrence, reader)
  const struck = occurrence.status === 'canceled' ? 'text-ink-3 line-through' : ''
  return (
    <button
      type="button"
      className="flex min-h-14 w-full items-center gap-3 rounded-sm px-4 py-2.5 text-left wrap-anywhere hover:bg-sunken"
      onClick={() => onOpen(occurrence)}
    >
      <span className="min-w-0 flex-1">
        <span className={`line-clamp-2 block font-semibold leading-snug ${struck}`}>
          {occurrence.student_name}
        </span>
        <span className={`num block text-small text-ink-2 ${struck}`}>
          {occurrenceLine(occurrence, reader)}
        </span>
      </span>
      {words && <Badge tone={TONES[stateOf(occurrence)]}>{words}</Badge>}
    </button>
  )
}
