import { type KeyboardEvent, useRef, useState } from 'react'
import { type CalendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { useOccurrences } from '../client.web.ts'
import { dayForKey, monthsAway, weeksOfMonth } from '../grid.ts'
import { type Occurrence, yourDay } from '../occurrence.ts'
import { OccurrenceDialog } from '../OccurrenceDialog.tsx'
import { WEEKDAYS, weekdaysInOrder } from '../schedule.ts'
import { OccurrenceItem } from './OccurrenceItem.tsx'
import { Pager } from './Pager.tsx'

/** A month as a grid of days, with the selected day's classes below it. Arrow keys move the selection. */
export default function MonthView() {
  const today = dayIn(new Date())
  const [chosen, setChosen] = useState(today)
  const [opened, setOpened] = useState<Occurrence>()
  const grid = useRef<HTMLTableElement>(null)
  const weeks = weeksOfMonth(chosen)
  const classes = useOccurrences(weeks[0]?.[0] ?? today, weeks.at(-1)?.[6] ?? today)
  // While another month loads, the data is still the previous month's.
  const isLoaded = classes.data !== undefined && !classes.isPlaceholderData
  useFailureToast(classes.error, 'Failed to fetch schedules')
  const onDay = (day: CalendarDay) => classes.data?.filter((one) => yourDay(one) === day) ?? []

  const press = (event: KeyboardEvent) => {
    const next = dayForKey(chosen, event.key)
    if (!next) return
    event.preventDefault()
    setChosen(next)
    // Waits for the next frame, because the target day's month may not have been rendered yet.
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus())
  }
  const words = (day: CalendarDay) => {
    const date = formatDay(day, { weekday: 'long', month: 'long', day: 'numeric' })
    if (!isLoaded) return date
    const count = onDay(day).filter((one) => one.status !== 'canceled').length
    const canceled = onDay(day).length - count
    const classes = count === 0 ? 'no classes' : count === 1 ? '1 class' : `${count} classes`
    return `${date}, ${classes}${canceled > 0 ? `, ${canceled} canceled` : ''}`
  }
  return (
    <>
      <Pager
        label={formatDay(chosen, { month: 'long', year: 'numeric' })}
        unit="month"
        onMove={(by) => setChosen(monthsAway(chosen, by))}
        onToday={() => setChosen(today)}
      />
      {classes.isError && (
        <div className="mt-4">
          <LoadFailed title="Your classes didn’t load" onRetry={() => void classes.refetch()} />
        </div>
      )}
      <div className="lg:grid lg:grid-cols-[3fr_2fr] lg:items-start lg:gap-6">
        <table
          ref={grid}
          aria-label="Month"
          className={`card mt-4 w-full table-fixed border-separate border-spacing-0.5 p-1.5 max-[389px]:p-0.5 ${classes.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <thead>
            <tr>
              {weekdaysInOrder().map((weekday) => (
                <th
                  key={weekday}
                  scope="col"
                  abbr={WEEKDAYS[weekday]}
                  className="py-1.5 text-[min(var(--text-micro),3.4vw)] font-semibold text-ink-3"
                >
                  {WEEKDAYS[weekday]?.slice(0, 3)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.map((day) => (
                  <td key={day}>
                    <button
                      type="button"
                      data-day={day}
                      tabIndex={day === chosen ? 0 : -1}
                      aria-label={words(day)}
                      aria-pressed={day === chosen}
                      aria-current={day === today ? 'date' : undefined}
                      onClick={() => setChosen(day)}
                      onKeyDown={press}
                      className={[
                        'num grid min-h-12 w-full place-items-center content-center gap-0.5 rounded-sm',
                        day === chosen
                          ? 'bg-accent text-on-accent'
                          : day === today
                            ? 'bg-accent-soft text-accent'
                            : 'hover:bg-sunken',
                        day.slice(0, 7) === chosen.slice(0, 7) ? 'font-semibold' : 'text-ink-3',
                      ].join(' ')}
                    >
                      {Number(day.slice(8))}
                      <span className="flex h-1.5 gap-0.5" aria-hidden="true">
                        {onDay(day)
                          .slice(0, 3)
                          .map((one) => (
                            <i
                              key={one.schedule_id + one.original_date}
                              className={`size-1.5 rounded-full border border-current ${one.status === 'canceled' ? '' : 'bg-current'}`}
                            />
                          ))}
                      </span>
                    </button>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <section className="mt-4" aria-live="polite">
          <h3 className="px-1 py-1.5">
            {formatDay(chosen, { weekday: 'long', month: 'long', day: 'numeric' })}
          </h3>
          <div className="card list py-1 empty:hidden">
            {onDay(chosen).map((one) => (
              <OccurrenceItem key={one.schedule_id + one.original_date} occurrence={one} onOpen={setOpened} />
            ))}
            {onDay(chosen).length === 0 && (isLoaded || !classes.isError) && (
              <p className="px-4 py-3 text-ink-2">
                {isLoaded ? 'No classes on this day.' : 'Loading classes...'}
              </p>
            )}
          </div>
        </section>
      </div>
      {opened && <OccurrenceDialog occurrence={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}
