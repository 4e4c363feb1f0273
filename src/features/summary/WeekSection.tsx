import { LoadFailed } from '#platform/ui/Empty.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useSummary } from './client.web.ts'
import { WeekChart } from './WeekChart.tsx'

export function WeekSection({ month }: { month: string }) {
  const summary = useSummary(month)
  if (summary.data) return <WeekChart weeks={summary.data.by_week} amounts={summary.data} measure="amount" />
  if (summary.isError)
    return <LoadFailed title="The chart didn’t load" onRetry={() => void summary.refetch()} />
  return <LoadingWeeks />
}

/** The same height as the chart. */
function LoadingWeeks() {
  return (
    <Loading label="Loading chart...">
      <div className="card h-[318px] p-5">
        <div className="sk h-full w-full" />
      </div>
    </Loading>
  )
}
