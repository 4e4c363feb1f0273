import { FileDown } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useActsForAll, useMe, useSide } from '#features/accounts/client.web.ts'
import { capital } from '#features/sessions/standing-text.ts'
import { monthPage, paths } from '#features/site/paths.ts'
import { hasPasskey } from '#features/passkeys/client.web.ts'
import { type CalendarDay, dayIn, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { problemTitle } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { type Side, TickLine } from '#platform/ui/Ticks.tsx'
import { late } from '#platform/ui/late.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useCloseMonth, useKeepPage, useMonths, useWithdrawMonth } from './client.web.ts'
import { type ClosedMonth, isShown, type Obstacle, obstacleInWords } from './closing.ts'
import { askedInWords, monthName, otherName } from './closing-text.ts'
import { ReopenDialog } from './ReopenDialog.tsx'
import { MonthFigures, StampCard } from './StampCard.tsx'

const SignMonthDialog = late(async () => (await import('./SignMonthDialog.tsx')).SignMonthDialog)

/** How long the section stays in place while what's above it loads. */
const LANDING_MS = 5000

/**
 * Emails and the dashboard link to this section (#closing). Brings it into view and moves the focus there, and
 * keeps it there while lists above it load, until the reader does something.
 */
function useLanding(section: RefObject<HTMLElement | null>, isHere: boolean): void {
  const { hash, key } = useLocation()
  useEffect(() => {
    if (!isHere || hash !== '#closing') return
    const land = () => section.current?.scrollIntoView()
    const observer = new ResizeObserver(land)
    // A new screen's heading gets the focus first, and the page starts at the top.
    const frame = requestAnimationFrame(() => {
      observer.observe(document.body)
      section.current?.querySelector('h2')?.focus({ preventScroll: true })
    })
    const stop = () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      observer.disconnect()
      for (const type of USES) removeEventListener(type, stop)
    }
    const timer = setTimeout(stop, LANDING_MS)
    for (const type of USES) addEventListener(type, stop, { passive: true })
    return stop
  }, [section, isHere, hash, key])
}

const USES = ['wheel', 'pointerdown', 'keydown'] as const

/**
 * Shows the month for each connected tutor or family: what's keeping it open, a button to close it and, once
 * both sides have closed it, its stamp.
 */
export function CloseMonthSection({ month }: { month: string }) {
  const hasAll = useMe().has_all_students
  const months = useMonths(month, hasAll)
  const section = useRef<HTMLElement>(null)
  useLanding(section, months.data?.months.some(isShown) === true)
  if (!hasAll || months.isPending) return null
  if (!months.data)
    return (
      <div className="mt-4 lg:mt-6">
        <ListRetry list={months} plural="closed months" />
      </div>
    )
  const shown = months.data.months.filter(isShown)
  if (shown.length === 0) return null
  return (
    <section ref={section} className="mt-4 scroll-mt-20 lg:mt-6" aria-labelledby="closing">
      <div className="mb-2.5 flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <h2 id="closing" tabIndex={-1}>
          Closing the month
        </h2>
        <Link to={paths.months} className="link inline-flex min-h-11 items-center">
          All closed months
        </Link>
      </div>
      <ul className="card list overflow-hidden">
        {shown.map((one) => (
          <MonthItem key={one.connection_id} one={one} isOnly={shown.length === 1} />
        ))}
      </ul>
    </section>
  )
}

interface MonthItemProps {
  one: ClosedMonth
  /** True if this is the only month on the screen, which makes its button the primary one. */
  isOnly: boolean
}

function MonthItem({ one, isOnly }: MonthItemProps) {
  const reader = useSide()
  const closes = useActsForAll()
  const [isNew, setIsNew] = useState(false)
  const other = otherName(reader, one.other_name)
  return (
    <li className="px-5 py-4">
      <h3 className="wrap-anywhere">{capital(other)}</h3>
      {one.state === 'closed' ? (
        <Closed one={one} other={other} drawn={isNew ? reader : undefined} />
      ) : (
        <>
          {one.reason && (
            <p className="mt-1 wrap-anywhere text-ink-2">
              Reopened{one.earlier[0]?.reopened_by === 'you' ? ' by you' : ` by ${other}`}: {one.reason}
            </p>
          )}
          <MonthFigures one={one} hasEnd={one.month !== monthOf(dayIn(new Date()))} />
          <Standing one={one} other={other} reader={reader} />
          {closes && one.state === 'asked_by_you' && !one.is_read_only && <Withdraw one={one} />}
          {closes && <Tap one={one} other={other} isOnly={isOnly} onClosed={() => setIsNew(true)} />}
        </>
      )}
    </li>
  )
}

function Standing({ one, other, reader }: { one: ClosedMonth; other: string; reader: Side }) {
  if (one.is_read_only)
    return (
      <p className="mt-1 text-ink-2">{capital(other)} closed their account, so nothing can be changed.</p>
    )
  const name = monthName(one.month)
  const ticks =
    one.state === 'asked_by_you' ? [reader] : one.state === 'asked_by_other' ? [otherOf(reader)] : []
  return (
    <>
      {ticks.length > 0 && (
        <p className="mt-2">
          <TickLine by={ticks} words={askedInWords(one, other)} />
        </p>
      )}
      {one.closes_from && (
        <p className="mt-2 text-ink-2">
          You can close {name} starting{' '}
          {formatDay(one.closes_from as CalendarDay, { month: 'short', day: 'numeric' })}.
        </p>
      )}
      {!one.closes_from && one.in_the_way.length > 0 && (
        <div className="mt-2">
          <p>Resolve these before closing {name}:</p>
          <ul className="mt-0.5 list-disc pl-5">
            {one.in_the_way.map((obstacle) => (
              <li key={obstacle.what + obstacle.why}>
                <ObstacleLink obstacle={obstacle} one={one} other={other} reader={reader} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

const otherOf = (side: Side): Side => (side === 'parent' ? 'tutor' : 'parent')

/** Something that keeps the month open, with a link to the page where it can be resolved. */
function ObstacleLink({
  obstacle,
  one,
  other,
  reader,
}: {
  obstacle: Obstacle
  one: ClosedMonth
  other: string
  reader: Side
}) {
  const words = obstacleInWords(obstacle, other)
  const to = placeOf(obstacle, one, reader)
  return to ? (
    <Link to={to} className="link inline-flex min-h-11 items-center">
      {words}
    </Link>
  ) : (
    <span className="inline-flex min-h-11 items-center">{words}</span>
  )
}

function placeOf({ what, why }: Obstacle, one: ClosedMonth, reader: Side): string | undefined {
  if (why === 'same_lesson')
    return `${paths.sameLessons}?${new URLSearchParams({ connection: one.connection_id }).toString()}`
  if (what === 'payment')
    return `${paths.payments}?${new URLSearchParams({ with: one.connection_id, month: one.month }).toString()}`
  if (why === 'waits_for_other') return undefined
  return reader === 'tutor' ? paths.toConfirm : paths.dashboard
}

interface TapProps extends MonthItemProps {
  other: string
  onClosed: () => void
}

/**
 * A button that closes the month with one tap, or asks the other side to close it. Someone with a passkey may sign first.
 */
function Tap({ one, other, isOnly, onClosed }: TapProps) {
  const close = useCloseMonth()
  const toast = useToast()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const [maySign, setMaySign] = useState(false)
  if (!one.can_close || one.state === 'asked_by_you') {
    // The question doesn't come back by itself, such as after withdrawing.
    if (maySign) setMaySign(false)
    return null
  }
  const name = monthName(one.month)
  const finish = ({ state }: ClosedMonth) => {
    if (state === 'closed') onClosed()
    else toast.success('Asked to close', `${capital(other)} can confirm with one tap.`)
  }
  const run = async () => {
    setProblem(undefined)
    setIsBusy(true)
    try {
      if (await hasPasskey()) setMaySign(true)
      else finish(await close.mutateAsync(one))
    } catch (error) {
      setProblem(problemTitle(error, 'The month could not be closed'))
    } finally {
      setIsBusy(false)
    }
  }
  const label = one.state === 'asked_by_other' ? `Close ${name}` : `Close ${name} with ${other}`
  return (
    <>
      <Button
        className="mt-3 max-sm:w-full"
        tone={isOnly || one.state === 'asked_by_other' ? 'primary' : 'secondary'}
        busy={isBusy}
        busyText="Closing..."
        onClick={() => void run()}
      >
        {label}
      </Button>
      {problem && (
        <p role="alert" className="err mt-2">
          {problem}
        </p>
      )}
      {maySign && (
        <SignMonthDialog title={`${label}?`} one={one} onDone={finish} onClose={() => setMaySign(false)} />
      )}
    </>
  )
}

/** Withdraws the request, as long as the other side hasn't confirmed. */
function Withdraw({ one }: { one: ClosedMonth }) {
  const withdraw = useWithdrawMonth()
  const toast = useToast()
  const run = () =>
    void withdraw.mutateAsync(one).then(
      () => toast.success('Withdrawn', `${monthName(one.month)} is open again.`),
      (error: unknown) => toast.error('Error', problemTitle(error, 'Your request could not be withdrawn')),
    )
  return (
    <Button
      className="mt-3"
      tone="secondary"
      size="small"
      busy={withdraw.isPending}
      busyText="Withdrawing..."
      aria-label={`Withdraw, ${monthName(one.month)}`}
      onClick={run}
    >
      Withdraw
    </Button>
  )
}

function Closed({ one, other, drawn }: { one: ClosedMonth; other: string; drawn: Side | undefined }) {
  const closes = useActsForAll()
  const [isReopening, setIsReopening] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const wanted = { connection_id: one.connection_id, month: one.month }
  const { keep, isKeeping } = useKeepPage(wanted, other)
  return (
    <div ref={place} className="mt-3">
      <StampCard one={one} drawn={drawn} />
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-1">
        <Button
          tone={drawn ? 'primary' : 'secondary'}
          size="small"
          busy={isKeeping}
          busyText="Saving..."
          onClick={keep}
        >
          <FileDown className="i" aria-hidden="true" />
          Keep a copy (PDF)
        </Button>
        <Link className="link inline-flex min-h-11 items-center" to={monthPage(one.connection_id, one.month)}>
          See the page
        </Link>
        {closes && !one.is_read_only && (
          <button type="button" className="link min-h-11 min-w-11" onClick={() => setIsReopening(true)}>
            Reopen
          </button>
        )}
      </div>
      {isReopening && <ReopenDialog closed={wanted} onDone={() => setIsReopening(false)} />}
    </div>
  )
}
