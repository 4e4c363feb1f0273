import { addDays, type CalendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'

interface DayButtonsProps {
  /** The day in the form. */
  day: string
  /** The latest day on which these two usually have a lesson. */
  usualDay: CalendarDay | undefined
  onChoose: (day: CalendarDay) => void
}

/** Buttons that set the date: today, yesterday, and the pair's last usual weekday. */
export function DayButtons({ day, usualDay, onChoose }: DayButtonsProps) {
  const today = dayIn(new Date())
  const yesterday = addDays(today, -1)
  const isEarlier = usualDay !== undefined && usualDay < yesterday
  const days = [
    { label: 'Today', value: today },
    { label: 'Yesterday', value: yesterday },
    ...(isEarlier ? [{ label: formatDay(usualDay, { weekday: 'long' }), value: usualDay }] : []),
  ]
  return (
    <div
      className="col-span-full -mt-1 flex flex-wrap gap-2 lg:col-span-1 lg:mt-0 lg:mb-[3px] lg:self-end"
      role="group"
      aria-label="Days"
    >
      {days.map(({ label, value }) => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-pressed={day === value}
          onClick={() => onChoose(value)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
