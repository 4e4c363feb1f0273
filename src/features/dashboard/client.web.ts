// Reading the dashboard from a screen.
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { useCanAddPeople, useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { UpdateMe } from '#features/accounts/profile.ts'
import { useConnections } from '#features/connections/client.web.ts'
import { timeNow } from '#features/schedules/client.web.ts'
import { dayIn, monthOf } from '#kernel/calendar-day.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { type Dashboard, ReadDashboard } from './dashboard.ts'

/** The dashboard as far as it has loaded. */
export interface DashboardSoFar {
  data: Dashboard | undefined
  dataUpdatedAt: number
  isFetching: boolean
}

/**
 * The dashboard as plain values. A query only reports changes to what was read while it rendered: passed on to a screen whose code
 * arrives after the answer, it would never report the answer.
 */
export function useDashboard(): DashboardSoFar & { error: Error | null; refetch: () => unknown } {
  const today = dayIn(new Date())
  const { data, dataUpdatedAt, isFetching, error, refetch } = useQuery({
    queryKey: ['dashboard', today],
    queryFn: ({ signal }) => call(ReadDashboard, { today, time: timeNow() }, { signal }),
  })
  return { data, dataUpdatedAt, isFetching, error, refetch }
}

/** Whether the balances of the month card are still loading. Their code is loaded only if there are sessions; a failed try isn't waited for. */
export function useBalancesLoading(data: Dashboard | undefined): boolean {
  const { has_all_students: hasAll } = useMe()
  const seesAmounts = useSeesAmounts()
  const month = monthOf(dayIn(new Date()))
  const { isLoading, failureCount } = useQuery({
    queryKey: ['balances', month],
    enabled: hasAll && seesAmounts && data?.has_sessions === true,
    queryFn: async ({ signal }) =>
      (await import('#features/payments/client.web.ts')).readBalances(month, signal),
  })
  return isLoading && failureCount === 0
}

/** How many payments wait for an answer; a failed try isn't waited for. They are asked for only if there is somebody to share payments with. */
export function usePaymentsWaiting() {
  const canAnswer = useCanAddPeople()
  const isConnected = useConnections().data?.some(({ state }) => state === 'active') === true
  const query = useQuery({
    queryKey: ['payments', 'waiting'],
    enabled: canAnswer && isConnected,
    queryFn: async ({ signal }) =>
      (await import('#features/payments/client.web.ts')).readWaitingPayments(signal),
  })
  return {
    count: query.data ? query.data.payments.length + query.data.sent_back.length : 0,
    isError: query.isError,
    isLoading: query.isLoading && query.failureCount === 0,
  }
}

/** Whether there is a month to show: decided once the dashboard is up to date, because the first session, logged with a tap above the buttons, must not push them away. */
export function useHasMonth({ data, isFetching }: DashboardSoFar): boolean {
  const [decided, decide] = useState<boolean>()
  const hasMonth = data !== undefined && data.has_sessions && data.month_amounts !== null
  if (decided === undefined && data && !isFetching) decide(hasMonth)
  return decided ?? hasMonth
}

/** How long the copy on this device waits for a newer answer before it is shown. */
const COPY_DELAY_MS = 4000

/** The dashboard once everything above its buttons has loaded or failed: anything later would push the buttons away from under the thumb. From then on it never disappears again. @param isLoading whether a list that it shows is still loading */
export function useWhole(
  { data, dataUpdatedAt, isFetching }: DashboardSoFar,
  isLoading: boolean,
): Dashboard | undefined {
  const [isShown, setIsShown] = useState(false)
  const [isEarly, setIsEarly] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsEarly(false), COPY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  // Whatever is older than this page comes from the copy and may be about to change.
  const isAwaited = isFetching && dataUpdatedAt < performance.timeOrigin && isEarly
  if (!isShown && data && !isLoading && !isAwaited) setIsShown(true)
  // Deferred, so that a card whose code is still loading leaves the screen as it is until the code is there.
  return useDeferredValue(isShown ? data : undefined)
}

/** Whether this has been true since the page was opened: what was shown once stays, so that an answer doesn't move what is below. */
export function useOnceTrue(isTrue: boolean): boolean {
  const [was, setWas] = useState(isTrue)
  if (isTrue && !was) setWas(true)
  return was || isTrue
}

/** Dismisses the checklist for good; it disappears at once and comes back only if that couldn't be saved. */
export async function dismissOnboarding(): Promise<void> {
  queryClient.setQueriesData<Dashboard>(
    { queryKey: ['dashboard'] },
    (dashboard) => dashboard && { ...dashboard, onboarding_dismissed: true },
  )
  try {
    await call(UpdateMe, { onboarding_dismissed: true })
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['dashboard'] })
  }
}
