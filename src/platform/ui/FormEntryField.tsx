// The fields of EntryField.tsx in a form that keeps its own values.
import type { ComponentProps } from 'react'
import { type Control, type FieldValues, type Path, useController } from 'react-hook-form'
import { AmountField, DurationField } from './EntryField.tsx'

interface Place<Fields extends FieldValues> {
  control: Control<Fields>
  name: Path<Fields>
}
type Wired = 'value' | 'onValueChange' | 'onBlur' | 'ref' | 'error'

export function FormAmountField<Fields extends FieldValues>({
  control,
  name,
  ...shown
}: Place<Fields> & Omit<ComponentProps<typeof AmountField>, Wired>) {
  return <AmountField {...shown} {...useWiring({ control, name })} />
}

export function FormDurationField<Fields extends FieldValues>({
  control,
  name,
  ...shown
}: Place<Fields> & Omit<ComponentProps<typeof DurationField>, Wired>) {
  return <DurationField {...shown} {...useWiring({ control, name })} />
}

function useWiring<Fields extends FieldValues>(place: Place<Fields>) {
  const {
    field: { ref, value, onChange, onBlur },
    fieldState: { error },
  } = useController(place)
  return { ref, value, onValueChange: onChange, onBlur, error: error?.message }
}
