import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button, IconButton } from '#platform/ui/Button.tsx'

interface PagerProps {
  /** The visible range, such as "November 2026". */
  label: string
  unit: 'week' | 'month'
  onMove: (by: -1 | 1) => void
  onToday: () => void
}

export function Pager({ label, unit, onMove, onToday }: PagerProps) {
  return (
    <div className="mt-4 flex flex-wrap items-center justify-end gap-1">
      <IconButton label={`Previous ${unit}`} onClick={() => onMove(-1)}>
        <ChevronLeft className="i" aria-hidden="true" />
      </IconButton>
      <h2 className="num min-w-[8em] flex-1 text-center text-[1.1875rem]" aria-live="polite">
        {label}
      </h2>
      <IconButton label={`Next ${unit}`} onClick={() => onMove(1)}>
        <ChevronRight className="i" aria-hidden="true" />
      </IconButton>
      <Button tone="quiet" size="small" onClick={onToday}>
        Today
      </Button>
    </div>
  )
}
