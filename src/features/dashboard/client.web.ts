// Reading the dashboard from a screen.
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { UpdateMe } from '#features/accounts/profile.ts'
import { timeNow } from '#features/schedules/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { type Dashboard, ReadDashboard } from './dashboard.ts'

/** The dashboard as far as it has come. */
export interface DashboardSoFar {
  data: Dashboard | undefined
  dataUpdatedAt: number
  isFetching: boolean
}

/**
 * The dashboard as plain values. A query tells only of what was read while it was rendered: handed on to a screen whose code
 * comes later than the answer, it would never tell of the answer.
 */
export function useDashboard(): DashboardSoFar & { error: Error | null; refetch: () => unknown } {
  const today = dayIn(new Date())
  const { data, dataUpdatedAt, isFetching, error, refetch } = useQuery({
    queryKey: ['dashboard', today],
    queryFn: ({ signal }) => call(ReadDashboard, { today, time: timeNow() }, { signal }),
  })
  return { data, dataUpdatedAt, isFetching, error, refetch }
}

/** So long the copy on this device waits for a newer answer before it is shown. */
const PATIENCE_MS = 4000

/** The dashboard once everything that stands above its buttons has loaded or failed: what came later would push the buttons away under the thumb. From then on it is never taken away again. @param isLoading whether a list that it shows is still under way */
export function useWhole(
  { data, dataUpdatedAt, isFetching }: DashboardSoFar,
  isLoading: boolean,
): Dashboard | undefined {
  const [isShown, setIsShown] = useState(false)
  const [isPatient, setIsPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  // What is older than this page comes from the copy, and may be about to change.
  const isAwaited = isFetching && dataUpdatedAt < performance.timeOrigin && isPatient
  if (!isShown && data && !isLoading && !isAwaited) setIsShown(true)
  // Deferred, so that a card whose code has yet to come leaves what is on the screen alone until it is there.
  return useDeferredValue(isShown ? data : undefined)
}

/** Dismisses the checklist for good; it goes at once and comes back only if the server did not take it. */
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
