import { type ButtonHTMLAttributes, type ReactNode, useEffect, useId } from 'react'
import { Link, type LinkProps } from 'react-router'
import { doEarlyActions } from './early-actions.web.ts'

type Tone = 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-outline'
type Size = 'normal' | 'small' | 'large'

const TONES: Record<Tone, string> = {
  primary: 'btn-p',
  secondary: 'btn-s',
  quiet: 'btn-q',
  danger: 'btn-d',
  'danger-outline': 'btn-do',
}
const SIZES: Record<Size, string> = { normal: '', small: 'btn-sm', large: 'btn-lg' }

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: Tone
  size?: Size
  /** While the button is busy, its text changes, it keeps its width, and presses do nothing. */
  busy?: boolean
  busyText?: string
  /**
   * Why the button can't be pressed right now. The button stays in the tab order and screen readers announce
   * the reason. An empty string disables the button without an announcement.
   */
  blockedReason?: string
}

export function Button({
  tone = 'primary',
  size = 'normal',
  busy = false,
  busyText,
  blockedReason,
  className = '',
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const isBlocked = blockedReason !== undefined
  useEffect(() => {
    if (type === 'submit') doEarlyActions()
  }, [type])
  const button = (
    <button
      {...rest}
      type={type}
      className={`btn ${TONES[tone]} ${SIZES[size]} ${className}`}
      aria-busy={busy || undefined}
      aria-disabled={isBlocked || busy || undefined}
      aria-describedby={blockedReason ? reasonId : rest['aria-describedby']}
      onClick={(event) => {
        if (isBlocked || busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy && busyText ? (
        <span className="grid">
          <span
            className="invisible col-start-1 row-start-1 inline-flex items-center justify-center gap-2"
            aria-hidden="true"
          >
            {children}
          </span>
          <span className="col-start-1 row-start-1">{busyText}</span>
        </span>
      ) : (
        children
      )}
    </button>
  )
  if (!blockedReason) return button
  return (
    <span className="contents">
      {button}
      <span id={reasonId} className="help basis-full">
        {blockedReason}
      </span>
    </span>
  )
}

export function ButtonLink({
  tone = 'primary',
  size = 'normal',
  className = '',
  ...rest
}: LinkProps & { tone?: Tone; size?: Size }) {
  return <Link {...rest} className={`btn ${TONES[tone]} ${SIZES[size]} ${className}`} />
}

/** An icon button. Its label says what the button acts on. */
export function IconButton({
  label,
  className = '',
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; children: ReactNode }) {
  return (
    <button type="button" {...rest} aria-label={label} title={label} className={`ib ${className}`}>
      {children}
    </button>
  )
}
