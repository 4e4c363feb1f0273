import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Cents } from '#kernel/money.ts'
import { type ExtractionInput, marked } from './extraction.ts'
import { isBareNote, isDense, isOnlyFacts, isTold, tellsPast } from './telling.ts'

const FAMILY: Omit<ExtractionInput, 'transcript'> = {
  today: '2026-06-17' as CalendarDay,
  students: [{ id: 'maya', name: 'Maya' }],
  tutors: [{ id: 'sarah', name: 'Sarah Johnson', rate: 6000 as Cents, subjects: [] }],
}
const lineOf = (transcript: string) => marked(transcript, { ...FAMILY, transcript })

test('what took place is told, whoever it is told of', () => {
  for (const text of [
    'maya had an hour with sarah yesterday',
    'sarah came for maya on monday for an hour',
    'maya was with sarah for an hour',
    'maya and sarah went over fractions for an hour',
  ]) {
    assert.equal(tellsPast(lineOf(text)), true, text)
  }
})

test('what is to come is told as well, and a bare note of names and facts', () => {
  for (const text of ['maya will have an hour with sarah tomorrow', 'maya has an hour with sarah tomorrow'])
    assert.deepEqual([isTold(lineOf(text)), tellsPast(lineOf(text))], [true, false], text)
  for (const text of ['maya sarah monday 60 min', 'sarah, maya, an hour, we should bring the book next time'])
    assert.equal(isBareNote(lineOf(text)), true, text)
})

test('what is wished, planned, doubted, denied or offered is not told', () => {
  for (const text of [
    'maya should have an hour with sarah',
    'maya would love an hour with sarah',
    'maya was supposed to have an hour with sarah',
    'sarah has an hour free for maya',
    "sarah didn't have an hour for maya",
    'sarah offered maya an hour',
    'we had an hour with sarah booked for maya',
    "maya's hour with sarah is on friday",
    'maya wants to have an hour with sarah',
    'sarah could not have done an hour with maya',
  ])
    assert.equal(isTold(lineOf(text)), false, text)
})

test('a note of nothing but names and facts', () => {
  for (const text of [
    'two hours yesterday with sarah',
    'Sarah 1.5h yesterday',
    'logged late: june 15, sarah, 2 hours',
    'on monday maya for an hour and then sarah',
  ])
    assert.equal(isOnlyFacts(lineOf(text)), true, text)
  for (const text of ['sarah ten minutes late', 'maya nap two hours', 'solo study two hours maya'])
    assert.equal(isOnlyFacts(lineOf(text)), false, text)
})

test('what somebody has got lies ahead', () => {
  assert.deepEqual(
    ['maya got an hour with sarah', "maya's got an hour with sarah", 'she has only got an hour'].map((text) =>
      tellsPast(lineOf(text)),
    ),
    [true, false, false],
  )
})

test('who only left for a lesson has not had it yet', () => {
  for (const text of [
    'maya just left for her hour with sarah',
    'taking maya to sarah in an hour',
    "maya's hour with sarah tomorrow is still on",
    'confirming maya with sarah for wednesday four to five',
  ])
    assert.equal(isTold(lineOf(text)), false, text)
  assert.equal(isTold(lineOf('sarah just left, maya had an hour')), true)
})

test('facts that stand side by side, and facts in a sentence of its own', () => {
  assert.deepEqual(
    [
      'sarah maya one hour and she was in great form',
      'maya with sarah one hour past papers',
      "maya you've got one hour then it's sarah",
      "maya's target is one hour sarah set it",
    ].map((text) => isDense(lineOf(text))),
    [true, true, false, false],
  )
})
