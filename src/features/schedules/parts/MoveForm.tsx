import { useState } from 'react'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import type { Occurrence } from '../occurrence.ts'
import { placeOfZone } from '../schedule.ts'

interface MoveFormProps {
  occurrence: Occurrence
  isBusy: boolean
  error: unknown
  onType: () => void
  onMove: (day: string, time: string) => void
}

/** Where and when a class takes place instead. */
export function MoveForm({ occurrence, isBusy, error, onType, onMove }: MoveFormProps) {
  const [day, setDay] = useState(occurrence.date)
  const [time, setTime] = useState(occurrence.start_time)
  const { time_zone: zone } = occurrence
  const errorOf = (field: string) => (error instanceof CallFailed ? error.errorOf(field) : undefined)
  return (
    <form
      className="grid gap-4"
      onChange={onType}
      onSubmit={(event) => {
        event.preventDefault()
        onMove(day, time)
      }}
      noValidate
    >
      <div className="pair">
        <TextField
          label="New date"
          type="date"
          required
          value={day}
          error={errorOf('moved_to')}
          onChange={(event) => setDay(event.target.value)}
        />
        <TextField
          label="Start time"
          type="time"
          required
          value={time}
          help={occurrence.yours && zone ? `In ${placeOfZone(zone)}` : undefined}
          error={errorOf('start_time')}
          onChange={(event) => setTime(event.target.value)}
        />
      </div>
      <Button type="submit" busy={isBusy} busyText="Moving...">
        Move this class
      </Button>
    </form>
  )
}
