import { CircleAlert, Eye, EyeOff } from 'lucide-react'
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

/** A label, its input, and the help or the error below it, wired for screen readers. */
export function Field({
  label,
  error,
  help,
  required,
  children,
}: FieldProps & { required?: boolean; children: (wiring: Wiring) => ReactNode }) {
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
          <CircleAlert className="i" aria-hidden="true" />
          {error}
        </p>
      ) : (
        help && (
          <p id={noteId} className="help">
            {help}
          </p>
        )
      )}
    </div>
  )
}

/** One line of text. */
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

/** Several lines of text. */
export function TextArea({ label, error, help, ...input }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} error={error} help={help} required={input.required}>
      {(wiring) => <textarea rows={2} {...wiring} {...input} className="in" />}
    </Field>
  )
}

/** A password that can be shown. */
export function PasswordField({ label, error, help, ...input }: FieldProps & ComponentProps<'input'>) {
  const [isShown, setIsShown] = useState(false)
  return (
    <Field label={label} error={error} help={help} required={input.required}>
      {(wiring) => (
        <div className="relative">
          <input {...wiring} {...input} type={isShown ? 'text' : 'password'} className="in pr-14!" />
          <button
            type="button"
            className="ib absolute top-[3px] right-1"
            aria-label={isShown ? 'Hide password' : 'Show password'}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? <EyeOff className="i" aria-hidden="true" /> : <Eye className="i" aria-hidden="true" />}
          </button>
        </div>
      )}
    </Field>
  )
}
