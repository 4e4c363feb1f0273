import { cents, currencyOf } from '#kernel/money.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING_READ } from './reading/read.ts'
import { toVoiceResult } from './voice.ts'
import {
  chosenAfter,
  chosenIn,
  durationInWords,
  exampleOf,
  heardCharges,
  proposedFields,
  quarterHours,
  whoIsMeant,
} from './voice-form.ts'

const NOBODY = { child: { words: null, id: null }, tutor: { words: null, id: null } }
const nobody = { studentId: null, tutorId: null, notes: null, heard: NOBODY }

test("only what was heard is filled in, in the form's own format", () => {
  const proposed = {
    ...toVoiceResult('maya had an hour', NOTHING_READ),
    date: '2026-06-16',
    duration: 1.5,
    hourly_rate: 0,
    subject: 'algebra',
  }
  assert.deepEqual(proposedFields(proposed, { ...nobody, studentId: 'm' }, currencyOf('USD')), {
    student_id: 'm',
    date: '2026-06-16',
    duration: '1.5',
    hourly_rate: '0.00',
    subject: 'Algebra',
  })
  assert.deepEqual(proposedFields(toVoiceResult('hello', NOTHING_READ), nobody, currencyOf('USD'), false), {})
})

test("a lesson whose day is unclear opens the form without a date, instead of with today's", () => {
  const undated = { ...toVoiceResult('maya had an hour the other day', NOTHING_READ), duration: 1 }
  assert.deepEqual(proposedFields(undated, nobody, currencyOf('USD')), { date: '', duration: '1' })
})

test('what was paid is offered, and only recorded if that is chosen', () => {
  const [payment, ...others] = heardCharges({ ...toVoiceResult('', { ...NOTHING_READ, paid: cents(3000) }) })
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(payment, { charge: { amount: 30, reason: null }, isPicked: false })
  assert.deepEqual(heardCharges(toVoiceResult('', NOTHING_READ)), [])
})

test('fifty minutes are rounded to the nearest quarter hour, and the form says so', () => {
  assert.deepEqual([50 / 60, 0.83, 1, 0.05].map(quarterHours), [0.75, 0.75, 1, 0.25])
  assert.equal(durationInWords(0.83), '50 min, entered as 0.75 h')
  assert.equal(durationInWords(1.5), '1.5 h')
})

test('an unclear name suggests people whose name starts the same way, or else a short list', () => {
  const people = ['Maya Whitfield', 'Ethan', 'Oliver'].map((name) => ({ name }))
  assert.deepEqual(
    whoIsMeant(people, 'Maia').map(({ name }) => name),
    ['Maya Whitfield', 'Ethan', 'Oliver'],
  )
  assert.deepEqual(
    whoIsMeant(people, 'Mr. Whitman').map(({ name }) => name),
    ['Maya Whitfield'],
  )
  assert.deepEqual(
    whoIsMeant(
      Array.from({ length: 9 }, (_, index) => ({ name: `P${index}` })),
      null,
    ),
    [],
  )
})

test("the example uses your own people's first names", () => {
  assert.equal(
    exampleOf('Theo Whitfield', 'Mr. Adeyemi'),
    'Theo had an hour and a half of algebra with Mr. Adeyemi on Tuesday.',
  )
  assert.equal(exampleOf(' Ada  Byron '), 'Ada had an hour and a half of algebra on Tuesday.')
  assert.equal(
    exampleOf(undefined, 'Ingrid'),
    'Maya had an hour and a half of algebra with Ingrid on Tuesday.',
  )
})

test('after a correction, only words that named nobody before can be learned', () => {
  const heard = toVoiceResult('x', NOTHING_READ)
  const before = { ...heard, child_words: 'Lachie', tutor_words: 'Benji', tutorId: 'ben' }
  const own = chosenIn(before)
  assert.deepEqual(own.heard, { child: { words: 'Lachie', id: null }, tutor: { words: 'Benji', id: 'ben' } })
  const after = chosenAfter({ ...before, childId: 'lachlan', tutorId: 'sarah' }, own)
  assert.deepEqual(after.heard, { child: { words: 'Lachie', id: null }, tutor: { words: null, id: 'sarah' } })
  assert.deepEqual([after.studentId, after.tutorId], ['lachlan', 'sarah'])
  assert.deepEqual(chosenAfter(before, own).heard, own.heard)
})
