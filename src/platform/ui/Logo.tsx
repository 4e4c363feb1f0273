/** The tile with the tally strokes and the tick. */
export function LogoIcon({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 96 96" aria-hidden="true" className="flex-none">
      <rect width="96" height="96" rx="25" fill="var(--color-marker)" />
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        {/* The strokes and the tick keep their colours in the dark: the tile stays yellow. */}
        <path d="M29 24v36M46 24v32M63 24v46" stroke="#16232b" strokeWidth="9" />
        <path d="M15 52l20 19L82 27" stroke="var(--color-marker)" strokeWidth="19" />
        <path d="M15 52l20 19L82 27" stroke="#2650c9" strokeWidth="10.5" />
      </g>
    </svg>
  )
}

/** The icon and the word; a link around it carries the label. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <span className="inline-flex items-center gap-2.5">
      <LogoIcon size={size} />
      <span className="disp text-h2 leading-none" aria-hidden="true">Tutorlog</span>
    </span>
  )
}
