import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { useCanLog, useCanWrite, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { formatDay } from '#kernel/calendar-day.ts'
import { Button } from '#platform/ui/Button.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { fieldErrorsOf } from '#platform/ui/form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { isOverNow, useChangeOccurrence } from './client.web.ts'
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
  const place = async (next: Parameters<typeof change.mutate>[0]['place'], message: string) => {
    clear()
    await change.mutateAsync({ occurrence, place: next })
    toast.success(
      message,
      undefined,
      next.status === 'planned'
        ? undefined
        : { label: 'Undo', run: () => change.mutate({ occurrence, place: { status: 'planned' } }) },
    )
    onClose()
  }
  const skip = () =>
    void place({ status: 'skipped' }, 'Class skipped').catch((error: unknown) =>
      fail(error, 'Failed to skip the class'),
    )
  const putBack = () =>
    void place({ status: 'planned' }, 'Class restored').catch((error: unknown) =>
      fail(error, 'Failed to restore the class'),
    )
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
              <Button busy={change.isPending} busyText="Restoring..." onClick={putBack}>
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
              <Button tone="quiet" onClick={putBack}>
                Back to the usual time
              </Button>
            )}
          </>
        )}
        {moves && (
          <MoveForm
            occurrence={occurrence}
            isBusy={change.isPending}
            onType={() => setIsTyped(true)}
            onFail={(error) => fail(error, 'Failed to move the class')}
            onMove={(day, time) => place({ status: 'moved', moved_to: day, start_time: time }, 'Class moved')}
          />
        )}
      </div>
    </FormDialog>
  )
}

interface MoveFormProps {
  occurrence: Occurrence
  isBusy: boolean
  onType: () => void
  onMove: (day: string, time: string) => Promise<void>
  onFail: (error: unknown) => void
}

function MoveForm({ occurrence, isBusy, onType, onMove, onFail }: MoveFormProps) {
  const [day, setDay] = useState(occurrence.date)
  const [time, setTime] = useState(occurrence.start_time)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await onMove(day, time)
    } catch (error) {
      setErrors(Object.fromEntries(fieldErrorsOf(error).map(({ field, message }) => [field, message])))
      onFail(error)
    }
  }
  return (
    <form className="grid gap-4" onChange={onType} onSubmit={(event) => void submit(event)} noValidate>
      <div className="pair">
        <TextField
          label="New date"
          type="date"
          required
          value={day}
          error={errors.moved_to}
          onChange={(event) => setDay(event.target.value)}
        />
        <TextField
          label="Start time"
          type="time"
          required
          value={time}
          error={errors.start_time}
          onChange={(event) => setTime(event.target.value)}
        />
      </div>
      <Button type="submit" busy={isBusy} busyText="Moving...">
        Move this class
      </Button>
    </form>
  )
}
