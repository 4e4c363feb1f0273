import { Folded } from '#platform/ui/Folded.tsx'
import type { Occurrence } from './occurrence.ts'

/**
 * The summary and homework from the previous lesson, to read before a class. Renders nothing if both are
 * missing.
 */
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
