import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import { displayName } from '#features/accounts/account.ts'
import { useMe } from '#features/accounts/client.web.ts'
import { SessionRow } from '#features/sessions/SessionRow.tsx'
import { paths } from '#features/site/paths.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { SectionHeading, StatStrip } from '#platform/ui/Card.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useDashboard } from './client.web.ts'
import { type Dashboard, onboardingSteps, showsOnboarding } from './dashboard.ts'
import { OnboardingCard } from './OnboardingCard.tsx'
import { QuickActions } from './QuickActions.tsx'
import { WelcomeCard } from './WelcomeCard.tsx'

const TutorDashboard = lazy(() => import('./TutorDashboard.tsx'))
const DueSection = lazy(() => import('./DueSection.tsx'))
// Loaded only where there is something to answer.
const ProposedCard = lazy(async () => ({
  default: (await import('#features/proposals/ProposedCard.tsx')).ProposedCard,
}))
const SentBackCard = lazy(async () => ({
  default: (await import('#features/sessions/SentBackCard.tsx')).SentBackCard,
}))
const WaitingList = lazy(() => import('#features/sessions/WaitingList.tsx'))

export default function DashboardPage() {
  const me = useMe()
  const dashboard = useDashboard()
  useFailureToast(dashboard.error, 'Failed to fetch sessions')
  const firstName = displayName(me).split(' ')[0] ?? ''
  const today = formatDay(dayIn(new Date()), { weekday: 'long', month: 'long', day: 'numeric' })
  return (
    <>
      <PageTitle title={`Hello, ${firstName}`} subtitle={today} tabTitle="Dashboard" />
      {dashboard.isPending && <LoadingDashboard />}
      {dashboard.isError && (
        <div className="mt-5">
          <LoadFailed title="Your dashboard did not load" onRetry={() => void dashboard.refetch()} />
          <Suspense fallback={null}>
            <WaitingList />
          </Suspense>
        </div>
      )}
      {dashboard.isSuccess && (
        <Loaded state={dashboard.data} role={me.role === 'parent' ? 'parent' : 'tutor'} />
      )}
    </>
  )
}

function Loaded({ state, role }: { state: Dashboard; role: 'parent' | 'tutor' }) {
  const steps = onboardingSteps(role, state)
  const hasChecklist = showsOnboarding(steps, state.onboarding_dismissed)
  // The welcome card stays until its next step is done (decisions, section 10).
  const isNew = state.total_students === 0
  const actions = <QuickActions role={role} isLoud={!hasChecklist && !isNew} />
  return (
    <>
      {(hasChecklist || isNew) && (
        <div className="lg:grid lg:grid-cols-2 lg:items-start lg:gap-6">
          {hasChecklist && <OnboardingCard steps={steps} />}
          {isNew && <WelcomeCard role={role} />}
        </div>
      )}
      {role === 'parent' ? (
        <ParentDashboard state={state} actions={actions} />
      ) : (
        <Suspense fallback={null}>
          <TutorDashboard state={state} actions={actions} />
          <WaitingList />
        </Suspense>
      )}
    </>
  )
}

function ParentDashboard({ state, actions }: { state: Dashboard; actions: ReactNode }) {
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
        {state.sessions_proposed > 0 && (
          <Suspense fallback={null}>
            <ProposedCard />
          </Suspense>
        )}
        {state.sessions_sent_back > 0 && (
          <Suspense fallback={null}>
            <SentBackCard />
          </Suspense>
        )}
        {state.due.length > 0 && (
          <Suspense fallback={null}>
            <DueSection due={state.due} />
          </Suspense>
        )}
        {actions}
      </div>
      <section className="mt-7 lg:mt-5">
        <SectionHeading
          action={
            <Link to={paths.summary} className="link inline-flex min-h-11 items-center text-[.9375rem]">
              View Summary
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
          <WaitingList />
        </Suspense>
      </section>
    </div>
  )
}

function LoadingDashboard() {
  return (
    <Loading label="Loading dashboard...">
      <div className="card mt-5 grid grid-cols-3 gap-4 p-4">
        {[0, 1, 2].map((index) => (
          <div key={index} className="grid gap-2">
            <div className="sk h-8 w-10" />
            <div className="sk h-3 w-full" />
          </div>
        ))}
      </div>
      <div className="mt-7 grid gap-2.5">
        <div className="sk h-14 w-full" />
        <div className="grid grid-cols-2 gap-2.5">
          <div className="sk h-14" />
          <div className="sk h-14" />
        </div>
      </div>
      <div className="card mt-7 h-56 p-5">
        <div className="sk h-full w-full" />
      </div>
    </Loading>
  )
}
