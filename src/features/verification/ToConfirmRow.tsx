import { Check } from 'lucide-react'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { VerificationLine } from '#platform/ui/Ticks.tsx'
import { DayMargin } from '#platform/ui/LogRow.tsx'
import type { LinkedSession } from './verification.ts'

/** A session's amount as the tutor reads it, or a dash where there is no rate. */
export function linkedMoney(session: LinkedSession): string {
  return session.total_amount === null ? '–' : formatAmount(session.total_amount, session.currency)
}

interface ToConfirmRowProps {
  session: LinkedSession
  /** Whether several families are listed, so that each row names its own. */
  showsFamily?: boolean
  /** Whether the month is named: the margin holds the day alone. */
  showsMonth?: boolean
  isBusy?: boolean
  /** The tick draws itself once, right after it was given. */
  isDrawn?: boolean
  onConfirm?: () => void
  onDispute?: () => void
  onWithdraw?: () => void
}

/** A session that a tutor answers: Confirm, or Not right. */
export function ToConfirmRow({
  session,
  showsFamily,
  showsMonth,
  isBusy,
  isDrawn,
  onConfirm,
  onDispute,
  onWithdraw,
}: ToConfirmRowProps) {
  const day = session.date as CalendarDay
  const child = session.student_first_name ?? UNKNOWN_STUDENT
  const date = formatDay(day, { month: 'short', day: 'numeric' })
  const what = `${child}, ${date}`
  const rate = session.rate === null ? 'no rate' : `${formatAmount(session.rate, session.currency)}/h`
  const isSentBack = session.status === 'disputed'
  return (
    <li className="log">
      <DayMargin day={day} />
      <div className="m col-span-2 pr-4!">
        <div className="flex items-baseline justify-between gap-3">
          <div className="t" title={child}>
            {child}
          </div>
          <b className="num whitespace-nowrap">{linkedMoney(session)}</b>
        </div>
        <div className="s num">
          {inOneLine([showsMonth ? date : null, session.subject, hoursInWords(session.duration), rate])}
        </div>
        {showsFamily && <div className="s">{session.family_name ?? 'A family'}</div>}
        {!isSentBack && session.answer_note && (
          <p className="s mt-1 break-words">The family answered: “{session.answer_note}”</p>
        )}
        {(session.verified_by_tutor || isSentBack) && (
          <div className="mt-1 flex flex-wrap items-center gap-x-3">
            <VerificationLine
              isVerified={session.verified_by_tutor}
              isSentBack={isSentBack}
              isDrawn={isDrawn}
            />
            {onWithdraw && (
              <button
                type="button"
                className="link ml-auto min-h-11 min-w-11 text-right text-small"
                aria-label={`Undo, ${what}`}
                onClick={onWithdraw}
              >
                Undo
              </button>
            )}
          </div>
        )}
        {isSentBack && <p className="s break-words">“{session.dispute_note}”</p>}
        {onConfirm && (
          <div className="mt-2.5 flex gap-2 md:max-w-sm">
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
          </div>
        )}
      </div>
    </li>
  )
}
