import { Check, CircleHelp, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { formatHour } from '#kernel/wall-clock.ts'
import { timeNow } from '../client.web.ts'
import { hoursOf, minutesOfDay, placedInDay } from '../grid.ts'
import { type Occurrence, timesOf, yourDay, yourTime } from '../occurrence.ts'
import { occurrenceLine, stateInWords, stateOf, subjectLine } from './OccurrenceItem.tsx'

interface WeekGridProps {
  days: CalendarDay[]
  today: CalendarDay
  classes: Occurrence[]
  onOpen: (occurrence: Occurrence) => void
}

/** An hour's height. Half an hour, the shortest class, is then high enough to be pressed. */
const HOUR_REM = 5.5
const inRem = (minutes: number) => `${(minutes / 60) * HOUR_REM}rem`

/** Seven columns with hours. Screen readers get a list of days with their classes. */
export function WeekGrid({ days, today, classes, onOpen }: WeekGridProps) {
  const timed = classes.map((one) => ({ start_time: yourTime(one), duration: one.duration, shown: one }))
  const { from, to } = hoursOf(timed)
  const hours = Array.from({ length: to - from }, (_, at) => from + at)
  const height = inRem((to - from) * 60)
  return (
    <div className="card mt-4 grid grid-cols-[auto_minmax(0,1fr)] overflow-hidden">
      <div className="pt-[3.5rem] text-micro text-ink-3" aria-hidden="true">
        {hours.map((hour, at) => (
          <div key={hour} className="num pr-1.5 pl-3 text-right" style={{ height: inRem(60) }}>
            <span className={at === 0 ? '' : 'relative -top-2'}>{formatHour(hour)}</span>
          </div>
        ))}
      </div>
      <ol className="grid grid-cols-7">
        {days.map((day) => (
          <li key={day} className="min-w-0 border-l border-line" data-day={day}>
            <DayHeading day={day} isToday={day === today} />
            <div
              className="relative border-t border-line"
              style={{
                height,
                backgroundImage: 'linear-gradient(var(--color-line) 1px, transparent 1px)',
                backgroundSize: `100% ${HOUR_REM}rem`,
                backgroundPositionY: '-1px',
              }}
            >
              {day === today && <NowLine from={from} to={to} />}
              <ul aria-label={formatDay(day, { weekday: 'long', month: 'long', day: 'numeric' })}>
                {placedInDay(timed.filter(({ shown }) => yourDay(shown) === day)).map(
                  ({ one: { shown: one }, start, minutes, column, columns }) => (
                    <li
                      key={one.schedule_id + one.original_date}
                      className="absolute p-px"
                      style={{
                        top: inRem(start - from * 60),
                        height: inRem(minutes),
                        left: `${(column / columns) * 100}%`,
                        width: `${100 / columns}%`,
                      }}
                    >
                      <ClassBlock occurrence={one} onOpen={onOpen} />
                    </li>
                  ),
                )}
              </ul>
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}

function DayHeading({ day, isToday }: { day: CalendarDay; isToday: boolean }) {
  return (
    <h3
      className={`grid h-[3.5rem] place-content-center text-center ${isToday ? 'text-accent' : ''}`}
      aria-current={isToday ? 'date' : undefined}
    >
      <span className="sr-only">{formatDay(day, { weekday: 'long', month: 'long', day: 'numeric' })}</span>
      <span className="text-micro font-semibold" aria-hidden="true">
        {isToday ? 'Today' : formatDay(day, { weekday: 'short' })}
      </span>
      <span className="num text-[1.1875rem] leading-tight" aria-hidden="true">
        {Number(day.slice(8))}
      </span>
    </h3>
  )
}

const LOOKS = {
  planned: { look: 'bg-surface border-accent-line border-l-3 border-l-accent', Icon: undefined, tone: '' },
  logged: { look: 'border-line bg-ok-soft', Icon: Check, tone: 'text-ok' },
  unanswered: { look: 'border-warn-line bg-warn-soft', Icon: CircleHelp, tone: 'text-warn' },
  canceled: {
    look: 'border-dashed border-control bg-surface text-ink-3',
    Icon: X,
    tone: 'text-ink-3',
  },
}

/** A class in its day's column. Tap it to open its dialog. */
function ClassBlock({
  occurrence,
  onOpen,
}: {
  occurrence: Occurrence
  onOpen: (occurrence: Occurrence) => void
}) {
  const reader = useSide()
  const state = stateOf(occurrence)
  const { look, Icon, tone } = LOOKS[state]
  const words = stateInWords(occurrence, reader)
  const isCanceled = state === 'canceled'
  const { student_name: name, duration } = occurrence
  const line = occurrenceLine(occurrence, reader)
  return (
    <button
      type="button"
      title={`${name}, ${line}`}
      className={`flex h-full w-full flex-col overflow-hidden rounded-sm border px-1.5 py-1 text-left wrap-anywhere hover:border-control ${look}`}
      onClick={() => onOpen(occurrence)}
    >
      <span
        className="flex w-full shrink-0 items-start gap-1 text-small leading-[1.15rem] font-semibold"
        aria-hidden="true"
      >
        <span
          className={`min-w-0 flex-1 ${duration < 1 ? 'line-clamp-1' : 'line-clamp-2'} ${isCanceled ? 'line-through' : ''}`}
        >
          {name}
        </span>
        {Icon && <Icon className={`size-3.5 shrink-0 ${tone}`} strokeWidth={3} />}
      </span>
      <span
        className={`num shrink-0 text-micro ${duration < 1 ? 'line-clamp-2' : 'line-clamp-3'}`}
        aria-hidden="true"
      >
        {isCanceled ? words : `${timesOf(occurrence)}, ${hoursInWords(duration)}`}
      </span>
      {duration >= 1 && (
        <span className="line-clamp-2 shrink-0 text-micro text-ink-2" aria-hidden="true">
          {isCanceled ? timesOf(occurrence) : subjectLine(occurrence, reader)}
        </span>
      )}
      <span className="sr-only">
        {name}, {line}
        {words && `, ${words}`}
      </span>
    </button>
  )
}

/** Where the day has got to, if it's within the hours shown. */
function NowLine({ from, to }: { from: number; to: number }) {
  const [time, setTime] = useState(timeNow)
  useEffect(() => {
    const timer = setInterval(() => setTime(timeNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const minutes = minutesOfDay(time) - from * 60
  if (minutes < 0 || minutes > (to - from) * 60) return null
  // The line is below the classes, so that it doesn't cross out a name; its start is above them.
  return (
    <div aria-hidden="true" data-now>
      <div className="absolute inset-x-0 border-t-2 border-margin" style={{ top: inRem(minutes) }} />
      <div
        className="pointer-events-none absolute -left-1 z-1 size-2.5 -translate-y-1 rounded-full bg-margin"
        style={{ top: inRem(minutes) }}
      />
    </div>
  )
}
