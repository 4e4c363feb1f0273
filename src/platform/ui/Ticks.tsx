/** Two ticks: blue for the parent, green for the tutor; a thin grey one is still open. @param isDrawn lets the second one draw itself */
export function Ticks({
  isVerified,
  isDrawn = false,
  width = 25,
}: {
  isVerified: boolean
  isDrawn?: boolean
  width?: number
}) {
  return (
    <svg
      className={isDrawn ? 'ticks draw' : 'ticks'}
      width={width}
      height={width * 0.6}
      viewBox="0 0 30 18"
      aria-hidden="true"
    >
      <path d="M2.5 10l5 5L17 3.5" stroke="var(--color-parent)" />
      <path
        d="M12.5 10l5 5L27 3.5"
        stroke={isVerified ? 'var(--color-tutor)' : 'var(--color-control)'}
        className={isVerified ? undefined : 'pencil'}
      />
    </svg>
  )
}

interface VerificationLineProps {
  isVerified: boolean
  /** The tutor sent it back: a badge instead of the ticks. */
  isSentBack?: boolean
  isDrawn?: boolean
  waitingText?: string
}

/** The ticks with their words; colour alone never tells. */
export function VerificationLine({
  isVerified,
  isSentBack = false,
  isDrawn,
  waitingText = 'Waiting for tutor',
}: VerificationLineProps) {
  if (isSentBack) return <span className="bdg b-err">Sent back</span>
  return (
    <span className="ver">
      <Ticks isVerified={isVerified} isDrawn={isDrawn} />
      {isVerified ? 'Verified' : waitingText}
    </span>
  )
}
