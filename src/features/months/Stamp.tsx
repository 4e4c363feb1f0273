import { type Side, Ticks } from '#platform/ui/Ticks.tsx'
import { dayOf } from './closing-text.ts'

interface StampProps {
  closedAt: string
  /** The side whose tick is animated before the stamp appears. Only set if the month was just closed. */
  drawn?: Side
}

export function Stamp({ closedAt, drawn }: StampProps) {
  return (
    <div className={`stamp ${drawn ? 'lands' : ''}`}>
      <Ticks drawn={drawn} width={44} />
      <div>
        <p className="stamp-word">Closed</p>
        <p className="num text-small text-ink-2">{dayOf(closedAt)}</p>
      </div>
    </div>
  )
}
