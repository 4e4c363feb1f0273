import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { timeZones } from '#kernel/time-zone.ts'
import { instantOf, wallClockIn } from '#platform/zoned-time.server.ts'
import { calendarText, type NumberedChange } from './calendar.server.ts'
import { type Change, occurrencesBetween } from './occurrence.ts'
import { daysOfSeries } from './recurrence.ts'
import { recurrenceOf, type Schedule } from './schedule.ts'
import { spanOf } from './zones.server.ts'

const START = '2026-11-21' as CalendarDay
const END = addDays(START, 731)
const NOW = new Date('2026-11-21T10:00:00Z')
/** With different changes of the clock, one in the south, and one that never changes it. */
const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Sydney', 'Asia/Calcutta', 'America/Santiago']
const half = (at: number) => `${String(Math.floor(at / 2)).padStart(2, '0')}:${at % 2 ? '30' : '00'}`

const schedule: fc.Arbitrary<Schedule> = fc
  .record({
    id: fc.uuid(),
    created_by_user_id: fc.constant('u'),
    student_id: fc.constant('m'),
    student_name: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
      .filter((name) => name.trim() === name),
    tutor_id: fc.constant('t'),
    tutor_name: fc.constant('Ingrid; "Lindqvist", \\n'),
    subject: fc.option(fc.constant('Algebra, II')),
    day_of_week: fc.integer({ min: 0, max: 6 }),
    start_time: fc.integer({ min: 0, max: 47 }).map(half),
    duration: fc.integer({ min: 1, max: 6 }).map((halves) => halves / 2),
    hourly_rate: fc.constant(null),
    frequency: fc.constantFrom('weekly', 'bi-weekly', 'monthly', 'custom'),
    custom_interval_days: fc.integer({ min: 1, max: 60 }),
    start_date: fc.integer({ min: -200, max: 200 }).map((days) => addDays(START, days)),
    end_date: fc.constant(null),
    timezone: fc.constant('UTC'),
    time_zone: fc.option(fc.constantFrom(...ZONES)),
    yours: fc.constant(null),
    is_active: fc.boolean(),
    notes: fc.constant(null),
    connection_id: fc.constant(null),
    is_shared: fc.constant(false),
    proposal: fc.constant(null),
    ended_by_other: fc.constant(null),
    feed_id: fc.uuid(),
    version: fc.constant(1),
  })
  .chain((one) =>
    fc.option(fc.integer({ min: 0, max: 700 })).map((days) => ({
      ...one,
      end_date: days === null ? null : addDays(one.start_date as CalendarDay, days),
    })),
  )

const LATE = { outcome: 'canceled_late', outcome_by: 'family', outcome_at: NOW } as const
const PLANNED = { outcome: null, outcome_by: null, outcome_at: null }

/** Generates a few changes to a schedule's classes, each canceling a class, moving it by up to two weeks, both, or neither anymore. */
const changesOf = (one: Schedule): fc.Arbitrary<NumberedChange[]> => {
  const days = daysOfSeries(recurrenceOf(one), START, END)
  return fc.subarray(days, { maxLength: Math.min(5, days.length) }).chain((picked) =>
    fc.tuple(
      ...picked.map((day) =>
        fc
          .tuple(
            fc.option(
              fc.record({ by: fc.integer({ min: 1, max: 13 }), at: fc.integer({ min: 0, max: 47 }) }),
            ),
            fc.boolean(),
          )
          .map(([move, isCanceled]): NumberedChange => ({
            schedule_id: one.id,
            day,
            moved_to: move && addDays(day, move.by),
            start_time: move && half(move.at),
            ...(isCanceled ? LATE : PLANNED),
            number: 1,
          })),
      ),
    ),
  )
}

/**
 * Whether the clock shows this time on this day, and only once. Otherwise the parser doesn't follow the standard: it
 * counts skipped times by the clock after the jump, and takes the second of two.
 */
function isClear(day: string, time: string, zone: string): boolean {
  const start = instantOf(day as CalendarDay, time, zone)
  const shows = (later: number) => wallClockIn(new Date(start.getTime() + later), zone).time === time
  return shows(0) && !shows(3_600_000)
}
const isFloating = (time: ICAL.Time) => time.zone === ICAL.Timezone.localTimezone
const asWritten = (time: ICAL.Time) =>
  isFloating(time) ? time.toString() : new Date(time.toUnixTime() * 1000).toISOString()

/** The feed's classes between two days as parsed by an independent library: instants, or wall clocks if they float. */
function parsed(text: string, from: CalendarDay = START, to: CalendarDay = END): string[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as [])
  const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component))
  const found: string[] = []
  const add = (event: ICAL.Event, start: ICAL.Time) => {
    if (event.component.getFirstPropertyValue('status') === 'CANCELLED') return
    const day = start.toString().slice(0, 10)
    if (day < from || day > to) return
    if (!isFloating(start) && !isClear(day, start.toString().slice(11, 16), start.zone.tzid)) return
    found.push(`${asWritten(start)} ${event.duration.toSeconds() / 3600} ${event.summary}`)
  }
  for (const event of events.filter((one) => !one.isRecurrenceException())) {
    if (!event.isRecurring()) {
      add(event, event.startDate)
      continue
    }
    for (const other of events.filter((one) => one.isRecurrenceException() && one.uid === event.uid))
      event.relateException(other)
    const iterator = event.iterator()
    for (let next = iterator.next(); next && next.toString().slice(0, 10) <= to; next = iterator.next()) {
      const { item, startDate } = event.getOccurrenceDetails(next)
      add(item, startDate)
    }
  }
  return found.sort()
}

/** The same classes as the app shows them. */
function shown(one: Schedule, changes: Change[]): string[] {
  return occurrencesBetween([one], changes, START, END)
    .filter(({ status }) => status !== 'canceled')
    .filter((each) => !each.time_zone || isClear(each.date, each.start_time, each.time_zone))
    .map((each) => {
      const start = spanOf(each)?.start.toISOString() ?? `${each.date}T${each.start_time}:00`
      return `${start} ${each.duration} ${each.student_name}: ${each.subject ?? 'General Tutoring'}`
    })
    .sort()
}

test(
  'for two years, an independent parser finds exactly the classes in the feed that the app shows',
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(
        schedule.chain((one) => fc.tuple(fc.constant(one), changesOf(one))),
        ([one, changes]) => {
          const text = calendarText([one], changes, undefined, NOW)
          assert.deepEqual(parsed(text), shown(one, changes))
          const isZoned = one.time_zone !== null && text.includes('BEGIN:VEVENT')
          assert.equal(text.includes('BEGIN:VTIMEZONE'), isZoned)
        },
      ),
      { numRuns: 400 },
    )
  },
)

test("I13: a name can't break out of its line or make a line longer than 75 octets", () => {
  const one = fc.sample(schedule, 1)[0] as Schedule
  const text = calendarText(
    [
      {
        ...one,
        is_active: true,
        end_date: null,
        student_name: `Eve\r\nATTACH:http://x.example/\nEND:VEVENT${'ж'.repeat(80)}`,
      },
    ],
    [],
    undefined,
    NOW,
  )
  assert.equal(text.match(/^END:VEVENT/gm)?.length, 1)
  assert.doesNotMatch(text, /^ATTACH/m)
  for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
})

test("the user's own name is left out of a tutor's calendar", () => {
  const one = { ...(fc.sample(schedule, 1)[0] as Schedule), is_active: true, end_date: null }
  assert.match(calendarText([one], [], undefined, NOW), /DESCRIPTION:with Ingrid/)
  assert.doesNotMatch(calendarText([one], [], 't', NOW), /Ingrid/)
})

const weekly = (more: Partial<Schedule>): Schedule => ({
  ...(fc.sample(schedule, 1)[0] as Schedule),
  id: 'other-side',
  feed_id: 'weekly',
  day_of_week: 0,
  start_time: '02:30',
  duration: 1,
  frequency: 'weekly',
  start_date: '2027-03-07',
  end_date: null,
  time_zone: 'America/New_York',
  is_active: true,
  version: 3,
  ...more,
})
const linesOf = (text: string, name: string) => text.split('\r\n').filter((line) => line.startsWith(name))

test('a class is in its time zone, which the feed defines once, and the last one is in UTC', () => {
  const text = calendarText([weekly({ end_date: '2027-03-27' }), weekly({ id: 'other' })], [], undefined, NOW)
  assert.equal(linesOf(text, 'DTSTART;TZID=America/New_York:20270307T023000').length, 2)
  assert.equal(linesOf(text, 'TZID:America/New_York').length, 1)
  // The last class is on March 21, after the clocks have changed.
  assert.deepEqual(linesOf(text, 'RRULE:FREQ=WEEKLY'), [
    'RRULE:FREQ=WEEKLY;INTERVAL=1;UNTIL=20270321T063000Z',
    'RRULE:FREQ=WEEKLY;INTERVAL=1',
  ])
  const floating = calendarText([weekly({ time_zone: null, end_date: '2027-03-27' })], [], undefined, NOW)
  assert.doesNotMatch(floating, /TZID|VTIMEZONE/)
  assert.match(floating, /^DTSTART:20270307T023000\r$/m)
  assert.match(floating, /UNTIL=20270327T235900\r$/m)
})

test('a series that starts at a time the clock skips keeps its time on all other days', () => {
  const text = calendarText([weekly({ start_date: '2027-03-14' })], [], undefined, NOW)
  assert.match(text, /^DTSTART;TZID=America\/New_York:20270314T023000\r$/m)
  assert.match(text, /^DURATION:PT60M\r$/m)
  assert.equal(
    parsed(text, '2027-03-14' as CalendarDay, '2027-03-21' as CalendarDay)[0]?.slice(0, 24),
    '2027-03-21T06:30:00.000Z',
  )
})

test('a canceled class is an event of its own whose sequence rises, a moved one keeps its own UID, also once it is canceled', () => {
  const [day, later, last] = ['2027-03-28', '2027-04-04', '2027-04-11'] as CalendarDay[] as [
    CalendarDay,
    CalendarDay,
    CalendarDay,
  ]
  const changes = (number: number): NumberedChange[] => [
    { schedule_id: 'other-side', day, moved_to: null, start_time: null, number, ...LATE },
    {
      schedule_id: 'other-side',
      day: later,
      moved_to: addDays(later, 1),
      start_time: '17:00',
      number,
      ...PLANNED,
    },
    {
      schedule_id: 'other-side',
      day: last,
      moved_to: addDays(last, 1),
      start_time: '18:00',
      number,
      ...LATE,
    },
    {
      schedule_id: 'other-side',
      day: addDays(last, 7),
      moved_to: null,
      start_time: null,
      number,
      ...PLANNED,
    },
  ]
  const text = calendarText([weekly({})], changes(7), undefined, NOW)
  const [series = '', canceled = '', moved = '', both = '', ...more] = text.split('BEGIN:VEVENT').slice(1)
  assert.match(series, /^UID:weekly@tutorlog\r\nSEQUENCE:3\r$/m)
  assert.match(series, /^EXDATE;TZID=America\/New_York:20270404T023000,20270411T023000\r$/m)
  assert.match(canceled, /^UID:weekly@tutorlog\r\nSEQUENCE:10\r$/m)
  assert.match(canceled, /^RECURRENCE-ID;TZID=America\/New_York:20270328T023000\r$/m)
  assert.match(canceled, /^STATUS:CANCELLED\r$/m)
  assert.match(moved, /^UID:weekly-2027-04-04@tutorlog\r\nSEQUENCE:10\r$/m)
  assert.match(moved, /^DTSTART;TZID=America\/New_York:20270405T170000\r$/m)
  assert.doesNotMatch(moved, /STATUS/)
  assert.match(both, /^UID:weekly-2027-04-11@tutorlog\r\nSEQUENCE:10\r$/m)
  assert.match(both, /^DTSTART;TZID=America\/New_York:20270412T180000\r$/m)
  assert.match(both, /^STATUS:CANCELLED\r$/m)
  assert.doesNotMatch(both, /RECURRENCE-ID/)
  assert.deepEqual(more, [], 'a class that is planned again is in the series')
  assert.match(calendarText([weekly({})], changes(8), undefined, NOW), /^SEQUENCE:11\r$/m)
})

test('every time zone to choose from has a definition that agrees with ours for two years', () => {
  for (const zone of timeZones('Asia/Kolkata')) {
    const text = calendarText(
      [weekly({ frequency: 'custom', custom_interval_days: 10, start_time: '12:30', time_zone: zone })],
      [],
      undefined,
      NOW,
    )
    const days = daysOfSeries(
      recurrenceOf(weekly({ frequency: 'custom', custom_interval_days: 10 })),
      '2027-03-07' as CalendarDay,
      END,
    )
    assert.deepEqual(
      parsed(text, '2027-03-07' as CalendarDay).map((line) => line.slice(0, 24)),
      days.map((day) => instantOf(day, '12:30', zone).toISOString()).sort(),
      zone,
    )
  }
})
