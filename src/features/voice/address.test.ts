import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { isAddressed, wordsBefore } from './address.ts'
import { type ExtractionInput, marked } from './extraction.ts'

const FAMILY: Omit<ExtractionInput, 'transcript'> = {
  today: '2026-06-17' as CalendarDay,
  students: [{ id: 'maya', name: 'Maya' }],
  tutors: [
    { id: 'sarah', name: 'Sarah Johnson', rate: null, subjects: [] },
    { id: 'chen', name: 'David Chen', rate: null, subjects: [] },
  ],
}
const lineOf = (transcript: string) => marked(transcript, { ...FAMILY, transcript })
const isIt = (text: string): boolean => isAddressed(lineOf(text), text)

test('what a tutor is asked', () => {
  for (const text of [
    'Sarah can you take Maya on Monday from 4 to 5? I got the dentist',
    'mister chen could we do two hours on friday',
    'Sarah ji, is Saturday 10 am okay for Maya? One hour only',
    'Dear Ms Johnson, are you have time on Sunday for one and half hour with Maya? She has exam.',
    'sarah would it be ok to move the hour',
    'maya what did you do with sarah for two hours',
    'Sarah, any chance of an hour for Maya?',
  ])
    assert.equal(isIt(text), true, text)
  for (const text of [
    'sarah can you believe it maya did two hours',
    'sarah did two hours with maya',
    'How nice was that? Maya had an hour with Sarah',
    'maya had two hours with sarah, could you hear us',
  ])
    assert.equal(isIt(text), false, text)
})

test('money to send and lessons to move', () => {
  for (const text of [
    'venmo sarah $110 and write maya on it',
    "please shift maya's biology with sarah from tomorrow to saturday one hour",
    'leave sixty dollars in the envelope for sarah',
    'cash for sarah forty in the jug',
    'book sarah for maya two hours on saturday',
    "sarah please keep maya's place",
    'happy birthday to sarah from maya',
    'receipt sarah johnson, maya, two hours, $120',
    'refund us for the hour with sarah',
    'pay sarah sixty dollars for maya and write two hours on it',
    'say thank you to sarah maya she stayed an extra half hour',
  ])
    assert.equal(isIt(text), true, text)
  for (const text of [
    'venmoed sarah $60 for maya, an hour yesterday',
    'book report with sarah, maya, an hour',
    'transfer of sixty dollars, maya had an hour with sarah',
  ])
    assert.equal(isIt(text), false, text)
})

test('calls to a child, and who is here in ten minutes', () => {
  for (const text of [
    "maya get your shoes off the table sarah's here in ten minutes",
    'maya finish your cereal',
    'kids turn that down maya is with sarah for another half hour',
    'maya we have sarah in an hour',
  ])
    assert.equal(isIt(text), true, text)
  for (const text of [
    'maya come to sarah yesterday one hour',
    'hold on maya',
    'ok kids quiet maya had an hour with sarah',
    'sarah finished her unit with maya in an hour',
    "maya's just come out of an hour with sarah",
  ])
    assert.equal(isIt(text), false, text)
})

test('questions before the text that hold no fact', () => {
  assert.deepEqual(
    [
      'Is this on? Maya had an hour with Sarah',
      'is this thing on okay maya had an hour',
      'Did it go through? Maya, Sarah, one hour',
      'did Maya go? one hour',
      'maya had an hour',
    ].map((text) => wordsBefore(lineOf(text), text)),
    [3, 4, 4, 0, 0],
  )
})
