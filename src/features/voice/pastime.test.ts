import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { type ExtractionInput, marked } from './extraction.ts'
import { isPastime } from './pastime.ts'

const FAMILY: Omit<ExtractionInput, 'transcript'> = {
  today: '2026-06-17' as CalendarDay,
  students: [{ id: 'maya', name: 'Maya' }],
  tutors: [
    { id: 'sarah', name: 'Sarah Johnson', rate: null, subjects: [] },
    { id: 'chen', name: 'David Chen', rate: null, subjects: [] },
  ],
}
const lineOf = (transcript: string) => marked(transcript, { ...FAMILY, transcript })
const isIt = (text: string, said: { lesson?: boolean; subject?: boolean; tutor?: boolean } = {}): boolean =>
  isPastime(lineOf(text), text, { lesson: false, subject: false, tutor: true, ...said })

test('outings, meals and games are none', () => {
  for (const text of [
    'maya went for a run with sarah for an hour',
    'sarah took maya bowling for two hours',
    'maya played video games with sarah for an hour',
    'sarah had a two hour layover',
    'maya spent an hour looking for her book before sarah came',
    'we had an hour to kill before sarah came',
    'sarah had lunch with maya for an hour',
    'maya and sarah spent two hours fishing',
    'maya played ping pong with sarah for an hour',
    "maya's show was an hour and sarah came",
  ])
    assert.equal(isIt(text), true, text)
})

test('a lesson before, behind or instead of one is a lesson', () => {
  for (const text of [
    'maya had an hour with sarah',
    'maya had an hour with sarah and then went for a run',
    'after she went for a run maya had an hour with sarah',
    'maya had a one hour online session with sarah',
    'maya had an hour with sarah before her show',
  ])
    assert.equal(isIt(text), false, text)
  assert.equal(isIt('maya and sarah were talking for an hour about history', { subject: true }), false)
})

test('what is taught at school is no lesson of a tutor', () => {
  const atSchool = (text: string, tutor: boolean): boolean =>
    isPastime(lineOf(text), text, { lesson: true, subject: true, tutor })
  for (const text of [
    'her teacher kept maya in for half an hour on monday',
    'maya had a thirty minute detention yesterday',
    'the school concert was two hours',
  ])
    assert.equal(atSchool(text, false), true, text)
  assert.deepEqual(
    [
      atSchool('the math class at school was an hour', false),
      atSchool('sarah met maya for a lesson at school for an hour', true),
      atSchool('maya had an after school math lesson', false),
    ],
    [true, false, false],
  )
})

test("a child's own event lasts without a tutor", () => {
  assert.equal(isIt("maya's swim meet was two hours and sarah came to watch"), true)
  assert.equal(isIt('sarah took maya through her recital piece for an hour'), false)
})

test('favours, lifts and games with each other', () => {
  for (const text of [
    'sarah helped us choose a violin for maya, took two hours',
    'maya and sarah played chess for an hour',
    'sarah drove maya home, half an hour',
    "maya spent two hours at sarah's garden party",
    "sarah's two hour workshop on monday",
    'sarah visited us on monday and stayed two hours with maya',
  ])
    assert.equal(isIt(text), true, text)
  for (const text of [
    'sarah taught maya for an hour and drove her home',
    'sarah helped maya with chess for an hour',
  ])
    assert.equal(isIt(text), false, text)
})

test('talks, rides and hours that are bought beforehand', () => {
  for (const text of [
    'sarah gave a talk for an hour and maya asked a question',
    "sarah's lecture was ninety minutes and maya fell asleep",
    'maya and sarah shared a cab for half an hour',
    'an hour on the train to sarah',
    'maya had to stay an hour after school with sarah',
    'bought a package of ten hours with sarah',
  ])
    assert.equal(isIt(text), true, text)
  for (const text of [
    'sarah and maya had an hour before the lecture',
    'sarah gave maya an hour after school',
  ])
    assert.equal(isIt(text), false, text)
})

test('being stuck, hiding, and an hour that became a party', () => {
  for (const text of [
    'we were stuck in the lift with sarah and maya for an hour',
    'maya hid for half an hour when sarah came',
    "maya's hour with sarah turned into a birthday party",
  ])
    assert.equal(isIt(text), true, text)
  assert.equal(isIt('maya was stuck on a proof so sarah helped her for an hour'), false)
})

test('errands and what a parish teaches are none, a lesson told of behind them is one', () => {
  assert.equal(
    isIt('maya went to the doctor with sarah on monday because they speak english there, one hour', {
      subject: true,
    }),
    true,
  )
  assert.equal(isIt("maya's catechism was an hour on sunday", { tutor: false }), true)
  assert.equal(isIt('i went to the bank and sarah taught maya for an hour', { subject: true }), false)
  assert.equal(isIt('maya had an hour with sarah and then went to the dentist', { subject: true }), false)
})

test("trades and a tutor's work without the student are none", () => {
  for (const text of [
    'the piano tuner came on monday for ninety minutes',
    "i spent an hour yesterday preparing maya's worksheets",
    "i spent two hours on sunday marking maya's essays",
  ])
    assert.equal(isIt(text, { tutor: false }), true, text)
  assert.equal(isIt('i spent an hour yesterday preparing maya for her test', { tutor: false }), false)
})
