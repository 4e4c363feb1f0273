import { Folded } from '#platform/ui/Folded.tsx'
import type { Occurrence } from './occurrence.ts'

/** Shown before a class: what was done last time, and the homework; empty if nobody wrote any. */
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
