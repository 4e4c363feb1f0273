import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { calendarText } from './calendar.ts'
import { type Change, occurrencesBetween } from './occurrence.ts'
import { daysOfSeries } from './recurrence.ts'
import { recurrenceOf, type Schedule } from './schedule.ts'

const START = '2026-11-21' as CalendarDay
const END = addDays(START, 731)
const NOW = new Date('2026-11-21T10:00:00Z')
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
    is_active: fc.boolean(),
    notes: fc.constant(null),
    connection_id: fc.constant(null),
    version: fc.constant(1),
  })
  .chain((one) =>
    fc.option(fc.integer({ min: 0, max: 700 })).map((days) => ({
      ...one,
      end_date: days === null ? null : addDays(one.start_date as CalendarDay, days),
    })),
  )

/** Generates a few changes to a schedule's classes, each skipping a class or moving it by up to two weeks. */
const changesOf = (one: Schedule): fc.Arbitrary<Change[]> => {
  const days = daysOfSeries(recurrenceOf(one), START, END)
  return fc.subarray(days, { maxLength: Math.min(5, days.length) }).chain((picked) =>
    fc.tuple(
      ...picked.map((day) =>
        fc
          .option(fc.record({ by: fc.integer({ min: 1, max: 13 }), at: fc.integer({ min: 0, max: 47 }) }))
          .map((move): Change => ({
            schedule_id: one.id,
            day,
            moved_to: move && addDays(day, move.by),
            start_time: move && half(move.at),
          })),
      ),
    ),
  )
}

/** The feed's classes as parsed by an independent library. */
function parsed(text: string): string[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as [])
  return calendar
    .getAllSubcomponents('vevent')
    .flatMap((component) => {
      const event = new ICAL.Event(component)
      const found: string[] = []
      if (!event.isRecurring())
        return [`${event.startDate.toString()} ${event.duration.toSeconds() / 3600} ${event.summary}`]
      const iterator = event.iterator()
      for (let next = iterator.next(); next && next.toString().slice(0, 10) <= END; next = iterator.next()) {
        assert.equal(next.zone, ICAL.Timezone.localTimezone, 'a floating time')
        found.push(`${next.toString()} ${event.duration.toSeconds() / 3600} ${event.summary}`)
      }
      return found
    })
    .filter((line) => line.slice(0, 10) >= START && line.slice(0, 10) <= END)
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
          const shown = occurrencesBetween([one], changes, START, END)
            .filter(({ status }) => status !== 'skipped')
            .map(
              (each) =>
                `${each.date}T${each.start_time}:00 ${each.duration} ${each.student_name}: ${each.subject ?? 'General Tutoring'}`,
            )
            .sort()
          assert.deepEqual(parsed(calendarText([one], changes, undefined, NOW)), shown)
        },
      ),
      { numRuns: 300 },
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
