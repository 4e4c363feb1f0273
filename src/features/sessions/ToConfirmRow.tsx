import { priceInShort } from '#features/prices/price.ts'
import { NotebookPen } from 'lucide-react'
import { AnswerButtons, AnswerLink, AnswerRow, DeletionButtons } from '#features/agreements/AnswerRow.tsx'
import { standingOf } from '#features/agreements/answer.ts'
import type { Action } from '#features/agreements/client.web.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { IconButton } from '#platform/ui/Button.tsx'
import { type Side, TickLine } from '#platform/ui/Ticks.tsx'
import { useSessionLink } from './client.web.ts'
import type { SharedSession } from './confirmation.ts'
import { hasWords } from './lesson-words.ts'
import { proposalInWords } from './not-right.ts'
import { makeUpWord, sessionStart, SessionWords } from './SessionRow.tsx'
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
  /** The answer that's being sent. */
  busy?: Action | undefined
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
  const rate = priceInShort(session, session.currency)
  const date = formatDay(session.date as CalendarDay, { month: 'short', day: 'numeric' })
  return (
    <AnswerRow
      date={session.date}
      title={session.student_name ?? UNKNOWN_STUDENT}
      amount={sharedMoney(session)}
      link={useSessionLink()(session)}
      isTitleOnly={props.onWithdraw !== undefined}
    >
      <div className="s num">
        {inOneLine([
          showsMonth ? date : null,
          makeUpWord(session),
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
      {session.deletion_asked_by === null ? <WordButtons {...props} /> : <OnDeletion {...props} />}
      {session.deletion_asked_by === null && !props.isCompact && <WriteButton {...props} />}
    </AnswerRow>
  )
}

/** The session's status, and the Undo button. */
function Words(props: ToConfirmRowProps) {
  const { session, reader, isDrawn, isCompact, onWithdraw } = props
  const { words, by, badge } = sidesOf(session, reader, session.other_name)
  const other = capital(otherSide(reader, session.other_name))
  const isAnswered = session.own_confirmation === 'disputed' && session.answer_note !== null
  // In a list of waiting sessions, "Waiting for you" would be redundant.
  const isSaid = proposalOf(session)?.by !== 'other' && (badge !== undefined || words !== 'Waiting for you')
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
            <AnswerLink name={sessionName(session)} className="ml-auto text-right" onClick={onWithdraw} />
          )}
          {isCompact && onWithdraw && session.deletion_asked_by === null && <WriteButton {...props} />}
        </div>
      )}
      {note && <p className="s">{note}</p>}
      <Proposed session={session} reader={reader} />
      {standingOf(session) === 'disputed' && session.dispute_note && (
        <p className="s break-words">“{session.dispute_note}”</p>
      )}
      {isAnswered && (
        <p className="s mt-1 break-words">
          {other} answered: “{session.answer_note}”
        </p>
      )}
    </>
  )
}

const proposalOf = ({ deletion_asked_by: isLeaving, proposal }: SharedSession) =>
  isLeaving === null ? proposal : null

/** What a side proposes instead of the session's facts. */
function Proposed({ session, reader }: Pick<ToConfirmRowProps, 'session' | 'reader'>) {
  const proposal = proposalOf(session)
  if (!proposal) return null
  const isOwn = proposal.by === 'you'
  return (
    <p className={`num mt-1 wrap-anywhere ${isOwn ? 's' : 'font-semibold'}`}>
      {isOwn ? 'You said' : `${capital(otherSide(reader, session.other_name))} says`}{' '}
      {proposalInWords(session, proposal)}
    </p>
  )
}

function WordButtons(props: ToConfirmRowProps) {
  const { session, busy, isCompact, onConfirm, onDispute } = props
  if (!onConfirm) return null
  return (
    <AnswerButtons
      {...(session.proposal?.by === 'other' && { yes: 'Accept' })}
      name={sessionName(session)}
      busy={busy}
      className={`md:max-w-md ${isCompact ? 'max-md:[&_.btn]:px-2.5' : ''}`}
      onConfirm={onConfirm}
      onDispute={onDispute}
    >
      {isCompact && <WriteButton {...props} />}
    </AnswerButtons>
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

function OnDeletion({ session, busy, onKeep, onDelete }: ToConfirmRowProps) {
  if (!onKeep) return null
  const isOwn = session.deletion_asked_by === 'you'
  return (
    <DeletionButtons
      name={sessionName(session)}
      busy={busy}
      className="md:max-w-md"
      agree={isOwn ? 'Delete from your log' : 'Agree to delete'}
      keep={isOwn ? 'Keep it after all' : 'Keep it'}
      onDelete={onDelete}
      onKeep={onKeep}
    />
  )
}
