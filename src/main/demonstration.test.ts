import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { daysBetween, weekdayOf } from '#features/schedules/recurrence.ts'
import { demonstration, isHoliday, isSummer } from './demonstration.ts'

const TODAY = '2026-11-21' as CalendarDay

test('the same seed and day give the same people, and another seed gives other sessions', () => {
  assert.deepEqual(demonstration(1, TODAY), demonstration(1, TODAY))
  assert.notDeepEqual(demonstration(1, TODAY)[0]?.sessions, demonstration(2, TODAY)[0]?.sessions)
})

test('there is a family with three children and three tutors, and a tutor with students and an own entry', () => {
  const [family, tutor] = demonstration(1, TODAY)
  assert.deepEqual([family?.role, family?.students.length, family?.tutors.length], ['parent', 3, 3])
  assert.deepEqual(
    [tutor?.role, tutor?.students.length, tutor?.tutors.map((each) => each.isSelf)],
    ['tutor', 4, [true]],
  )
  assert.equal(family?.tutors[0]?.email, tutor?.email, 'the two know each other')
})

test('on any day, the year looks real and follows the rules of the product', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 0, max: 1500 }), (seed, later) => {
      const today = addDays('2025-01-01' as CalendarDay, later)
      for (const person of demonstration(seed, today)) {
        const { sessions, students, tutors, schedules } = person
        assert.ok(sessions.length >= 60 && sessions.length <= 220, `${sessions.length} sessions`)
        const newest = sessions.at(-1)?.day ?? today
        assert.ok(newest <= today && daysBetween(newest, today) <= 42)
        for (const session of sessions) {
          assert.ok(session.day >= addDays(today, -365) && !isHoliday(session.day))
          assert.ok(
            session.minutes > 0 &&
              session.minutes % 15 === 0 &&
              session.tutorRate > 0 &&
              (session.rateOverride ?? 1) > 0,
          )
          assert.ok(students[session.student] && tutors[session.tutor])
          assert.ok(
            schedules.some(
              (schedule) =>
                schedule.student === session.student &&
                schedule.tutor === session.tutor &&
                schedule.dayOfWeek === weekdayOf(session.day),
            ),
          )
        }
        const inSummer = sessions.filter((session) => isSummer(session.day)).length
        assert.ok(inSummer / 67 < (sessions.length - inSummer) / 298, 'the summer is quieter')
        assert.ok(
          ['confirmed', 'disputed', 'none'].every((answer) =>
            sessions.some((session) => session.answer === answer),
          ),
        )
        assert.ok(sessions.some((session) => session.rateOverride !== null))
        assert.ok(new Set(sessions.map((session) => session.tutorRate)).size > 1, 'rates differ')
      }
    }),
    { numRuns: 200 },
  )
})

test('on a later day, later sessions are added', () => {
  const [before] = demonstration(1, '2026-09-20' as CalendarDay)
  const [after] = demonstration(1, TODAY)
  assert.ok(before && after && before.sessions.at(-1)!.day < after.sessions.at(-1)!.day)
})
