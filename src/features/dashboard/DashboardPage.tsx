import { lazy, Suspense } from 'react'
import { displayName } from '#features/accounts/account.ts'
import { useCanWrite, useMe } from '#features/accounts/client.web.ts'
import { useConnections, useOfferLoading } from '#features/connections/client.web.ts'
import { timeNow } from '#features/schedules/client.web.ts'
import { useSentBack, useShared } from '#features/sessions/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { StatStrip } from '#platform/ui/Card.tsx'
import { useClock } from '#platform/ui/clock.web.ts'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { late } from '#platform/ui/late.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { useWidth } from '#platform/ui/width.web.ts'
import { type DashboardSoFar, useDashboard, useHasMonth, usePaymentsWaiting, useWhole } from './client.web.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { HomeColumns } from './HomeColumns.tsx'
import { OfferCard, RequestsCard } from './LateCards.tsx'
import { LoadingDashboard } from './LoadingDashboard.tsx'
import { useRequests, Waiting } from './Waiting.tsx'

const TutorDashboard = lazy(() => import('./TutorDashboard.tsx'))
const UpcomingSection = late(async () => (await import('./UpcomingSection.tsx')).UpcomingSection)
const WaitingList = lazy(() => import('#features/sessions/WaitingList.tsx'))

export default function DashboardPage() {
  const me = useMe()
  // What's over and what's today changes while the page stays open.
  useClock(timeNow)
  const dashboard = useDashboard()
  useFailureToast(dashboard.error, 'Failed to fetch sessions')
  const firstName = displayName(me).split(' ')[0] ?? ''
  const today = formatDay(dayIn(new Date()), { weekday: 'long', month: 'long', day: 'numeric' })
  const Content = me.role === 'parent' ? ParentDashboard : TutorDashboard
  return (
    <>
      <PageTitle title={`Hello, ${firstName}`} subtitle={today} tabTitle="Dashboard" />
      {dashboard.error ? (
        <div className="mt-5">
          <LoadFailed title="Your dashboard didn’t load" onRetry={() => void dashboard.refetch()} />
          <Suspense fallback={null}>
            <WaitingList />
          </Suspense>
        </div>
      ) : (
        <Suspense fallback={<LoadingDashboard />}>
          <Content dashboard={dashboard} />
        </Suspense>
      )}
    </>
  )
}

/** The parent dashboard, which appears once everything has loaded. */
function ParentDashboard({ dashboard }: { dashboard: DashboardSoFar }) {
  const isWide = useWidth('wide')
  const canWrite = useCanWrite()
  const waiting = useShared('waiting', canWrite && Boolean(dashboard.data?.sessions_waiting))
  const sentBack = useSentBack(canWrite && Boolean(dashboard.data?.sessions_sent_back))
  const connections = useConnections()
  const isOffering = useOfferLoading()
  const { isLoading: isPaying } = usePaymentsWaiting()
  const isAsked = useRequests().count > 0
  const hasMonth = useHasMonth(dashboard)
  const state = useWhole(
    dashboard,
    waiting.isLoading || sentBack.isLoading || connections.isLoading || isOffering || isPaying,
  )
  if (!state) return <LoadingDashboard />
  return (
    <>
      {/* People who just signed up find the tutor's emailed request here. */}
      {isAsked && <RequestsCard />}
      <FirstSteps state={state} of="parent">
        {(actions) => (
          <HomeColumns
            state={state}
            hasMonth={hasMonth}
            waiting={<Waiting state={state} hasMonth={hasMonth} isAlone={!isAsked} />}
            aside={
              isWide && state.upcoming.length > 0 && <UpcomingSection of={state.upcoming} tone="parent" />
            }
          >
            <StatStrip
              items={[
                { label: 'Total Children', value: String(state.total_students), to: paths.children },
                { label: 'Active Tutors', value: String(state.active_tutors), to: paths.tutors },
                { label: 'This Month', value: String(state.sessions_this_month), to: paths.summary },
              ]}
            />
            {actions}
            {/* Placed below the buttons, because it appears only with the first session. */}
            {canWrite && state.sessions_this_month > 0 && <OfferCard />}
          </HomeColumns>
        )}
      </FirstSteps>
    </>
  )
}
