import { lazy, useDeferredValue } from 'react'
import { useConnections, useHasSeveral, useOfferLoading } from '#features/connections/client.web.ts'
import { timeNow } from '#features/schedules/client.web.ts'
import { useSentBack, useShared } from '#features/sessions/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { StatStrip } from '#platform/ui/Card.tsx'
import { type DashboardSoFar, useBalancesLoading, useHasMonth, useWhole } from './client.web.ts'
import { type Dashboard, toConfirmThisWeek } from './dashboard.ts'
import { DueClasses } from './DueClasses.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { HomeColumns } from './HomeColumns.tsx'
import { LoadingDashboard } from './LoadingDashboard.tsx'
import { PaymentsToConfirm } from './PaymentsToConfirm.tsx'
import { UpcomingSection } from './UpcomingSection.tsx'

// Loaded only if there is something to answer.
const OwnRateCard = lazy(async () => ({
  default: (await import('#features/tutors/OwnRateCard.tsx')).OwnRateCard,
}))
const RequestsCard = lazy(async () => ({
  default: (await import('#features/connections/RequestsCard.tsx')).RequestsCard,
}))
const PairsCard = lazy(async () => ({
  default: (await import('#features/connections/PairsCard.tsx')).PairsCard,
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

/** The tutor dashboard, shown once all of it is there. */
export default function TutorDashboard({ dashboard }: { dashboard: DashboardSoFar }) {
  const connections = useConnections()
  const waiting = useShared('waiting')
  const sentBack = useSentBack(Boolean(dashboard.data?.sessions_sent_back))
  const isOffering = useOfferLoading()
  const isCounting = useBalancesLoading(dashboard.data)
  const hasMonth = useHasMonth(dashboard)
  const state = useWhole(
    dashboard,
    connections.isLoading || waiting.isLoading || sentBack.isLoading || isOffering || isCounting,
  )
  if (!state) return <LoadingDashboard />
  return (
    <FirstSteps state={state} of="tutor">
      {(actions) => (
        <HomeColumns
          state={state}
          hasMonth={hasMonth}
          waiting={<Waiting state={state} />}
          aside={<Next state={state} />}
        >
          <StatStrip
            items={[
              { label: 'Total Students', value: String(state.total_students), to: paths.students },
              { label: 'Active Schedules', value: String(state.active_schedules), to: paths.schedules },
              {
                label: 'This Week',
                value: String(toConfirmThisWeek(state, dayIn(new Date()), timeNow())),
                to: state.sessions_to_confirm > 0 ? paths.toConfirm : `${paths.dashboard}#due`,
                note: 'Sessions to confirm',
              },
            ]}
          />
          {actions}
          {/* Below the buttons: it comes with the first session. */}
          {state.total_students > 0 && <OfferCard />}
        </HomeColumns>
      )}
    </FirstSteps>
  )
}

/** What comes next, with the ways to the students and the schedules. */
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

/** What waits for a tutor, each answered in its row. */
function Waiting({ state }: { state: Dashboard }) {
  const hasSeveral = useHasSeveral()
  // A list that didn't load says so in its card.
  const connections = useConnections()
  const waiting = useShared('waiting')
  // Deferred: cards that come later load while what is there stays on the screen.
  const isAsked = useDeferredValue(
    connections.isError || connections.data?.some((one) => one.state === 'asked' && !one.is_asked_by_you),
  )
  const hasPairs = useDeferredValue(connections.data?.some(({ pairs }) => pairs > 0))
  const hasWaiting = useDeferredValue(waiting.isError || Boolean(waiting.data?.sessions.length))
  return (
    <>
      {state.needs_rate && <OwnRateCard isMissing className="mt-6" />}
      {isAsked && <RequestsCard />}
      {hasPairs && <PairsCard />}
      {hasWaiting && <ToConfirmCard hasSeveral={hasSeveral} />}
      <PaymentsToConfirm />
      {state.sessions_sent_back > 0 && <SentBackCard />}
      <DueClasses due={state.due} />
    </>
  )
}
