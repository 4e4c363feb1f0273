import { lazy, type ReactNode, Suspense } from 'react'
import { useConnects } from '#features/connections/client.web.ts'
import { useWidth } from '#platform/ui/width.web.ts'
import type { Dashboard } from './dashboard.ts'
import { LoadingBeside } from './LoadingDashboard.tsx'
import { RecentSection } from './RecentSection.tsx'

// Loaded only once there are sessions.
const MonthCard = lazy(async () => ({ default: (await import('./MonthCard.tsx')).MonthCard }))
const BesideMonth = lazy(() => import('./BesideMonth.tsx'))
// Loaded only if a month is asked for.
const AskedMonths = lazy(() => import('./AskedMonths.tsx'))
const WaitingList = lazy(() => import('#features/sessions/WaitingList.tsx'))

interface HomeColumnsProps {
  state: Dashboard
  /** Whether there is a month to show. */
  hasMonth: boolean
  /** What waits for an answer, above the month. */
  waiting: ReactNode
  /** The counts, and what can be done. */
  children: ReactNode
  /** Below the chart and the balances; on a narrow screen below everything. */
  aside: ReactNode
}

/** The order of either dashboard: what waits, this month, what can be done, and the latest sessions. A wide screen shows the month's chart and balances beside them. */
export function HomeColumns({ state, hasMonth, waiting, children, aside }: HomeColumnsProps) {
  const isWide = useWidth('wide')
  const connects = useConnects()
  const latest = (
    <>
      <RecentSection sessions={state.recent_sessions} />
      <Suspense fallback={null}>
        <WaitingList isHeldShown={!connects} />
      </Suspense>
    </>
  )
  const hasBeside = hasMonth || Boolean(aside)
  return (
    <div className="lg:grid lg:grid-cols-2 lg:items-start lg:gap-x-8">
      <div className="min-w-0">
        {waiting}
        {state.months_asked.length > 0 && <AskedMonths months={state.months_asked} />}
        {hasMonth && <MonthCard amounts={state.month_amounts ?? []} />}
        {children}
        {(!isWide || hasBeside) && latest}
      </div>
      {(isWide || Boolean(aside)) && (
        <div className="mt-7 grid min-w-0 gap-7 lg:mt-5">
          {isWide && hasMonth && (
            <Suspense fallback={<LoadingBeside />}>
              <BesideMonth />
            </Suspense>
          )}
          {isWide && !hasBeside && <div className="-mt-7">{latest}</div>}
          {aside}
        </div>
      )}
    </div>
  )
}
