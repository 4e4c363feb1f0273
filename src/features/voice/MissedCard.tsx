import { useEffect, useId, useRef, useState } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { useOccurrences, useOutcomesNow, useRecordOutcome } from '#features/schedules/client.web.ts'
import type { Occurrence } from '#features/schedules/occurrence.ts'
import { outcomeInWords } from '#features/schedules/outcome.ts'
import { OutcomeChoices } from '#features/schedules/OutcomeChoices.tsx'
import { bothTimes } from '#features/schedules/schedule.ts'
import { useStudents } from '#features/students/client.web.ts'
import type { Outcome } from '#features/terms/outcome.ts'
import { type CalendarDay, calendarDay, formatDay } from '#kernel/calendar-day.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { WhatWasSaid } from './WhatWasSaid.tsx'
import type { ProposedMissed } from './voice.ts'

interface MissedCardProps {
  /** The transcript. */
  said: string
  missed: ProposedMissed
  onAgain: () => void
}

/** A class that was said not to have taken place. The user checks which one, and says how it ended. */
export function MissedCard({ said, missed, onAgain }: MissedCardProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const [typed, setTyped] = useState(missed.date ?? '')
  const day = calendarDay(typed)
  return (
    <>
      <section className="card mt-5 overflow-hidden" aria-labelledby={id}>
        <h2 id={id} ref={heading} tabIndex={-1} className="px-5 pt-4 pb-3">
          How did this class end?
        </h2>
        <WhatWasSaid text={said} />
        <div className="px-5 pb-4">
          <TextField
            label="Day of the class"
            type="date"
            help={missed.date === null ? 'We couldn’t tell which day you mean.' : undefined}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        {day && <ClassesOfDay day={day} missed={missed} />}
      </section>
      <div className="mt-3 text-center">
        <Button tone="quiet" onClick={onAgain}>
          Say it again
        </Button>
      </div>
    </>
  )
}

/** The planned classes of a day that may be meant. Nothing is offered if there's none. */
function ClassesOfDay({ day, missed }: { day: CalendarDay; missed: ProposedMissed }) {
  const classes = useOccurrences(day, day)
  const students = useStudents()
  const named = students.data?.find(({ id }) => id === missed.childId)?.name
  // While another day is loading, the list is still the last one's.
  const listed = (classes.data ?? []).filter(
    (one) =>
      one.date === day &&
      (missed.childId === null || one.student_id === missed.childId) &&
      (missed.tutorId === null || one.tutor_id === missed.tutorId),
  )
  const isKnown = classes.isSuccess && !classes.isPlaceholderData
  return (
    <div aria-live="polite">
      <ListRetry list={classes} plural="classes" />
      {isKnown && listed.length === 0 && (
        <div className="mx-5 mb-4">
          <Notice>
            There’s no planned class{named ? ` for ${named}` : ''} on{' '}
            {formatDay(day, { weekday: 'long', month: 'long', day: 'numeric' })}, so there’s nothing to
            change.
          </Notice>
        </div>
      )}
      {isKnown && listed.length > 0 && (
        <ul className="list border-t border-line" aria-label="Classes of this day">
          {listed.map((one) => (
            <ClassRow key={one.schedule_id + one.original_date} occurrence={one} said={missed.outcome} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** A class with its time, and what to choose from: what was said comes first. */
function ClassRow({ occurrence, said }: { occurrence: Occurrence; said: Outcome | null }) {
  const reader = useSide()
  const toast = useToast()
  const record = useRecordOutcome()
  const { student_name: student, tutor_name: tutor, status, outcome: ended } = occurrence
  const time = bothTimes(occurrence)
  const choices = useOutcomesNow(occurrence)
  const end = async (outcome: Outcome) => {
    try {
      await record.mutateAsync({ occurrence, outcome })
    } catch (error) {
      const told = error instanceof CallFailed && !error.isRetryable ? error.problem.title : undefined
      return toast.error('Error', told ?? 'Failed to save how the class ended')
    }
    toast.success(outcomeInWords(outcome, reader), inOneLine([student, time]), {
      label: 'Undo',
      run: () =>
        void record
          .mutateAsync({ occurrence: { ...occurrence, outcome }, outcome: null })
          .catch(() => toast.error('Error', 'Failed to put the class back')),
    })
  }
  return (
    <li className="grid gap-2 px-5 py-3">
      <p className="wrap-anywhere">
        <b className="num font-semibold">{time}</b>{' '}
        {inOneLine([student, reader === 'tutor' ? null : tutor, occurrence.subject])}
      </p>
      {status === 'planned' && (
        <OutcomeChoices
          choices={
            said && choices.includes(said) ? [said, ...choices.filter((one) => one !== said)] : choices
          }
          reader={reader}
          about={`${student}, ${time}`}
          busy={record.isPending ? record.variables.outcome : undefined}
          onChoose={(outcome) => void end(outcome)}
        />
      )}
      {status === 'logged' && <p className="text-ink-2">This class is in your log.</p>}
      {ended && <p className="font-semibold">{outcomeInWords(ended, reader)}</p>}
    </li>
  )
}
