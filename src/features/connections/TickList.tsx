import { priceInShort } from '#features/prices/price.ts'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { DeletionDialog } from '#features/agreements/AnswerDialogs.tsx'
import { AnswerButtons, DeletionButtons } from '#features/agreements/AnswerRow.tsx'
import { type Answers, useAnswers } from '#features/agreements/client.web.ts'
import { confirmWithWords, sessionAnswers, sessionKind } from '#features/sessions/client.web.ts'
import {
  byDay,
  byWeek,
  isTickable,
  type SharedSession,
  totalInWords,
} from '#features/sessions/confirmation.ts'
import { hasWords } from '#features/sessions/lesson-words.ts'
import { notRightDraft, proposalInWords } from '#features/sessions/not-right.ts'
import { makeUpWord, sessionStart, SessionWords } from '#features/sessions/SessionRow.tsx'
import { capital, otherSide, sessionName, silence } from '#features/sessions/standing-text.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type CalendarDay, dayIn, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, readDraft } from '#platform/ui/draft.web.ts'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { confirmTyped, summaryDraft } from './client.web.ts'
import { confirmLabel, type EmailedSession } from './emailed.ts'

// Loaded once the user opens the form.
const SummaryForm = lazy(() => import('./SummaryForm.tsx'))
const NotRightForm = lazy(async () => ({
  default: (await import('#features/sessions/NotRightForm.tsx')).NotRightForm,
}))

/** A session in the list. Only the emailed page says what the reader had confirmed before. */
type Listed = SharedSession & Partial<Pick<EmailedSession, 'confirmed_before'>>

interface TickListProps {
  /** The sessions waiting for the reader. */
  sessions: Listed[]
  reader: Side
  /** What to call the other side mid-sentence, if there's only one and it isn't in the sessions. */
  other?: string
  /** Whether each row names the other side. */
  showsOther?: boolean
  /** Whether this week's sessions come first, under a heading of their own: the app's page. */
  isByWeek?: boolean
  onConfirmed?: (ids: string[]) => void
}

/** What became of the sessions that were just confirmed or sent. */
interface Outcome {
  text: string
  confirmed: readonly Listed[]
}

/**
 * What waits for the reader, as rows with checkboxes that are all checked at first, and one button that confirms
 * the checked ones. Unchecking one asks what isn't right. Questions about a deletion or proposal have buttons of
 * their own.
 */
export function TickList(props: TickListProps) {
  const { sessions, reader, isByWeek = false, onConfirmed } = props
  const [left, setLeft] = useState<readonly string[]>(() =>
    sessions.flatMap(({ id }) => (readDraft(notRightDraft(id)) ? id : [])),
  )
  const [sent, setSent] = useState<readonly Listed[]>([])
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome>()
  const [removed, setRemoved] = useState<Listed>()
  const answers = useAnswers<Listed>({ ...sessionKind(reader), told: ['other_closed', 'month_closed'] })
  const open = byDay(sessions.filter(isTickable))
  const chosen = open.filter(({ id }) => !left.includes(id))
  const tick = (id: string, isSet: boolean) =>
    setLeft(isSet ? left.filter((one) => one !== id) : [...left, id])
  const confirm = async () => {
    setIsBusy(true)
    setProblem(undefined)
    try {
      const { confirmed, changed } = await confirmTyped(chosen)
      for (const id of confirmed) forgetDraft(notRightDraft(id))
      if (changed.length > 0) setProblem(changedInWords(changed.length))
      const done = chosen.filter(({ id }) => confirmed.includes(id))
      const rest = open.filter((session) => !done.includes(session))
      if (done.length > 0) setOutcome({ text: outcomeInWords(done, rest, sent), confirmed: done })
      onConfirmed?.(confirmed)
    } catch (error) {
      setProblem(
        error instanceof CallFailed ? error.problem.title : 'Nothing was confirmed. Please try again.',
      )
    } finally {
      setIsBusy(false)
    }
  }
  const undo = async ({ confirmed }: Outcome) => {
    if (await answers.withdraw(...confirmed)) setOutcome(undefined)
  }
  return (
    <>
      <Said outcome={outcome} onUndo={(one) => void undo(one)} />
      {sectionsOf(sessions, isByWeek).map(({ title, rows }) => (
        <section key={title ?? ''} className="mt-6" aria-label={title ?? 'Sessions to confirm'}>
          {title && <h2 className="mb-2.5">{title}</h2>}
          <ul className="card list overflow-hidden" aria-label={title ?? 'Sessions to confirm'}>
            {rows.map((session, at, all) => (
              <Row
                {...props}
                key={session.id}
                session={session}
                month={title === THIS_WEEK ? undefined : monthAbove(session, at, all)}
                isSet={!left.includes(session.id)}
                onTick={(isSet) => tick(session.id, isSet)}
                onSent={() => {
                  // If the other side changes it, it comes back as a new question.
                  tick(session.id, true)
                  setSent([...sent, session])
                  setOutcome({ text: `${shortName(session)}: sent.`, confirmed: [] })
                }}
                onRemove={() => setRemoved(session)}
                answers={answers}
              />
            ))}
          </ul>
        </section>
      ))}
      {problem && <FormAlert text={problem} className="mt-4" />}
      {open.length > 0 && (
        <div className={isByWeek ? 'pinned mt-4' : 'sticky bottom-0 z-10 -mx-5 bg-page px-5 py-4'}>
          <Button
            className="w-full"
            busy={isBusy}
            busyText="Confirming..."
            blockedReason={chosen.length === 0 ? 'Check the sessions that are correct' : undefined}
            onClick={() => void confirm()}
          >
            {chosen.length === 0 ? 'Nothing checked' : labelOf(chosen, open.length)}
          </Button>
        </div>
      )}
      {removed && <DeletionDialog answers={answers} entry={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

const THIS_WEEK = 'This week'

function sectionsOf(sessions: Listed[], isByWeek: boolean): { title?: string; rows: Listed[] }[] {
  const rows = byDay(sessions)
  const { thisWeek, earlier } = byWeek(rows, dayIn(new Date()))
  const others = rows.filter((session) => !thisWeek.includes(session) && !earlier.includes(session))
  const sections = isByWeek
    ? [
        { title: THIS_WEEK, rows: [...thisWeek, ...others] },
        { title: 'Earlier', rows: earlier },
      ]
    : [{ rows }]
  return sections.filter((section) => section.rows.length > 0)
}

/** Says what was confirmed and what stays open, for everybody who doesn't see the rows go. */
function Said({ outcome, onUndo }: { outcome: Outcome | undefined; onUndo: (outcome: Outcome) => void }) {
  const card = useRef<HTMLDivElement>(null)
  // The button or form that had the focus is gone.
  useEffect(() => {
    if (outcome && document.activeElement === document.body) card.current?.focus({ preventScroll: true })
  }, [outcome])
  return (
    <div role="status" ref={card} tabIndex={-1} className="focus:outline-none">
      {outcome && (
        <div className="card mt-5 flex flex-wrap items-center justify-between gap-x-4 px-5 py-2">
          <p className="num min-w-0 py-2 wrap-anywhere">{outcome.text}</p>
          {outcome.confirmed.length > 0 && (
            <button type="button" className="link min-h-11 min-w-11" onClick={() => onUndo(outcome)}>
              Undo
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function changedInWords(count: number): string {
  return count === 1
    ? 'One session was changed while you had this page open, so it wasn’t confirmed. Please check it again.'
    : `${count} sessions were changed while you had this page open, so they weren’t confirmed. Please check them again.`
}

/** For example, "Tue, Nov 3, Theo". */
function shortName({ date, student_name: name }: Listed): string {
  return inOneLine([dayInWords(date), name ?? UNKNOWN_STUDENT])
}

const dayInWords = (date: string) =>
  formatDay(date as CalendarDay, { weekday: 'short', month: 'short', day: 'numeric' })

/** For example, "6 confirmed, $340.00. 1 left open: Tue, Nov 3, Theo. 1 sent: Wed, Nov 4, Theo." */
function outcomeInWords(confirmed: Listed[], open: Listed[], sent: readonly Listed[]): string {
  const rest = (rows: readonly Listed[], what: string) =>
    rows.length > 0 ? [`${rows.length} ${what}: ${rows.map(shortName).join('; ')}.`] : []
  return [
    `${inOneLine([`${confirmed.length} confirmed`, totalInWords(confirmed)])}.`,
    ...rest(open, 'left open'),
    ...rest(sent, 'sent as not right'),
  ].join(' ')
}

/** For example, "Confirm all 3, $157.50" or, if only some are checked, "Confirm 2, $90.00". */
function labelOf(chosen: Listed[], all: number): string {
  const total = totalInWords(chosen)
  if (chosen.length === all) return confirmLabel(chosen.length, total)
  return inOneLine([`Confirm ${chosen.length}`, total])
}

/** The month's heading above its first session, if the list covers several months. */
function monthAbove(session: Listed, at: number, all: Listed[]): string | undefined {
  const month = monthOf(session.date as CalendarDay)
  const isOnly = all.every(({ date }) => date.startsWith(month))
  if (isOnly || all[at - 1]?.date.startsWith(month)) return undefined
  return formatDay(`${month}-01` as CalendarDay, { month: 'long', year: 'numeric' })
}

interface RowProps extends Pick<TickListProps, 'reader' | 'other' | 'showsOther' | 'onConfirmed'> {
  session: Listed
  month: string | undefined
  isSet: boolean
  onTick: (isSet: boolean) => void
  onSent: () => void
  onRemove: () => void
  answers: Answers<Listed>
}

/** What to call the other side of a session mid-sentence. */
function otherOf({ reader, session, other }: Pick<RowProps, 'reader' | 'session' | 'other'>): string {
  return other ?? (reader === 'tutor' ? session.other_name : null) ?? otherSide(reader, session.other_name)
}

function Row(props: RowProps) {
  const { session, month } = props
  const silent = silence(session, new Date())
  return (
    <li className="px-5 py-3">
      {month && <p className="mb-2 text-small font-semibold text-ink-2">{month}</p>}
      {isTickable(session) ? <TickRow {...props} /> : <QuestionRow {...props} />}
      {silent && <p className="text-small text-ink-2">Waiting for you {silent}</p>}
    </li>
  )
}

/** The session's day, student and amount, and below them its other facts. */
function Facts({ session, showsOther }: RowProps) {
  const rate = priceInShort(session, session.currency)
  return (
    <>
      <b className="font-semibold wrap-anywhere">{shortName(session)}</b>
      <b className="num whitespace-nowrap">
        {session.total_amount === null ? '–' : formatAmount(session.total_amount, session.currency)}
      </b>
      <span className="num col-span-2 text-small wrap-anywhere text-ink-2">
        {inOneLine([
          showsOther ? session.other_name : null,
          makeUpWord(session),
          session.subject,
          sessionStart(session),
          hoursInWords(session.duration),
          rate,
        ])}
      </span>
    </>
  )
}

function TickRow(props: RowProps) {
  const { session, isSet, onTick, onConfirmed } = props
  const id = useId()
  const [isAsked, setIsAsked] = useState(() => readDraft(notRightDraft(session.id)) !== undefined)
  const [isWriting, setIsWriting] = useState(() => readDraft(summaryDraft(session.id)) !== undefined)
  const words = hasWords(session) ? 'Edit summary' : 'Add a summary'
  const what = sessionName(session)
  const other = otherOf(props)
  return (
    <>
      <label
        htmlFor={id}
        className="grid min-h-11 cursor-pointer grid-cols-[auto_1fr_auto] items-baseline gap-x-3.5 pt-1"
      >
        <input
          id={id}
          type="checkbox"
          className="row-span-2 size-6 self-start accent-accent"
          checked={isSet}
          onChange={(event) => {
            onTick(event.target.checked)
            setIsAsked(!event.target.checked)
          }}
        />
        <Facts {...props} />
      </label>
      <Changed session={session} />
      <SessionWords session={session} className="ml-[2.375rem]" />
      <Answered session={session} other={other} />
      {isWriting && isSet && (
        <Suspense fallback={<div className="sk mt-2 h-60" />}>
          <SummaryForm
            session={session}
            what={what}
            other={other}
            onSend={(typed) => confirmWithWords(session, typed).then(() => onConfirmed?.([session.id]))}
            onClose={() => setIsWriting(false)}
          />
        </Suspense>
      )}
      {!isSet && isAsked && <Question {...props} onClose={() => setIsAsked(false)} />}
      <div className="ml-[2.375rem] flex flex-wrap gap-x-6">
        {!isSet && !isAsked && (
          <button
            type="button"
            className="link min-h-11 text-small"
            aria-label={`What’s not right? ${what}`}
            onClick={() => setIsAsked(true)}
          >
            What’s not right?
          </button>
        )}
        {/* Saving a summary confirms the session. */}
        {isSet && !isWriting && (
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
    </>
  )
}

/** Asks what isn't right, where a checkbox was just cleared. */
function Question({ onClose, ...props }: RowProps & { onClose: () => void }) {
  const { session, onSent } = props
  return (
    <Suspense fallback={<div className="sk mt-2 h-40" />}>
      <NotRightForm
        session={session}
        name={sessionName(session)}
        other={otherOf(props)}
        onSend={(said) => sessionAnswers.dispute(session, said).then(onSent)}
        onClose={onClose}
      />
    </Suspense>
  )
}

/** A session that the other side wants to delete, or about which it proposes something. */
function QuestionRow(props: RowProps) {
  const { session, answers, onRemove } = props
  const [isAsked, setIsAsked] = useState(() => readDraft(notRightDraft(session.id)) !== undefined)
  const buttons = { name: sessionName(session), busy: answers.busyWith(session), className: 'md:max-w-md' }
  const other = capital(otherOf(props))
  const { proposal } = session
  return (
    <>
      <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-3.5 pt-1">
        <Facts {...props} />
      </div>
      <SessionWords session={session} />
      <p className="num mt-1 font-semibold wrap-anywhere">
        {proposal && session.deletion_asked_by === null
          ? `${other} says ${proposalInWords(session, proposal)}`
          : `${other} asked to delete it`}
      </p>
      {session.dispute_note && <p className="text-small break-words text-ink-2">“{session.dispute_note}”</p>}
      {session.deletion_asked_by ? (
        <DeletionButtons
          {...buttons}
          agree="Agree to delete"
          onDelete={onRemove}
          onKeep={() => void answers.keep(session)}
        />
      ) : isAsked ? (
        <Question {...props} onClose={() => setIsAsked(false)} />
      ) : (
        <AnswerButtons
          {...buttons}
          yes="Accept"
          onConfirm={() => void answers.accept(session)}
          onDispute={() => setIsAsked(true)}
        />
      )}
    </>
  )
}

type Fact = Pick<SharedSession, 'date' | 'duration' | 'rate'> &
  Partial<Pick<SharedSession, 'lesson_price' | 'lesson_minutes'>>

/** What the other side changed since the reader confirmed, such as "Changed since you confirmed: was 1 h, now 1.5 h". */
function Changed({ session: { confirmed_before: before, ...now } }: { session: Listed }) {
  if (!before) return null
  const inWords = ({ date, duration, ...price }: Fact) => [
    formatDay(date as CalendarDay, { month: 'short', day: 'numeric' }),
    hoursInWords(duration),
    priceInShort(price, now.currency),
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
function Answered({ session, other }: { session: Listed; other: string }) {
  if (!session.dispute_note || !session.answer_note) return null
  return (
    <p className="ml-[2.375rem] text-small break-words text-ink-2">
      You wrote: “{session.dispute_note}” {other} answered: “{session.answer_note}”
    </p>
  )
}
