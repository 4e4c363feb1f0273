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
  start_time: '16:00',
  summary: 'Completing the square',
  homework: 'Page 84',
  notes: 'Chapter 4',
}
/** Numbers are sent as numbers, not strings (product.md section 5). */
const sent = { ...typed, duration: 1.25, hourly_rate: 42.5 }
const {
  hourly_rate: _rate,
  subject: _subject,
  start_time: _start,
  summary: _summary,
  homework: _homework,
  notes: _notes,
  ...required
} = sent
const allEmpty = (empty: string) => ({
  hourly_rate: empty,
  subject: empty,
  start_time: '',
  summary: empty,
  homework: empty,
  notes: empty,
})

test('a new session is sent as typed, without empty fields', () => {
  assert.deepEqual(toNewSession(typed), sent)
  for (const empty of ['', '  ']) assert.deepEqual(toNewSession({ ...typed, ...allEmpty(empty) }), required)
})

test('a new session from a schedule is sent with its class, but not with the rate that was shown', () => {
  const ref = { schedule_id: 's1', occurrence_date: '2026-11-16' }
  assert.deepEqual(toNewSession({ ...typed, ...ref, schedule_rate: 70 }), { ...sent, ...ref })
  assert.deepEqual(toNewSession({ ...typed, schedule_id: 's1' }), sent)
  assert.deepEqual(
    toNewSession({ ...typed, ...ref, start_time: '' }),
    { ...sent, ...ref, start_time: null },
    'an emptied start time does not come back from the schedule',
  )
})

test('a changed session is sent as typed, with null for fields that were emptied', () => {
  assert.deepEqual(toSessionChanges(typed), sent)
  assert.deepEqual(toSessionChanges({ ...typed, ...allEmpty('') }), {
    ...required,
    ...allEmpty(''),
    hourly_rate: null,
  })
})

test('a changed session is sent without a deleted student or tutor who was not replaced', () => {
  const { student_id: _student, tutor_id: _tutor, ...rest } = sent
  assert.deepEqual(toSessionChanges({ ...typed, student_id: '', tutor_id: '' }), rest)
})
