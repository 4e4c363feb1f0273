import { type ReactNode, useState } from 'react'
import { SegmentedTabs } from './SegmentedTabs.tsx'

interface WithArchivedProps {
  /** Plural noun for the list's rows, such as "children". */
  plural: string
  /** The number of archived entries. */
  count: number
  active: ReactNode
  archived: ReactNode
}

/** A list with a filter for its archived entries. If there are none, only the list is shown. */
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
