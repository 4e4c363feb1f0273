import type { ComponentProps } from 'react'
import { TextField } from '#platform/ui/Field.tsx'

/** The code of the second step, next to other fields. */
export function CodeField(field: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return (
    <TextField
      label="Code from your authenticator app"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      help="Or one of your recovery codes."
      {...field}
    />
  )
}
