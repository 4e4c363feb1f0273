// Reads the events of an iCalendar file (RFC 5545), as Google, Apple and Outlook write it.
import { calendarDay } from '#kernel/calendar-day.ts'
import { zoneNamed, type WallTime } from './calendar-zone.ts'
import { recurrenceRule, type RecurrenceRule } from './recurrence-rule.ts'

/** A time as written. Without a zone, it's the local time wherever one is. */
export interface WrittenTime extends WallTime {
  zone: string | undefined
  /** Whether it's a day without a time. */
  isDay: boolean
}

export interface CalendarEvent {
  uid: string
  title: string
  start: WrittenTime
  /** Undefined if only the duration is given. */
  end: WrittenTime | undefined
  /** Minutes; undefined if the end is given. */
  duration: number | undefined
  rule: RecurrenceRule | undefined
  /** The last time that the rule allows; undefined if it has no end. */
  until: WrittenTime | undefined
  /** Whether it recurs in a way that couldn't be read. */
  hasUnreadRule: boolean
  added: WrittenTime[]
  excluded: WrittenTime[]
  /** The time of the recurrence that this event replaces. */
  replaces: WrittenTime | undefined
  isCanceled: boolean
  /** Addresses of those who declined, in lower case. */
  declinedBy: string[]
}

/** What the file says about all of its events. */
export interface CalendarFacts {
  /** The name that the program gave the calendar; Google uses the owner's address. */
  name: string
  zoneOf: (tzid: string) => string | undefined
  /** Zones that aren't known. Their events count as if they were in the reader's zone. */
  unknownZones: Set<string>
}

export function isCalendar(text: string): boolean {
  return /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text.slice(0, 200))
}

interface Property {
  name: string
  value: string
  parameters: Map<string, string>
}

// No part of it can match in two ways, so a long line can't take long.
const PROPERTY = /^([a-z-]+)((?:;[^=;:"]+=(?:"[^"]*"|[^";:])*)*):(.*)$/is
const READ = /^(?:UID|SUMMARY|DTSTART|DTEND|DURATION|RRULE|EXDATE|RDATE|RECURRENCE-ID|STATUS|ATTENDEE)\b/i

function propertyIn(line: string): Property | undefined {
  const [, name, parameters = '', value = ''] = PROPERTY.exec(line) ?? []
  if (name === undefined) return undefined
  const pairs = parameters.matchAll(/;([^=;:"]+)=((?:"[^"]*"|[^";:])*)/g)
  return {
    name: name.toUpperCase(),
    value: value.trim(),
    parameters: new Map(
      [...pairs].map(([, key = '', text = '']) => [key.toUpperCase(), text.replaceAll('"', '')]),
    ),
  }
}

function linesOf(text: string): string[] {
  return text.replaceAll(/(?:\r\n|\r|\n)[ \t]/g, '').split(/\r\n|\r|\n/)
}

/** The calendar's name, and its time zones, including those that it defines under names of its own. */
export function factsOf(text: string): CalendarFacts {
  const aliases = new Map<string, string>()
  for (const block of text.split(/^BEGIN:VTIMEZONE/im).slice(1)) {
    const end = block.search(/^END:VTIMEZONE/im)
    const values = new Map(
      linesOf(block.slice(0, Math.max(0, end))).map((line) => [
        line.split(/[;:]/)[0],
        line.replace(/^[^:]*:/, ''),
      ]),
    )
    const [tzid, place] = [values.get('TZID'), zoneNamed(values.get('X-LIC-LOCATION') ?? '')]
    if (tzid !== undefined && place) aliases.set(tzid.trim(), place)
  }
  const unknownZones = new Set<string>()
  const known = new Map<string, string | undefined>()
  const zoneOf = (tzid: string) => {
    if (!known.has(tzid)) known.set(tzid, zoneNamed(tzid) ?? aliases.get(tzid.trim()))
    const zone = known.get(tzid)
    if (zone === undefined) unknownZones.add(tzid)
    return zone
  }
  const name = /^X-WR-CALNAME[^:\r\n]*:(.*)$/im.exec(text.slice(0, 5000))?.[1] ?? ''
  return { name: textOf(name.trim()), zoneOf, unknownZones }
}

/** The file's events, one at a time, and undefined for each one that can't be read. Says how far it is, from 0 to 1. */
export function* eventsOf(
  text: string,
  facts: CalendarFacts,
): Generator<{ event: CalendarEvent | undefined; at: number }> {
  const begins = /^[ \t]*BEGIN:VEVENT[ \t]*\r?$/gim
  let begin = begins.exec(text)
  while (begin) {
    const from = begin.index + begin[0].length
    begin = begins.exec(text)
    const block = text.slice(from, begin?.index)
    const end = block.search(/^END:VEVENT/im)
    yield {
      event: end < 0 ? undefined : eventIn(block.slice(0, end), facts),
      at: (begin?.index ?? text.length) / text.length,
    }
  }
}

function eventIn(block: string, facts: CalendarFacts): CalendarEvent | undefined {
  const properties = Map.groupBy(
    ownLinesOf(block)
      .filter((line) => READ.test(line))
      .flatMap((line) => propertyIn(line) ?? []),
    ({ name }) => name,
  )
  const first = (name: string) => properties.get(name)?.[0]
  const [starts, ends, replaced] = ['DTSTART', 'DTEND', 'RECURRENCE-ID'].map((name) => first(name))
  const start = starts && timesIn(starts, facts)[0]
  const end = ends && timesIn(ends, facts)[0]
  const length = first('DURATION')
  const duration = length && durationOf(length.value)
  if (!start || (ends && !end) || (length && duration === undefined)) return undefined
  const status = first('STATUS')?.value.toUpperCase()
  const all = (name: string) => (properties.get(name) ?? []).flatMap((one) => timesIn(one, facts))
  return {
    uid: first('UID')?.value ?? '',
    // Nobody knows whether it took place, so it's asked about.
    title: textOf(first('SUMMARY')?.value ?? '') + (status === 'TENTATIVE' ? ' (tentative)' : ''),
    start,
    end,
    duration,
    ...ruleIn(first('RRULE')?.value),
    added: all('RDATE'),
    excluded: all('EXDATE'),
    replaces: replaced && timesIn(replaced, facts)[0],
    isCanceled: status === 'CANCELLED',
    declinedBy: declinedIn(properties.get('ATTENDEE') ?? []),
  }
}

function ruleIn(written: string | undefined): Pick<CalendarEvent, 'rule' | 'until' | 'hasUnreadRule'> {
  const rule = written === undefined ? undefined : recurrenceRule(written)
  const until = rule?.until === undefined ? undefined : writtenTime(rule.until)
  const isRead = rule !== undefined && (rule.until === undefined || until !== undefined)
  return {
    rule: isRead ? rule : undefined,
    until,
    hasUnreadRule: written !== undefined && !isRead,
  }
}

function declinedIn(attendees: readonly Property[]): string[] {
  return attendees
    .filter(({ parameters }) => parameters.get('PARTSTAT')?.toUpperCase() === 'DECLINED')
    .map(({ value }) => value.replace(/^mailto:/i, '').toLowerCase())
}

/** An event's lines, without those of its alarms. */
function ownLinesOf(block: string): string[] {
  let depth = 0
  return linesOf(block).filter((line) => {
    const [, edge] = /^(BEGIN|END):/i.exec(line) ?? []
    if (edge) depth = Math.max(0, depth + (edge.toUpperCase() === 'BEGIN' ? 1 : -1))
    return depth === 0
  })
}

/** All times of a property, without those that don't exist. */
function timesIn({ value, parameters }: Property, { zoneOf }: CalendarFacts): WrittenTime[] {
  const tzid = parameters.get('TZID')
  return value.split(',').flatMap((text) => {
    // A period has its end or duration after a slash.
    const time = writtenTime(text.trim().split('/')[0] ?? '')
    if (!time) return []
    const zone = time.zone ?? (tzid === undefined || time.isDay ? undefined : zoneOf(tzid))
    return [{ ...time, zone }]
  })
}

/** Reads 20261117 or 20261117T163000, and those ending in Z, which are in UTC. */
function writtenTime(text: string): WrittenTime | undefined {
  const [, year, month, date, hour, minute, z] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(?:\d{2})?(Z)?)?$/i.exec(text) ?? []
  const day = calendarDay(`${year}-${month}-${date}`)
  if (!day || Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59) return undefined
  return {
    day: Date.parse(`${day}T00:00:00Z`) / 86_400_000,
    minute: 60 * Number(hour ?? 0) + Number(minute ?? 0),
    zone: z ? 'UTC' : undefined,
    isDay: hour === undefined,
  }
}

/** Reads PT1H30M, P1D and similar, in minutes. */
function durationOf(text: string): number | undefined {
  const found = /^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:\d{1,8}S)?)?$/i.exec(
    text,
  )
  if (!found) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0] = found.slice(1).map((one) => Number(one ?? 0))
  return ((weeks * 7 + days) * 24 + hours) * 60 + minutes
}

/** Text without the escapes of RFC 5545, on one line. */
function textOf(value: string): string {
  return value
    .replaceAll(/\\(n|[^])/gi, (_, one: string) => (one.toLowerCase() === 'n' ? ' ' : one))
    .replaceAll(/\s+/g, ' ')
    .trim()
}
