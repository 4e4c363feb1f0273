import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysBetween, weekdayOf } from '#features/schedules/recurrence.ts'
import { addDays, type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import { addMonths } from '#kernel/month.ts'
import { ACCOUNTS, CHILDREN, SHARED } from './cast.ts'
import { className, opening, type Step, story, YEAR } from './story.ts'

const TODAY = '2026-11-21' as CalendarDay
/** The days of a leap year and of the months around it. */
const DAYS = Array.from({ length: 430 }, (_, later) => addDays('2027-12-01' as CalendarDay, later))

type Of<Name extends Step['operation']> = Extract<Step, { operation: Name }>
const only = <Name extends Step['operation']>(steps: readonly Step[], name: Name) =>
  steps.filter((step): step is Of<Name> => step.operation === name)
const year = (today: CalendarDay) => [...opening(today), ...story(today, YEAR, ACCOUNTS)]
/** What happens to a lesson or payment after someone adds it. */
const answersTo = (steps: readonly Step[], { adds }: Step) =>
  steps.filter(({ of }) => of === adds).map(({ by, operation }) => `${by} ${operation}`)

test('the same day gives the same story, in order; nothing is in the future, named twice or used before it exists', () => {
  assert.deepEqual(year(TODAY), year(TODAY))
  for (const today of DAYS.filter((day) => /-(01|02|15|29|31)$/.test(day))) {
    const steps = year(today)
    assert.deepEqual(
      steps.map(({ day }) => day),
      steps.map(({ day }) => day).sort(),
    )
    assert.ok(steps.every(({ day }) => day <= today && day > addDays(today, -370)))
    const added = new Set<string>()
    for (const { by, of, adds } of steps) {
      assert.ok(!of || of === 'Ingrid' || [...added].some((name) => name.endsWith(`: ${of}`)), of)
      if (!adds) continue
      assert.ok(!added.has(`${by}: ${adds}`), adds)
      added.add(`${by}: ${adds}`)
    }
  }
})

test('on every day of the year, the lessons up to that day are the same: minutes, rates and subjects', () => {
  const lessons = (today: CalendarDay) =>
    only(story(today, YEAR, [SHARED]), 'LogSession')
      .map(({ day, input: { student_id: child, duration, hourly_rate: rate, subject } }) =>
        [daysBetween(day, today), child, duration, rate, subject].join(),
      )
      .slice(-50)
  const expected = lessons(TODAY)
  assert.equal(expected.length, 50)
  // Yesterday's lesson is only on another day if the month has just begun.
  for (const day of DAYS.filter((one) => !one.endsWith('-01'))) assert.deepEqual(lessons(day), expected, day)
})

test('lessons are on the weekdays of their classes, and not all have the same length and rate', () => {
  const steps = year(TODAY)
  const classes = new Set(only(steps, 'CreateSchedule').map(({ adds }) => adds))
  const lessons = only(story(TODAY, YEAR, ACCOUNTS), 'LogSession')
  for (const { day, input } of lessons) {
    assert.ok(classes.has(className(input.student_id, weekdayOf(day))), `${input.student_id} ${day}`)
    assert.equal((Number(input.duration) * 60) % 15, 0)
    assert.ok(CHILDREN.some(({ firstName }) => firstName === input.student_id))
  }
  assert.ok(new Set(lessons.map(({ input }) => input.hourly_rate)).size > 1, 'rates differ')
  assert.ok(new Set(lessons.map(({ input }) => input.duration)).size > 3, 'lengths differ')
  assert.ok(lessons.some(({ input }) => input.summary && input.homework))
  assert.ok(lessons.some(({ input }) => input.notes))
})

test('in every month but the current one, everything between the two sides is answered and paid, except for one lesson', () => {
  for (const today of DAYS) {
    const steps = story(today, 4, [SHARED])
    const last = addMonths(monthOf(today), -1)
    const open = [...only(steps, 'LogSession'), ...only(steps, 'AddPayment')].filter(
      (step) => !answersTo(steps, step).some((answer) => / Confirm/.test(answer)),
    )
    const before = open.filter(({ operation, day }) => operation === 'LogSession' && day.startsWith(last))
    assert.deepEqual(
      before.map(({ by }) => by),
      ['practice'],
      today,
    )
    assert.ok(open.every(({ day }) => monthOf(day) >= last))
    assert.equal(only(open, 'AddPayment').length, 1, 'the payment for last month is on its way')
    assert.deepEqual(
      only(steps, 'CloseMonth').map(({ input }) => input.month),
      [-3, -3, -2, -2].map((months) => addMonths(monthOf(today), months)),
    )
  }
})

test('from the fifth lesson of a month on, something waits for each side, and one lesson was sent back', () => {
  const steps = story(TODAY, 1, [SHARED])
  const lessons = only(steps, 'LogSession').reverse()
  assert.deepEqual(
    lessons.slice(0, 5).map((lesson) => [lesson.by, ...answersTo(steps, lesson)]),
    [
      ['practice'],
      ['family'],
      ['practice'],
      ['practice', 'family DisputeSession'],
      ['family', 'practice ConfirmSession'],
    ],
  )
})
