import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCanLog } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { dayIn, monthOf } from '#kernel/calendar-day.ts'
import { monthsBack } from '#kernel/month.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { MonthSelect } from '#platform/ui/MonthSelect.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useMonthSessions } from './client.web.ts'
import { EditSessionDialog } from './EditSessionDialog.tsx'
import type { Session } from './session.ts'
import { SessionRow } from './SessionRow.tsx'

const WaitingList = lazy(() => import('./WaitingList.tsx'))
/** The summary offers the same number of months. */
const MONTHS = 12

/** A month's sessions without amounts, for caregivers, who can edit the sessions they logged. */
export default function SessionsPage() {
  const months = monthsBack(monthOf(dayIn(new Date())), MONTHS)
  const [query, setQuery] = useSearchParams()
  const asked = query.get('month')
  const month = asked && months.includes(asked) ? asked : (months[0] ?? '')
  const show = (next: string) => setQuery(next === months[0] ? {} : { month: next }, { replace: true })
  const sessions = useMonthSessions(month)
  const canLog = useCanLog()
  const [edited, setEdited] = useState<Session>()
  const list = sessions.data?.pages.flatMap((page) => page.sessions) ?? []
  useReopen('session-edit', list, (session) => session !== 'new' && setEdited(session))
  useFailureToast(sessions.error, 'Failed to fetch sessions')
  return (
    <>
      <div className="lg:flex lg:items-center lg:justify-between">
        <PageTitle title="Sessions" />
        <MonthSelect months={months} month={month} onChange={show} />
      </div>
      <div className="mt-5">
        {sessions.isPending && <LoadingCards count={3} label="Loading sessions..." />}
        {sessions.isError && (
          <LoadFailed title="Your sessions didn’t load" onRetry={() => void sessions.refetch()} />
        )}
        {sessions.isSuccess && list.length === 0 && (
          <Empty
            title="No sessions found for this month"
            action={canLog && <ButtonLink to={paths.addSession}>Add a session</ButtonLink>}
          />
        )}
        {list.length > 0 && (
          <ul className="card list overflow-hidden" aria-label="Sessions">
            {list.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isFull
                onEdit={canLog && !session.is_read_only ? setEdited : undefined}
              />
            ))}
          </ul>
        )}
        {sessions.hasNextPage && (
          <Button
            tone="secondary"
            className="mt-4 w-full"
            busy={sessions.isFetchingNextPage}
            busyText="Loading..."
            onClick={() => void sessions.fetchNextPage()}
          >
            Show more
          </Button>
        )}
      </div>
      <Suspense fallback={null}>
        <WaitingList month={month} />
      </Suspense>
      {edited && <EditSessionDialog session={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}
