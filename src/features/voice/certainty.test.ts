import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Cents } from '#kernel/money.ts'
import { extractSession } from './extraction.ts'

const FAMILY = {
  today: '2026-06-17' as CalendarDay, students: [{ id: 'maya', name: 'Maya' }],
  tutors: [{ id: 'chen', name: 'David Chen', rate: 4500 as Cents, subjects: [] }],
}
const SAID = 'maya had an hour and a half with david chen on monday at'

function read(price: string, doubtful: Record<string, number>) {
  const transcript = `${SAID} ${price} an hour`
  const words = Object.entries(doubtful).map(([word, probability]) => ({ from: transcript.indexOf(word), to: transcript.indexOf(word) + word.length, probability }))
  const { studentId, suggestedStudentName, tutorId, day, minutes, rate, confidence } = extractSession({ ...FAMILY, transcript, words })
  return { studentId, suggestedStudentName, tutorId, day, minutes, rate, confidence }
}
const WHOLE = { studentId: 'maya', suggestedStudentName: null, tutorId: 'chen', day: '2026-06-15', minutes: 90, rate: 4500, confidence: 'high' }

test('a value is left out where a word of it was not heard surely, and a name is then suggested', () => {
  assert.deepEqual(read('forty five', { maya: 0.9, half: 0.8, david: 0.1, monday: 0.5 }), WHOLE)
  assert.deepEqual(read('forty five', { monday: 0.05 }), { ...WHOLE, day: null, confidence: 'medium' })
  assert.deepEqual(read('forty five', { maya: 0.05 }), { ...WHOLE, studentId: null, suggestedStudentName: 'Maya', confidence: 'medium' })
})

test("a length of time is left out where 'hour' or 'minutes' was not heard surely", () => {
  assert.deepEqual(read('forty five', { hour: 0.2 }), { ...WHOLE, minutes: null, confidence: 'low' })
  assert.deepEqual(read('forty five', { hour: 0.3 }), WHOLE)
})

test("a rate other than the tutor's own must be heard more surely", () => {
  assert.equal(read('forty five', { forty: 0.5 }).rate, 4500)
  assert.equal(read('fifty five', { fifty: 0.5 }).rate, null)
  assert.equal(read('fifty five', { fifty: 0.97 }).rate, 5500)
  // Among words that were heard well it need not be as sure.
  const clear = { maya: 0.99, had: 0.99, half: 0.99, david: 0.99, chen: 0.99 }
  assert.equal(read('fifty five', { ...clear, fifty: 0.6 }).rate, 5500)
  assert.equal(read('fifty five', { ...clear, fifty: 0.45 }).rate, null)
})

test('words without meaning, and words of which nothing is known, hold nothing back', () => {
  assert.deepEqual(read('forty five', { with: 0.01, an: 0.01, at: 0.01 }), WHOLE)
})
