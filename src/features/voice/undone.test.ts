import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { type ExtractionInput, marked } from './extraction.ts'
import { isNoLesson, isUndone } from './undone.ts'

const FAMILY: Omit<ExtractionInput, 'transcript'> = {
  today: '2026-06-17' as CalendarDay,
  students: [{ id: 'maya', name: 'Maya' }],
  tutors: [
    { id: 'sarah', name: 'Sarah Johnson', rate: null, subjects: [] },
    { id: 'chen', name: 'David Chen', rate: null, subjects: [] },
  ],
}
const lineOf = (transcript: string) => marked(transcript, { ...FAMILY, transcript })

test('what was called off, missed or only meant to be', () => {
  for (const text of [
    'sarah cancelled the hour with maya',
    'maya forgot she had sarah on monday',
    'maya had skipped her hour with sarah',
    'we sent sarah home',
    'sarah has moved the hour with maya to friday',
    'maya was supposed to have an hour with sarah but she was ill',
    'the bus took an hour so maya missed sarah',
    'sarah flaked on us and maya just sat there for half an hour',
  ])
    assert.equal(isUndone(lineOf(text)), true, text)
})

test('a lesson told of beside it took place', () => {
  for (const text of [
    'sarah cancelled so maya had an hour with mister chen',
    'maya had an hour with sarah and next week is cancelled',
    'maya was supposed to have mister chen but sarah took her for an hour',
    'maya had an hour with sarah it was only supposed to be thirty minutes',
    'i missed logging an hour of maya with sarah',
    'forgot to log an hour of maya with sarah',
  ])
    assert.equal(isUndone(lineOf(text)), false, text)
})

test('what never happened is none at all', () => {
  assert.deepEqual(
    ['sarah charged us for an hour maya never had', 'maya never had such a good hour with sarah'].map(
      (text) => isNoLesson(lineOf(text)),
    ),
    [true, false],
  )
})

test('a lesson that was due or planned is none', () => {
  for (const text of [
    'maya was due an hour with sarah but it snowed',
    'we had planned two hours with sarah for maya, then the bus broke down',
    'maya was down for an hour with sarah',
  ])
    assert.equal(isUndone(lineOf(text)), true, text)
  for (const text of [
    'maya was due an hour with sarah but they did two hours',
    'maya did an hour with sarah, she was due a break',
  ])
    assert.equal(isUndone(lineOf(text)), false, text)
})

test('an hour that was lost, and one that is being called off', () => {
  for (const text of [
    'maya was asleep when sarah came so we lost the hour',
    "i'm cancelling maya's hour with sarah on friday",
    'the snow, we lost an hour with sarah',
  ])
    assert.equal(isUndone(lineOf(text)), true, text)
  assert.equal(isUndone(lineOf('maya had an hour with sarah, we lost the first ten minutes')), false)
})

test('what will have been, and what was taught to somebody else', () => {
  assert.deepEqual(
    [
      'maya will have had ten hours with sarah by friday',
      'sarah taught her dog a trick in an hour',
      'maya learned more in an hour than in a month',
      "sarah tutored my boss's kid for an hour",
      'sarah tutored my sister maya for an hour',
    ].map((text) => isNoLesson(lineOf(text))),
    [true, true, true, true, false],
  )
})
