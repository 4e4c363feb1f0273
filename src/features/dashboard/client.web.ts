// Reading the dashboard from a screen.
import { useQuery } from '@tanstack/react-query'
import { UpdateMe } from '#features/accounts/profile.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { type Dashboard, ReadDashboard } from './dashboard.ts'

export function useDashboard() {
  const today = dayIn(new Date())
  return useQuery({
    queryKey: ['dashboard', today],
    queryFn: ({ signal }) => call(ReadDashboard, { today }, { signal }),
  })
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
