import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { isAhead } from './ahead.ts'
import { type ExtractionInput, marked } from './extraction.ts'

const FAMILY: Omit<ExtractionInput, 'transcript'> = {
  today: '2026-06-17' as CalendarDay,
  students: [{ id: 'maya', name: 'Maya' }],
  tutors: [{ id: 'sarah', name: 'Sarah Johnson', rate: null, subjects: [] }],
}
const isIt = (text: string, isFuture: boolean): boolean =>
  isAhead(marked(text, { ...FAMILY, transcript: text }), text, isFuture)

test('hours on the clock that are still to come', () => {
  for (const text of [
    'maya is down to see sarah for an hour',
    'the new timetable is monday sarah 4-5',
    "maya's next with sarah on monday",
    'maya has sarah next tuesday 6-7:30',
    'maya tomorrow with sarah from 4:30 to 6',
    'Maya, Sarah, 2 July, 4-5pm',
  ])
    assert.equal(isIt(text, true), true, text)
  assert.equal(isIt("maya's got sarah on friday 4 to 5", false), true)
  for (const text of [
    'maya have sarah yesterday from 4 to 5',
    'maya / sarah / monday / 4-5',
    'maya has an hour with sarah today',
  ])
    assert.equal(isIt(text, false), false, text)
})

test('what is going on', () => {
  assert.deepEqual(
    [
      'maya has sarah now',
      'maya is with sarah for another half hour',
      'sarah here for an hour more',
      'maya and another hour with sarah',
    ].map((text) => isIt(text, false)),
    [true, true, true, false],
  )
})

test('lessons that begin again', () => {
  assert.deepEqual(
    [
      'we open again on 12 july, one hour as before',
      'back with sarah on 6 july, an hour',
      'maya has an hour with sarah on 6 july',
    ].map((text) => isIt(text, true)),
    [true, true, false],
  )
})
