import { lazy, type ReactNode, Suspense } from 'react'
import { useConnects } from '#features/connections/client.web.ts'
import { dayIn, monthOf } from '#kernel/calendar-day.ts'
import { AfterFrame } from '#platform/ui/AfterFrame.tsx'
import { LoadingWeeks } from '#platform/ui/Skeleton.tsx'
import { useWidth } from '#platform/ui/width.web.ts'
import type { Dashboard } from './dashboard.ts'
import { RecentSection } from './RecentSection.tsx'

// Loaded only once there are sessions.
const MonthCard = lazy(async () => ({ default: (await import('./MonthCard.tsx')).MonthCard }))
const HomeFigure = lazy(async () => ({ default: (await import('./MonthCard.tsx')).HomeFigure }))
const WeekSection = lazy(async () => ({
  default: (await import('#features/summary/WeekSection.tsx')).WeekSection,
}))
// Loaded only if the other side asked to close a month.
const AskedMonths = lazy(() => import('./AskedMonths.tsx'))
const WaitingList = lazy(() => import('#features/sessions/WaitingList.tsx'))

interface HomeColumnsProps {
  state: Dashboard
  hasMonth: boolean
  /** Items waiting for an answer, above the month. */
  waiting: ReactNode
  /** Counts and quick actions. */
  children: ReactNode
  /** Goes below the chart, or below everything else on a narrow screen. */
  aside: ReactNode
}

/**
 * The layout of both dashboards: what is owed, waiting items, this month, quick actions, and the latest
 * sessions. A wide screen shows the month's chart next to them.
 */
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
        {hasMonth && <HomeFigure />}
        {waiting}
        {state.months_asked.length > 0 && <AskedMonths months={state.months_asked} />}
        {hasMonth && <MonthCard amounts={state.month_amounts ?? []} />}
        <AfterFrame>
          {children}
          {/* The first session was logged on this page. Above the buttons, the month would push them down. */}
          {!hasMonth && state.has_sessions && state.month_amounts && (
            <Suspense fallback={null}>
              <HomeFigure />
              <MonthCard amounts={state.month_amounts} />
            </Suspense>
          )}
          {(!isWide || hasBeside) && latest}
        </AfterFrame>
      </div>
      {(isWide || Boolean(aside)) && (
        <AfterFrame>
          <div className="mt-7 grid min-w-0 gap-7 lg:mt-5">
            {isWide && !hasBeside && <div className="-mt-7">{latest}</div>}
            {isWide && hasMonth ? (
              // The content above the aside can be any height, so the aside waits until that content has
              // loaded.
              <Suspense fallback={<LoadingWeeks />}>
                <WeekSection month={monthOf(dayIn(new Date()))} />
                {aside}
              </Suspense>
            ) : (
              aside
            )}
          </div>
        </AfterFrame>
      )}
    </div>
  )
}
