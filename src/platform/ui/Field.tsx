import { ChevronDown, CircleAlert, Eye, EyeOff, Minus, Plus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { IconButton } from './Button.tsx'

/** What every field shows around its control. */
export interface FieldLabels {
  label: string
  /** Shown beneath the control until there is an error. */
  help?: ReactNode
  error?: string
  /** Adds "(Optional)" to the label. */
  optional?: boolean
}

/** The attributes that tie a control to its label, help and error. */
export interface ControlProps {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
  required: boolean | undefined
}

export interface FieldProps extends FieldLabels {
  id?: string
  required?: boolean
  className?: string
  children: (control: ControlProps) => ReactNode
}

/** A label, a control and the help or error beneath it. */
export function Field({ label, help, error, optional, id, required, className = '', children }: FieldProps) {
  const ownId = useId()
  const controlId = id ?? ownId
  const noteId = `${controlId}-note`
  return (
    <div className={`field ${className}`}>
      <label htmlFor={controlId}>
        {label}
        {optional && ' (Optional)'}
        {required && <span aria-hidden="true" className="text-danger"> *</span>}
      </label>
      {children({ id: controlId, 'aria-invalid': error ? true : undefined, 'aria-describedby': error || help ? noteId : undefined, required })}
      {error ? (
        <p id={noteId} className="err"><CircleAlert aria-hidden="true" />{error}</p>
      ) : (
        help && <p id={noteId} className="help">{help}</p>
      )}
    </div>
  )
}

export interface TextFieldProps extends FieldLabels, Omit<ComponentProps<'input'>, 'children'> {}

/** A one-line text input. */
export function TextField({ label, help, error, optional, id, required, className, ...rest }: TextFieldProps) {
  return (
    <Field {...{ label, help, error, optional, id, required, className }}>
      {(control) => <input type="text" {...rest} {...control} className="in" />}
    </Field>
  )
}

export interface TextAreaProps extends FieldLabels, Omit<ComponentProps<'textarea'>, 'children'> {}

/** A text input of several lines. */
export function TextArea({ label, help, error, optional, id, required, className, rows = 3, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, help, error, optional, id, required, className }}>
      {(control) => <textarea rows={rows} {...rest} {...control} className="in" />}
    </Field>
  )
}

export interface SelectFieldProps extends FieldLabels, ComponentProps<'select'> {}

/** A native select; its children are the options. */
export function SelectField({ label, help, error, optional, id, required, className, children, ...rest }: SelectFieldProps) {
  return (
    <Field {...{ label, help, error, optional, id, required, className }}>
      {(control) => (
        <div className="in-frame">
          <select {...rest} {...control} className="in">{children}</select>
          <ChevronDown className="in-chevron" aria-hidden="true" />
        </div>
      )}
    </Field>
  )
}

export interface DateFieldProps extends FieldLabels, Omit<ComponentProps<'input'>, 'children' | 'type'> {}

/** A native date input; its value is yyyy-MM-dd. */
export function DateField({ label, help, error, optional, id, required, className, ...rest }: DateFieldProps) {
  return (
    <Field {...{ label, help, error, optional, id, required, className }}>
      {(control) => <input {...rest} {...control} type="date" className="in" />}
    </Field>
  )
}

export interface PasswordFieldProps extends FieldLabels, Omit<ComponentProps<'input'>, 'children' | 'type'> {}

/** A password input that can be shown; set autoComplete to current-password or new-password. */
export function PasswordField({ label, help, error, optional, id, required, className, ...rest }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  return (
    <Field {...{ label, help, error, optional, id, required, className }}>
      {(control) => (
        <div className="in-frame">
          <input autoCapitalize="none" spellCheck={false} {...rest} {...control} type={isShown ? 'text' : 'password'} className="in pr-14" />
          <IconButton label={isShown ? 'Hide password' : 'Show password'} className="in-end" onClick={() => setIsShown(!isShown)}>
            {isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          </IconButton>
        </div>
      )}
    </Field>
  )
}

export interface DurationFieldProps extends FieldLabels, Omit<ComponentProps<'input'>, 'children' | 'type' | 'value' | 'onChange' | 'step' | 'min' | 'max'> {
  /** Hours as typed, for example "1.5"; it may be any text until it is checked. */
  value: string
  onValueChange: (value: string) => void
  step?: 0.25 | 0.5
  min?: number
  max?: number
}

const STEP_NAMES = { 0.25: 'Quarter hour', 0.5: 'Half hour' } as const

/** Hours, typed or stepped with minus and plus. */
export function DurationField({ label, help, error, optional, id, required, className, value, onValueChange, step = 0.25, min = step, max = 24, ...rest }: DurationFieldProps) {
  const turn = (direction: 1 | -1) => {
    const hours = Number(value.replace(',', '.'))
    if (!value.trim() || Number.isNaN(hours)) return onValueChange(String(min))
    // A typed 1.3 steps to the next multiple, 1.25 or 1.5, and not to 1.05 or 1.55.
    const next = direction > 0 ? Math.floor(hours / step + 1) * step : Math.ceil(hours / step - 1) * step
    onValueChange(String(Math.min(max, Math.max(min, next))))
  }
  return (
    <Field {...{ label, help, error, optional, id, required, className }}>
      {(control) => (
        <div className="in-frame">
          <input inputMode="decimal" autoComplete="off" {...rest} {...control} value={value} onChange={(event) => onValueChange(event.target.value)} className="in num px-12 text-center" />
          <IconButton label={`${STEP_NAMES[step]} less`} className="in-start" onClick={() => turn(-1)}><Minus aria-hidden="true" /></IconButton>
          <IconButton label={`${STEP_NAMES[step]} more`} className="in-end" onClick={() => turn(1)}><Plus aria-hidden="true" /></IconButton>
        </div>
      )}
    </Field>
  )
}
