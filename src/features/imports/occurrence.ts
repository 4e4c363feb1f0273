// A calendar's events as they took place: each recurrence on its own, in one time zone, grouped by title.
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import {
  isCalendar,
  type CalendarEvent,
  type CalendarFacts,
  eventsOf,
  factsOf,
  type WrittenTime,
} from './calendar.ts'
import { momentOf, type WallTime, wallTimeAt } from './calendar-zone.ts'
import { type DayNumber, daysOfRule } from './recurrence-rule.ts'
import { groupKey } from './title.ts'

export interface Occurrence {
  day: CalendarDay
  /** HH:MM. */
  start: string
  minutes: number
}

/** Events that have the same words in their titles, whatever their order. */
export interface Group {
  key: string
  /** The most common of their titles. */
  title: string
  /** By day and time. */
  occurrences: Occurrence[]
}

export interface Reading {
  groups: Group[]
  /** All events in the file, including those that are left out. */
  events: number
  /** Events that couldn't be read. */
  unread: number
  unreadRules: number
  canceled: number
  declined: number
  unknownZones: string[]
}

export interface Range {
  /** The time zone of the lessons' days and times. */
  zone: string
  now: Date
  from: CalendarDay
  /** The reader's address. Events that it declined are left out. */
  email: string
}

export type Unreadable = 'not_a_calendar' | 'no_events' | 'too_many'

/** More than fifty people's calendars have in a year. */
const MOST_OCCURRENCES = 200_000
/** Longer events aren't lessons. */
const LONGEST_MINUTES = 24 * 60
const DAY_MINUTES = 24 * 60

/**
 * Reads a calendar's events from a day until now. A generator, so that whoever runs it can let the page work in between;
 * it yields how far it is, from 0 to 1.
 */
export function* readCalendar(text: string, range: Range): Generator<number, Reading | Unreadable> {
  if (!isCalendar(text)) return 'not_a_calendar'
  const facts = factsOf(text)
  const events: CalendarEvent[] = []
  let unread = 0
  for (const { event, at } of eventsOf(text, facts)) {
    if (event) events.push(event)
    else unread++
    yield at / 2
  }
  if (events.length + unread === 0) return 'no_events'
  const own = ownAddresses(range.email, facts)
  const hasDeclined = (event: CalendarEvent) => event.declinedBy.some((one) => own.has(one))
  const isReplaced = replacedTimes(events, range.zone)
  const grouping = new Grouping(range)
  for (const [at, event] of events.entries()) {
    yield (1 + at / events.length) / 2
    if (event.isCanceled || hasDeclined(event) || event.start.isDay) continue
    for (const start of startsOf(event, range)) {
      if (!event.replaces && isReplaced(event.uid, start)) continue
      grouping.add(event, start)
    }
    if (grouping.size > MOST_OCCURRENCES) return 'too_many'
  }
  const groups: Group[] = []
  for (const group of grouping.each()) {
    groups.push(group)
    yield 1
  }
  return {
    groups,
    events: events.length + unread,
    unread,
    unreadRules: events.filter((event) => event.hasUnreadRule).length,
    canceled: events.filter((event) => event.isCanceled).length,
    declined: events.filter(hasDeclined).length,
    unknownZones: [...facts.unknownZones],
  }
}

/** Google names a calendar after its owner's address. */
function ownAddresses(email: string, { name }: CalendarFacts): Set<string> {
  return new Set([email.toLowerCase(), ...(name.includes('@') ? [name.toLowerCase()] : [])])
}

function replacedTimes(events: readonly CalendarEvent[], zone: string) {
  const keyOf = (uid: string, time: WallTime) => `${timeKey(time)}|${uid}`
  const replaced = new Set(
    events.flatMap(({ uid, replaces }) => (replaces ? [keyOf(uid, inZone(replaces, zone))] : [])),
  )
  return (uid: string, start: WallTime) => replaced.has(keyOf(uid, start))
}

/** The time in a zone. Times without one, or with one that isn't known, are the same everywhere. */
function inZone(time: WrittenTime, zone: string): WallTime {
  if (time.zone === undefined || time.zone === zone || time.isDay) return time
  return wallTimeAt(momentOf(time, time.zone), zone)
}

/** When an event starts, in the range's zone. */
function* startsOf(event: CalendarEvent, { zone, now, from }: Range): Generator<WallTime> {
  const { start, rule, added, excluded } = event
  const excludedDays = new Set(excluded.filter(({ isDay }) => isDay).map(({ day }) => day))
  const excludedTimes = new Set(
    excluded.filter(({ isDay }) => !isDay).map((time) => timeKey(inZone(time, zone))),
  )
  const firstDay = dayNumber(from)
  const today = Math.floor(now.getTime() / 86_400_000)
  // A day more on both sides: it may be another day in the event's zone.
  const days = rule
    ? daysOfRule(rule, start.day, firstDay - 1, Math.min(today + 1, lastDayOf(event, zone)))
    : [start.day]
  const seen = new Set<number>()
  for (const time of [...Array.from(days, (day) => ({ ...start, day })), ...added]) {
    const local = inZone({ ...time, minute: time.isDay ? start.minute : time.minute }, zone)
    const key = timeKey(local)
    if (excludedDays.has(time.day) || excludedTimes.has(key) || seen.has(key)) continue
    seen.add(key)
    if (local.day >= firstDay) yield local
  }
}

/** The last day that a rule allows, in the zone of its event. */
function lastDayOf({ until, start }: CalendarEvent, zone: string): DayNumber {
  if (!until) return Infinity
  if (until.isDay) return until.day
  const local = inZone(until, start.zone ?? zone)
  return local.minute >= start.minute ? local.day : local.day - 1
}

function lengthOf({ start, end, duration = 0 }: CalendarEvent, zone: string): number {
  if (!end) return duration
  if (start.zone === end.zone) return timeKey(end) - timeKey(start)
  return momentOf(end, end.zone ?? zone) - momentOf(start, start.zone ?? zone)
}

function timeKey({ day, minute }: WallTime): number {
  return day * DAY_MINUTES + minute
}

function dayNumber(day: CalendarDay): DayNumber {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000
}

/** Collects the recurrences that are over, each one once, by the words of their titles. */
class Grouping {
  size = 0
  readonly #now: number
  readonly #zone: string
  readonly #seen = new Set<string>()
  readonly #groups = new Map<
    string,
    { titles: Map<string, number>; times: [key: number, minutes: number][] }
  >()

  constructor({ now, zone }: Range) {
    this.#zone = zone
    this.#now = timeKey(wallTimeAt(Math.floor(now.getTime() / 60_000), zone))
  }

  add(event: CalendarEvent, start: WallTime): void {
    const [key, minutes] = [timeKey(start), lengthOf(event, this.#zone)]
    const isPast = key + minutes <= this.#now
    if (!isPast || minutes <= 0 || minutes > LONGEST_MINUTES) return
    const once = `${key}|${event.uid}`
    if (event.uid !== '' && this.#seen.has(once)) return
    this.#seen.add(once)
    const words = groupKey(event.title)
    const group = this.#groups.get(words) ?? {
      titles: new Map<string, number>(),
      times: [] as [number, number][],
    }
    group.titles.set(event.title, (group.titles.get(event.title) ?? 0) + 1)
    group.times.push([key, minutes])
    this.#groups.set(words, group)
    this.size++
  }

  /** One at a time, because there may be thousands. */
  *each(): Generator<Group> {
    const days = new Map<DayNumber, CalendarDay>()
    for (const [key, { titles, times }] of this.#groups)
      yield {
        key,
        title: [...titles].reduce((one, other) => (other[1] > one[1] ? other : one))[0],
        occurrences: times
          .sort(([one], [other]) => one - other)
          .map(([time, minutes]) => occurrence(time, minutes, days)),
      }
  }
}

/** @param days the texts of days so far: many events share one */
function occurrence(time: number, minutes: number, days: Map<DayNumber, CalendarDay>): Occurrence {
  const number = Math.floor(time / DAY_MINUTES)
  const day = days.get(number) ?? addDays('1970-01-01' as CalendarDay, number)
  days.set(number, day)
  const minute = time - number * DAY_MINUTES
  const two = (part: number) => String(part).padStart(2, '0')
  return { day, start: `${two(Math.floor(minute / 60))}:${two(minute % 60)}`, minutes }
}
