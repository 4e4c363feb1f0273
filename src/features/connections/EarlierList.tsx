import type { ReactNode } from 'react'
import { Disclosure } from '#platform/ui/Disclosure.tsx'

interface EarlierListProps {
  /** The singular noun for the rows, for example "payment". */
  noun: string
  rows: readonly ReactNode[]
}

/** Settled items on the emailed page, collapsed under "3 earlier payments". Renders nothing if there are none. */
export function EarlierList({ noun, rows }: EarlierListProps) {
  if (rows.length === 0) return null
  const nouns = `${noun}s`
  return (
    <Disclosure
      className="mt-3"
      title={rows.length === 1 ? `1 earlier ${noun}` : `${rows.length} earlier ${nouns}`}
    >
      <ul className="card list mt-1 overflow-hidden" aria-label={`Earlier ${nouns}`}>
        {rows}
      </ul>
    </Disclosure>
  )
}
