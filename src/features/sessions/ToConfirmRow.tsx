import { Check, NotebookPen } from 'lucide-react'
import type { ReactNode } from 'react'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { DayMargin } from '#platform/ui/LogRow.tsx'
import { openedBy, RowTitle } from '#platform/ui/RowLink.tsx'
import { type Side, TickLine } from '#platform/ui/Ticks.tsx'
import { useSessionLink } from './client.web.ts'
import type { SharedSession } from './confirmation.ts'
import { hasWords } from './lesson-words.ts'
import { sessionStart, SessionWords } from './SessionRow.tsx'
import { capital, deletionNote, otherSide, sessionName, sidesOf } from './standing-text.ts'

/** A shared session's amount, or a dash if it has no rate. */
function sharedMoney(session: SharedSession): string {
  return session.total_amount === null ? '–' : formatAmount(session.total_amount, session.currency)
}

interface ToConfirmRowProps {
  session: SharedSession
  /** The side that has to confirm. */
  reader: Side
  /** Whether the list has sessions with more than one person. If so, each row names the other side. */
  showsOther?: boolean
  /** Whether to fit all buttons on one line, so that the row keeps its height after an answer. */
  isCompact?: boolean
  /** Whether the row should name the month. The margin shows only the day. */
  showsMonth?: boolean
  isBusy?: boolean
  /** Whether to animate the reader's tick. True right after the reader confirms. */
  isDrawn?: boolean
  onConfirm?: () => void
  onDispute?: () => void
  onWithdraw?: () => void
  /** Opens the dialog for the summary and homework. */
  onWrite?: () => void
  /** Called to keep a session that the other side asked to delete. */
  onKeep?: () => void
  onDelete?: () => void
}

/** A shared session with buttons to answer it: Confirm and Not right, Delete and Keep it, or Undo. */
export function ToConfirmRow(props: ToConfirmRowProps) {
  const { session, reader, showsOther, showsMonth } = props
  const child = session.student_name ?? UNKNOWN_STUDENT
  const rate = session.rate === null ? 'no rate' : `${formatAmount(session.rate, session.currency)}/h`
  const day = session.date as CalendarDay
  const date = formatDay(day, { month: 'short', day: 'numeric' })
  const link = useSessionLink()(session)
  return (
    // Right after an answer, only the title opens the session, so that a second tap on the row doesn't open
    // it.
    <li className="log" {...openedBy(props.onWithdraw ? undefined : link)}>
      <DayMargin day={day} />
      <div className="m col-[2/-1] pr-4!">
        <div className="log-top">
          <RowTitle title={child} link={link} />
          <b className="num whitespace-nowrap">{sharedMoney(session)}</b>
        </div>
        <div className="s num">
          {inOneLine([
            showsMonth ? date : null,
            session.subject,
            sessionStart(session),
            hoursInWords(session.duration),
            rate,
          ])}
        </div>
        {showsOther && (
          <div className="s">{session.other_name ?? (reader === 'parent' ? 'The tutor' : 'A family')}</div>
        )}
        <SessionWords session={session} className="mt-1" />
        <Words {...props} />
        {session.deletion_asked_by === null ? <WordButtons {...props} /> : <DeletionButtons {...props} />}
        {session.deletion_asked_by === null && !props.isCompact && <WriteButton {...props} />}
      </div>
    </li>
  )
}

/** The session's status, and the Undo button. */
function Words(props: ToConfirmRowProps) {
  const { session, reader, isDrawn, isCompact, onWithdraw } = props
  const { words, by, badge } = sidesOf(session, reader, session.other_name)
  const isAnswered = session.own_confirmation === 'disputed' && session.answer_note !== null
  // In a list of waiting sessions, "Waiting for you" would be redundant.
  const isSaid = badge !== undefined || words !== 'Waiting for you'
  const note = deletionNote(session, reader, session.other_name)
  return (
    <>
      {(isSaid || onWithdraw) && (
        <div className={`${isCompact && onWithdraw ? 'mt-2.5' : 'mt-1'} flex flex-wrap items-center gap-x-3`}>
          {badge ? (
            <Badge tone={badge}>{words}</Badge>
          ) : (
            <TickLine by={by} drawn={isDrawn ? reader : undefined} words={words} />
          )}
          {onWithdraw && (
            <button
              type="button"
              className="link ml-auto min-h-11 min-w-11 text-right text-small"
              aria-label={`Undo, ${sessionName(session)}`}
              onClick={onWithdraw}
            >
              Undo
            </button>
          )}
          {isCompact && onWithdraw && session.deletion_asked_by === null && <WriteButton {...props} />}
        </div>
      )}
      {note && <p className="s">{note}</p>}
      {session.status === 'disputed' && session.dispute_note && (
        <p className="s break-words">“{session.dispute_note}”</p>
      )}
      {isAnswered && (
        <p className="s mt-1 break-words">
          {capital(otherSide(reader, session.other_name))} answered: “{session.answer_note}”
        </p>
      )}
    </>
  )
}

function WordButtons(props: ToConfirmRowProps) {
  const { session, isBusy, isCompact, onConfirm, onDispute } = props
  if (!onConfirm) return null
  const what = sessionName(session)
  return (
    <Buttons isCompact={isCompact}>
      <Button
        size="small"
        className="flex-1"
        busy={isBusy}
        busyText="Confirming..."
        aria-label={`Confirm, ${what}`}
        onClick={onConfirm}
      >
        <Check className="i" aria-hidden="true" />
        Confirm
      </Button>
      <Button size="small" tone="secondary" aria-label={`Not right, ${what}`} onClick={onDispute}>
        Not right
      </Button>
      {isCompact && <WriteButton {...props} />}
    </Buttons>
  )
}

function WriteButton({ session, isCompact, onWrite }: ToConfirmRowProps) {
  if (!onWrite) return null
  const words = hasWords(session) ? 'Edit summary' : 'Add a summary'
  if (isCompact)
    return (
      <IconButton
        className="md:flex! md:w-auto! md:gap-2 md:px-3"
        label={`${words}, ${sessionName(session)}`}
        onClick={onWrite}
      >
        <NotebookPen className="size-[18px]!" aria-hidden="true" />
        <span className="text-small font-semibold max-md:hidden">{words}</span>
      </IconButton>
    )
  return (
    <button
      type="button"
      className="link block min-h-11 text-left text-small"
      aria-label={`${words}, ${sessionName(session)}`}
      onClick={onWrite}
    >
      {words}
    </button>
  )
}

function DeletionButtons({ session, isBusy, onKeep, onDelete }: ToConfirmRowProps) {
  if (!onKeep) return null
  const what = sessionName(session)
  const isOwn = session.deletion_asked_by === 'you'
  const agree = isOwn ? 'Delete from your log' : 'Agree to delete'
  return (
    <Buttons>
      {onDelete && (
        <Button
          size="small"
          tone="danger-outline"
          busy={isBusy}
          busyText="Deleting..."
          aria-label={`${agree}, ${what}`}
          onClick={onDelete}
        >
          {agree}
        </Button>
      )}
      <Button size="small" tone="secondary" aria-label={`Keep it, ${what}`} onClick={onKeep}>
        {isOwn ? 'Keep it after all' : 'Keep it'}
      </Button>
    </Buttons>
  )
}

function Buttons({ isCompact = false, children }: { isCompact?: boolean | undefined; children: ReactNode }) {
  return (
    <div className={`mt-2.5 flex flex-wrap gap-2 md:max-w-md ${isCompact ? 'max-md:[&_.btn]:px-2.5' : ''}`}>
      {children}
    </div>
  )
}
