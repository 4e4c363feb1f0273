import type { ComponentProps } from 'react'
import { type Control, type FieldValues, type Path, useController } from 'react-hook-form'
import { AmountField } from './EntryField.tsx'

interface FormAmountFieldProps<Fields extends FieldValues> extends Pick<
  ComponentProps<typeof AmountField>,
  'label' | 'help' | 'placeholder' | 'required'
> {
  control: Control<Fields>
  name: Path<Fields>
}

/** An amount or a rate in a form that keeps its own values. */
export function FormAmountField<Fields extends FieldValues>({
  control,
  name,
  ...shown
}: FormAmountFieldProps<Fields>) {
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name })
  return (
    <AmountField
      {...shown}
      value={value}
      onValueChange={onChange}
      onBlur={onBlur}
      ref={ref}
      error={fieldState.error?.message}
    />
  )
}
