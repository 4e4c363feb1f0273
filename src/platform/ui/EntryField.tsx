// Fields used only on signed-in screens. They aren't part of the public pages' first load.
import { ChevronDown, Minus, Plus } from 'lucide-react'
import type { ComponentProps, Ref } from 'react'
import { formatPlainAmount, twoAmountsOf, whichAmount } from '#kernel/money.ts'
import { typedNumber } from '#kernel/typed-number.ts'
import { Button } from './Button.tsx'
import { Field, type FieldProps } from './Field.tsx'

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

interface TypedFieldProps extends FieldProps {
  value: string
  required?: boolean
  onValueChange: (value: string) => void
  onBlur?: () => void
  ref?: Ref<HTMLInputElement>
}

/**
 * A field for an amount or a rate. Not type=number, which refuses commas in some languages and then loses what
 * was typed. If the amount could mean two, offers both.
 */
export function AmountField({
  label,
  error,
  help,
  placeholder,
  value,
  required,
  onValueChange,
  onBlur,
  ref,
}: TypedFieldProps & { placeholder?: string }) {
  const both = twoAmountsOf(value)
  return (
    <Field
      label={label}
      error={error}
      help={help}
      required={required}
      fixes={
        both &&
        error === whichAmount(both) && (
          <div className="mt-2 flex flex-wrap gap-2">
            {both.map(formatPlainAmount).map((amount) => (
              <Button key={amount} size="small" tone="secondary" onClick={() => onValueChange(amount)}>
                {amount}
              </Button>
            ))}
          </div>
        )
      }
    >
      {(wiring) => (
        <input
          {...wiring}
          ref={ref}
          className="in num"
          inputMode="decimal"
          autoComplete="off"
          placeholder={placeholder}
          required={required}
          value={value}
          onBlur={onBlur}
          onChange={(event) => onValueChange(event.target.value)}
        />
      )}
    </Field>
  )
}

interface DurationFieldProps extends TypedFieldProps {
  /** How many hours each press adds or subtracts. */
  step: 0.25 | 0.5
  least: number
  /** Defaults to 24. */
  most?: number
}

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
  ref,
}: DurationFieldProps) {
  const words = step === 0.25 ? 'Quarter hour' : 'Half hour'
  const move = (by: number) => {
    const hours = Number(typedNumber(value))
    const next = Number.isFinite(hours) ? Math.round((hours + by) / step) * step : step
    onValueChange(String(Math.min(most, Math.max(least, next))))
  }
  return (
    <Field label={label} error={error} help={help} required={required}>
      {(wiring) => (
        <div className="relative">
          <input
            {...wiring}
            ref={ref}
            className="in num px-12! text-center"
            inputMode="decimal"
            autoComplete="off"
            required={required}
            value={value}
            onBlur={onBlur}
            onChange={(event) => onValueChange(event.target.value)}
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
