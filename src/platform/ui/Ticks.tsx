/** Two ticks: blue for the parent, green for the tutor; a thin grey one is still open. */
export function Ticks({ isVerified }: { isVerified: boolean }) {
  return (
    <svg className="ticks" width="25" height="15" viewBox="0 0 30 18" aria-hidden="true">
      <path d="M2.5 10l5 5L17 3.5" stroke="var(--color-parent)" />
      <path d="M12.5 10l5 5L27 3.5" stroke={isVerified ? 'var(--color-tutor)' : 'var(--color-control)'} className={isVerified ? undefined : 'pencil'} />
    </svg>
  )
}

/** The ticks with their words; colour alone never tells. */
export function VerificationLine({ isVerified, waitingText = 'Waiting for tutor' }: { isVerified: boolean; waitingText?: string }) {
  return <span className="ver"><Ticks isVerified={isVerified} />{isVerified ? 'Verified' : waitingText}</span>
}
