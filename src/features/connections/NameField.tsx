import { TextField } from '#platform/ui/Field.tsx'

interface NameFieldProps {
  /** The other side's name. */
  other: string
  value: string
  error: string | undefined
  onChange: (name: string) => void
}

/** Asks once for a name to show to the other side, so that nobody appears as just an email address. */
export function NameField({ other, value, error, onChange }: NameFieldProps) {
  return (
    <TextField
      label={`How should ${other} see you?`}
      required
      maxLength={120}
      autoComplete="name"
      help="Your name in emails and on shared sessions"
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
