import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Labeled } from './voice-data.ts'
import { spokenLines } from './voice-lines.ts'

const SESSION = {
  child: 'Eleanor',
  tutor: null,
  date: '2026-06-17',
  minutes: 60,
  rate: null,
  subject: null,
  notes: null,
}

function labeledAs(text: string, changes: Partial<Labeled> = {}): Labeled[] {
  return [
    {
      author: 'test',
      today: '2026-06-17',
      children: ['Eleanor Dahl', 'João Pedro'],
      tutors: [
        { name: 'Mrs. Nielsen', rate: null },
        { name: 'Raj Patel', rate: 45 },
      ],
      text,
      sessions: [SESSION],
      ...changes,
    },
  ]
}

const linesOf = (text: string, changes?: Partial<Labeled>) => spokenLines(labeledAs(text, changes))

test('names become slots, with their titles, nicknames and last names', () => {
  assert.deepEqual(linesOf('Ellie had Mrs Nielsen; João Pedro’s hour was with Raj Patel, too.'), [
    '<STUDENT> had <TUTOR> <STUDENTS> hour was with <TUTOR> too',
  ])
  const own = [{ name: 'You', rate: 60 }]
  assert.deepEqual(linesOf('I told you Eleanor came', { tutors: own }), ['i told you <STUDENT> came'])
})

test('numbers, times, prices and abbreviations become words', () => {
  assert.deepEqual(linesOf('4:30-5:15pm, 45min at $105/hr, 8:00 to 9:05'), [
    "four thirty five fifteen p m forty five minutes at a hundred and five dollars hour eight o'clock to nine oh five",
  ])
})

test('subjects and hourly rates become slots that keep what the author said', () => {
  const sessions = [{ ...SESSION, subject: 'test prep' }]
  assert.deepEqual(linesOf('Eleanor: test prep an hour at $45 an hour', { sessions }), [
    '<STUDENT> <SUBJECT|test prep> an hour at <RATE|forty five> dollars an hour',
  ])
  assert.deepEqual(linesOf('Eleanor an hour of satire at forty', { sessions }), [
    '<STUDENT> an hour of satire at forty',
  ])
})

test('leaves out what can be said in several ways, what records no lesson, and duplicates', () => {
  assert.deepEqual(linesOf('Eleanor 1.5 hours'), [])
  assert.deepEqual(linesOf('Eleanor $37.50'), [])
  assert.deepEqual(linesOf('Eleanor has a test', { sessions: [] }), [])
  assert.equal(spokenLines([...labeledAs('Eleanor an hour'), ...labeledAs('João an hour.')]).length, 1)
})
