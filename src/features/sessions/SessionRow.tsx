import { priceInShort } from '#features/prices/price.ts'
import { Pencil } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useCanWrite, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { isUnanswered, standingOf } from '#features/agreements/answer.ts'
import { DeletionDialog } from '#features/agreements/AnswerDialogs.tsx'
import { AnswerLink } from '#features/agreements/AnswerRow.tsx'
import { useAnswers } from '#features/agreements/client.web.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine, isolated } from '#kernel/isolate.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { IconButton } from '#platform/ui/Button.tsx'
import { Folded } from '#platform/ui/Folded.tsx'
import { DayMargin, LogRow } from '#platform/ui/LogRow.tsx'
import { openedBy, type RowLink, RowTitle } from '#platform/ui/RowLink.tsx'
import { TickLine } from '#platform/ui/Ticks.tsx'
import { sessionKind, useSessionLink, useStudentTitle } from './client.web.ts'
import { hasWords, LESSON_WORDS, type StoredWords, WORDS_FIELDS } from './lesson-words.ts'
import type { Session } from './session.ts'
import { deletionNote, sessionName, sidesOf } from './standing-text.ts'

/** What's written about a lesson. Renders nothing if there's no text. */
export function SessionWords({ session, className }: { session: StoredWords; className?: string }) {
  const texts = WORDS_FIELDS.map((field) => ({ label: LESSON_WORDS[field].label, text: session[field] }))
  return <Folded className={className} texts={texts} />
}

/** Formats a session's start time, such as "4:00 PM". Null if unknown. */
export function sessionStart({ start_time: time }: Pick<Session, 'start_time'>): string | null {
  return time === null ? null : formatTime(time)
}

/** Says that a session makes up for a missed class. */
export function makeUpWord({ makes_up: missed }: Pick<Session, 'makes_up'>): string | null {
  return missed === null ? null : 'Make-up'
}

/** Formats a session's hours, such as "1.5 h". */
export function sessionHours(session: Session): string {
  return hoursInWords(session.duration)
}

/** Formats an amount, or a dash if there isn't one. */
export function sessionMoney(amount: number | null, currency: Currency): string {
  return amount === null ? '–' : formatAmount(amount, currency)
}

interface SessionWordProps {
  session: Session
  isShort?: boolean
  /** Called after the session was deleted from only the reader's log. */
  onLeft?: () => void
}

/**
 * Both sides' ticks, or a badge if the session was sent back or marked for deletion. Renders nothing if
 * nobody else can confirm the session.
 */
export function SessionWord({ session, isShort = false, onLeft }: SessionWordProps) {
  const reader = useSide()
  const canWrite = useCanWrite()
  const standing = standingOf(session)
  if (standing === 'own') return null
  const { words: own, by, badge } = sidesOf(session, reader, session.tutor_name)
  // Caregivers and viewers can't answer for the family, so sessions wait for a parent instead.
  const words = canWrite ? own : own.replace(/^Waiting for you/, 'Waiting for a parent')
  return (
    <>
      {badge ? (
        <Badge tone={badge}>{words}</Badge>
      ) : (
        <TickLine
          by={by}
          about={sessionName(session)}
          words={isShort ? words.replace(/ (for tutor|for the family)$/, '') : words}
        />
      )}
      {standing === 'disputed' && session.dispute_note !== null && (
        <span className="mt-1 block text-small break-words whitespace-normal text-ink-2">
          “{session.dispute_note}”
        </span>
      )}
      {standing === 'disputed' && !session.is_shared && <NotCounted session={session} />}
      {session.deletion_asked_by === 'you' && <OwnDeletion session={session} onLeft={onLeft} />}
    </>
  )
}

/** Why a session that was sent back before the connection ended doesn't count, and a button that counts it. */
function NotCounted({ session }: { session: Session }) {
  const canWrite = useCanWrite()
  const { confirm } = useAnswers<Session>({ ...sessionKind(useSide()), confirmed: () => 'Session counted' })
  return (
    <>
      <span className="mt-1 block text-small whitespace-normal text-ink-2">
        It doesn’t count, because one side said it wasn’t right before the connection ended.
      </span>
      {canWrite && (
        <AnswerLink
          label="Count it"
          name={sessionName(session)}
          className="text-left"
          onClick={() => void confirm(session)}
        />
      )}
    </>
  )
}

/**
 * Buttons to withdraw your request to delete a session or, once the other side has missed its deadline, to
 * delete the session from your log only.
 */
function OwnDeletion({ session, onLeft }: { session: Session; onLeft?: (() => void) | undefined }) {
  const reader = useSide()
  const canWrite = useCanWrite()
  const answers = useAnswers<Session>(sessionKind(reader))
  const [isAsking, setIsAsking] = useState(false)
  const note = deletionNote(session, reader, session.tutor_name)
  const mayAnswer = canWrite && !session.is_read_only
  return (
    <>
      {note && <span className="mt-1 block text-small whitespace-normal text-ink-2">{note}</span>}
      {mayAnswer && (
        <span className="flex flex-wrap gap-x-5">
          {isUnanswered(session, new Date()) && (
            <AnswerLink
              label="Delete from your log"
              name={sessionName(session)}
              className="text-left"
              onClick={() => setIsAsking(true)}
            />
          )}
          <AnswerLink
            label="Keep it after all"
            name={sessionName(session)}
            className="text-left"
            onClick={() => void answers.keep(session)}
          />
        </span>
      )}
      {isAsking && (
        <DeletionDialog
          answers={answers}
          entry={session}
          onRemoved={onLeft}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

/** A row's title: the student's name. */
export function StudentTitle({ session }: { session: Session }) {
  return <>{useStudentTitle(session)}</>
}

interface SessionRowProps {
  session: Session
  /** Shows the rate and, to a family, the tutor, but not the lesson summary. */
  isFull?: boolean
  /** If set, shows a pencil icon. */
  onEdit?: ((session: Session) => void) | undefined
  /** A box that selects the row, in front of its day. */
  tick?: ReactNode
}

/** A session as a row in the log. */
export function SessionRow(props: SessionRowProps) {
  const linkTo = useSessionLink()
  const { session, isFull = false } = props
  return isFull ? (
    <FullRow {...props} link={linkTo(session)} />
  ) : (
    <ShortRow {...props} link={linkTo(session)} />
  )
}

type LinkedRowProps = SessionRowProps & { link: RowLink | undefined }

function ShortRow({ session, onEdit, link, tick }: LinkedRowProps) {
  const title = useStudentTitle(session)
  const seesAmounts = useSeesAmounts()
  return (
    <LogRow
      day={session.date as CalendarDay}
      tick={tick}
      title={title}
      link={link}
      amount={seesAmounts ? sessionMoney(session.total_amount, session.currency) : undefined}
      note={
        (standingOf(session) !== 'own' || hasWords(session)) && (
          <>
            <SessionWord session={session} />
            <SessionWords session={session} />
          </>
        )
      }
      detail={inOneLine([makeUpWord(session), session.subject, sessionStart(session), sessionHours(session)])}
      action={onEdit && <EditButton session={session} onEdit={onEdit} className="-mb-2" />}
    />
  )
}

function FullRow({ session, onEdit, link, tick }: LinkedRowProps) {
  const title = useStudentTitle(session)
  // All of a tutor's sessions are their own.
  const isForParent = useSide() === 'parent'
  const seesAmounts = useSeesAmounts()
  const { currency } = session
  return (
    <li className={`log log-full ${tick ? 'log-ticked' : ''}`} {...openedBy(link)}>
      {tick}
      <DayMargin day={session.date as CalendarDay} />
      <div className="m">
        <div className="flex items-baseline justify-between gap-3 pr-3 @max-[15rem]:flex-wrap">
          <RowTitle title={title} link={link} />
          {seesAmounts && (
            <b className="num whitespace-nowrap">{sessionMoney(session.total_amount, currency)}</b>
          )}
        </div>
        <div className="flex items-center gap-1">
          <div className="min-w-0 flex-1">
            <div className="s num">
              {inOneLine([
                makeUpWord(session),
                session.subject,
                sessionStart(session),
                sessionHours(session),
                priceInShort({ ...session, rate: session.effective_rate }, currency, '') || null,
              ])}
            </div>
            <div className="s">
              {isForParent && <span className="mr-3">{isolated(session.tutor_name ?? UNKNOWN_TUTOR)}</span>}
              <SessionWord session={session} />
            </div>
          </div>
          {onEdit && <EditButton session={session} onEdit={onEdit} className="-my-1" />}
        </div>
      </div>
    </li>
  )
}

function EditButton({
  session,
  onEdit,
  className,
}: {
  session: Session
  onEdit: (session: Session) => void
  className: string
}) {
  return (
    <IconButton
      className={className}
      label={`Edit session, ${sessionName(session)}`}
      onClick={() => onEdit(session)}
    >
      <Pencil className="size-[18px]" aria-hidden="true" />
    </IconButton>
  )
}
