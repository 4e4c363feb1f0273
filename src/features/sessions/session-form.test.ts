import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SessionFields, toNewSession, toSessionChanges } from './session-form.ts'

const typed: SessionFields = {
  student_id: 'maya',
  tutor_id: 'ingrid',
  date: '2026-11-17',
  duration: '1.25',
  hourly_rate: '42.50',
  subject: 'Algebra II',
  notes: 'Chapter 4',
}
/** Numbers travel as numbers (product.md section 5). */
const sent = { ...typed, duration: 1.25, hourly_rate: 42.5 }
const { hourly_rate: _rate, subject: _subject, notes: _notes, ...required } = sent

test('a new session sends all that was typed, and leaves out an empty rate, subject and notes', () => {
  assert.deepEqual(toNewSession(typed), sent)
  for (const empty of ['', '  '])
    assert.deepEqual(toNewSession({ ...typed, hourly_rate: empty, subject: empty, notes: empty }), required)
})

test('a new session from a schedule names its class, and never the rate that was shown for it', () => {
  const ref = { schedule_id: 's1', occurrence_date: '2026-11-16' }
  assert.deepEqual(toNewSession({ ...typed, ...ref, schedule_rate: 70 }), { ...sent, ...ref })
  assert.deepEqual(toNewSession({ ...typed, schedule_id: 's1' }), sent)
})

test('a changed session sends all that was typed; a cleared rate, subject and notes are cleared', () => {
  assert.deepEqual(toSessionChanges(typed), sent)
  assert.deepEqual(toSessionChanges({ ...typed, hourly_rate: ' ', subject: '', notes: '' }), {
    ...required,
    hourly_rate: null,
    subject: '',
    notes: '',
  })
})

test('a changed session leaves a deleted student and tutor away who were not replaced', () => {
  const { student_id: _student, tutor_id: _tutor, ...rest } = sent
  assert.deepEqual(toSessionChanges({ ...typed, student_id: '', tutor_id: '' }), rest)
})
