import { Pencil } from 'lucide-react'
import { useMe, useSide } from '#features/accounts/client.web.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine, isolated } from '#kernel/isolate.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import { IconButton } from '#platform/ui/Button.tsx'
import { LogRow } from '#platform/ui/LogRow.tsx'
import { VerificationLine } from '#platform/ui/Ticks.tsx'
import type { Session } from './session.ts'
import { standingOf } from './word.ts'

/** The hours of a session as the rows show them: "1.5 h". */
export function sessionHours(session: Session): string {
  return hoursInWords(session.duration)
}

/** An amount in words, or a dash where there was no rate. */
export function sessionMoney(amount: number | null, currency: Currency): string {
  return amount === null ? '–' : formatAmount(amount, currency)
}

/** What both sides say about a session: the ticks, or what the tutor said when sending it back. Nothing where no one else can confirm it. */
export function SessionWord({ session, waitingText }: { session: Session; waitingText?: string }) {
  const side = useSide()
  const standing = standingOf(session)
  if (standing === 'own') return null
  const isSentBack = standing === 'disputed'
  return (
    <>
      <VerificationLine
        isVerified={standing === 'verified'}
        isSentBack={isSentBack}
        side={side}
        waitingText={waitingText}
      />
      {isSentBack && (
        <span className="mt-1 block text-small break-words whitespace-normal text-ink-2">
          “{session.dispute_note}”
        </span>
      )}
    </>
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
  const { currency } = useMe()
  const title = session.student_name ?? UNKNOWN_STUDENT
  const what = inOneLine([session.subject, sessionHours(session)])
  const day = session.date as CalendarDay
  return (
    <LogRow
      day={day}
      title={title}
      amount={sessionMoney(session.total_amount, currency)}
      note={standingOf(session) !== 'own' && <SessionWord session={session} />}
      detail={
        isFull ? (
          <>
            {what}
            <br />
            {isolated(session.tutor_name ?? UNKNOWN_TUTOR)}
            {session.effective_rate !== null && `, ${sessionMoney(session.effective_rate, currency)}/h`}
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
