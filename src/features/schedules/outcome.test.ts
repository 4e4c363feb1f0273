import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { mayHaveBegun, outcomeChoices, outcomeInWords, suggestedOutcome } from './outcome.ts'

const BEGINS = new Date('2026-11-24T16:30:00Z')
const hoursBefore = (hours: number) => new Date(BEGINS.getTime() - hours * 3_600_000)

test('canceled with the agreed notice is in time, to the minute; anything later is late, also afterwards', () => {
  const at = (hours: number, notice: number) => suggestedOutcome(hoursBefore(hours), BEGINS, notice)
  assert.deepEqual(
    [at(24, 24), at(24 - 1 / 60, 24), at(100, 24), at(-30, 24)],
    ['canceled_in_time', 'canceled_late', 'canceled_in_time', 'canceled_late'],
  )
  assert.deepEqual(
    [at(24, 48), at(48, 48), at(0, 0), at(-1 / 60, 0)],
    ['canceled_late', 'canceled_in_time', 'canceled_in_time', 'canceled_late'],
    'with other terms',
  )
})

test('the suggestion is the first choice, and a no-show is one only once the class began', () => {
  assert.deepEqual(outcomeChoices('canceled_late', true), [
    'canceled_late',
    'canceled_in_time',
    'no_show',
    'canceled_by_tutor',
  ])
  assert.deepEqual(outcomeChoices('canceled_in_time', false), [
    'canceled_in_time',
    'canceled_late',
    'canceled_by_tutor',
  ])
})

test('a class may have begun as soon as its day has begun anywhere on earth', () => {
  const day = '2026-11-24' as CalendarDay
  assert.equal(mayHaveBegun(day, new Date('2026-11-23T09:59:59Z')), false)
  assert.equal(mayHaveBegun(day, new Date('2026-11-23T10:00:00Z')), true)
})

test('a tutor reads that they canceled, and a parent that the tutor did', () => {
  assert.deepEqual(
    [outcomeInWords('canceled_by_tutor', 'tutor'), outcomeInWords('canceled_by_tutor', 'parent')],
    ['Canceled by you', 'Canceled by the tutor'],
  )
  assert.equal(outcomeInWords('canceled_late', 'parent'), 'Canceled late')
})
