import { type ComponentProps, type MouseEvent, useId, useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'

/** How loud a button is: at most one primary button per decision. */
export type ButtonTone = 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-outline'

/** Small is 44 px high, normal 48 px and large 56 px. */
export type ButtonSize = 'normal' | 'small' | 'large'

const TONES: Record<ButtonTone, string> = { primary: 'btn-p', secondary: 'btn-s', quiet: 'btn-q', danger: 'btn-d', 'danger-outline': 'btn-do' }
const SIZES: Record<ButtonSize, string> = { normal: '', small: 'btn-sm', large: 'btn-lg' }

export interface ButtonProps extends ComponentProps<'button'> {
  tone?: ButtonTone
  size?: ButtonSize
  /** While true the button shows `busyText` at its old width and ignores presses. */
  busy?: boolean
  busyText?: string
  /** Why the button cannot be pressed now, shown beneath it; pass '' (not undefined) while it can, so that it keeps its focus. */
  blockedReason?: string
  /** Like `blockedReason`, where the reason is already on the screen. */
  blocked?: boolean
}

/** A button; it submits a form only with type="submit". */
export function Button({ tone = 'primary', size = 'normal', busy = false, busyText, blockedReason, blocked = false, className = '', children, onClick, ...rest }: ButtonProps) {
  const reasonId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const isBlocked = blocked || Boolean(blockedReason)

  // The width of the idle button is kept while it is busy, so that the row does not jump.
  const idleWidth = useRef(0)
  useLayoutEffect(() => {
    const element = button.current
    if (!element || busyText === undefined) return
    if (!busy) idleWidth.current = element.offsetWidth
    element.style.minWidth = busy ? `${idleWidth.current}px` : ''
  })

  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // preventDefault also stops the form: Enter in an input presses its submit button.
    if (busy || isBlocked) event.preventDefault()
    else onClick?.(event)
  }
  const isWrapped = blockedReason !== undefined
  const face = (
    <button
      type="button"
      aria-describedby={blockedReason ? reasonId : undefined}
      {...rest}
      ref={mergedRef(button, rest.ref)}
      className={`btn ${TONES[tone]} ${SIZES[size]} ${isWrapped ? 'w-full' : className}`}
      aria-busy={busy || undefined}
      aria-disabled={isBlocked || undefined}
      onClick={press}
    >
      {busy && busyText !== undefined ? busyText : children}
    </button>
  )
  if (!isWrapped) return face
  return (
    <span className={`inline-grid content-start gap-1.5 ${className}`}>
      {face}
      {blockedReason && <span id={reasonId} className="help">{blockedReason}</span>}
    </span>
  )
}

function mergedRef(own: { current: HTMLButtonElement | null }, given: ComponentProps<'button'>['ref']) {
  if (!given) return own
  return (element: HTMLButtonElement | null) => {
    own.current = element
    if (typeof given === 'function') return given(element)
    given.current = element
  }
}

export interface ButtonLinkProps extends ComponentProps<typeof Link> {
  tone?: ButtonTone
  size?: ButtonSize
}

/** A link that looks like a button: it goes somewhere instead of doing something. */
export function ButtonLink({ tone = 'primary', size = 'normal', className = '', ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={`btn ${TONES[tone]} ${SIZES[size]} ${className}`} />
}

export interface IconButtonProps extends ComponentProps<'button'> {
  /** Names the object too, for example "Edit schedule for Maya Whitfield". */
  label: string
}

/** A 44 px square button with an icon only. */
export function IconButton({ label, className = '', ...rest }: IconButtonProps) {
  return <button type="button" {...rest} className={`ib ${className}`} aria-label={label} />
}
