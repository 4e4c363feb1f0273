import { lazy, useDeferredValue } from 'react'
import { useCanLog } from '#features/accounts/client.web.ts'
import { useConnections, useOfferLoading } from '#features/connections/client.web.ts'
import { momentNow } from '#features/schedules/client.web.ts'
import { useSentBack, useShared } from '#features/sessions/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { StatStrip } from '#platform/ui/Card.tsx'
import { type DashboardSoFar, useHasMonth, useOnceTrue, usePaymentsWaiting, useWhole } from './client.web.ts'
import { type Dashboard, toConfirmThisWeek } from './dashboard.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { HomeColumns } from './HomeColumns.tsx'
import { OfferCard, RequestsCard } from './LateCards.tsx'
import { LoadingDashboard } from './LoadingDashboard.tsx'
import { UpcomingSection } from './UpcomingSection.tsx'
import { dayAt } from './today.ts'
import { Waiting } from './Waiting.tsx'

// Loaded only on days with classes.
const TodaySection = lazy(() => import('./TodaySection.tsx'))

/** The tutor dashboard, which appears once everything has loaded. */
export default function TutorDashboard({ dashboard }: { dashboard: DashboardSoFar }) {
  const connections = useConnections()
  const waiting = useShared('waiting')
  const sentBack = useSentBack(Boolean(dashboard.data?.sessions_sent_back))
  const isOffering = useOfferLoading()
  const { isLoading: isPaying } = usePaymentsWaiting()
  const hasMonth = useHasMonth(dashboard)
  const canLog = useCanLog()
  const isTeaching = useDeferredValue(useOnceTrue(canLog && Boolean(dashboard.data?.today.length)))
  const state = useWhole(
    dashboard,
    connections.isLoading || waiting.isLoading || sentBack.isLoading || isOffering || isPaying,
  )
  if (!state) return <LoadingDashboard />
  const hasArrived = connections.data?.some(({ arriving }) => arriving !== null) === true
  const openToday = canLog ? dayAt(state.today, momentNow()).open.length : 0
  return (
    <>
      {/* The sessions that came along with a new account stand first. */}
      {hasArrived && <RequestsCard />}
      <FirstSteps state={state} of="tutor" isArriving={hasArrived}>
        {(actions) => (
          <HomeColumns
            state={state}
            hasMonth={hasMonth}
            waiting={
              <>
                {isTeaching && <TodaySection classes={state.today} />}
                <Waiting
                  state={state}
                  hasMonth={hasMonth}
                  isAlone={!isTeaching}
                  openToday={openToday}
                  areRequestsAbove={hasArrived}
                />
              </>
            }
            aside={<Next state={state} />}
          >
            <StatStrip
              items={[
                { label: 'Total Students', value: String(state.total_students), to: paths.students },
                { label: 'Active Schedules', value: String(state.active_schedules), to: paths.schedules },
                {
                  label: 'This Week',
                  value: String(toConfirmThisWeek(state, momentNow())),
                  to:
                    state.sessions_to_confirm > 0
                      ? paths.toConfirm
                      : `${paths.dashboard}#${openToday > 0 ? 'today' : 'due'}`,
                  note: 'Sessions to confirm',
                },
              ]}
            />
            {actions}
            {/* Placed below the buttons, because it appears only with the first session. */}
            {state.total_students > 0 && <OfferCard />}
          </HomeColumns>
        )}
      </FirstSteps>
    </>
  )
}

function Next({ state }: { state: Dashboard }) {
  return (
    <div>
      <UpcomingSection of={state.upcoming} tone="tutor" />
      <div className="mt-3 grid grid-cols-2 gap-2.5">
        <ButtonLink tone="secondary" to={paths.students}>
          My Students
        </ButtonLink>
        <ButtonLink tone="secondary" to={paths.schedules}>
          Schedules
        </ButtonLink>
      </div>
    </div>
  )
}
