import { TextField } from '#platform/ui/Field.tsx'

interface NameFieldProps {
  /** What the other side is called. */
  other: string
  value: string
  error: string | undefined
  onChange: (name: string) => void
}

/** Asks once how the other side should see the family or the practice, so that nobody is only an address. */
export function NameField({ other, value, error, onChange }: NameFieldProps) {
  return (
    <TextField
      label={`How should ${other} see you?`}
      required
      maxLength={120}
      autoComplete="name"
      help="Your name, as it stands in emails and on shared sessions"
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
