import type { ReactNode } from 'react'
import { Badge } from './Badge.tsx'

export interface TicksProps {
  /** The parent agreed: the first tick is thick and blue, else thin and grey. */
  parent: boolean
  /** The tutor agreed: the second tick is thick and green, else thin and grey. */
  tutor: boolean
  /** The second tick draws itself once. */
  draw?: boolean
}

/** The two ticks; put words next to them. */
export function Ticks({ parent, tutor, draw = false }: TicksProps) {
  return (
    <svg className={draw ? 'ticks draw' : 'ticks'} width="25" height="15" viewBox="0 0 30 18" aria-hidden="true">
      <path d="M2.5 10l5 5L17 3.5" className={parent ? 'parent' : 'open'} />
      <path d="M12.5 10l5 5L27 3.5" className={tutor ? 'tutor' : 'open'} />
    </svg>
  )
}

export interface VerificationLineProps {
  state: 'verified' | 'waiting' | 'disputed'
  /** Who still has to agree, while waiting. */
  side?: 'parent' | 'tutor'
  /** Why the session was sent back. */
  note?: ReactNode
  /** The session was verified just now. */
  draw?: boolean
}

/** Says whether both sides agree on a session. */
export function VerificationLine({ state, side = 'tutor', note, draw }: VerificationLineProps) {
  if (state === 'disputed') {
    return (
      <>
        <Badge tone="danger">Sent back</Badge>
        {note && <span className="mt-1 block text-small text-ink-2">{note}</span>}
      </>
    )
  }
  const isVerified = state === 'verified'
  return (
    <span className="ver">
      <Ticks parent={isVerified || side === 'tutor'} tutor={isVerified || side === 'parent'} draw={draw} />
      {isVerified ? 'Verified' : `Waiting for ${side}`}
    </span>
  )
}
