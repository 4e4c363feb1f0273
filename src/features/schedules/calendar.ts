// The calendar feed that phones subscribe to (RFC 5545). It uses floating times: 4:30 PM is 4:30 PM in every
// time zone.
import ical, { type ICalCalendar } from 'ical-generator'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Change } from './occurrence.ts'
import { firstDay, isDayOfSeries, type Recurrence, stepOf, weekOfMonth } from './recurrence.ts'
import { GENERAL_TUTORING, recurrenceOf, type Schedule } from './schedule.ts'

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/**
 * Generates the feed: one series per active schedule, without skipped classes, plus one event per moved
 * class.
 * @param selfId the user's own tutor row, which isn't named in event titles
 */
export function calendarText(
  schedules: Schedule[],
  changes: Change[],
  selfId: string | undefined,
  now: Date,
): string {
  const calendar = ical({
    name: 'Tutorlog',
    prodId: { company: 'Tutorlog', product: 'Schedules', language: 'EN' },
  })
  for (const schedule of schedules) {
    if (!schedule.is_active || schedule.student_id === null || schedule.tutor_id === null) continue
    addSeries(
      calendar,
      schedule,
      changes.filter((change) => change.schedule_id === schedule.id),
      schedule.tutor_id === selfId,
      now,
    )
  }
  return calendar.toString()
}

function addSeries(
  calendar: ICalCalendar,
  schedule: Schedule,
  changes: Change[],
  isOwn: boolean,
  now: Date,
): void {
  const series = recurrenceOf(schedule)
  const first = firstDay(series)
  const own = changes
    .filter((change) => isDayOfSeries(series, change.day))
    .sort((a, b) => a.day.localeCompare(b.day))
  const add = (id: string, day: CalendarDay, time: string) =>
    calendar.createEvent({
      id,
      floating: true,
      start: floatingTime(day, time),
      end: new Date(floatingTime(day, time).getTime() + schedule.duration * 3_600_000),
      stamp: now,
      sequence: schedule.version,
      summary: `${schedule.student_name ?? ''}: ${schedule.subject ?? GENERAL_TUTORING}`,
      ...(isOwn ? {} : { description: `with ${schedule.tutor_name ?? ''}` }),
    })
  if (isDayOfSeries(series, first)) {
    const excluded = own.map(({ day }) => compact(day, schedule.start_time))
    add(`${schedule.id}@tutorlog`, first, schedule.start_time).repeating(
      [`RRULE:${ruleOf(series, first)}`, ...(excluded.length ? [`EXDATE:${excluded.join(',')}`] : [])].join(
        '\n',
      ),
    )
  }
  for (const { day, moved_to: to, start_time: time } of own) {
    if (to !== null) add(`${schedule.id}-${day}@tutorlog`, to, time ?? schedule.start_time)
  }
}

function ruleOf(series: Recurrence, first: CalendarDay): string {
  const until = series.end ? `;UNTIL=${compact(series.end, '23:59')}` : ''
  if (series.frequency === 'monthly')
    return `FREQ=MONTHLY;BYDAY=${weekOfMonth(first)}${DAYS[series.dayOfWeek]}${until}`
  const step = stepOf(series)
  return step % 7 === 0 ? `FREQ=WEEKLY;INTERVAL=${step / 7}${until}` : `FREQ=DAILY;INTERVAL=${step}${until}`
}

// The library builds floating times from the Date's UTC fields.
function floatingTime(day: CalendarDay, time: string): Date {
  return new Date(`${day}T${time}:00Z`)
}

function compact(day: string, time: string): string {
  return `${day.replaceAll('-', '')}T${time.replace(':', '')}00`
}
