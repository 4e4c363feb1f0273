import { type ComponentProps, type ReactNode, useId, useState } from 'react'

export interface FieldProps {
  label: string
  error?: string
  help?: string
}

interface Wiring {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Inline, because the icon library would add more than 1 kB to every public page's first load. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      className="i"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

const ALERT = (
  <>
    <circle cx="12" cy="12" r="10" />
    <path d="M12 8v4M12 16h.01" />
  </>
)
const EYE = (
  <>
    <path d="M2 12q10-13 20 0q-10 13-20 0z" />
    <circle cx="12" cy="12" r="3" />
  </>
)
const EYE_OFF = (
  <>
    {EYE}
    <path d="M4 4l16 16" />
  </>
)

/** A label, its input, and the help or error text below, linked for screen readers. */
export function Field({
  label,
  error,
  help,
  required,
  fixes,
  children,
}: FieldProps & {
  required?: boolean
  /** Buttons below the error that correct it. */
  fixes?: ReactNode
  children: (wiring: Wiring) => ReactNode
}) {
  const id = useId()
  const noteId = `${id}-note`
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required && (
          <span aria-hidden="true" className="text-danger">
            {' '}
            *
          </span>
        )}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': error || help ? noteId : undefined,
      })}
      {error ? (
        <p id={noteId} className="err">
          <Icon>{ALERT}</Icon>
          {error}
        </p>
      ) : (
        help && (
          <p id={noteId} className="help">
            {help}
          </p>
        )
      )}
      {error && fixes}
    </div>
  )
}

export function TextField({
  label,
  error,
  help,
  className = '',
  ...input
}: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} error={error} help={help} required={input.required}>
      {(wiring) => <input {...wiring} {...input} className={`in ${className}`} />}
    </Field>
  )
}

export function TextArea({
  label,
  error,
  help,
  className = '',
  ...input
}: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} error={error} help={help} required={input.required}>
      {(wiring) => <textarea rows={2} {...wiring} {...input} className={`in ${className}`} />}
    </Field>
  )
}

export function PasswordField({ label, error, help, ...input }: FieldProps & ComponentProps<'input'>) {
  const [isShown, setIsShown] = useState(false)
  return (
    <Field label={label} error={error} help={help} required={input.required}>
      {(wiring) => (
        <div className="relative">
          <input {...wiring} {...input} type={isShown ? 'text' : 'password'} className="in pr-14!" />
          <button
            type="button"
            className="ib absolute inset-y-0 right-1 my-auto"
            aria-label={isShown ? 'Hide password' : 'Show password'}
            onClick={() => setIsShown(!isShown)}
          >
            <Icon>{isShown ? EYE_OFF : EYE}</Icon>
          </button>
        </div>
      )}
    </Field>
  )
}
