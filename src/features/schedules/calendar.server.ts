// The calendar feed that phones subscribe to (RFC 5545). Classes are in the time zone where they take place. Without one
// they float: 4:30 PM is 4:30 PM in every time zone.
import ical, { type ICalCalendar, type ICalDayJsStub, ICalEventStatus } from 'ical-generator'
import {
  tzlib_get_ical_block as timeZoneBlock,
  tzlib_get_timezones as timeZoneNames,
} from 'timezones-ical-library'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { instantOf, wallClockIn } from '#platform/zoned-time.server.ts'
import type { Change } from './occurrence.ts'
import { daysOfSeries, firstDay, isDayOfSeries, type Recurrence, stepOf, weekOfMonth } from './recurrence.ts'
import { GENERAL_TUTORING, recurrenceOf, type Schedule } from './schedule.ts'

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** A moved or canceled class with a number that rises each time the class changes. */
export interface NumberedChange extends Change {
  number: number
}

/**
 * Generates the feed: one series per active schedule, plus one event per canceled class, which cancels it, and one per
 * moved class, which isn't in the series. A class that was moved and canceled is a canceled event where it was moved to.
 * @param selfId the user's own tutor row, which isn't named in event titles
 */
export function calendarText(
  schedules: Schedule[],
  changes: NumberedChange[],
  selfId: string | undefined,
  now: Date,
): string {
  const calendar = ical({
    name: 'Tutorlog',
    prodId: { company: 'Tutorlog', product: 'Schedules', language: 'EN' },
    timezone: { name: null, generator: (zone) => knownZone(zone)?.block ?? null },
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
  changes: NumberedChange[],
  isOwn: boolean,
  now: Date,
): void {
  const series = recurrenceOf(schedule)
  const first = firstDay(series)
  const zone = schedule.time_zone === null ? undefined : knownZone(schedule.time_zone)
  const own = changes
    .filter(({ day, moved_to: to, outcome }) => isDayOfSeries(series, day) && (to ?? outcome) !== null)
    .sort((a, b) => a.day.localeCompare(b.day))
  // A length instead of an end is right for every class, also if the clock changes during one of them. The library adds
  // lines of our own only to those of a rule, of which there have to be two.
  const length = [`DURATION:PT${schedule.duration * 60}M`, 'TRANSP:OPAQUE']
  const add = (id: string, day: CalendarDay, time: string, number = 0, rule: string[] = []) =>
    calendar.createEvent({
      id: `${id}@tutorlog`,
      ...(zone ? { timezone: zone.name } : { floating: true }),
      start: new WallClock(day, time, zone?.name),
      repeating: [...rule, ...length].join('\n'),
      stamp: now,
      sequence: schedule.version + number,
      summary: `${schedule.student_name ?? ''}: ${schedule.subject ?? GENERAL_TUTORING}`,
      ...(isOwn ? {} : { description: `with ${schedule.tutor_name ?? ''}` }),
    })
  if (isDayOfSeries(series, first)) {
    const moved = own.flatMap((one) => (one.moved_to === null ? [] : compact(one.day, schedule.start_time)))
    add(schedule.feed_id, first, schedule.start_time, 0, [
      `RRULE:${ruleOf(series, first, schedule.start_time, zone?.name)}`,
      ...(moved.length ? [`EXDATE${zone ? `;TZID=${zone.name}` : ''}:${moved.join(',')}`] : []),
    ])
  }
  for (const { day, moved_to: to, start_time: time, outcome, number } of own) {
    const event =
      to === null
        ? add(schedule.feed_id, day, schedule.start_time, number).recurrenceId(
            new WallClock(day, schedule.start_time, zone?.name),
          )
        : add(`${schedule.feed_id}-${day}`, to, time ?? schedule.start_time, number)
    if (outcome !== null) event.status(ICalEventStatus.CANCELLED)
  }
}

function ruleOf(series: Recurrence, first: CalendarDay, time: string, zone: string | undefined): string {
  const until = series.end ? `;UNTIL=${lastTime(series, series.end, time, zone)}` : ''
  if (series.frequency === 'monthly')
    return `FREQ=MONTHLY;BYDAY=${weekOfMonth(first)}${DAYS[series.dayOfWeek]}${until}`
  const step = stepOf(series)
  return step % 7 === 0 ? `FREQ=WEEKLY;INTERVAL=${step / 7}${until}` : `FREQ=DAILY;INTERVAL=${step}${until}`
}

// With a time zone, the standard wants the last class in UTC.
function lastTime(series: Recurrence, end: CalendarDay, time: string, zone: string | undefined): string {
  if (zone === undefined) return compact(end, '23:59')
  const [last = end] = daysOfSeries(series, addDays(end, -366), end).slice(-1)
  const { day, time: utc } = wallClockIn(instantOf(last, time, zone), 'UTC')
  return `${compact(day, utc)}Z`
}

function compact(day: string, time: string): string {
  return `${day.replaceAll('-', '')}T${time.replace(':', '')}00`
}

const KNOWN: ReadonlySet<string> = new Set(timeZoneNames())

/**
 * A time zone's name in calendars and its VTIMEZONE. Some names are another's older ones, such as Asia/Calcutta, and
 * have its definition. Undefined if the library has none.
 */
function knownZone(zone: string): { name: string; block: string } | undefined {
  const { timeZone: usual } = new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions()
  const known = [zone, usual].find((name) => KNOWN.has(name))
  if (known === undefined) return undefined
  const [block = '', name = ''] = timeZoneBlock(known)
  return { name: name.replace(/^TZID=/, ''), block }
}

/** What a clock on the wall shows. For the library it's a date that has the same day and time in every zone. */
class WallClock implements ICalDayJsStub {
  readonly #day: CalendarDay
  readonly #time: string
  readonly #zone: string

  constructor(day: CalendarDay, time: string, zone = 'UTC') {
    this.#day = day
    this.#time = time
    this.#zone = zone
  }

  format(pattern: string): string {
    const [day = '', time = ''] = compact(this.#day, this.#time).split('T')
    return pattern === 'HHmmss' ? time : day
  }

  tz(): WallClock {
    return this
  }

  isValid(): boolean {
    return true
  }

  toDate(): Date {
    return instantOf(this.#day, this.#time, this.#zone)
  }

  toJSON(): string {
    return this.toDate().toJSON()
  }
}
