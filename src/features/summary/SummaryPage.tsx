import { CalendarRange, FileText, FileUp, ReceiptText, Wallet } from 'lucide-react'
import { memo, type ReactNode, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCanWrite, useMe } from '#features/accounts/client.web.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import type { Balance } from '#features/payments/balance.ts'
import { dueOf } from '#features/payments/balance-text.ts'
import { useBalances, useOwed } from '#features/payments/client.web.ts'
import { OwedCard } from '#features/payments/OwedCard.tsx'
import { useMakeUps } from '#features/terms/client.web.ts'
import { MakeUpList } from '#features/terms/MakeUpList.tsx'
import { useMissed } from '#features/schedules/client.web.ts'
import { MissedList } from '#features/schedules/MissedList.tsx'
import { useHeld, useMonthSessions } from '#features/sessions/client.web.ts'
import type { Session } from '#features/sessions/session.ts'
import { paths } from '#features/site/paths.ts'
import { type CalendarDay, dayIn, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import { isComing, useFailureToast } from '#platform/query.web.ts'
import { AfterFrame } from '#platform/ui/AfterFrame.tsx'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { late } from '#platform/ui/late.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { MonthSelect } from '#platform/ui/MonthSelect.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { useWidth } from '#platform/ui/width.web.ts'
import { EditSessionDialog } from '#features/sessions/EditSessionDialog.tsx'
import { HeldCard } from '#features/sessions/HeldCard.tsx'
import { AccountTable, MonthMoney } from './AccountTable.tsx'
import { BarList } from './BarList.tsx'
import { useSummary } from './client.web.ts'
import { GroupTable } from './GroupTable.tsx'
import { FoldedSection } from './FoldedSection.tsx'
import { type Measure, MeasureChoice } from './MeasureChoice.tsx'
import { asksForSearch, withoutSearch } from './search.ts'
import { SessionDetails, useNeedsAll } from './SessionDetails.tsx'
import { SessionSearchSection } from './SessionSearchSection.tsx'
import { selectableMonths, type Summary } from './summary.ts'
import { Totals } from './Totals.tsx'
import { WeekChart } from './WeekChart.tsx'

const PaymentDialog = late(async () => (await import('#features/payments/PaymentDialog.tsx')).PaymentDialog)
const WaitingList = late(async () => (await import('#features/sessions/WaitingList.tsx')).default)

/** Renders the dialog that creates a statement for these days. Passed in by main/. */
export type StatementOf = (props: {
  days: { from: CalendarDay; to: CalendarDay }
  onClose: () => void
}) => ReactNode

interface Queries {
  summary: ReturnType<typeof useSummary>
  sessions: ReturnType<typeof useMonthSessions>
  balances: ReturnType<typeof useBalances>
  owed: ReturnType<typeof useOwed>
  missed: ReturnType<typeof useMissed>
  makeUps: ReturnType<typeof useMakeUps>
}

/**
 * Whether anything at the top of the month's page is still loading. We wait for all of it so that the layout
 * doesn't shift.
 */
function useIsLoading({ summary, sessions, balances, owed, missed, makeUps }: Queries): boolean {
  const [openedAt] = useState(Date.now)
  // The card about possible duplicates is above everything else, so we wait for it too unless we're offline.
  const isHeldLoading = isComing(useHeld())
  // If the data was empty last time, we don't show it as empty until the server confirms that it still is.
  const wasEmpty =
    summary.data?.total_sessions === 0 ||
    !sessions.data?.pages.some((page) => page.sessions.length > 0) ||
    balances.data?.balances.length === 0
  // React Query's isFetchedAfterMount won't do: it's also true when data was read from this device's copy
  // after the page opened.
  const isAskedAgain = [summary, sessions, balances].some(
    (query) => query.isFetching && query.dataUpdatedAt < openedAt,
  )
  return (
    [summary, sessions].some((query) => query.isPending) ||
    (wasEmpty && isAskedAgain) ||
    balances.isLoading ||
    isComing(missed) ||
    isComing(makeUps) ||
    isComing(owed) ||
    isHeldLoading
  )
}

/** Everything that the month's page shows. */
function useMonth(month: string) {
  const summary = useSummary(month)
  const sessions = useMonthSessions(month)
  // Payments cover all students, so members who see only some students don't get a balance.
  const { has_all_students: hasAll } = useMe()
  const balances = useBalances(month, hasAll)
  const owed = useOwed()
  const { from, to } = daysOfMonth(month)
  const missed = useMissed(from, to)
  const makeUps = useMakeUps()
  const listed = useMemo(() => sessions.data?.pages.flatMap((page) => page.sessions) ?? [], [sessions.data])
  useFailureToast(summary.error ?? sessions.error ?? balances.error, 'Failed to fetch sessions')
  const needsAll = useNeedsAll()
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = sessions
  useEffect(() => {
    if (needsAll && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [needsAll, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  const hasFailed = summary.isError || sessions.isError
  // On an error, hides the skeleton right away so the error shows.
  const isLoading = useIsLoading({ summary, sessions, balances, owed, missed, makeUps }) && !hasFailed
  const retry = () => {
    void summary.refetch()
    void sessions.refetch()
    if (hasAll) void balances.refetch()
  }
  return { summary, sessions, balances, owed, missed, makeUps, listed, hasFailed, isLoading, retry }
}

/** The month from the URL, or the current one. */
export function useMonthInUrl() {
  const months = selectableMonths(monthOf(dayIn(new Date())))
  const [query, setQuery] = useSearchParams()
  const asked = query.get('month')
  const month = asked && months.includes(asked) ? asked : (months[0] ?? '')
  const show = (next: string) =>
    setQuery(
      (current) => {
        // Choosing a month ends a search over all of them.
        const shown = asksForSearch(current) ? withoutSearch(current) : current
        if (next === months[0]) shown.delete('month')
        else shown.set('month', next)
        return shown
      },
      { replace: true },
    )
  return { months, month, show }
}

interface SummaryPageProps {
  statement: StatementOf
  /** The section for closing the month with each connected tutor or family. Passed in by main/. */
  closing: {
    section: ReactNode
    /** Whether it's the first one below what is owed, instead of the last. */
    isFirst: boolean
    /** Whether it's unknown yet. The page waits, so that nothing moves. */
    isLoading: boolean
  }
  /** Downloads sessions as a spreadsheet. Passed in by main/. */
  onExport: (sessions: readonly Session[]) => Promise<void>
}

export default function SummaryPage({ statement, closing, onExport }: SummaryPageProps) {
  const { months, month, show } = useMonthInUrl()
  const shown = useMonth(month)
  const { summary, sessions, listed, hasFailed } = shown
  const isLoading = shown.isLoading || (closing.isLoading && !hasFailed)
  const [edited, setEdited] = useState<Session>()
  const [paying, setPaying] = useState<Balance | 'new'>()
  const [isPrinting, setIsPrinting] = useState(false)
  const canWrite = useCanWrite()
  useReopen('session-edit', sessions.data && listed, (session) => session !== 'new' && setEdited(session))
  useReopen('payment', undefined, () => setPaying('new'))
  return (
    <>
      <div className="lg:flex lg:items-center lg:justify-between">
        <PageTitle title="Monthly Summary" />
        <MonthSelect months={months} month={month} onChange={show} />
      </div>
      <div className="mt-4">
        <SessionSearchSection isFull onEdit={canWrite ? setEdited : undefined} onExport={onExport}>
          <OwedInAll isReady={!isLoading} onPay={setPaying} />
          {isLoading ? (
            <div className="mt-5">
              <LoadingSummary />
            </div>
          ) : (
            closing.isFirst && closing.section
          )}
          {hasFailed && (
            <div className="mt-5">
              <LoadFailed title="Your summary didn’t load" onRetry={shown.retry} />
            </div>
          )}
          {!isLoading && summary.isSuccess && sessions.isSuccess && (
            <MonthContent
              month={month}
              isNow={month === months[0]}
              shown={shown}
              summary={summary.data}
              onEdit={setEdited}
              onPay={setPaying}
              onPrint={() => setIsPrinting(true)}
              onExport={onExport}
            />
          )}
          <AfterFrame>
            {!closing.isFirst && !isLoading && closing.section}
            <WaitingList month={month} isHeldShown={false} />
          </AfterFrame>
        </SessionSearchSection>
      </div>
      {edited && <EditSessionDialog session={edited} onClose={() => setEdited(undefined)} />}
      {paying && (
        <PaymentDialog account={paying === 'new' ? undefined : paying} onClose={() => setPaying(undefined)} />
      )}
      {isPrinting && statement({ days: daysOfMonth(month), onClose: () => setIsPrinting(false) })}
    </>
  )
}

/** What is owed, as soon as the page has loaded. It stays while another month loads. */
function OwedInAll({ isReady, onPay }: { isReady: boolean; onPay: (account: Balance) => void }) {
  const canWrite = useCanWrite()
  const [wasReady, setWasReady] = useState(isReady)
  if (isReady && !wasReady) setWasReady(true)
  return wasReady && <OwedCard onPay={canWrite ? onPay : undefined} />
}

interface MonthContentProps {
  month: string
  /** Whether it's the current month, whose balances are in what is owed at the top of the page. */
  isNow: boolean
  shown: ReturnType<typeof useMonth>
  summary: Summary
  onEdit: (session: Session) => void
  onPay: (account: Balance | 'new') => void
  onPrint: () => void
  onExport: SummaryPageProps['onExport']
}

function MonthContent(props: MonthContentProps) {
  const { month, isNow, shown, summary, onEdit, onPay, onPrint, onExport } = props
  const { sessions, balances, missed, makeUps, listed } = shown
  const { role, has_all_students: hasAll } = useMe()
  const canWrite = useCanWrite()
  const isPhone = useWidth('phone')
  const hasBalances = Boolean(balances.data?.balances.length)
  // Families see balances next to their tutors, and tutors see them next to their students.
  const isWithBalances = ({ keptByParents }: (typeof GROUPS)[number]) =>
    hasBalances && keptByParents === (role === 'parent')
  const accounts = hasBalances && balances.data && (
    <>
      {GROUPS.filter(isWithBalances).map(({ title, header, by }) => (
        <AccountTable
          key={by}
          title={title}
          header={header}
          by={by}
          month={month}
          groups={summary[by]}
          summary={summary}
          balances={balances.data}
          hasDue={!isNow}
        />
      ))}
    </>
  )
  const actions = hasAll && (
    <Actions
      month={month}
      onPay={() => onPay((isNow && onlyDueIn(shown.owed.data)) || 'new')}
      onPrint={onPrint}
    />
  )
  // For the current month, what is owed says so at the top.
  const failedBalances = !isNow && !balances.data && <ListRetry list={balances} plural="balances" />
  const money = hasBalances && balances.data && (
    <MonthMoney month={month} of={balances.data} hasDue={!isNow} />
  )
  if (summary.total_sessions === 0 && listed.length === 0)
    return (
      <>
        <div className="mt-5">
          <Empty
            title="No sessions found for this month"
            action={canWrite && <ButtonLink to={paths.addSession}>Add a session</ButtonLink>}
          />
        </div>
        <Missed of={missed} isAlone />
        {isNow && <OwedMakeUps of={makeUps} isAlone />}
        <HeldCard month={month} />
        {actions}
        {accounts && <div className="mt-4 lg:mt-6">{accounts}</div>}
        {failedBalances}
      </>
    )
  return (
    <>
      <Totals summary={summary}>
        {money}
        <Missed of={missed} />
        {isNow && <OwedMakeUps of={makeUps} />}
      </Totals>
      <AfterFrame>
        <HeldCard month={month} />
        {!isPhone && actions}
        <SessionDetails
          sessions={listed}
          // Sessions that were sent back or marked for deletion are listed but not included in the total.
          count={Math.max(listed.length, summary.total_sessions)}
          onMore={sessions.hasNextPage ? sessions.fetchNextPage : undefined}
          isLoadingMore={sessions.isFetchingNextPage}
          onEdit={onEdit}
          onExport={onExport}
        />
        {isPhone && actions}
        <Breakdown
          summary={summary}
          accounts={accounts}
          groups={GROUPS.filter((group) => !isWithBalances(group))}
          failed={failedBalances}
        />
      </AfterFrame>
    </>
  )
}

/** The planned classes that didn't take place: beside the month's totals, which don't include them, or alone. */
function Missed({ of: missed, isAlone }: { of: Queries['missed']; isAlone?: boolean }) {
  const list = missed.data ? (
    <MissedList missed={missed.data} />
  ) : (
    <ListRetry list={missed} plural="missed classes" />
  )
  if (missed.data?.length === 0) return null
  if (isAlone) return <div className="card mt-4 px-4 py-1.5">{list}</div>
  return (
    <div className="col-span-full">
      <dt className="sr-only">Classes that didn’t take place</dt>
      <dd>{list}</dd>
    </div>
  )
}

/** The make-ups that are owed now: below what was missed, or alone. */
function OwedMakeUps({ of: list, isAlone }: { of: Queries['makeUps']; isAlone?: boolean }) {
  if (!list.isEnabled || list.data?.make_ups.length === 0) return null
  const shown = list.data ? (
    <MakeUpList makeUps={list.data.make_ups} />
  ) : (
    <ListRetry list={list} plural="make-ups" />
  )
  if (isAlone) return <div className="card mt-4 px-4 py-3">{shown}</div>
  return (
    <div className="col-span-full">
      <dt className="sr-only">Make-ups</dt>
      <dd>{shown}</dd>
    </div>
  )
}

/** With only one account, it's clear who a payment is for: that account's balance, if any of it is due. */
function onlyDueIn(data: ReturnType<typeof useOwed>['data']): Balance | undefined {
  const [only] = data?.accounts.length === 1 ? data.owed.flatMap(({ accounts }) => accounts) : []
  return only && dueOf(only) > 0 ? only : undefined
}

/**
 * The two tables, one by tutor and one by student. A family keeps a balance with each tutor; a tutor keeps
 * one with each student or family.
 */
const GROUPS = [
  { title: 'Sessions by Tutor', header: 'Tutor', by: 'by_tutor', keptByParents: true },
  { title: 'Sessions by Student', header: 'Student', by: 'by_student', keptByParents: false },
] as const

interface BreakdownProps {
  summary: Summary
  /** The table with balances, if there is one. It's full width because it has the most columns. */
  accounts: ReactNode
  /** The tables without balances. */
  groups: (typeof GROUPS)[number][]
  /** The error shown when the balances couldn't be loaded. */
  failed: ReactNode
}

/** Below the sessions: the month's tables by person and its chart by week. */
function Breakdown({ summary, accounts, groups, failed }: BreakdownProps) {
  const isParent = useMe().role === 'parent'
  return (
    <div className="mt-4 grid gap-3 md:gap-4 lg:mt-6 lg:grid-cols-2 lg:gap-6">
      {accounts && <div className="min-w-0 lg:col-span-2">{accounts}</div>}
      <div className="grid content-start gap-3 md:gap-4 lg:order-2 lg:gap-6">
        {groups.map(({ title, header, by }) => (
          <GroupTable key={by} by={by} title={title} header={header} groups={summary[by]} isFolded />
        ))}
        {failed}
      </div>
      <Charts summary={summary} isParent={isParent} />
    </div>
  )
}

interface ActionsProps {
  month: string
  onPay: () => void
  onPrint: () => void
}

function Actions({ month, onPay, onPrint }: ActionsProps) {
  const canWrite = useCanWrite()
  const isTutor = useMe().role !== 'parent'
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {canWrite && (
        <Button tone="secondary" size="small" onClick={onPay}>
          <Wallet className="i" aria-hidden="true" />
          Record a payment
        </Button>
      )}
      <Button tone="secondary" size="small" onClick={onPrint}>
        <FileText className="i" aria-hidden="true" />
        Statement
      </Button>
      <ButtonLink tone="secondary" size="small" to={`${paths.year}?year=${month.slice(0, 4)}`}>
        <CalendarRange className="i" aria-hidden="true" />
        Whole year
      </ButtonLink>
      {isTutor && (
        <ButtonLink tone="secondary" size="small" to={paths.taxes}>
          <ReceiptText className="i" aria-hidden="true" />
          Taxes
        </ButtonLink>
      )}
      {canWrite && (
        <ButtonLink tone="secondary" size="small" to={paths.importSessions}>
          <FileUp className="i" aria-hidden="true" />
          Import
        </ButtonLink>
      )}
    </div>
  )
}

// Memoized because three lists report their progress while a month loads.
const Charts = memo(function Charts({ summary, isParent }: { summary: Summary; isParent: boolean }) {
  const money = useMoney()
  const [measure, setMeasure] = useState<Measure>('amount')
  const isPhone = useWidth('phone')
  const charts = (
    <div className="grid content-start gap-4 lg:gap-6">
      <MeasureChoice measure={measure} onChange={setMeasure} />
      <WeekChart weeks={summary.by_week} amounts={summary} measure={measure} />
      <BarList
        title={isParent ? 'By tutor' : 'By student'}
        bars={(isParent ? summary.by_tutor : summary.by_student).map((group) => ({
          id: group.id ?? 'unknown',
          label: group.name,
          solid: group[measure],
          value: measure === 'amount' ? money(group.amount) : `${group.hours.toFixed(1)} h`,
        }))}
      />
    </div>
  )
  return isPhone ? (
    <FoldedSection title="Charts">
      <div className="p-3 pt-1">{charts}</div>
    </FoldedSection>
  ) : (
    charts
  )
})

/** Placeholders shaped like the totals and the log's rows. */
function LoadingSummary() {
  return (
    <div className="late" role="status" aria-busy="true">
      <div className="card figures totals" aria-hidden="true">
        {['w-14', 'w-14', 'w-44'].map((width, at) => (
          <div key={at} className="grid gap-2">
            <div className="sk h-3 w-16" />
            <div className={`sk h-10 max-w-full ${width}`} />
          </div>
        ))}
      </div>
      <p className="grid h-20 place-items-center text-ink-2">Loading summary...</p>
      <div className="card list overflow-hidden" aria-hidden="true">
        {Array.from({ length: 5 }, (_, at) => (
          <div key={at} className="grid h-[85px] content-center gap-2 px-5">
            <div className="sk h-4 w-2/5" />
            <div className="sk h-3 w-3/5" />
          </div>
        ))}
      </div>
    </div>
  )
}
