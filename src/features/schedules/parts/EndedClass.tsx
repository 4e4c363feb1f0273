import { useSide } from '#features/accounts/client.web.ts'
import { type Outcome, OUTCOMES } from '#features/terms/outcome.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { Button } from '#platform/ui/Button.tsx'
import type { Occurrence } from '../occurrence.ts'
import { beginsAt } from '../client.web.ts'
import { outcomeInWords } from '../outcome.ts'
import { MissedCost } from './MissedCost.tsx'
import { OutcomeChoices } from '../OutcomeChoices.tsx'

interface EndedClassProps {
  occurrence: Occurrence
  outcome: Outcome
  busy: Outcome | null | undefined
  canChange: boolean
  onEnd: (outcome: Outcome | null) => void
  onWaived: () => void
}

/** How a class ended and who said so, with what else it may have been. */
export function EndedClass({ occurrence, outcome, busy, canChange, onEnd, onWaived }: EndedClassProps) {
  const reader = useSide()
  const { outcome_by: by, outcome_at: at } = occurrence
  const hasBegun = beginsAt(occurrence) <= new Date()
  const choices = OUTCOMES.filter((one) => hasBegun || one !== 'no_show' || one === outcome)
  const isOwn = by === (reader === 'tutor' ? 'practice' : 'family')
  const whose = isOwn ? 'you' : by === 'practice' ? 'the tutor' : 'the family'
  return (
    <>
      <div>
        <p className="font-semibold">{outcomeInWords(outcome, reader)}</p>
        {by && at && (
          <p className="num text-small text-ink-2">
            Recorded by {whose}, {formatDay(dayIn(new Date(at)), { month: 'short', day: 'numeric' })}
          </p>
        )}
      </div>
      {occurrence.is_shared && <MissedCost occurrence={occurrence} onWaived={onWaived} />}
      {canChange && (
        <>
          <OutcomeChoices
            choices={choices}
            reader={reader}
            about={occurrence.date}
            current={outcome}
            busy={busy}
            onChoose={onEnd}
          />
          <Button
            tone="quiet"
            busy={busy === null}
            blockedReason={busy ? '' : undefined}
            onClick={() => onEnd(null)}
          >
            Back to planned
          </Button>
        </>
      )}
    </>
  )
}
