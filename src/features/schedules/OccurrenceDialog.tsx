import { useState } from 'react'
import { Link } from 'react-router'
import { useCanLog, useCanWrite, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import type { Outcome } from '#features/terms/outcome.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import {
  isOverNow,
  type Place,
  useChangeOccurrence,
  useCostToast,
  useOutcomesNow,
  useRecordOutcome,
} from './client.web.ts'
import { LastTimeSection } from './LastTimeSection.tsx'
import { type Occurrence, yourDay } from './occurrence.ts'
import { outcomeInWords } from './outcome.ts'
import { EndedClass } from './parts/EndedClass.tsx'
import { MoveForm } from './parts/MoveForm.tsx'
import { OccurrenceAnswers } from './parts/OccurrenceAnswers.tsx'
import { ProposedPlace } from './parts/ProposedPlace.tsx'
import { occurrenceLine } from './parts/OccurrenceItem.tsx'
import { OutcomeChoices } from './OutcomeChoices.tsx'
import { placeOfZone } from './schedule.ts'

export function OccurrenceDialog(props: { occurrence: Occurrence; onClose: () => void }) {
  return (
    <FormBoundary>
      <OneClass {...props} />
    </FormBoundary>
  )
}

function OneClass({ occurrence, onClose }: { occurrence: Occurrence; onClose: () => void }) {
  const canLog = useCanLog()
  const seesAmounts = useSeesAmounts()
  const reader = useSide()
  const [moves, setMoves] = useState(false)
  const [cancels, setCancels] = useState(false)
  const [isTyped, setIsTyped] = useState(false)
  const { problem, change, isBusy, ending, move, restore, end } = useChanges(occurrence, onClose)
  const outcomes = useOutcomesNow(occurrence)
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
      <p className="num font-semibold">{formatDay(yourDay(occurrence))}</p>
      <p className="num text-ink-2">{occurrenceLine(occurrence, reader)}</p>
      {occurrence.yours && occurrence.time_zone && (
        <p className="text-small text-ink-3">
          {formatTime(occurrence.start_time)} is the time in {placeOfZone(occurrence.time_zone)}.
        </p>
      )}
      {isMoved && (
        <p className="mt-1 text-small text-ink-3">
          Moved from {formatDay(occurrence.original_date as CalendarDay)}.
        </p>
      )}
      <LastTimeSection last={occurrence.last} className="mt-3" />
      <div className="mt-5 grid gap-3">
        {occurrence.proposed && <ProposedPlace occurrence={occurrence} onDone={onClose} />}
        {occurrence.status === 'logged' && (
          <p className="text-ink-2">
            This class is in your log.{' '}
            <Link className="link" to={paths.summary}>
              {seesAmounts ? 'View Summary' : 'View Sessions'}
            </Link>
          </p>
        )}
        {occurrence.outcome && (
          <EndedClass
            occurrence={occurrence}
            outcome={occurrence.outcome}
            busy={ending}
            canChange={canLog}
            onEnd={end}
            onWaived={onClose}
          />
        )}
        {canLog && occurrence.status === 'planned' && isOverNow(occurrence) && (
          <>
            <h3>Did this class happen?</h3>
            <OccurrenceAnswers occurrence={occurrence} onDone={onClose} />
          </>
        )}
        {occurrence.status === 'planned' && !isOverNow(occurrence) && !moves && !cancels && (
          <Upcoming
            isMoved={isMoved}
            isBusy={isBusy}
            isRestoring={change.isPending}
            onMove={() => setMoves(true)}
            onCancel={() => setCancels(true)}
            onRestore={restore}
          />
        )}
        {cancels && (
          <>
            <h3>Cancel this class</h3>
            <OutcomeChoices
              choices={outcomes}
              reader={reader}
              about={occurrence.date}
              busy={ending}
              onChoose={end}
            />
          </>
        )}
        {moves && (
          <MoveForm
            occurrence={occurrence}
            isBusy={change.isPending}
            error={change.error}
            onType={() => setIsTyped(true)}
            onMove={(day, time) =>
              void move(
                { status: 'moved', moved_to: day, start_time: time },
                {
                  success: occurrence.is_shared ? 'The other side is asked' : 'Class moved',
                  failure: 'Failed to move the class',
                  undo: () => change.mutate({ occurrence, place: { status: 'planned' } }),
                },
              )
            }
          />
        )}
      </div>
    </FormDialog>
  )
}

interface UpcomingProps {
  isMoved: boolean
  isBusy: boolean
  isRestoring: boolean
  onMove: () => void
  onCancel: () => void
  onRestore: () => void
}

/** What can be done about a class to come. */
function Upcoming({ isMoved, isBusy, isRestoring, onMove, onCancel, onRestore }: UpcomingProps) {
  const canWrite = useCanWrite()
  const canLog = useCanLog()
  const blockedReason = isBusy ? '' : undefined
  return (
    <>
      {canWrite && (
        <Button tone="secondary" blockedReason={blockedReason} onClick={onMove}>
          Move this class
        </Button>
      )}
      {canLog && (
        <Button tone="secondary" blockedReason={blockedReason} onClick={onCancel}>
          Cancel this class
        </Button>
      )}
      {canWrite && isMoved && (
        <Button tone="quiet" busy={isRestoring} onClick={onRestore}>
          Back to the usual time
        </Button>
      )}
    </>
  )
}

/** What to say once something is saved, or isn't. */
interface Told {
  success: string
  failure: string
  undo?: () => void
}

/** What can be done about a class. Whatever it was, the dialog closes and says so, with Undo. */
function useChanges(occurrence: Occurrence, onClose: () => void) {
  const { problem, fail, clear } = useFailure()
  const toast = useToast()
  const reader = useSide()
  const change = useChangeOccurrence()
  const record = useRecordOutcome()
  const isBusy = change.isPending || record.isPending
  const costsOf = useCostToast()
  const save = async <Saved,>(
    send: () => Promise<Saved>,
    { success, failure, undo }: Told,
    costs?: (saved: Saved) => ReturnType<typeof costsOf>,
  ) => {
    clear()
    let told: ReturnType<typeof costsOf> | undefined
    try {
      const saved = await send()
      told = costs?.(saved)
    } catch (error) {
      return fail(error, failure)
    }
    toast.success(success, told?.message, told?.waive ?? (undo && { label: 'Undo', run: undo }))
    onClose()
  }
  const move = (place: Place, told: Told) => save(() => change.mutateAsync({ occurrence, place }), told)
  const restore = () =>
    void move({ status: 'planned' }, { success: 'Class restored', failure: 'Failed to restore the class' })
  const end = (outcome: Outcome | null) =>
    void save(
      () => record.mutateAsync({ occurrence, outcome }),
      {
        success: outcome ? outcomeInWords(outcome, reader) : 'Class planned again',
        failure: 'Failed to save how the class ended',
        // The dialog is closed by then, so the promise has to say it.
        undo: () =>
          void record
            .mutateAsync({ occurrence: { ...occurrence, outcome }, outcome: occurrence.outcome })
            .catch(() => toast.error('Error', 'Failed to put the class back')),
      },
      costsOf,
    )
  const ending = record.isPending ? record.variables.outcome : undefined
  return { problem, change, isBusy, ending, move, restore, end }
}
