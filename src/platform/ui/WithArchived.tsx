import { type ReactNode, useState } from 'react'
import { SegmentedTabs } from './Segmented.tsx'

interface WithArchivedProps {
  /** What's on the list, as in "children". */
  plural: string
  /** How many entries are archived. */
  count: number
  active: ReactNode
  archived: ReactNode
}

/** A list with its archived entries behind a filter; just the list if nothing is archived. */
export function WithArchived({ plural, count, active, archived }: WithArchivedProps) {
  const [shown, setShown] = useState<'active' | 'archived'>('active')
  if (count === 0) return active
  return (
    <SegmentedTabs
      label={`Which ${plural}`}
      value={shown}
      onValueChange={setShown}
      className=""
      tabs={[
        { value: 'active', label: 'Active', panel: <div className="mt-4">{active}</div> },
        { value: 'archived', label: `Archived (${count})`, panel: <div className="mt-4">{archived}</div> },
      ]}
    />
  )
}
