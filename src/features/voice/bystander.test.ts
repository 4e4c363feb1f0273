import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { type ExtractionInput, marked } from './extraction.ts'
import { isByStudent, isOfOtherChild, isOfOthers, isOwnClass, isSum, isTalk } from './bystander.ts'

const FAMILY: Omit<ExtractionInput, 'transcript'> = {
  today: '2026-06-17' as CalendarDay,
  students: [{ id: 'maya', name: 'Maya' }],
  tutors: [
    { id: 'sarah', name: 'Sarah Johnson', rate: null, subjects: [] },
    { id: 'chen', name: 'David Chen', rate: null, subjects: [] },
  ],
}
const lineOf = (transcript: string) => marked(transcript, { ...FAMILY, transcript })
const isIt = (text: string): boolean => isOfOthers(lineOf(text), text, false)

test('favours, company and lessons of other people', () => {
  for (const text of [
    'sarah helped me move the couch for an hour',
    'i had an hour with sarah yesterday about the contract',
    'my sister had sarah for an hour',
    "maya's friend had an hour with sarah",
    'sarah played chess with her brother for two hours',
    'sarah and my husband talked for an hour',
  ])
    assert.equal(isIt(text), true, text)
})

test('bills', () => {
  for (const text of [
    "sarah's last bill was for six hours",
    'i paid sarah a hundred and eighty for the three hours in march',
    'sent sarah the money for all of may',
  ])
    assert.equal(isIt(text), true, text)
})

test('a tutor who came is no bystander', () => {
  for (const text of [
    'sarah came for an hour on monday',
    'two hours with sarah on may 4th',
    'paid sarah sixty dollars for an hour yesterday',
  ])
    assert.equal(isIt(text), false, text)
})

test('a student who teaches the tutor, and a month summed up', () => {
  assert.deepEqual(
    [
      'maya gave sarah a guitar lesson for an hour',
      'sarah gave maya a guitar lesson for an hour',
      'maya gave sarah 40 dollars for an hour',
    ].map((text) => isByStudent(lineOf(text))),
    [true, false, false],
  )
  assert.deepEqual(
    [
      'maya had six hours with sarah in may',
      'maya had two hours with sarah in may',
      'maya had six hours with sarah',
    ].map((text) => isSum(lineOf(text), false)),
    [true, false, false],
  )
})

test('children of other people', () => {
  const isOthers = (text: string): boolean => isOfOtherChild(lineOf(text))
  for (const text of [
    "my neighbor's girl had sarah three hours and passed her test",
    'my friend huong her daughter learn with sarah two hour',
    "the Patels' daughter had Sarah for two hours",
    'they pay sarah forty an hour and she did their josh two hours',
    "bea's mum says sarah did two hours with bea",
    "maya's mate callum had sarah ninety minutes",
    'sarah taught my godson for an hour',
    'their eldest had two hours with sarah',
    'the woman from number nine says sarah did her son an hour',
  ])
    assert.equal(isOthers(text), true, text)
  for (const text of [
    "my sister's girl maya had sarah for an hour",
    'my daughter had sarah for an hour',
    'my mum says she had sarah for an hour',
    "maya and maya's friend bea had sarah for an hour",
    "our neighbor's son tyler had an hour with sarah",
  ])
    assert.equal(isOthers(text), false, text)
})

test('classes that the speaker or the tutor goes to', () => {
  assert.deepEqual(
    [
      'i have my own english class tuesday evening 7-9',
      "sarah's own singing lesson was an hour",
      'i took a pottery class and maya came along',
      'my own kids had piano for an hour',
      'sarah is doing a masters with lectures three hours a day',
      'maya had her own lesson with sarah',
      "maya's own lesson was an hour",
      'i took a class with maya',
      'while i was at my own class sarah had maya for an hour',
    ].map((text) => isOwnClass(lineOf(text))),
    [true, true, true, true, true, false, false, false, false],
  )
})

test('talks about lessons, and help that a student gives', () => {
  assert.deepEqual(
    [
      'met with sarah for half an hour to plan the summer',
      'met with maya for half an hour to plan her essay',
      'met with sarah for an hour',
    ].map((text) => isTalk(lineOf(text))),
    [true, false, false],
  )
  assert.deepEqual(
    [
      'maya helped bea with her french for an hour',
      'maya helped her little cousin for an hour',
      'sarah helped maya for an hour',
    ].map((text) => isByStudent(lineOf(text))),
    [true, true, false],
  )
})
