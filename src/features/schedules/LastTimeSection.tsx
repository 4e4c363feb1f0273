import { Folded } from '#platform/ui/Folded.tsx'
import type { Occurrence } from './occurrence.ts'

/** Before a class: what was done last time, and the homework. Nothing if nobody wrote it. */
export function LastTimeSection({ last, className }: Pick<Occurrence, 'last'> & { className?: string }) {
  return (
    <Folded
      className={className}
      texts={[
        { label: 'Last time', text: last?.summary ?? null },
        { label: 'Homework', text: last?.homework ?? null },
      ]}
    />
  )
}
