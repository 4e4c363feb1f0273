import { lazy, type ReactNode, Suspense, useDeferredValue } from 'react'
import {
  useConnections,
  useConnects,
  useHasSeveral,
  useOfferLoading,
} from '#features/connections/client.web.ts'
import { LastTimeSection } from '#features/schedules/LastTimeSection.tsx'
import { isOverNow, timeNow } from '#features/schedules/client.web.ts'
import { GENERAL_TUTORING, WEEKDAYS } from '#features/schedules/schedule.ts'
import { weekdayOf } from '#features/schedules/recurrence.ts'
import { useSentBack, useShared } from '#features/sessions/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { type CalendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { SectionHeading, StatStrip } from '#platform/ui/Card.tsx'
import { type DashboardSoFar, useWhole } from './client.web.ts'
import { type Dashboard, toConfirmThisWeek } from './dashboard.ts'
import DueSection from './DueSection.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { LoadingDashboard } from './LoadingDashboard.tsx'
import { PaymentsToConfirm } from './PaymentsToConfirm.tsx'

// Loaded only where there is something to answer.
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
const WaitingList = lazy(() => import('#features/sessions/WaitingList.tsx'))

/** The tutor dashboard, shown once all of it is there. */
export default function TutorDashboard({ dashboard }: { dashboard: DashboardSoFar }) {
  const connections = useConnections()
  const connects = useConnects()
  const waiting = useShared('waiting')
  const sentBack = useSentBack(Boolean(dashboard.data?.sessions_sent_back))
  const isOffering = useOfferLoading()
  const state = useWhole(
    dashboard,
    connections.isLoading || waiting.isLoading || sentBack.isLoading || isOffering,
  )
  if (!state) return <LoadingDashboard />
  return (
    <>
      <FirstSteps state={state} of="tutor">
        {(actions) => <Tutor state={state} actions={actions} />}
      </FirstSteps>
      <Suspense fallback={null}>
        <WaitingList isHeldShown={!connects} />
      </Suspense>
    </>
  )
}

/** What a tutor opens the app for: what to confirm, what to do, what comes next (DESIGN section 10). */
function Tutor({ state, actions }: { state: Dashboard; actions: ReactNode }) {
  const hasSeveral = useHasSeveral()
  // A list that did not load says so in its card.
  const connections = useConnections()
  const waiting = useShared('waiting')
  // Deferred: what comes later is loaded beside what stands there, which stays in sight meanwhile.
  const isAsked = useDeferredValue(
    connections.isError || connections.data?.some((one) => one.state === 'asked' && !one.is_asked_by_you),
  )
  const hasPairs = useDeferredValue(connections.data?.some(({ pairs }) => pairs > 0))
  const hasWaiting = useDeferredValue(waiting.isError || Boolean(waiting.data?.sessions.length))
  // On a page that stays open a class may end: what the server listed as next is over then.
  const upcoming = state.upcoming.filter((one) => !isOverNow(one))
  return (
    <div className="lg:grid lg:grid-cols-2 lg:gap-x-8">
      <div>
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
        {state.needs_rate && <OwnRateCard isMissing className="mt-6" />}
        {isAsked && <RequestsCard />}
        {hasPairs && <PairsCard />}
        {hasWaiting && <ToConfirmCard hasSeveral={hasSeveral} />}
        <PaymentsToConfirm />
        {state.sessions_sent_back > 0 && <SentBackCard />}
        <DueSection due={state.due} />
        {actions}
        {/* Below what is tapped: it comes with the first session. */}
        <OfferCard />
      </div>
      <section className="mt-7 lg:mt-5">
        <SectionHeading>Upcoming Sessions</SectionHeading>
        {upcoming.length > 0 ? (
          <ul className="card list">
            {upcoming.map((one) => (
              <li key={one.schedule_id} className="flex min-h-16 items-center gap-3 px-5 py-3">
                <div className="min-w-0 flex-1">
                  <p className="line-clamp-2 leading-snug font-semibold" title={one.student_name}>
                    {one.student_name}
                  </p>
                  <p className="num text-small text-ink-2">
                    {one.subject ?? GENERAL_TUTORING}, {formatTime(one.start_time)}
                    <span className="sr-only">, {formatDay(one.date as CalendarDay)}</span>
                  </p>
                  <LastTimeSection last={one.last} />
                </div>
                <Badge tone="tutor">{(WEEKDAYS[weekdayOf(one.date as CalendarDay)] ?? '').slice(0, 3)}</Badge>
              </li>
            ))}
          </ul>
        ) : (
          <div className="card p-6 text-center text-ink-2">
            No upcoming sessions. A schedule puts them here.
          </div>
        )}
        <div className="mt-3 grid grid-cols-2 gap-2.5">
          <ButtonLink tone="secondary" to={paths.students}>
            My Students
          </ButtonLink>
          <ButtonLink tone="secondary" to={paths.schedules}>
            Schedules
          </ButtonLink>
        </div>
      </section>
    </div>
  )
}
