import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone } from '#kernel/time-zone.ts'
import { WINDOWS, zoneNamed } from './calendar-zone.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { type Range, type Reading, readCalendar, type Unreadable } from './occurrence.ts'

const RANGE: Range = {
  zone: 'America/New_York',
  from: '2025-09-01' as CalendarDay,
  now: new Date('2026-08-31T16:00:00Z'),
  email: 'Karin@Example.com',
}

function calendar(...events: string[]): string {
  const body = events.map(
    (event) => `BEGIN:VEVENT\r\n${event.trim().replaceAll(/\n */g, '\r\n')}\r\nEND:VEVENT`,
  )
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...body, 'END:VCALENDAR', ''].join('\r\n')
}

function resultOf(text: string, range: Range = RANGE): Reading | Unreadable {
  const steps = readCalendar(text, range)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    assert.ok(step.value >= 0 && step.value <= 1)
  }
}

function read(text: string, range: Range = RANGE): Reading {
  const result = resultOf(text, range)
  assert.ok(typeof result === 'object', String(result))
  return result
}

/** The days, times and minutes of all events. */
function timesOf(text: string, range: Range = RANGE): string[] {
  return read(text, range)
    .groups.flatMap(({ occurrences }) => occurrences)
    .map(({ day, start, minutes }) => `${day} ${start} ${minutes}`)
    .sort()
}

test('times are those of the account, whatever zone the calendar names', () => {
  for (const [start, end] of [
    ['DTSTART;TZID=America/New_York:20251103T163000', 'DTEND;TZID=America/New_York:20251103T173000'],
    ['DTSTART:20251103T213000Z', 'DTEND:20251103T223000Z'],
    ['DTSTART:20251103T163000', 'DTEND:20251103T173000'],
    ['DTSTART;TZID="W. Europe Standard Time":20251103T223000', 'DURATION:PT1H'],
    ['DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20251103T223000', 'DURATION:PT60M'],
    ['DTSTART;TZID=Asia/Kolkata:20251104T030000', 'DTEND:20251103T223000Z'],
  ])
    assert.deepEqual(timesOf(calendar(`UID:1\n${start}\n${end}`)), ['2025-11-03 16:30 60'], start)
})

test("a weekly lesson keeps its clock through a change of the clocks, and follows another zone's", () => {
  const weekly = (zone: string, time: string) =>
    calendar(`UID:1\nDTSTART;TZID=${zone}:20251020T${time}\nDURATION:PT45M\nRRULE:FREQ=WEEKLY;COUNT=3`)
  assert.deepEqual(timesOf(weekly('America/New_York', '163000')), [
    '2025-10-20 16:30 45',
    '2025-10-27 16:30 45',
    '2025-11-03 16:30 45',
  ])
  // Berlin's clock goes back on Oct 26, New York's on Nov 2.
  assert.deepEqual(timesOf(weekly('Europe/Berlin', '223000')), [
    '2025-10-20 16:30 45',
    '2025-10-27 17:30 45',
    '2025-11-03 16:30 45',
  ])
})

test('every kind of Windows name is known, in all parts of the world', () => {
  for (const [name, zone] of [
    ['Dateline Standard Time', 'Etc/GMT+12'],
    ['Greenland Standard Time', 'America/Godthab'],
    ['Central Standard Time (Mexico)', 'America/Mexico_City'],
    ['Central Standard Time', 'America/Chicago'],
    ['Central Brazilian Standard Time', 'America/Cuiaba'],
    ['Namibia Daylight Time', 'Africa/Windhoek'],
    ['Central Asia Standard Time', 'Asia/Bishkek'],
    ['Russia Time Zone 11', 'Asia/Kamchatka'],
    ['UTC+13', 'Etc/GMT-13'],
    ['Line Islands Standard Time', 'Pacific/Kiritimati'],
    ['UTC', 'UTC'],
  ] as const) {
    assert.equal(zoneNamed(name), zone)
    assert.ok(isTimeZone(zone), zone)
  }
  for (const zone of Object.values(WINDOWS)) assert.ok(isTimeZone(zone), zone)
  assert.equal(Object.keys(WINDOWS).length, 138)
})

test('a zone that nobody knows counts as the account’s, and is named', () => {
  const text = calendar('UID:1\nDTSTART;TZID=Customized Time Zone:20251103T163000\nDURATION:PT1H')
  assert.deepEqual(timesOf(text), ['2025-11-03 16:30 60'])
  assert.deepEqual(read(text).unknownZones, ['Customized Time Zone'])
  const named = text.replace(
    'BEGIN:VEVENT',
    'BEGIN:VTIMEZONE\r\nTZID:Customized Time Zone\r\nX-LIC-LOCATION:Europe/Berlin\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT',
  )
  assert.deepEqual(timesOf(named), ['2025-11-03 10:30 60'])
  assert.deepEqual(read(named).unknownZones, [])
})

test('a recurrence without an end stops now, and starts no earlier than asked', () => {
  const text = calendar(
    'UID:1\nDTSTART;TZID=America/New_York:19970902T110000\nDURATION:PT1H\nRRULE:FREQ=DAILY',
  )
  const days = timesOf(text)
  assert.equal(days[0], '2025-09-01 11:00 60')
  // It's noon: the lesson of 11 has just ended.
  assert.equal(days.at(-1), '2026-08-31 11:00 60')
  assert.equal(days.length, 365)
  const before = { ...RANGE, now: new Date('2026-08-31T15:59:00Z') }
  assert.equal(timesOf(text, before).at(-1), '2026-08-30 11:00 60')
})

test('moved, added, canceled and deleted recurrences are as in the calendar', () => {
  const series = `UID:1
    DTSTART;TZID=America/New_York:20251006T163000
    DTEND;TZID=America/New_York:20251006T173000
    RRULE:FREQ=WEEKLY;UNTIL=20251110T213000Z
    EXDATE;TZID=America/New_York:20251013T163000
    EXDATE:20251020T203000Z
    RDATE;TZID=America/New_York:20251015T090000
    SUMMARY:Maya`
  const moved = `UID:1
    RECURRENCE-ID:20251027T203000Z
    DTSTART;TZID=America/New_York:20251028T180000
    DTEND;TZID=America/New_York:20251028T191500
    SUMMARY:Maya`
  const canceled = `UID:1
    RECURRENCE-ID;TZID=America/New_York:20251103T163000
    DTSTART;TZID=America/New_York:20251103T163000
    DTEND;TZID=America/New_York:20251103T173000
    STATUS:CANCELLED
    SUMMARY:Maya`
  const expected = [
    '2025-10-06 16:30 60',
    '2025-10-15 09:00 60',
    '2025-10-28 18:00 75',
    '2025-11-10 16:30 60',
  ]
  assert.deepEqual(timesOf(calendar(series, moved, canceled)), expected)
  // Programs that merge calendars write events twice.
  assert.deepEqual(timesOf(calendar(moved, series, canceled, series)), expected)
})

test('events without a time, reminders, trips, and invitations that were declined are left out', () => {
  const text = calendar(
    'UID:1\nDTSTART;VALUE=DATE:20251103\nDTEND;VALUE=DATE:20251104\nSUMMARY:Holiday',
    'UID:2\nDTSTART:20251103T200000Z\nSUMMARY:Pay Ingrid',
    'UID:3\nDTSTART:20251103T200000Z\nDTEND:20251106T200000Z\nSUMMARY:Oslo',
    'UID:4\nDTSTART:20251103T200000Z\nDURATION:PT1H\nATTENDEE;PARTSTAT=DECLINED;CN="K: L;":MAILTO:karin@example.com',
    'UID:5\nDTSTART:20251103T210000Z\nDURATION:PT1H\nATTENDEE;PARTSTAT=DECLINED:mailto:someone@example.com',
    'UID:6\nDTSTART:20251103T220000Z\nDTEND:20251103T210000Z',
  )
  assert.deepEqual(timesOf(text), ['2025-11-03 16:00 60'])
  assert.equal(read(text).declined, 1)
})

test('a tentative event is named so, apart from those that are certain', () => {
  const lesson = (uid: number, more = '') =>
    `UID:${uid}\nDTSTART:2025110${uid}T200000Z\nDURATION:PT1H\nSUMMARY:Maya math${more}`
  const { groups } = read(calendar(lesson(3), lesson(4, '\nSTATUS:TENTATIVE')))
  assert.deepEqual(
    groups.map(({ title }) => title),
    ['Maya math', 'Maya math (tentative)'],
  )
})

test('folded lines, escapes and alarms are read as RFC 5545 says', () => {
  const alarm = 'BEGIN:VALARM\nSUMMARY:Reminder\nDTSTART:20200101T000000Z\nDURATION:PT5M\nEND:VALARM\n'
  const text = calendar(
    `${alarm}UID:1\nDTSTART:20251103T200000Z\nDURATION:PT1H\nSUMMARY:Maya\\, math\\nw/ Ing@rid`,
  )
  const folded = text.replace('@', '\r\n ')
  assert.deepEqual(
    read(folded).groups.map(({ title }) => title),
    ['Maya, math w/ Ingrid'],
  )
  assert.deepEqual(timesOf(folded), ['2025-11-03 15:00 60'])
})

test('a broken event is counted, and the others are read', () => {
  const good = 'UID:9\nDTSTART:20251103T200000Z\nDURATION:PT1H\nSUMMARY:Maya'
  for (const bad of [
    'UID:1\nSUMMARY:No start',
    'UID:1\nDTSTART:20251345T200000Z\nDURATION:PT1H',
    'UID:1\nDTSTART:yesterday\nDURATION:PT1H',
    'UID:1\nDTSTART:20251103T200000Z\nDTEND:later',
    'UID:1\nDTSTART:20251103T200000Z\nDURATION:1 hour',
  ]) {
    const result = read(calendar(bad, good))
    assert.equal(result.unread, 1, bad)
    assert.equal(result.groups.length, 1, bad)
  }
  const cutOff = `${calendar(good).replace('END:VCALENDAR\r\n', '')}BEGIN:VEVENT\r\nUID:2\r\nDTSTART:2025`
  assert.equal(read(cutOff).unread, 1)
  assert.deepEqual(timesOf(cutOff), ['2025-11-03 15:00 60'])
})

test('an event that recurs in an unknown way counts once, and is counted', () => {
  for (const rule of ['FREQ=HOURLY', 'FREQ=WEEKLY;UNTIL=forever', 'nonsense']) {
    const text = calendar(`UID:1\nDTSTART:20251103T200000Z\nDURATION:PT1H\nRRULE:${rule}`)
    assert.equal(read(text).unreadRules, 1)
    assert.deepEqual(timesOf(text), ['2025-11-03 15:00 60'])
  }
})

test('files that are no calendars, or are empty, are refused', () => {
  assert.equal(resultOf('Date,Student\n'), 'not_a_calendar')
  assert.equal(resultOf('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'), 'no_events')
})

test('20,000 events are read in short steps, and so are those that all recur daily forever', () => {
  const event = (at: number, rule: string) =>
    `UID:${at}\nDTSTART:202${at % 2 ? '5' : '6'}0${1 + (at % 6)}1${at % 10}T1${at % 10}0000Z\nDURATION:PT1H${rule}\nSUMMARY:Event ${at % 3000} ${'x'.repeat(at % 40)}`
  const numbers = Array.from({ length: 20_000 }, (_, at) => at)
  // Milliseconds of the processor's time, because others use the machine, too.
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const longestStep = (text: string) => {
    const steps = readCalendar(text, RANGE)
    let [longest, last] = [0, cpuMs()]
    for (;;) {
      const step = steps.next()
      const now = cpuMs()
      ;[longest, last] = [Math.max(longest, now - last), now]
      if (step.done) return { longest, result: step.value }
    }
  }
  const many = longestStep(calendar(...numbers.map((at) => event(at, ''))))
  assert.equal((many.result as Reading).events, 20_000)
  assert.ok(many.longest < 500, `${many.longest} ms`)
  const endless = longestStep(calendar(...numbers.map((at) => event(at, '\nRRULE:FREQ=DAILY'))))
  assert.equal(endless.result, 'too_many')
  assert.ok(endless.longest < 500, `${endless.longest} ms`)
})
