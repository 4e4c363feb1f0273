import { ArrowLeft, Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCanWrite } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { SegmentedTabs } from '#platform/ui/SegmentedTabs.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { deleteScheduleLater, useSchedules } from './client.web.ts'
import { FeedCard } from './FeedCard.tsx'
import { ScheduleCard } from './parts/ScheduleCard.tsx'
import { inOrderOfWeek, type Schedule } from './schedule.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'

const WeekView = lazy(() => import('./parts/WeekView.tsx'))
const MonthView = lazy(() => import('./parts/MonthView.tsx'))

type View = 'list' | 'week' | 'month'

export default function SchedulesPage() {
  const schedules = useSchedules()
  const [query, setQuery] = useSearchParams()
  const [edited, setEdited] = useState<Schedule | 'new' | undefined>(
    query.get('new') === null ? undefined : 'new',
  )
  const view: View = query.get('view') === 'week' ? 'week' : query.get('view') === 'month' ? 'month' : 'list'
  useFailureToast(schedules.error, 'Failed to fetch schedules')
  const close = () => setEdited(undefined)
  // ?new opens the dialog. It's then removed from the URL, so that the dialog doesn't open again on reload or
  // Back.
  useEffect(() => {
    if (query.has('new')) setQuery({}, { replace: true })
  }, [query, setQuery])
  const canWrite = useCanWrite()
  const create = canWrite && (
    <Button className="max-md:mt-4 max-md:w-full" onClick={() => setEdited('new')}>
      <Plus className="i" aria-hidden="true" />
      Create Schedule
    </Button>
  )
  const list = schedules.data ?? []
  const isEmpty = schedules.isSuccess && list.length === 0
  useReopen('schedule', list, setEdited)

  return (
    <>
      <div className="md:flex md:items-end md:justify-between">
        <div className="flex items-start gap-1">
          <Link to={paths.dashboard} className="ib mt-1 -ml-3" aria-label="Back to dashboard">
            <ArrowLeft className="i" aria-hidden="true" />
          </Link>
          <PageTitle
            title="Schedules"
            subtitle={canWrite ? 'Manage recurring tutoring schedules' : undefined}
          />
        </div>
        {!isEmpty && create}
      </div>
      {(isEmpty || !schedules.isSuccess) && (
        <div className="mt-4">
          {schedules.isPending && <LoadingCards count={3} label="Loading schedules..." />}
          {schedules.isError && (
            <LoadFailed title="Your schedules didn’t load" onRetry={() => void schedules.refetch()} />
          )}
          {isEmpty && (
            <Empty
              title="No schedules yet"
              line={canWrite ? 'Create your first recurring schedule to get started' : undefined}
              action={create}
            />
          )}
        </div>
      )}
      {list.length > 0 && (
        <SegmentedTabs
          label="View"
          value={view}
          onValueChange={(next) => setQuery(next === 'list' ? {} : { view: next }, { replace: true })}
          tabs={[
            {
              value: 'list',
              label: 'List',
              panel: (
                <>
                  <ScheduleList list={list} onEdit={setEdited} />
                  <div className="mt-6">
                    <FeedCard />
                  </div>
                </>
              ),
            },
            {
              value: 'week',
              label: 'Week',
              panel: (
                <Suspense fallback={null}>
                  <WeekView />
                </Suspense>
              ),
            },
            {
              value: 'month',
              label: 'Month',
              panel: (
                <Suspense fallback={null}>
                  <MonthView />
                </Suspense>
              ),
            },
          ]}
        />
      )}
      {edited && (
        <ScheduleDialog
          key={edited === 'new' ? 'new' : edited.id}
          schedule={edited === 'new' ? undefined : edited}
          onClose={close}
        />
      )}
    </>
  )
}

function ScheduleList({ list, onEdit }: { list: Schedule[]; onEdit: (schedule: Schedule) => void }) {
  const toast = useToast()
  const selfId = useTutors().data?.find((tutor) => tutor.is_self)?.id
  return (
    <ul className="mt-4 grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {inOrderOfWeek(list, dayIn(new Date())).map((schedule) => (
        <ScheduleCard
          key={schedule.id}
          schedule={schedule}
          isOwn={schedule.tutor_id !== null && schedule.tutor_id === selfId}
          onEdit={() => onEdit(schedule)}
          onDelete={() => deleteScheduleLater(toast, schedule)}
        />
      ))}
    </ul>
  )
}
