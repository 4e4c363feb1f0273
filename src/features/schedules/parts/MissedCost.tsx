import { useCanWrite, useSide } from '#features/accounts/client.web.ts'
import { isWaivable } from '#features/terms/outcome.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useMissedClass, useWaive } from '../client.web.ts'
import type { Occurrence } from '../occurrence.ts'
import { costInWords } from '../outcome.ts'

/** What a missed class costs by agreed terms, and why. Whoever would be paid can waive it. */
export function MissedCost({ occurrence, onWaived }: { occurrence: Occurrence; onWaived: () => void }) {
  const reader = useSide()
  const canWrite = useCanWrite()
  const missed = useMissedClass(occurrence)
  const { waive, isWaiving } = useWaive()
  if (!missed?.because) return null
  const { charge, because } = missed
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="num font-semibold">{costInWords(missed)}</p>
        <p className="text-small text-ink-2">{because}</p>
      </div>
      {charge && canWrite && isWaivable(charge, reader) && (
        <Button
          size="small"
          tone="secondary"
          busy={isWaiving}
          busyText="Waiving..."
          onClick={() => void waive(charge).then((isWaived) => isWaived && onWaived())}
        >
          Waive
        </Button>
      )}
    </div>
  )
}
