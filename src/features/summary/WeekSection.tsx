import { LoadFailed } from '#platform/ui/Empty.tsx'
import { LoadingWeeks } from '#platform/ui/Skeleton.tsx'
import { useSummary } from './client.web.ts'
import { WeekChart } from './WeekChart.tsx'

export function WeekSection({ month }: { month: string }) {
  const summary = useSummary(month)
  if (summary.data) return <WeekChart weeks={summary.data.by_week} amounts={summary.data} measure="amount" />
  if (summary.isError)
    return <LoadFailed title="The chart didn’t load" onRetry={() => void summary.refetch()} />
  return <LoadingWeeks />
}
