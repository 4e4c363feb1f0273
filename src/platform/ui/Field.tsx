import { CircleAlert, ChevronDown, Eye, EyeOff, Minus, Plus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'

interface FieldProps {
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

/** A choice from a list, with the system's own picker. */
export function SelectField({
  label,
  error,
  help,
  children,
  ...input
}: FieldProps & ComponentProps<'select'>) {
  return (
    <Field label={label} error={error} help={help} required={input.required}>
      {(wiring) => (
        <div className="relative">
          <select {...wiring} {...input} className="in">
            {children}
          </select>
          <ChevronDown
            className="pointer-events-none absolute top-1/2 right-3.5 size-[18px] -translate-y-1/2 text-ink-2"
            aria-hidden="true"
          />
        </div>
      )}
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

interface DurationFieldProps extends FieldProps {
  value: string
  /** Hours that one press adds or takes. */
  step: 0.25 | 0.5
  least: number
  /** 24 unless said otherwise. */
  most?: number
  required?: boolean
  onValueChange: (value: string) => void
  onBlur?: () => void
}

/** Hours, typed or stepped with minus and plus. */
export function DurationField({
  label,
  error,
  help,
  value,
  step,
  least,
  most = 24,
  required,
  onValueChange,
  onBlur,
}: DurationFieldProps) {
  const words = step === 0.25 ? 'Quarter hour' : 'Half hour'
  const move = (by: number) => {
    const hours = Number(value)
    const next = Number.isFinite(hours) ? Math.round((hours + by) / step) * step : step
    onValueChange(String(Math.min(most, Math.max(least, next))))
  }
  return (
    <Field label={label} error={error} help={help} required={required}>
      {(wiring) => (
        <div className="relative">
          <input
            {...wiring}
            className="in num px-12! text-center"
            inputMode="decimal"
            autoComplete="off"
            required={required}
            value={value}
            onBlur={onBlur}
            onChange={(event) => onValueChange(event.target.value.replace(',', '.'))}
          />
          <button
            type="button"
            className="ib absolute top-[3px] left-[3px]"
            aria-label={`${words} less`}
            onClick={() => move(-step)}
          >
            <Minus className="i" aria-hidden="true" />
          </button>
          <button
            type="button"
            className="ib absolute top-[3px] right-[3px]"
            aria-label={`${words} more`}
            onClick={() => move(step)}
          >
            <Plus className="i" aria-hidden="true" />
          </button>
        </div>
      )}
    </Field>
  )
}
