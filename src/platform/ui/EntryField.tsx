// Fields used only on signed-in screens. They aren't part of the public pages' first load.
import { ChevronDown, Minus, Plus } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './Field.tsx'

/** A select with the native picker. */
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

interface DurationFieldProps extends FieldProps {
  value: string
  /** How many hours each press adds or subtracts. */
  step: 0.25 | 0.5
  least: number
  /** Defaults to 24. */
  most?: number
  required?: boolean
  onValueChange: (value: string) => void
  onBlur?: () => void
}

/** An hours field: type a number, or press minus or plus. */
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
            className="ib absolute inset-y-0 left-[3px] my-auto"
            aria-label={`${words} less`}
            onClick={() => move(-step)}
          >
            <Minus className="i" aria-hidden="true" />
          </button>
          <button
            type="button"
            className="ib absolute inset-y-0 right-[3px] my-auto"
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
