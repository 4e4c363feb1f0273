import { useId } from 'react'
import { dayIn } from '#kernel/calendar-day.ts'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import type { Connection } from './connection.ts'
import { sharedFromWords } from './shared-from.ts'

interface SharedFromFieldProps {
  /**
   * Sessions are shared from this day on (yyyy-MM-dd). Null shares all sessions; an empty string means that
   * no day has been chosen yet.
   */
  value: string | null
  onChange: (value: string | null) => void
  error?: string
}

/**
 * Lets the user choose which sessions a connection will share. It's collapsed at first, and all sessions are
 * shared unless the user picks a first day.
 */
export function SharedFromField({ value, onChange, error }: SharedFromFieldProps) {
  const name = useId()
  const today = dayIn(new Date())
  return (
    <Disclosure title={`Share ${value === '' ? 'sessions from...' : sharedFromWords(value, today)}`}>
      <div className="grid gap-3 pt-1 pb-2">
        <SegmentedChoice
          label="Sessions to share"
          name={name}
          value={value === null ? 'all' : 'from'}
          onValueChange={(which) => onChange(which === 'all' ? null : `${today.slice(0, 7)}-01`)}
          options={[
            { value: 'all', label: 'All' },
            { value: 'from', label: 'From a date' },
          ]}
        />
        {value !== null && (
          <TextField
            label="First day"
            type="date"
            required
            value={value}
            onChange={({ target }) => onChange(target.value)}
            error={error}
            help="Earlier sessions stay in your own log."
          />
        )}
      </div>
    </Disclosure>
  )
}

/** For example, "Shares sessions from Nov 1". Renders nothing if all sessions are shared. */
export function SharedFromLine({ connection }: { connection: Connection }) {
  if (connection.shared_from === null) return null
  return (
    <span className="block text-small font-normal text-ink-2">
      Shares {sharedFromWords(connection.shared_from, dayIn(new Date()))}
    </span>
  )
}
