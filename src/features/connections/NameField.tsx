import { TextField } from '#platform/ui/Field.tsx'

interface NameFieldProps {
  /** What the other side is called. */
  other: string
  value: string
  error: string | undefined
  onChange: (name: string) => void
}

/** Asks once for the name the other side will see, so that nobody is just an address. */
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
