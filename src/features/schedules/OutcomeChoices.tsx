import type { Outcome } from '#features/terms/outcome.ts'
import { Button } from '#platform/ui/Button.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { outcomeInWords } from './outcome.ts'

interface OutcomeChoicesProps {
  /** The likeliest first; it's filled. */
  choices: readonly Outcome[]
  reader: Side
  /** What the choice is about, for screen readers. */
  about: string
  /** How it ended according to what was recorded. It's not asked again. */
  current?: Outcome | null
  /** The answer that's being sent. */
  busy?: Outcome | null | undefined
  isBlocked?: boolean
  onChoose: (outcome: Outcome) => void
}

/** How a class ended, in one row. */
export function OutcomeChoices({
  choices,
  reader,
  about,
  current,
  busy,
  isBlocked,
  onChoose,
}: OutcomeChoicesProps) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(3.75rem,1fr))] gap-1.5">
      {choices.map((outcome, at) => {
        const words = outcomeInWords(outcome, reader)
        const isCurrent = outcome === current
        return (
          <Button
            key={outcome}
            size="small"
            tone={(current === undefined ? at === 0 : isCurrent) ? 'primary' : 'secondary'}
            className="h-full px-0.5! text-[.8125rem] leading-tight"
            aria-label={`${words}, ${about}`}
            aria-pressed={current === undefined ? undefined : isCurrent}
            busy={busy === outcome}
            blockedReason={isBlocked || (busy !== undefined && busy !== outcome) ? '' : undefined}
            onClick={() => !isCurrent && onChoose(outcome)}
          >
            {words}
          </Button>
        )
      })}
    </div>
  )
}
