import { useState } from 'react'
import { type CalendarDay, dayIn, formatDay, formatDays } from '#kernel/calendar-day.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useWidth } from '#platform/ui/width.web.ts'
import { useOccurrences } from '../client.web.ts'
import { weekFrom } from '../grid.ts'
import { type Occurrence, yourDay } from '../occurrence.ts'
import { OccurrenceDialog } from '../OccurrenceDialog.tsx'
import { OccurrenceItem } from './OccurrenceItem.tsx'
import { Pager } from './Pager.tsx'
import { WeekGrid } from './WeekGrid.tsx'

/** Seven days of classes from today: a list on a phone, columns with hours on a desktop. */
export default function WeekView() {
  const today = dayIn(new Date())
  const [weeks, setWeeks] = useState(0)
  const hasRoom = useWidth('wide')
  const [opened, setOpened] = useState<Occurrence>()
  const days = weekFrom(today, weeks)
  const classes = useOccurrences(days[0] ?? today, days[6] ?? today)
  useFailureToast(classes.error, 'Failed to fetch schedules')
  return (
    <>
      <Pager
        label={formatDays(days[0] ?? today, days[6] ?? today)}
        unit="week"
        onMove={(by) => setWeeks(weeks + by)}
        onToday={() => setWeeks(0)}
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
      {classes.data && hasRoom && (
        <div className={classes.isPlaceholderData ? 'opacity-60' : ''}>
          <WeekGrid days={days} today={today} classes={classes.data} onOpen={setOpened} />
          {classes.data.length === 0 && <p className="mt-3 text-ink-2">No classes on these days.</p>}
        </div>
      )}
      {classes.data && !hasRoom && (
        <ol className={`mt-4 grid gap-3 md:grid-cols-2 ${classes.isPlaceholderData ? 'opacity-60' : ''}`}>
          {days.map((day) => (
            <Day
              key={day}
              day={day}
              isToday={day === today}
              classes={classes.data.filter((one) => yourDay(one) === day)}
              isLoaded={!classes.isPlaceholderData}
              onOpen={setOpened}
            />
          ))}
        </ol>
      )}
      {opened && <OccurrenceDialog occurrence={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

interface DayProps {
  day: CalendarDay
  isToday: boolean
  classes: Occurrence[]
  /** False while the classes are still those of another week. */
  isLoaded: boolean
  onOpen: (occurrence: Occurrence) => void
}

function Day({ day, isToday, classes, isLoaded, onOpen }: DayProps) {
  return (
    <li className={`card py-2 ${classes.length === 0 ? 'bg-transparent' : ''}`}>
      <h3
        className={`px-4 py-1.5 ${isToday ? 'text-accent' : ''}`}
        aria-current={isToday ? 'date' : undefined}
      >
        {formatDay(day, { weekday: 'long', month: 'short', day: 'numeric' })}
      </h3>
      {classes.length === 0 && isLoaded && <p className="px-4 pb-1.5 text-small text-ink-3">No classes</p>}
      {classes.map((one) => (
        <OccurrenceItem key={one.schedule_id + one.original_date} occurrence={one} onOpen={onOpen} />
      ))}
    </li>
  )
}
