import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useMonthSessions } from '#features/sessions/client.web.ts'
import type { Session } from '#features/sessions/session.ts'
import { paths } from '#features/site/paths.ts'
import { dayIn, monthOf } from '#kernel/calendar-day.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button, ButtonLink, IconButton } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { SelectField } from '#platform/ui/Field.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { EditSessionDialog } from '#features/sessions/EditSessionDialog.tsx'
import { useSummary } from './client.web.ts'
import { GroupTable } from './GroupTable.tsx'
import { SessionDetails } from './SessionDetails.tsx'
import { monthLabel, selectableMonths } from './summary.ts'
import { Totals } from './Totals.tsx'
import { WeekChart } from './WeekChart.tsx'

export default function SummaryPage() {
  const months = selectableMonths(monthOf(dayIn(new Date())))
  const [query, setQuery] = useSearchParams()
  const asked = query.get('month')
  const month = asked && months.includes(asked) ? asked : (months[0] ?? '')
  const at = months.indexOf(month)
  const show = (next: string | undefined) => next && setQuery(next === months[0] ? {} : { month: next }, { replace: true })

  const summary = useSummary(month)
  const sessions = useMonthSessions(month)
  const [edited, setEdited] = useState<Session>()
  useFailureToast(summary.error ?? sessions.error, 'Failed to fetch sessions')
  const retry = () => {
    void summary.refetch()
    void sessions.refetch()
  }

  return (
    <>
      <div className="lg:flex lg:items-center lg:justify-between">
        <PageTitle title="Monthly Summary" />
        <div className="-mx-2.5 mt-3 flex max-w-md items-end gap-1 lg:m-0 lg:w-[22rem]">
          <IconButton label="Previous month" className="mb-[3px] aria-disabled:opacity-40" aria-disabled={at === months.length - 1 || undefined} onClick={() => show(months[at + 1])}><ChevronLeft className="i" aria-hidden="true" /></IconButton>
          <div className="only-select flex-1">
            <SelectField label="Month" value={month} onChange={(event) => show(event.target.value)}>
              {months.map((option) => <option key={option} value={option}>{monthLabel(option)}</option>)}
            </SelectField>
          </div>
          <IconButton label="Next month" className="mb-[3px] aria-disabled:opacity-40" aria-disabled={at === 0 || undefined} onClick={() => show(months[at - 1])}><ChevronRight className="i" aria-hidden="true" /></IconButton>
        </div>
      </div>
      {(summary.isPending || sessions.isPending) && <div className="mt-5"><LoadingSummary /></div>}
      {(summary.isError || sessions.isError) && <div className="mt-5"><LoadFailed title="Your month did not load" onRetry={retry} /></div>}
      {summary.isSuccess && sessions.isSuccess && (summary.data.total_sessions === 0 ? (
        <div className="mt-5"><Empty title="No sessions found for this month" action={<ButtonLink to={paths.addSession}>Add a session</ButtonLink>} /></div>
      ) : (
        <>
          <Totals summary={summary.data} />
          <div className="mt-4 grid gap-4 lg:mt-6 lg:grid-cols-2 lg:gap-6">
            <WeekChart weeks={summary.data.by_week} />
            <div className="grid content-start gap-4 lg:gap-6">
              <GroupTable title="Sessions by Tutor" header="Tutor" groups={summary.data.by_tutor} />
              <GroupTable title="Sessions by Student" header="Student" groups={summary.data.by_student} />
            </div>
          </div>
          <SessionDetails sessions={sessions.data.pages.flatMap((page) => page.sessions)} count={summary.data.total_sessions} onEdit={setEdited} />
          {sessions.hasNextPage && <div className="mt-4 text-center"><Button tone="secondary" busy={sessions.isFetchingNextPage} busyText="Loading..." onClick={() => void sessions.fetchNextPage()}>Show more</Button></div>}
        </>
      ))}
      {edited && <EditSessionDialog session={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function LoadingSummary() {
  return (
    <Loading label="Loading summary...">
      <div className="card grid grid-cols-2"><div className="grid gap-2 p-4"><div className="sk h-3 w-20" /><div className="sk h-7 w-10" /></div><div className="grid gap-2 p-4"><div className="sk h-3 w-20" /><div className="sk h-7 w-14" /></div><div className="col-span-2 grid gap-2 p-4"><div className="sk h-3 w-24" /><div className="sk h-10 w-44" /></div></div>
      <div className="card mt-4 h-56 p-5"><div className="sk h-full w-full" /></div>
    </Loading>
  )
}
