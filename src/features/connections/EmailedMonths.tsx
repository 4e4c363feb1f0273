import { FileDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMonthPage } from '#features/months/client.web.ts'
import {
  type ClosedMonth,
  CloseMonth,
  MAX_REASON,
  obstacleInWords,
  ReopenMonth,
  WithdrawMonth,
} from '#features/months/closing.ts'
import { DownloadMonthPage, monthFileName } from '#features/months/month-page.ts'
import { askedInWords, monthName } from '#features/months/closing-text.ts'
import { MonthFigures, StampCard } from '#features/months/StampCard.tsx'
import { refreshed } from '#features/agreements/client.web.ts'
import { capital } from '#features/sessions/standing-text.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { download } from '#platform/file.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { readDraft } from '#platform/ui/draft.web.ts'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { NoteForm } from '#platform/ui/NoteForm.tsx'
import { type Side, TickLine } from '#platform/ui/Ticks.tsx'
import { EarlierList } from './EarlierList.tsx'

const MonthPageCard = lazy(async () => ({
  default: (await import('#features/months/MonthPageCard.tsx')).MonthPageCard,
}))

interface EmailedMonthsProps {
  months: ClosedMonth[]
  reader: Side
  /** What to call the other side mid-sentence. */
  other: string
  /** Whether the primary button is elsewhere on the page. */
  isQuiet: boolean
  /** Called after a month has been closed here. */
  onClosed: () => void
}

/**
 * The months on an emailed page. Each shows why it's still open and a button to close it or, once both sides
 * have closed it, its stamp.
 */
export function EmailedMonths({ months, reader, other, isQuiet, onClosed }: EmailedMonthsProps) {
  // A month that was just closed keeps its place in the list.
  const [fresh, setFresh] = useState<readonly string[]>([])
  if (months.length === 0) return null
  const newest = months.find(({ state }) => state === 'closed')
  const isAbove = (one: ClosedMonth) => one.state !== 'closed' || one === newest || fresh.includes(one.month)
  const [above, below] = [months.filter(isAbove), months.filter((one) => !isAbove(one))]
  const loud = isQuiet ? undefined : (above.find(isAsked) ?? above.find(canClose))?.month
  const row = (one: ClosedMonth) => (
    <li key={one.month} className="px-5 py-4">
      <EmailedMonth
        one={one}
        reader={reader}
        other={other}
        isLoud={one.month === loud}
        isFresh={fresh.includes(one.month)}
        onClosed={() => {
          setFresh([...fresh, one.month])
          onClosed()
        }}
      />
    </li>
  )
  return (
    <section className="mt-10" aria-labelledby="emailed-months">
      <h2 id="emailed-months">Closing the month</h2>
      <p className="mt-1 text-ink-2">
        When you both agree on a month, close it, and you’ll each keep the same page.
      </p>
      <ul className="card list mt-3 overflow-hidden" aria-label="Months">
        {above.map(row)}
      </ul>
      <EarlierList noun="month" rows={below.map(row)} />
    </section>
  )
}

const isAsked = ({ state, can_close }: ClosedMonth) => state === 'asked_by_other' && can_close
/** Whether the reader can close a month, or ask the other side to. */
export const canClose = ({ state, can_close }: ClosedMonth) => can_close && state !== 'asked_by_you'

interface EmailedMonthProps {
  one: ClosedMonth
  reader: Side
  other: string
  /** Whether the month's button is the page's primary one. */
  isLoud: boolean
  /** Whether the month was just closed. If so, the reader's tick is animated before the stamp appears. */
  isFresh: boolean
  onClosed: () => void
}

function EmailedMonth(props: EmailedMonthProps) {
  const { one, other } = props
  return (
    <>
      <h3>{monthName(one.month)}</h3>
      {one.state === 'closed' ? (
        <Closed {...props} />
      ) : (
        <>
          {one.reason && (
            <p className="mt-1 wrap-anywhere text-ink-2">
              Reopened{one.earlier[0]?.reopened_by === 'you' ? ' by you' : ` by ${other}`}: {one.reason}
            </p>
          )}
          <MonthFigures one={one} />
          <Standing {...props} />
          {canClose(one) && <Tap {...props} />}
          {one.state === 'asked_by_you' && !one.is_read_only && <Withdraw {...props} />}
        </>
      )}
    </>
  )
}

function Standing({ one, reader, other }: EmailedMonthProps) {
  if (one.is_read_only)
    return (
      <p className="mt-1 text-ink-2">{capital(other)} closed their account, so nothing can be changed.</p>
    )
  const name = monthName(one.month)
  if (one.closes_from)
    return (
      <p className="mt-2 text-ink-2">
        You can close {name} starting{' '}
        {formatDay(one.closes_from as CalendarDay, { month: 'short', day: 'numeric' })}.
      </p>
    )
  return (
    <>
      {one.state === 'asked_by_you' && (
        <p className="mt-2">
          <TickLine by={[reader]} words={askedInWords(one, other)} />
        </p>
      )}
      {one.state === 'asked_by_other' && (
        <p className="mt-2">
          <TickLine by={[reader === 'parent' ? 'tutor' : 'parent']} words={askedInWords(one, other)} />
        </p>
      )}
      {one.in_the_way.length > 0 && (
        <div className="mt-2">
          <p>Resolve these before closing {name}:</p>
          <ul className="mt-0.5 list-disc pl-5">
            {one.in_the_way.map((obstacle) => (
              <li key={obstacle.what + obstacle.why}>{obstacleInWords(obstacle, other)}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** The button that closes the month, or asks the other side to, with one tap. */
function Tap({ one, isLoud, onClosed }: EmailedMonthProps) {
  const { isBusy, problem, run } = useOneAtATime('The month could not be closed')
  const close = () =>
    run(async () => {
      const { connection_id, month, version } = one
      const { state } = await refreshed(call(CloseMonth, { connection_id, month, version }))
      if (state === 'closed') onClosed()
    })
  return (
    <>
      <Button
        className="mt-3 max-sm:w-full"
        tone={isLoud ? 'primary' : 'secondary'}
        busy={isBusy}
        busyText="Closing..."
        onClick={() => void close()}
      >
        Close {monthName(one.month)}
      </Button>
      <Problem text={problem} />
    </>
  )
}

/** The button that withdraws the request, as long as the other side hasn't confirmed. */
function Withdraw({ one }: EmailedMonthProps) {
  const { isBusy, problem, run } = useOneAtATime('Your request could not be withdrawn')
  return (
    <>
      <Button
        className="mt-3"
        tone="secondary"
        size="small"
        busy={isBusy}
        busyText="Withdrawing..."
        aria-label={`Withdraw, ${monthName(one.month)}`}
        onClick={() => void run(() => refreshed(call(WithdrawMonth, monthOf(one))))}
      >
        Withdraw
      </Button>
      <Problem text={problem} />
    </>
  )
}

function Closed({ one, reader, other, isFresh }: EmailedMonthProps) {
  const { isBusy, problem, run } = useOneAtATime('The page could not be downloaded')
  const draft = `reopen:${one.connection_id}:${one.month}`
  const [isReopening, setIsReopening] = useState(() => readDraft(draft) !== undefined)
  const name = monthName(one.month)
  const keep = () => run(() => download(DownloadMonthPage, monthOf(one), monthFileName(one.month)))
  return (
    <div className="mt-3">
      <StampCard one={one} drawn={isFresh ? reader : undefined} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          tone={isFresh ? 'primary' : 'secondary'}
          className="max-sm:w-full"
          busy={isBusy}
          busyText="Saving..."
          onClick={() => void keep()}
        >
          <FileDown className="i" aria-hidden="true" />
          Keep a copy (PDF)
        </Button>
        {!one.is_read_only && !isReopening && (
          <Button tone="quiet" className="max-sm:w-full" onClick={() => setIsReopening(true)}>
            Reopen {name}
          </Button>
        )}
      </div>
      <Problem text={problem} />
      {isReopening && (
        <NoteForm
          name={`Reopen ${name}`}
          draft={draft}
          label={`Why reopen ${name}? ${capital(other)} will see this.`}
          help="For example: the lesson on the 17th was missing"
          maxLength={MAX_REASON}
          missing="Briefly say why you're reopening the month"
          send={`Reopen ${name}`}
          onSend={(reason) => refreshed(call(ReopenMonth, { ...monthOf(one), reason }))}
          onClose={() => setIsReopening(false)}
        />
      )}
      <Disclosure className="mt-2" title="See the page">
        <PageOf one={one} />
      </Disclosure>
    </div>
  )
}

const monthOf = ({ connection_id, month }: ClosedMonth) => ({ connection_id, month })

function PageOf({ one }: { one: ClosedMonth }) {
  const page = useMonthPage({ ...monthOf(one), ...(one.code && { code: one.code }) })
  if (page.isError) return <ListRetry list={page} plural="sessions of the page" />
  const waiting = <div className="sk mt-3 h-40" role="status" aria-label="Loading the page..." />
  if (!page.data) return waiting
  return (
    <Suspense fallback={waiting}>
      <MonthPageCard page={page.data} />
    </Suspense>
  )
}

function Problem({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <p role="alert" className="err mt-2">
      {text}
    </p>
  )
}

/** Runs one action at a time, so that repeated taps have no effect, and reports what went wrong. */
function useOneAtATime(failure: string) {
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const run = async (work: () => Promise<unknown>) => {
    if (isBusy) return
    setIsBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(error instanceof CallFailed ? error.problem.title : failure)
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, problem, run }
}
