import { Pencil } from 'lucide-react'
import { useCanWrite, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine, isolated } from '#kernel/isolate.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { IconButton } from '#platform/ui/Button.tsx'
import { LogRow } from '#platform/ui/LogRow.tsx'
import { TickLine } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { accountAnswers } from './client.web.ts'
import { standingOf } from './confirmation.ts'
import type { Session } from './session.ts'
import { sidesOf } from './standing-text.ts'

/** The hours of a session as the rows show them: "1.5 h". */
export function sessionHours(session: Session): string {
  return hoursInWords(session.duration)
}

/** An amount in words, or a dash where there was no rate. */
export function sessionMoney(amount: number | null, currency: Currency): string {
  return amount === null ? '–' : formatAmount(amount, currency)
}

/** What both sides say about a session: the ticks, or what was said when it was sent back or its deletion asked for. Nothing where no one else can confirm it. */
export function SessionWord({ session, isShort = false }: { session: Session; isShort?: boolean }) {
  const reader = useSide()
  const standing = standingOf(session)
  if (standing === 'own') return null
  const { words, by, badge } = sidesOf(session, reader, session.tutor_name)
  return (
    <>
      {badge ? (
        <Badge tone={badge}>{words}</Badge>
      ) : (
        <TickLine by={by} words={isShort ? words.replace(/ (for tutor|for the family)$/, '') : words} />
      )}
      {standing === 'disputed' && session.dispute_note !== null && (
        <span className="mt-1 block text-small break-words whitespace-normal text-ink-2">
          “{session.dispute_note}”
        </span>
      )}
      {session.deletion_asked_by === 'you' && <KeepButton session={session} />}
    </>
  )
}

/** Takes the own question back whether a session may be deleted. */
function KeepButton({ session }: { session: Session }) {
  const canWrite = useCanWrite()
  const toast = useToast()
  if (!canWrite || session.is_read_only) return null
  const keep = async () => {
    try {
      await accountAnswers.keep?.(session)
      toast.success('Session kept', 'It stays in both logs.')
    } catch (error) {
      toast.error(
        'Error',
        error instanceof CallFailed ? error.problem.title : 'The session could not be kept',
      )
    }
  }
  return (
    <button
      type="button"
      className="link block min-h-11 text-left text-small"
      aria-label={`Keep it after all, ${session.student_name ?? UNKNOWN_STUDENT}, ${formatDay(session.date as CalendarDay, { month: 'short', day: 'numeric' })}`}
      onClick={() => void keep()}
    >
      Keep it after all
    </button>
  )
}

interface SessionRowProps {
  session: Session
  /** Shows the tutor and the rate too. */
  isFull?: boolean
  /** Shows a pencil. */
  onEdit?: (session: Session) => void
}

/** One session as a line of the log. */
export function SessionRow({ session, isFull = false, onEdit }: SessionRowProps) {
  const seesAmounts = useSeesAmounts()
  const title = session.student_name ?? UNKNOWN_STUDENT
  const what = inOneLine([session.subject, sessionHours(session)])
  const day = session.date as CalendarDay
  return (
    <LogRow
      day={day}
      title={title}
      amount={seesAmounts ? sessionMoney(session.total_amount, session.currency) : undefined}
      note={standingOf(session) !== 'own' && <SessionWord session={session} />}
      detail={
        isFull ? (
          <>
            {what}
            <br />
            {isolated(session.tutor_name ?? UNKNOWN_TUTOR)}
            {session.effective_rate !== null &&
              `, ${sessionMoney(session.effective_rate, session.currency)}/h`}
          </>
        ) : (
          what
        )
      }
      action={
        onEdit && (
          <IconButton
            className="-mb-2"
            label={`Edit session, ${title}, ${formatDay(day, { month: 'short', day: 'numeric' })}`}
            onClick={() => onEdit(session)}
          >
            <Pencil className="size-[18px]" aria-hidden="true" />
          </IconButton>
        )
      }
    />
  )
}
