import { ArrowLeft, CalendarX, Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCanLog, useCanWrite } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { SegmentedTabs } from '#platform/ui/SegmentedTabs.tsx'
import { late } from '#platform/ui/late.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { deleteScheduleLater, useScheduleOffers, useSchedules } from './client.web.ts'
import { FeedCard } from './FeedCard.tsx'
import type { ScheduleOffer } from './offer.ts'
import { ScheduleCard } from './parts/ScheduleCard.tsx'
import { ALL, hasClasses, inOrderOfWeek, type Schedule } from './schedule.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'

const WeekView = lazy(() => import('./parts/WeekView.tsx'))
const MonthView = lazy(() => import('./parts/MonthView.tsx'))
// Loaded only if a schedule is shared.
const ScheduleQuestionsCard = lazy(async () => ({
  default: (await import('./ScheduleQuestionsCard.tsx')).ScheduleQuestionsCard,
}))

const BreakDialog = late(async () => (await import('./BreakDialog.tsx')).BreakDialog)

const VIEWS = ['list', 'week', 'month'] as const

export default function SchedulesPage() {
  const schedules = useSchedules()
  const [query, setQuery] = useSearchParams()
  const [edited, setEdited] = useState<Schedule | 'new' | undefined>(
    query.get('new') === null ? undefined : 'new',
  )
  /** The schedule that a break is being added to, or all. */
  const [paused, setPaused] = useState<string>()
  const view = VIEWS.find((one) => one === query.get('view')) ?? 'list'
  useFailureToast(schedules.error, 'Failed to fetch schedules')
  const close = () => setEdited(undefined)
  const addBreak = (of: string) => {
    close()
    setPaused(of)
  }
  // ?new opens the dialog. It's then removed from the URL, so that the dialog doesn't open again on reload or
  // Back.
  useEffect(() => {
    if (query.has('new')) setQuery({}, { replace: true })
  }, [query, setQuery])
  const canWrite = useCanWrite()
  const create = canWrite && (
    <Button className="max-md:w-full" onClick={() => setEdited('new')}>
      <Plus className="i" aria-hidden="true" />
      Create Schedule
    </Button>
  )
  const list = schedules.data ?? []
  const offers = useScheduleOffers().data ?? []
  const isEmpty = schedules.isSuccess && list.length === 0
  useReopen('schedule', list, setEdited)
  const going = list.filter((one) => hasClasses(one, dayIn(new Date())))
  useReopen('break', [{ id: ALL }, ...going], (row) => row !== 'new' && addBreak(row.id))
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
        {!isEmpty && (
          <div className="flex gap-2.5 max-md:mt-4 max-md:flex-col-reverse">
            <AddBreak isOffered={going.length > 0} onAdd={() => addBreak(ALL)} />
            {create}
          </div>
        )}
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
      <Questions list={list} offers={offers} />
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
                  <ScheduleList list={list} offers={offers} onEdit={setEdited} />
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
      {edited && <EditedSchedule edited={edited} going={going} onClose={close} onBreak={addBreak} />}
      {paused && (
        <BreakDialog
          schedules={inOrderOfWeek(going, dayIn(new Date()))}
          of={paused}
          onClose={() => setPaused(undefined)}
        />
      )}
    </>
  )
}

interface EditedScheduleProps {
  edited: Schedule | 'new'
  /** The schedules with classes to come. */
  going: readonly Schedule[]
  onClose: () => void
  onBreak: (only: string) => void
}

function EditedSchedule({ edited, going, onClose, onBreak }: EditedScheduleProps) {
  if (edited === 'new') return <ScheduleDialog key="new" onClose={onClose} />
  return (
    <ScheduleDialog
      key={edited.id}
      schedule={edited}
      onClose={onClose}
      onBreak={going.includes(edited) ? () => onBreak(edited.id) : undefined}
    />
  )
}

function AddBreak({ isOffered, onAdd }: { isOffered: boolean; onAdd: () => void }) {
  const canLog = useCanLog()
  if (!isOffered || !canLog) return null
  return (
    <Button tone="secondary" className="max-md:w-full" onClick={onAdd}>
      <CalendarX className="i" aria-hidden="true" />
      Add a break
    </Button>
  )
}

function Questions({ list, offers }: Pick<ListProps, 'list' | 'offers'>) {
  const isShared = list.some(({ is_shared: shared, ended_by_other: ended }) => shared || ended)
  if (!isShared && offers.length === 0) return null
  return (
    <Suspense fallback={null}>
      <ScheduleQuestionsCard />
    </Suspense>
  )
}

interface ListProps {
  list: Schedule[]
  offers: ScheduleOffer[]
  onEdit: (schedule: Schedule) => void
}

function ScheduleList({ list, offers, onEdit }: ListProps) {
  const toast = useToast()
  const selfId = useTutors().data?.find((tutor) => tutor.is_self)?.id
  return (
    <ul className="mt-4 grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {inOrderOfWeek(list, dayIn(new Date())).map((schedule) => (
        <ScheduleCard
          key={schedule.id}
          schedule={schedule}
          isOwn={schedule.tutor_id !== null && schedule.tutor_id === selfId}
          offer={offers.find((one) => one.schedule_id === schedule.id)}
          onEdit={() => onEdit(schedule)}
          onDelete={() => deleteScheduleLater(toast, schedule)}
        />
      ))}
    </ul>
  )
}
