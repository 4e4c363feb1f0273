import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import { displayName } from '#features/accounts/account.ts'
import { useCanLog, useCanWrite, useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import {
  useConnections,
  useConnects,
  useHasSeveral,
  useOfferLoading,
} from '#features/connections/client.web.ts'
import { useSentBack, useShared } from '#features/sessions/client.web.ts'
import { SessionRow } from '#features/sessions/SessionRow.tsx'
import { paths } from '#features/site/paths.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { SectionHeading, StatStrip } from '#platform/ui/Card.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { type DashboardSoFar, useDashboard, useWhole } from './client.web.ts'
import type { Dashboard } from './dashboard.ts'
import DueSection from './DueSection.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { LoadingDashboard } from './LoadingDashboard.tsx'

const TutorDashboard = lazy(() => import('./TutorDashboard.tsx'))
// Loaded only where there is something to answer.
const PairsCard = lazy(async () => ({
  default: (await import('#features/connections/PairsCard.tsx')).PairsCard,
}))
const RequestsCard = lazy(async () => ({
  default: (await import('#features/connections/RequestsCard.tsx')).RequestsCard,
}))
const OfferCard = lazy(async () => ({
  default: (await import('#features/connections/OfferCard.tsx')).OfferCard,
}))
const ToConfirmCard = lazy(async () => ({
  default: (await import('#features/sessions/ToConfirmCard.tsx')).ToConfirmCard,
}))
const SentBackCard = lazy(async () => ({
  default: (await import('#features/sessions/SentBackCard.tsx')).SentBackCard,
}))
const PaymentsToConfirm = lazy(async () => ({
  default: (await import('./PaymentsToConfirm.tsx')).PaymentsToConfirm,
}))
const WaitingList = lazy(() => import('#features/sessions/WaitingList.tsx'))

export default function DashboardPage() {
  const me = useMe()
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
          <LoadFailed title="Your dashboard did not load" onRetry={() => void dashboard.refetch()} />
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

/** The parent dashboard, shown once all of it is there. */
function ParentDashboard({ dashboard }: { dashboard: DashboardSoFar }) {
  const canWrite = useCanWrite()
  const waiting = useShared('waiting', canWrite && Boolean(dashboard.data?.sessions_waiting))
  const sentBack = useSentBack(canWrite && Boolean(dashboard.data?.sessions_sent_back))
  const connections = useConnections()
  const isOffering = useOfferLoading()
  const state = useWhole(
    dashboard,
    waiting.isLoading || sentBack.isLoading || connections.isLoading || isOffering,
  )
  if (!state) return <LoadingDashboard />
  const isAsked = connections.data?.some(
    ({ state: its, is_asked_by_you: isOwn }) => its === 'asked' && !isOwn,
  )
  return (
    <>
      {/* Whoever just opened an account finds here what a tutor asked by email. */}
      {isAsked && <RequestsCard />}
      <FirstSteps state={state} of="parent">
        {(actions) => <Parent state={state} actions={actions} />}
      </FirstSteps>
    </>
  )
}

function Parent({ state, actions }: { state: Dashboard; actions: ReactNode }) {
  const connects = useConnects()
  const canWrite = useCanWrite()
  const canLog = useCanLog()
  const seesAmounts = useSeesAmounts()
  const hasSeveral = useHasSeveral()
  return (
    <div className="lg:grid lg:grid-cols-2 lg:gap-x-8">
      <div>
        <StatStrip
          items={[
            { label: 'Total Children', value: String(state.total_students), to: paths.children },
            { label: 'Active Tutors', value: String(state.active_tutors), to: paths.tutors },
            { label: 'This Month', value: String(state.sessions_this_month), to: paths.summary },
          ]}
        />
        {canWrite && (
          <>
            {state.session_pairs > 0 && <PairsCard />}
            {state.sessions_waiting > 0 && <ToConfirmCard hasSeveral={hasSeveral} />}
            <SharedPayments />
            {state.sessions_sent_back > 0 && <SentBackCard />}
          </>
        )}
        {canLog && <DueSection due={state.due} />}
        {actions}
        {/* Below what is tapped: it comes with the first session. */}
        {canWrite && state.sessions_this_month > 0 && <OfferCard />}
      </div>
      <section className="mt-7 lg:mt-5">
        <SectionHeading
          action={
            <Link to={paths.summary} className="link inline-flex min-h-11 items-center text-[.9375rem]">
              {seesAmounts ? 'View Summary' : 'View Sessions'}
            </Link>
          }
        >
          Recent Sessions
        </SectionHeading>
        {state.recent_sessions.length > 0 ? (
          <ul className="card list overflow-hidden">
            {state.recent_sessions.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        ) : (
          <div className="card p-6 text-center text-ink-2">No sessions in the last 7 days.</div>
        )}
        <Suspense fallback={null}>
          <WaitingList isHeldShown={!connects} />
        </Suspense>
      </section>
    </div>
  )
}

/** Whoever is connected with nobody has no payments to confirm, and does not wait for their code. */
function SharedPayments() {
  const connections = useConnections()
  if (!connections.data?.some(({ state }) => state === 'active')) return null
  return (
    <Suspense fallback={null}>
      <PaymentsToConfirm />
    </Suspense>
  )
}
