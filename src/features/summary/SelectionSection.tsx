import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import type { Session } from '#features/sessions/session.ts'
import { Button } from '#platform/ui/Button.tsx'
import { late } from '#platform/ui/late.tsx'
import { afterTick, afterTickAll, NONE_TICKED, type Ticked } from './session-choice.ts'

const SelectionBar = late(async () => (await import('./SelectionBar.tsx')).SelectionBar)

/**
 * Selecting several sessions of a list. What isn't on screen anymore isn't selected either.
 * @param shown the sessions on screen, in their order
 */
export function useSelection(shown: readonly Session[]) {
  const [ticked, setTicked] = useState<Ticked>(NONE_TICKED)
  const [isOn, setIsOn] = useState(false)
  const ids = shown.map(({ id }) => id)
  const chosen = shown.filter(({ id }) => ticked.ids.has(id))
  const visible = { ...ticked, ids: new Set(chosen.map(({ id }) => id)) }
  const clear = () => {
    setTicked(NONE_TICKED)
    setIsOn(false)
  }
  return {
    chosen,
    ids: visible.ids,
    isOn,
    onTick: (id: string, press: { isRange: boolean }) => setTicked(afterTick(visible, ids, id, press)),
    onTickAll: () => setTicked(afterTickAll(visible, ids)),
    start: () => setIsOn(true),
    clear,
  }
}
export type Selection = ReturnType<typeof useSelection>

/** Where rows have no boxes of their own: shows them, selects all, and ends it. */
export function SelectButtons({ selection, count }: { selection: Selection; count: number }) {
  if (count === 0) return null
  if (!selection.isOn)
    return (
      <Button tone="quiet" size="small" className="-mx-3" onClick={selection.start}>
        <ListChecks className="i" aria-hidden="true" />
        Select
      </Button>
    )
  const isAll = selection.chosen.length === count
  return (
    <span className="-mx-3 flex">
      <Button tone="quiet" size="small" onClick={selection.onTickAll}>
        {isAll ? 'Select none' : 'Select all'}
      </Button>
      <Button tone="quiet" size="small" onClick={selection.clear}>
        Done
      </Button>
    </span>
  )
}

/** What can be done with what's selected. */
export function SelectedSessions({
  selection,
  onExport,
}: {
  selection: Selection
  onExport: (sessions: readonly Session[]) => Promise<void>
}) {
  if (selection.chosen.length === 0) return null
  return <SelectionBar sessions={selection.chosen} onExport={onExport} onClear={selection.clear} />
}
