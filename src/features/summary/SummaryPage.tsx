import { CalendarRange, FileText, FileUp, Wallet } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCanWrite, useMe } from '#features/accounts/client.web.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import type { Balance } from '#features/payments/balance.ts'
import { useBalances } from '#features/payments/client.web.ts'
import { useHeld, useMonthSessions } from '#features/sessions/client.web.ts'
import type { Session } from '#features/sessions/session.ts'
import { paths } from '#features/site/paths.ts'
import { type CalendarDay, dayIn, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { MonthSelect } from '#platform/ui/MonthSelect.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { SegmentedChoice } from '#platform/ui/Segmented.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { EditSessionDialog } from '#features/sessions/EditSessionDialog.tsx'
import { HeldCard } from '#features/sessions/HeldCard.tsx'
import { BarList } from './BarList.tsx'
import { useSummary } from './client.web.ts'
import { GroupTable } from './GroupTable.tsx'
import { PaidAndOpen } from './PaidAndOpen.tsx'
import { SessionDetails } from './SessionDetails.tsx'
import { selectableMonths } from './summary.ts'
import { Totals } from './Totals.tsx'
import { type Measure, WeekChart } from './WeekChart.tsx'

const PaymentDialog = lazy(async () => ({
  default: (await import('#features/payments/PaymentDialog.tsx')).PaymentDialog,
}))
const WaitingList = lazy(() => import('#features/sessions/WaitingList.tsx'))

/** Shows the dialog that prints a statement of these days; main/ passes it in. */
export type StatementOf = (props: {
  days: { from: CalendarDay; to: CalendarDay }
  onClose: () => void
}) => ReactNode

interface SummaryPageProps {
  statement: StatementOf
  /** How the month is closed with each connected tutor or family; main/ passes it in. It ends the page, so that nothing moves when it comes. */
  closing: (month: string) => ReactNode
}

export default function SummaryPage({ statement, closing }: SummaryPageProps) {
  const months = selectableMonths(monthOf(dayIn(new Date())))
  const [query, setQuery] = useSearchParams()
  const asked = query.get('month')
  const month = asked && months.includes(asked) ? asked : (months[0] ?? '')
  const show = (next: string) => setQuery(next === months[0] ? {} : { month: next }, { replace: true })

  const summary = useSummary(month)
  const sessions = useMonthSessions(month)
  // What was paid counts everybody, so members for some students have no balance.
  const { role, has_all_students: hasAll } = useMe()
  const balances = useBalances(month, hasAll)
  const money = useMoney()
  // What an earlier month ended with is not what is due now.
  const isNow = month === months[0]
  const isParent = role === 'parent'
  const canWrite = useCanWrite()
  const [edited, setEdited] = useState<Session>()
  const [measure, setMeasure] = useState<Measure>('amount')
  const [paying, setPaying] = useState<Balance | 'new'>()
  const [isPrinting, setIsPrinting] = useState(false)
  useReopen(
    'session-edit',
    sessions.data?.pages.flatMap((page) => page.sessions),
    (session) => session !== 'new' && setEdited(session),
  )
  useReopen('payment', undefined, () => setPaying('new'))
  useFailureToast(summary.error ?? sessions.error ?? balances.error, 'Failed to fetch sessions')
  // What is held stands above everything, so it is waited for as well, but not without a network.
  const held = useHeld()
  const isHeldLoading = held.isLoading && held.failureCount === 0
  const listed = sessions.data?.pages.flatMap((page) => page.sessions) ?? []
  const isEmpty = summary.data?.total_sessions === 0 && listed.length === 0
  // A month that was empty when it was last looked at is not called empty before the server says so again.
  const isAskedAgain = [summary, sessions].some((query) => query.isFetching && !query.isFetchedAfterMount)
  const isLoading =
    [summary, sessions].some((query) => query.isPending) ||
    (isEmpty && isAskedAgain) ||
    balances.isLoading ||
    isHeldLoading
  const retry = () => {
    void summary.refetch()
    void sessions.refetch()
    if (hasAll) void balances.refetch()
  }

  const actions = hasAll && (
    <div className="mt-4 flex flex-wrap gap-2">
      {canWrite && (
        <Button tone="secondary" size="small" onClick={() => setPaying('new')}>
          <Wallet className="i" aria-hidden="true" />
          Record a payment
        </Button>
      )}
      <Button tone="secondary" size="small" onClick={() => setIsPrinting(true)}>
        <FileText className="i" aria-hidden="true" />
        Statement
      </Button>
      <ButtonLink tone="secondary" size="small" to={`${paths.year}?year=${month.slice(0, 4)}`}>
        <CalendarRange className="i" aria-hidden="true" />
        Whole year
      </ButtonLink>
      {canWrite && (
        <ButtonLink tone="secondary" size="small" to={paths.importSessions}>
          <FileUp className="i" aria-hidden="true" />
          Import
        </ButtonLink>
      )}
    </div>
  )
  const paidAndOpen = balances.data ? (
    balances.data.balances.length > 0 && (
      <PaidAndOpen month={month} data={balances.data} onPay={canWrite && isNow ? setPaying : undefined} />
    )
  ) : (
    <ListRetry list={balances} plural="balances" />
  )
  return (
    <>
      <div className="lg:flex lg:items-center lg:justify-between">
        <PageTitle title="Monthly Summary" />
        <MonthSelect months={months} month={month} onChange={show} />
      </div>
      {isLoading && (
        <div className="mt-5">
          <LoadingSummary />
        </div>
      )}
      {(summary.isError || sessions.isError) && (
        <div className="mt-5">
          <LoadFailed title="Your month did not load" onRetry={retry} />
        </div>
      )}
      {!isLoading &&
        summary.isSuccess &&
        sessions.isSuccess &&
        (isEmpty ? (
          <>
            <div className="mt-5">
              <Empty
                title="No sessions found for this month"
                action={canWrite && <ButtonLink to={paths.addSession}>Add a session</ButtonLink>}
              />
            </div>
            <HeldCard month={month} />
            {actions}
            {paidAndOpen && <div className="mt-4 lg:mt-6">{paidAndOpen}</div>}
          </>
        ) : (
          <>
            <Totals summary={summary.data} />
            <HeldCard month={month} />
            {actions}
            <div className="mt-4 grid gap-4 lg:mt-6 lg:grid-cols-2 lg:gap-6">
              <div className="grid content-start gap-4 max-lg:contents lg:gap-6">
                <SegmentedChoice
                  label="Show in charts"
                  name="measure"
                  value={measure}
                  onValueChange={setMeasure}
                  options={[
                    { value: 'amount', label: 'Amount' },
                    { value: 'hours', label: 'Hours' },
                  ]}
                />
                <WeekChart weeks={summary.data.by_week} amounts={summary.data} measure={measure} />
                <BarList
                  title={isParent ? 'By tutor' : 'By student'}
                  bars={(isParent ? summary.data.by_tutor : summary.data.by_student).map((group) => ({
                    id: group.id ?? 'unknown',
                    label: group.name,
                    solid: group[measure],
                    value: measure === 'amount' ? money(group.amount) : `${group.hours.toFixed(1)} h`,
                  }))}
                />
              </div>
              <div className="grid content-start gap-4 lg:gap-6">
                <GroupTable title="Sessions by Tutor" header="Tutor" groups={summary.data.by_tutor} />
                <GroupTable title="Sessions by Student" header="Student" groups={summary.data.by_student} />
                {paidAndOpen}
              </div>
            </div>
            <SessionDetails
              sessions={listed}
              // What was sent back or is to be deleted is listed, and not in the total.
              count={Math.max(listed.length, summary.data.total_sessions)}
              onEdit={setEdited}
            />
            {sessions.hasNextPage && (
              <div className="mt-4 text-center">
                <Button
                  tone="secondary"
                  busy={sessions.isFetchingNextPage}
                  busyText="Loading..."
                  onClick={() => void sessions.fetchNextPage()}
                >
                  Show more
                </Button>
              </div>
            )}
          </>
        ))}
      {!isLoading && summary.isSuccess && closing(month)}
      <Suspense fallback={null}>
        <WaitingList month={month} isHeldShown={false} />
      </Suspense>
      {edited && <EditSessionDialog session={edited} onClose={() => setEdited(undefined)} />}
      {paying && (
        <Suspense fallback={null}>
          <PaymentDialog
            account={paying === 'new' ? undefined : paying}
            onClose={() => setPaying(undefined)}
          />
        </Suspense>
      )}
      {isPrinting && (
        <Suspense fallback={null}>
          {statement({ days: daysOfMonth(month), onClose: () => setIsPrinting(false) })}
        </Suspense>
      )}
    </>
  )
}

function LoadingSummary() {
  return (
    <Loading label="Loading summary...">
      <div className="card grid grid-cols-2">
        <div className="grid gap-2 p-4">
          <div className="sk h-3 w-20" />
          <div className="sk h-7 w-10" />
        </div>
        <div className="grid gap-2 p-4">
          <div className="sk h-3 w-20" />
          <div className="sk h-7 w-14" />
        </div>
        <div className="col-span-2 grid gap-2 p-4">
          <div className="sk h-3 w-24" />
          <div className="sk h-10 w-44" />
        </div>
      </div>
      <div className="card mt-4 h-56 p-5">
        <div className="sk h-full w-full" />
      </div>
    </Loading>
  )
}
