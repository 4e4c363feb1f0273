import { useState } from 'react'
import { Link } from 'react-router'
import { useCanLog, useCanWrite, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { isOverNow, type Place, useChangeOccurrence } from './client.web.ts'
import { LastTimeSection } from './LastTimeSection.tsx'
import type { Occurrence } from './occurrence.ts'
import { OccurrenceAnswers } from './parts/OccurrenceAnswers.tsx'
import { occurrenceLine } from './parts/OccurrenceItem.tsx'

export function OccurrenceDialog(props: { occurrence: Occurrence; onClose: () => void }) {
  return (
    <FormBoundary>
      <OneClass {...props} />
    </FormBoundary>
  )
}

function OneClass({ occurrence, onClose }: { occurrence: Occurrence; onClose: () => void }) {
  const { problem, fail, clear } = useFailure()
  const toast = useToast()
  const canWrite = useCanWrite()
  const canLog = useCanLog()
  const seesAmounts = useSeesAmounts()
  const change = useChangeOccurrence()
  const [moves, setMoves] = useState(false)
  const [isTyped, setIsTyped] = useState(false)
  const place = async (next: Place, success: string, failure: string) => {
    clear()
    try {
      await change.mutateAsync({ occurrence, place: next })
    } catch (error) {
      return fail(error, failure)
    }
    toast.success(
      success,
      undefined,
      next.status === 'planned'
        ? undefined
        : { label: 'Undo', run: () => change.mutate({ occurrence, place: { status: 'planned' } }) },
    )
    onClose()
  }
  const skip = () => void place({ status: 'skipped' }, 'Class skipped', 'Failed to skip the class')
  const restore = () => void place({ status: 'planned' }, 'Class restored', 'Failed to restore the class')
  const isMoved = occurrence.date !== occurrence.original_date

  return (
    <FormDialog
      title={occurrence.student_name}
      isDirty={isTyped}
      onClose={onClose}
      problem={problem}
      footer={
        <Button tone="secondary" className="flex-1" onClick={onClose}>
          Close
        </Button>
      }
    >
      <p className="num font-semibold">{formatDay(occurrence.date as CalendarDay)}</p>
      <p className="num text-ink-2">{occurrenceLine(occurrence, useSide())}</p>
      {isMoved && (
        <p className="mt-1 text-small text-ink-3">
          Moved from {formatDay(occurrence.original_date as CalendarDay)}.
        </p>
      )}
      <LastTimeSection last={occurrence.last} className="mt-3" />
      <div className="mt-5 grid gap-3">
        {occurrence.status === 'logged' && (
          <p className="text-ink-2">
            This class is in your log.{' '}
            <Link className="link" to={paths.summary}>
              {seesAmounts ? 'View Summary' : 'View Sessions'}
            </Link>
          </p>
        )}
        {occurrence.status === 'skipped' && (
          <>
            <p className="text-ink-2">This class was skipped.</p>
            {canWrite && (
              <Button busy={change.isPending} busyText="Restoring..." onClick={restore}>
                Restore class
              </Button>
            )}
          </>
        )}
        {canLog && occurrence.status === 'planned' && isOverNow(occurrence) && (
          <>
            <h3>Did this class happen?</h3>
            <OccurrenceAnswers occurrence={occurrence} onDone={onClose} />
          </>
        )}
        {canWrite && occurrence.status === 'planned' && !isOverNow(occurrence) && !moves && (
          <>
            <Button tone="secondary" onClick={() => setMoves(true)}>
              Move this class
            </Button>
            <Button tone="secondary" busy={change.isPending} busyText="Skipping..." onClick={skip}>
              Skip this class
            </Button>
            {isMoved && (
              <Button tone="quiet" onClick={restore}>
                Back to the usual time
              </Button>
            )}
          </>
        )}
        {moves && (
          <MoveForm
            occurrence={occurrence}
            isBusy={change.isPending}
            error={change.error}
            onType={() => setIsTyped(true)}
            onMove={(day, time) =>
              void place(
                { status: 'moved', moved_to: day, start_time: time },
                'Class moved',
                'Failed to move the class',
              )
            }
          />
        )}
      </div>
    </FormDialog>
  )
}

interface MoveFormProps {
  occurrence: Occurrence
  isBusy: boolean
  error: unknown
  onType: () => void
  onMove: (day: string, time: string) => void
}

function MoveForm({ occurrence, isBusy, error, onType, onMove }: MoveFormProps) {
  const [day, setDay] = useState(occurrence.date)
  const [time, setTime] = useState(occurrence.start_time)
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
