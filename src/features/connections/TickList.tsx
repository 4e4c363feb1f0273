import { lazy, Suspense, useId, useState } from 'react'
import { confirmWithWords, sessionAnswers } from '#features/sessions/client.web.ts'
import { byDay, disputeNote, totalInWords } from '#features/sessions/confirmation.ts'
import { hasWords, type LessonWords } from '#features/sessions/lesson-words.ts'
import { sessionStart, SessionWords } from '#features/sessions/SessionRow.tsx'
import { sessionName } from '#features/sessions/standing-text.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type CalendarDay, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { readDraft } from '#platform/ui/draft.web.ts'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import { NoteForm } from '#platform/ui/NoteForm.tsx'
import { confirmTyped, summaryDraft } from './client.web.ts'
import { confirmLabel, type EmailedSession } from './emailed.ts'

// Loaded once the user opens the form.
const SummaryForm = lazy(() => import('./SummaryForm.tsx'))

interface TickListProps {
  /** The sessions waiting for the reader, except those the other side wants to delete. */
  sessions: EmailedSession[]
  /** What to call the other side mid-sentence. */
  other: string
  onConfirmed: (ids: string[]) => void
}

/** Sessions with checkboxes, all checked at first, and one button that confirms the checked ones. */
export function TickList({ sessions, other, onConfirmed }: TickListProps) {
  const [left, setLeft] = useState<readonly string[]>([])
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const chosen = sessions.filter(({ id }) => !left.includes(id))
  const confirm = async () => {
    setIsBusy(true)
    setProblem(undefined)
    try {
      const { confirmed, changed } = await confirmTyped(chosen)
      if (changed.length > 0)
        setProblem(
          changed.length === 1
            ? 'One session was changed while you had this page open, so it wasn’t confirmed. Please check it again.'
            : `${changed.length} sessions were changed while you had this page open, so they weren’t confirmed. Please check them again.`,
        )
      onConfirmed(confirmed)
    } catch (error) {
      setProblem(
        error instanceof CallFailed ? error.problem.title : 'Nothing was confirmed. Please try again.',
      )
    } finally {
      setIsBusy(false)
    }
  }
  const tick = (id: string, isSet: boolean) =>
    setLeft(isSet ? left.filter((one) => one !== id) : [...left, id])
  return (
    <>
      <ul className="card list mt-6 overflow-hidden" aria-label="Sessions to confirm">
        {byDay(sessions).map((session, at, all) => (
          <TickRow
            key={session.id}
            session={session}
            month={monthAbove(session, at, all)}
            isSet={!left.includes(session.id)}
            onTick={(isSet) => tick(session.id, isSet)}
            other={other}
            onDispute={(note) => sessionAnswers.dispute(session, note)}
            onWrite={(words) => confirmWithWords(session, words).then(() => onConfirmed([session.id]))}
          />
        ))}
      </ul>
      {problem && <FormAlert text={problem} className="mt-4" />}
      <div className="sticky bottom-0 z-10 -mx-5 bg-page px-5 py-4">
        <Button
          className="w-full"
          busy={isBusy}
          busyText="Confirming..."
          blockedReason={chosen.length === 0 ? 'Check the sessions that are correct' : undefined}
          onClick={() => void confirm()}
        >
          {chosen.length === 0 ? 'Nothing checked' : labelOf(chosen, sessions.length)}
        </Button>
      </div>
    </>
  )
}

/** For example, "Confirm all 3, $157.50" or, if only some are checked, "Confirm 2, $90.00". */
function labelOf(chosen: EmailedSession[], all: number): string {
  const total = totalInWords(chosen)
  if (chosen.length === all) return confirmLabel(chosen.length, total)
  return inOneLine([`Confirm ${chosen.length}`, total])
}

/** The month's heading above its first session, if the list covers several months. */
function monthAbove(session: EmailedSession, at: number, all: EmailedSession[]): string | undefined {
  const month = monthOf(session.date as CalendarDay)
  const isOnly = all.every(({ date }) => date.startsWith(month))
  if (isOnly || all[at - 1]?.date.startsWith(month)) return undefined
  return formatDay(`${month}-01` as CalendarDay, { month: 'long', year: 'numeric' })
}

interface TickRowProps {
  session: EmailedSession
  month: string | undefined
  isSet: boolean
  onTick: (isSet: boolean) => void
  other: string
  onDispute: (note: string) => Promise<unknown>
  /** Saves what's written about the lesson, and confirms the session. */
  onWrite: (words: LessonWords) => Promise<unknown>
}

function TickRow(props: TickRowProps) {
  const { session, month, isSet, onTick, other, onDispute, onWrite } = props
  const id = useId()
  const note = disputeNote(session.id)
  const [isOpen, setIsOpen] = useState(() => readDraft(note.draft) !== undefined)
  const [isWriting, setIsWriting] = useState(() => readDraft(summaryDraft(session.id)) !== undefined)
  const words = hasWords(session) ? 'Edit summary' : 'Add a summary'
  // A session marked as wrong is excluded from the button below.
  const open = (isWrong: boolean) => {
    setIsOpen(isWrong)
    onTick(!isWrong)
  }
  const what = sessionName(session)
  const rate = session.rate === null ? 'no rate' : `${formatAmount(session.rate, session.currency)}/h`
  return (
    <li className="px-5 py-3">
      {month && <p className="mb-2 text-small font-semibold text-ink-2">{month}</p>}
      <label
        htmlFor={id}
        className="grid min-h-11 cursor-pointer grid-cols-[auto_1fr_auto] items-baseline gap-x-3.5 pt-1"
      >
        <input
          id={id}
          type="checkbox"
          className="row-span-2 size-6 self-start accent-accent"
          checked={isSet}
          onChange={(event) => onTick(event.target.checked)}
        />
        <b className="font-semibold wrap-anywhere">
          {formatDay(session.date as CalendarDay, { weekday: 'short', month: 'short', day: 'numeric' })},{' '}
          {session.student_name ?? UNKNOWN_STUDENT}
        </b>
        <b className="num whitespace-nowrap">
          {session.total_amount === null ? '–' : formatAmount(session.total_amount, session.currency)}
        </b>
        <span className="num col-span-2 text-small wrap-anywhere text-ink-2">
          {inOneLine([session.subject, sessionStart(session), hoursInWords(session.duration), rate])}
        </span>
      </label>
      <Changed session={session} />
      <SessionWords session={session} className="ml-[2.375rem]" />
      <Answered session={session} other={other} />
      {isWriting && (
        <Suspense fallback={<div className="sk mt-2 h-60" />}>
          <SummaryForm
            session={session}
            what={what}
            other={other}
            onSend={onWrite}
            onClose={() => setIsWriting(false)}
          />
        </Suspense>
      )}
      {isOpen && (
        <NoteForm
          {...note}
          name={`Not right, ${what}`}
          label={`What isn't right? ${other} will see this.`}
          send="Send back"
          hasIcon
          onSend={onDispute}
          // The form is removed along with its row.
          onSent={() => undefined}
          onClose={() => open(false)}
        />
      )}
      <div className="ml-[2.375rem] flex flex-wrap gap-x-6">
        {!isOpen && !isWriting && (
          <button
            type="button"
            className="link min-h-11 text-small"
            aria-label={`Not right, ${what}`}
            onClick={() => open(true)}
          >
            Not right?
          </button>
        )}
        {/* Saving a summary confirms the session. */}
        {!isOpen && !isWriting && (
          <button
            type="button"
            className="link min-h-11 text-small"
            aria-label={`${words}, ${what}`}
            onClick={() => setIsWriting(true)}
          >
            {words}
          </button>
        )}
      </div>
    </li>
  )
}

/** What the other side changed since the reader confirmed, such as "Changed since you confirmed: was 1 h, now 1.5 h". */
function Changed({ session: { confirmed_before: before, ...now } }: { session: EmailedSession }) {
  if (!before) return null
  const inWords = ({ date, duration, rate }: typeof before) => [
    formatDay(date as CalendarDay, { month: 'short', day: 'numeric' }),
    hoursInWords(duration),
    rate === null ? 'no rate' : `${formatAmount(rate, now.currency)}/h`,
  ]
  const after = inWords(now)
  const changes = inWords(before).flatMap((was, at) =>
    was === after[at] ? [] : [`was ${was}, now ${after[at]}`],
  )
  if (changes.length === 0) return null
  return (
    <p className="num ml-[2.375rem] text-small wrap-anywhere text-ink-2">
      Changed since you confirmed: {changes.join('; ')}
    </p>
  )
}

/** The reader's last dispute, with the other side's response. */
function Answered({ session, other }: { session: EmailedSession; other: string }) {
  if (!session.dispute_note || !session.answer_note) return null
  return (
    <p className="ml-[2.375rem] text-small break-words text-ink-2">
      You wrote: “{session.dispute_note}” {other} answered: “{session.answer_note}”
    </p>
  )
}
