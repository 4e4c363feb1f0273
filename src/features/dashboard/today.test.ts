import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Occurrence } from '#features/schedules/occurrence.ts'
import { calendarDay } from '#kernel/calendar-day.ts'
import { cents, currencyOf } from '#kernel/money.ts'
import type { TodayClass } from './dashboard.ts'
import { dayAt, daySum, sumInWords, withAmounts } from './today.ts'

const TODAY = calendarDay('2026-11-24') ?? assert.fail()
const [USD, EUR] = [currencyOf('USD'), currencyOf('EUR')]

const planned = (start_time: string, more: Partial<Occurrence> = {}): Occurrence => ({
  schedule_id: `at ${start_time}`,
  date: TODAY,
  original_date: TODAY,
  start_time,
  duration: 1.5,
  time_zone: null,
  ends_at: null,
  yours: null,
  student_id: 'maya',
  student_name: 'Maya',
  tutor_id: 'you',
  tutor_name: 'You',
  subject: null,
  hourly_rate: null,
  connection_id: null,
  is_shared: false,
  proposed: null,
  status: 'planned',
  outcome: null,
  outcome_by: null,
  outcome_at: null,
  session_id: null,
  last: null,
  ...more,
})
const priced = (start_time: string, amount: number | null, more: Partial<TodayClass> = {}): TodayClass => ({
  ...planned(start_time),
  amount,
  currency: USD,
  ...more,
})

test('a class comes to its schedule’s rate, else its student’s, else the tutor’s; a logged one to what was logged', () => {
  const rates = (
    schedule_id: string,
    schedule: number | null,
    student: number | null,
    tutor: number | null,
  ) => ({
    schedule_id,
    schedule: schedule === null ? null : cents(schedule),
    student: student === null ? null : cents(student),
    tutor: tutor === null ? null : cents(tutor),
    currency: EUR,
  })
  const classes = ['09:00', '10:00', '11:00', '12:00'].map((time) => planned(time))
  const logged = planned('13:00', { status: 'logged', session_id: 'one' })
  const priced = withAmounts(
    [...classes, logged],
    [
      rates('at 09:00', 6000, 5000, 4000),
      rates('at 10:00', null, 5001, 4000),
      rates('at 11:00', null, null, 4000),
      rates('at 12:00', null, null, null),
      rates('at 13:00', 6000, null, null),
    ],
    [{ id: 'one', amount: cents(1234), currency: USD }],
  )
  assert.deepEqual(
    priced.map(({ amount, currency }) => [amount, currency]),
    [
      [90, EUR],
      [75.02, EUR],
      [60, EUR],
      [null, EUR],
      [12.34, USD],
    ],
  )
  assert.deepEqual(
    withAmounts(classes, [], []).map(({ amount, currency }) => [amount, currency]),
    classes.map(() => [null, null]),
    'no amounts for members who can’t see them',
  )
})

test('a class is later until it ends, and open until it is answered; yesterday’s never show up', () => {
  const day = [
    planned('09:00', { status: 'canceled' }),
    planned('10:00'),
    planned('15:00', { status: 'logged' }),
    planned('16:30'),
    planned('23:00', { date: '2026-11-23' }),
  ].map((one) => ({ ...one, amount: null, currency: null }))
  const at = (time: string) => {
    const { past, later, open } = dayAt(day, { today: TODAY, time, now: new Date(0) })
    return [past, later, open].map((part) => part.map(({ start_time: start }) => start).join(' '))
  }
  assert.deepEqual(at('11:29'), ['09:00 15:00', '10:00 16:30', ''])
  assert.deepEqual(at('11:30'), ['09:00 10:00 15:00', '16:30', '10:00'])
  assert.deepEqual(at('18:00'), ['09:00 10:00 15:00 16:30', '', '10:00 16:30'])
})

test('the day’s sum is what was logged of what the day comes to, by currency, without canceled classes', () => {
  const done = { status: 'logged' as const }
  const day = [priced('09:00', 60, done), priced('10:00', 40.5), priced('11:00', null)]
  assert.equal(daySum(day), '$60.00 of $100.50')
  assert.equal(daySum([...day, priced('12:00', 99, { status: 'canceled' })]), '$60.00 of $100.50')
  assert.equal(daySum(day.map((one) => ({ ...one, ...done }))), '$100.50')
  assert.equal(
    daySum([...day, priced('12:00', 45, { currency: EUR })]),
    '$60.00 of $100.50 and €0.00 of €45.00',
  )
  assert.equal(daySum([priced('11:00', null)]), undefined)
})

test('the sum of classes leaves out those without a rate', () => {
  assert.equal(sumInWords([priced('09:00', 60), priced('10:00', null), priced('11:00', 7.5)]), '$67.50')
  assert.equal(sumInWords([priced('10:00', null)]), undefined)
})
