// Reading the dashboard from a screen.
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, createElement, type ReactElement, useEffect, useState } from 'react'
import { UpdateMe } from '#features/accounts/profile.ts'
import { timeNow } from '#features/schedules/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { type Dashboard, ReadDashboard } from './dashboard.ts'

export function useDashboard() {
  const today = dayIn(new Date())
  return useQuery({
    queryKey: ['dashboard', today],
    queryFn: ({ signal }) => call(ReadDashboard, { today, time: timeNow() }, { signal }),
  })
}

/** So long the copy on this device waits for a newer answer before it is shown. */
const PATIENCE_MS = 4000

/** The dashboard once everything that stands above its buttons has loaded or failed: what came later would push the buttons away under the thumb. From then on it is never taken away again. @param isLoading whether a list that it shows is still under way */
export function useWhole(
  { data, dataUpdatedAt, isFetching }: ReturnType<typeof useDashboard>,
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
  return isShown ? data : undefined
}

/**
 * A card whose code is loaded once it is needed; undefined until it is there. Throws where it cannot be loaded.
 * Not React.lazy, which takes what is on the screen away meanwhile; a deferred value keeps it, but under load React 19.3
 * sometimes never went on from the old one (react/react#35821 tells of the like).
 */
export function useCard(load: () => Promise<ComponentType>, isNeeded: boolean): ReactElement | undefined {
  const [Card, setCard] = useState<ComponentType>()
  const [failure, setFailure] = useState<Error>()
  useEffect(() => {
    if (isNeeded && !Card) load().then((loaded) => setCard(() => loaded), setFailure)
  }, [load, isNeeded, Card])
  if (failure) throw failure
  return isNeeded && Card ? createElement(Card) : undefined
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
