import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, type CalendarDay, calendarDay, formatDay } from '#kernel/calendar-day.ts'
import { claimAppointments } from './appointment.ts'
import { claimDays, type SaidDay } from './spoken-date.ts'
import { lineOf } from './spoken-line.ts'

// A Wednesday.
const TODAY = '2026-06-17' as CalendarDay

function daysIn(text: string, today = TODAY): CalendarDay[] {
  return claimAppointments(claimDays<SaidDay | { slot: 'aside' }>(lineOf(text), today)).flatMap(({ said }) =>
    said?.slot === 'day' ? [said.day] : [],
  )
}

test('days of every kind are found', () => {
  const cases: [string, string][] = [
    ['today', '2026-06-17'],
    ['this morning', '2026-06-17'],
    ['a few minutes ago', '2026-06-17'],
    ['an hour ago', '2026-06-17'],
    ['yesterday', '2026-06-16'],
    ['last night', '2026-06-16'],
    ['the day before yesterday', '2026-06-15'],
    ['tomorrow', '2026-06-18'],
    ['two days ago', '2026-06-15'],
    ['a week ago', '2026-06-10'],
    ['week ago', '2026-06-10'],
    ['a couple of weeks ago', '2026-06-03'],
    ['a month ago', '2026-05-17'],
    ['a week ago monday', '2026-06-08'],
    ['in three days', '2026-06-20'],
    ['in two weeks', '2026-07-01'],
    ['a fortnight ago', '2026-06-03'],
    ['yday', '2026-06-16'],
    ["y'day", '2026-06-16'],
    ['this a.m.', '2026-06-17'],
    ['last evening', '2026-06-16'],
    ['a week ago yesterday', '2026-06-09'],
    ['two weeks ago today', '2026-06-03'],
    ['yesterday week', '2026-06-09'],
    ['a week last friday', '2026-06-05'],
    ['last friday week', '2026-06-05'],
    ['monday just gone', '2026-06-15'],
    ['friday past', '2026-06-12'],
    ['a fortnight ago on monday', '2026-06-01'],
    ['last week, i think it was the monday', '2026-06-08'],
    ['monday 8/6', '2026-06-08'],
    ['this time last week', '2026-06-10'],
    ['6.13.2026', '2026-06-13'],
    ['13.6.2026', '2026-06-13'],
    ['2026/06/13', '2026-06-13'],
    ['three evenings ago', '2026-06-14'],
    ['on friday', '2026-06-12'],
    ['last friday', '2026-06-12'],
    ['wednesday', '2026-06-10'],
    ['this past tuesday', '2026-06-16'],
    ['the friday before last', '2026-06-05'],
    ['two fridays ago', '2026-06-05'],
    ['tuesday last week', '2026-06-09'],
    ['last week on saturday', '2026-06-13'],
    ['friday of the week before last', '2026-06-05'],
    ['monday this week', '2026-06-15'],
    ['this friday', '2026-06-19'],
    ['this coming monday', '2026-06-22'],
    ['next friday', '2026-06-26'],
    ['tuesday next week', '2026-06-23'],
    ['on the third', '2026-06-03'],
    ['on the 20th', '2026-05-20'],
    ['on the thirty first', '2026-05-31'],
    ['on the 3rd of last month', '2026-05-03'],
    ['june third', '2026-06-03'],
    ['3 june, 5-7pm', '2026-06-03'],
    ['june, 3', '2026-06-03'],
    ['june 3', '2026-06-03'],
    ['the third of june', '2026-06-03'],
    ['3 june 2025', '2025-06-03'],
    ['june third twenty twenty five', '2025-06-03'],
    ['december 20th', '2025-12-20'],
    ['june 20', '2026-06-20'],
    ['6/12', '2026-06-12'],
    ['6/12/25', '2025-06-12'],
    ['2026-06-12', '2026-06-12'],
    ['13/5', '2026-05-13'],
    ['on six twelve', '2026-06-12'],
    ['monday june fifteenth', '2026-06-15'],
    ['the last day of may', '2026-05-31'],
    ['the first monday in june', '2026-06-01'],
    ['the last friday of may', '2026-05-29'],
    ["on mother's day", '2026-05-10'],
    ['memorial day', '2026-05-25'],
    ["new year's day", '2026-01-01'],
    ['the day after christmas', '2025-12-26'],
    ['two days before christmas', '2025-12-23'],
    ['the monday before easter', '2026-03-30'],
  ]
  for (const [text, day] of cases) assert.equal(daysIn(`maya had algebra ${text}`).at(-1), day, text)
})

test('every day of the last sixty is found however it is said', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
      fc.integer({ min: 0, max: 60 }),
      (instant, back) => {
        const today = calendarDay(instant.toISOString().slice(0, 10))
        assert.ok(today)
        const day = addDays(today, -back)
        const [, month = 0, date = 0] = day.split('-').map(Number)
        const said = [
          formatDay(day, { month: 'long', day: 'numeric' }),
          formatDay(day, { month: 'short', day: 'numeric', year: 'numeric' }),
          `${month}/${date}`,
          day,
          formatDay(day, { weekday: 'long', month: 'long', day: 'numeric' }),
          `the ${date}th of ${formatDay(day, { month: 'long' })}`,
        ]
        if (back > 0) said.push(`${back} days ago`)
        if (back > 0 && back < 8)
          said.push(formatDay(day, { weekday: 'long' }), `last ${formatDay(day, { weekday: 'long' })}`)
        if (back > 7 && back < 15) said.push(`the ${formatDay(day, { weekday: 'long' })} before last`)
        if (back < 28) said.push(`on the ${date}th`)
        for (const text of said)
          assert.deepEqual(
            [...new Set(daysIn(`we had math ${text}`, today))].at(-1),
            day,
            `${text} on ${today}`,
          )
      },
    ),
  )
})

test('what only looks like a day is none', () => {
  for (const text of [
    'SAT prep',
    'worked on sat vocab',
    'he may need help',
    'they march on',
    'third grade math',
    'the first chapter',
    'the second time',
    'a christmas story',
    'for an hour',
    'three quarters of an hour',
    'at four thirty',
    'page 12',
  ])
    assert.deepEqual(daysIn(text), [], text)
})

test("days of something else are not the session's", () => {
  for (const text of [
    'next lesson is on friday',
    'she has a test on monday',
    'homework is due tuesday',
    'ready for the exam next week on monday',
    'moved from tuesday',
  ])
    assert.deepEqual(daysIn(`an hour yesterday ${text}`), ['2026-06-16'], text)
})

test('a weekday lies ahead where the sentence does', () => {
  assert.deepEqual(daysIn('maya will have an hour on friday'), ['2026-06-19'])
  assert.deepEqual(daysIn('maya has an hour of math on wednesday'), ['2026-06-24'])
  assert.deepEqual(daysIn('maya had an hour on friday and will have another'), ['2026-06-12'])
})

test('dates with dots, dates of learners, and the day beside a weekday', () => {
  for (const text of ['on 13.06.', 'on the 13.06.', 'on 13.06', 'on 13 of june', 'two days before monday'])
    assert.deepEqual(daysIn(`maya had an hour ${text}`), ['2026-06-13'], text)
  assert.deepEqual(daysIn('an hour the day before tuesday'), ['2026-06-15'])
  for (const text of ['an hour, done at 6.30.', 'maya, 1.5.', 'it went on 3.5 hours'])
    assert.deepEqual(daysIn(text), [], text)
})

test('a second lesson is no appointment', () => {
  assert.deepEqual(daysIn('an hour on monday and again on tuesday'), ['2026-06-15', '2026-06-16'])
  assert.deepEqual(daysIn('an hour on monday and again on friday'), ['2026-06-15'])
})
