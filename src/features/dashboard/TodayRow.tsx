import { Check, CloudUpload } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { formOfOccurrence, timesOf, yourDay, yourTime } from '#features/schedules/occurrence.ts'
import { outcomeInWords } from '#features/schedules/outcome.ts'
import { GENERAL_TUTORING } from '#features/schedules/schedule.ts'
import { useSessionLink } from '#features/sessions/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { Button } from '#platform/ui/Button.tsx'
import { LogRow } from '#platform/ui/LogRow.tsx'
import type { RowLink } from '#platform/ui/RowLink.tsx'
import { useOnceTrue } from './client.web.ts'
import type { TodayClass } from './dashboard.ts'
import type { Attempt } from './today.ts'

interface TodayRowProps {
  of: TodayClass & { attempt: Attempt | undefined; isWaiting: boolean }
  isLater: boolean
  onYes: () => void
  /** Opens the class, to edit, cancel or move it. */
  onOpen: () => void
}

/** One of today's classes. All of its states have the same height, so an answer doesn't move the next row. */
export function TodayRow({ of: one, isLater, onYes, onOpen }: TodayRowProps) {
  const seesAmounts = useSeesAmounts()
  const sessionLink = useSessionLink()
  const label = `${one.student_name}, ${formatTime(yourTime(one))}`
  const link: RowLink | undefined =
    one.session_id !== null
      ? sessionLink({ id: one.session_id, date: one.date, student_name: one.student_name })
      : one.status === 'logged'
        ? undefined
        : { href: paths.schedules, label, onOpen }
  const failed = one.attempt?.state === 'failed' && one.status === 'planned' ? one.attempt : undefined
  return (
    <LogRow
      day={yourDay(one)}
      time={yourTime(one)}
      title={one.student_name}
      link={link}
      detail={
        failed ? (
          <span className="text-danger">{failed.reason}</span>
        ) : (
          <span className="num">
            {inOneLine([
              one.subject ?? GENERAL_TUTORING,
              hoursInWords(one.duration),
              one.yours && timesOf(one),
            ])}
          </span>
        )
      }
      {...(seesAmounts && { amount: amountOf(one) })}
      action={
        // In line with the amount, unlike a pencil.
        <span className="mr-3 mb-1">
          <RowState of={one} isLater={isLater} label={label} isSame={failed?.isSame === true} onYes={onYes} />
        </span>
      }
    />
  )
}

function amountOf({ amount, currency, status }: TodayClass): string {
  return amount === null || currency === null || status === 'canceled' ? '–' : formatAmount(amount, currency)
}

interface RowStateProps extends Pick<TodayRowProps, 'of' | 'isLater' | 'onYes'> {
  label: string
  /** Whether the other side may have logged the same lesson, which the form asks about. */
  isSame: boolean
}

/**
 * The question whether the class happened, or its answer. A button that was pressed stays and says the answer,
 * so that it keeps the focus and a second tap does nothing.
 */
function RowState({ of: one, isLater, label, isSame, onYes }: RowStateProps) {
  const navigate = useNavigate()
  const { currency } = useMe()
  const isOpen = one.status === 'planned' && !isLater
  const wasOpen = useOnceTrue(isOpen)
  const words = one.isWaiting
    ? 'Not sent yet'
    : one.outcome
      ? outcomeInWords(one.outcome, 'tutor')
      : WORDS[one.status === 'planned' ? 'later' : one.status]
  const Icon = one.isWaiting ? CloudUpload : one.status === 'logged' || isOpen ? Check : undefined
  if (!wasOpen)
    return (
      <span className="flex min-h-11 items-center gap-1.5 text-small text-ink-2">
        {Icon && <Icon className="size-4 text-ok" aria-hidden="true" />}
        {words}
      </span>
    )
  if (isSame)
    return (
      <Button
        size="small"
        tone="secondary"
        aria-label={`Edit, ${label}`}
        onClick={() =>
          void navigate(paths.addSession, { state: { session: formOfOccurrence(one, currency) } })
        }
      >
        Edit
      </Button>
    )
  const yes = one.attempt?.state === 'failed' ? 'Try again' : 'Yes'
  return (
    <Button
      size="small"
      // In line with the amount above it.
      className={isOpen ? '' : 'px-0!'}
      tone={isOpen ? 'secondary' : 'quiet'}
      aria-label={`${isOpen ? yes : words}, ${label}`}
      busy={one.attempt?.state === 'sending'}
      blockedReason={isOpen ? undefined : ''}
      onClick={onYes}
    >
      {Icon && <Icon className="i" aria-hidden="true" />}
      {isOpen ? yes : words}
    </Button>
  )
}

const WORDS = { later: 'Later today', logged: 'Logged', canceled: 'Canceled' }
