import { useState } from 'react'
import { addDays, dayIn, formatDay, weekOf } from '#kernel/calendar-day.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useOccurrences } from '../client.web.ts'
import { weekLabel } from '../grid.ts'
import type { Occurrence } from '../occurrence.ts'
import { OccurrenceDialog } from '../OccurrenceDialog.tsx'
import { OccurrenceItem } from './OccurrenceItem.tsx'
import { Pager } from './Pager.tsx'

/** A week of classes, grouped by day: one column on a phone, seven on a desktop. */
export default function WeekView() {
  const today = dayIn(new Date())
  const [shown, setShown] = useState(today)
  const [opened, setOpened] = useState<Occurrence>()
  const days = weekOf(shown)
  const classes = useOccurrences(days[0] ?? today, days[6] ?? today)
  useFailureToast(classes.error, 'Failed to fetch schedules')
  return (
    <>
      <Pager
        label={weekLabel(days)}
        unit="week"
        onMove={(by) => setShown(addDays(shown, by * 7))}
        onToday={() => setShown(today)}
      />
      {classes.isPending && (
        <div className="mt-4">
          <LoadingCards count={3} label="Loading classes..." />
        </div>
      )}
      {classes.isError && (
        <div className="mt-4">
          <LoadFailed title="Your classes didn’t load" onRetry={() => void classes.refetch()} />
        </div>
      )}
      {classes.data && (
        <ol
          className={`mt-4 grid gap-3 md:grid-cols-2 xl:grid-cols-4 ${classes.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          {days.map((day) => {
            const own = classes.data.filter((one) => one.date === day)
            return (
              <li key={day} className={`card py-2 ${own.length === 0 ? 'bg-transparent' : ''}`}>
                <h3
                  className={`px-4 py-1.5 ${day === today ? 'text-accent' : ''}`}
                  aria-current={day === today ? 'date' : undefined}
                >
                  {formatDay(day, { weekday: 'long', month: 'short', day: 'numeric' })}
                </h3>
                {own.length === 0 && <p className="px-4 pb-1.5 text-small text-ink-3">No classes</p>}
                {own.map((one) => (
                  <OccurrenceItem
                    key={one.schedule_id + one.original_date}
                    occurrence={one}
                    onOpen={setOpened}
                  />
                ))}
              </li>
            )
          })}
        </ol>
      )}
      {opened && <OccurrenceDialog occurrence={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}
