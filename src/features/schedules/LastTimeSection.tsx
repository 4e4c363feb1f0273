import { Folded } from '#platform/ui/Folded.tsx'
import type { Occurrence } from './occurrence.ts'

/** Shows the previous lesson's summary and homework before a class. Renders nothing if neither was written. */
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
