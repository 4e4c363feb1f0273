/** Whose log it is: the side whose tick is there before the other's. */
export type Side = 'parent' | 'tutor'

interface TicksProps {
  isVerified: boolean
  side?: Side
  /** Lets the other side's tick draw itself. */
  isDrawn?: boolean
  width?: number
}

/** Two ticks: blue for the parent, green for the tutor; a thin grey one is still open. */
export function Ticks({ isVerified, side = 'parent', isDrawn = false, width = 25 }: TicksProps) {
  return (
    <svg
      className={isDrawn ? 'ticks draw' : 'ticks'}
      width={width}
      height={width * 0.6}
      viewBox="0 0 30 18"
      aria-hidden="true"
    >
      <path d="M2.5 10l5 5L17 3.5" {...pen('parent', isVerified || side === 'parent')} />
      <path d="M12.5 10l5 5L27 3.5" {...pen('tutor', isVerified || side === 'tutor')} />
    </svg>
  )
}

function pen(side: Side, isThere: boolean) {
  return isThere
    ? { stroke: `var(--color-${side})` }
    : { stroke: 'var(--color-control)', className: 'pencil' }
}

interface VerificationLineProps {
  isVerified: boolean
  /** The tutor sent it back: a badge instead of the ticks. */
  isSentBack?: boolean
  side?: Side
  isDrawn?: boolean
  waitingText?: string
}

/** The ticks with their words; colour alone never tells. */
export function VerificationLine({
  isVerified,
  isSentBack = false,
  side = 'parent',
  isDrawn,
  waitingText = side === 'parent' ? 'Waiting for tutor' : 'Waiting for parent',
}: VerificationLineProps) {
  if (isSentBack) return <span className="bdg b-err">Sent back</span>
  return (
    <span className="ver">
      <Ticks isVerified={isVerified} side={side} isDrawn={isDrawn} />
      {isVerified ? 'Verified' : waitingText}
    </span>
  )
}
