export function LogoIcon({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 96 96" aria-hidden="true">
      <rect width="96" height="96" rx="25" fill="var(--color-marker)" />
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        <path d="M29 24v36M46 24v32M63 24v46" stroke="#16232b" strokeWidth="9" />
        <path d="M15 52l20 19L82 27" stroke="var(--color-marker)" strokeWidth="19" />
        <path d="M15 52l20 19L82 27" stroke="#2650c9" strokeWidth="10.5" />
      </g>
    </svg>
  )
}

export function Logo({ size = 32 }: { size?: number }) {
  return (
    <>
      <LogoIcon size={size} />
      <span className="disp text-[1.3125rem] leading-none" aria-hidden="true">
        Tutorlog
      </span>
    </>
  )
}

/** Opens the landing page, which is a separate file outside the app. */
export function LogoLink({ size, className = '' }: { size?: number; className?: string }) {
  return (
    <a
      href="/"
      className={`flex min-h-11 items-center gap-2.5 rounded-md ${className}`}
      aria-label="Tutorlog home"
    >
      <Logo {...(size && { size })} />
    </a>
  )
}
