import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from './session.ts'
import { changeNotice, fieldsOf, type SessionFields, toNewSession, toSessionChanges } from './session-form.ts'

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
/** Numbers are sent as numbers, not strings (docs/product.md, section 5). */
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

const session = {
  student_id: 'maya',
  tutor_id: 'ingrid',
  date: '2026-11-17',
  duration: 1.25,
  hourly_rate: 42.5,
  is_shared: true,
  is_read_only: false,
  verified_by_tutor: true,
} as Session

test('the form says what happens to the other side’s confirmation before a fact is changed', () => {
  const says = (now: Partial<Session>, typed: Partial<SessionFields>) => {
    const one = { ...session, ...now }
    return changeNotice(one, { ...fieldsOf(one), ...typed }, 'the family')
  }
  const asked = 'The family will be asked to confirm the change.'
  for (const fact of [
    { student_id: 'leo' },
    { tutor_id: 'bo' },
    { date: '2026-11-18' },
    { duration: '2' },
    { hourly_rate: '' },
  ]) {
    assert.equal(says({}, fact), asked)
    assert.equal(
      says({ is_shared: false }, fact),
      "The family confirmed this session as it was. Once you change it, it won't be agreed anymore.",
    )
    assert.equal(says({ is_shared: false, verified_by_tutor: false }, fact), undefined)
    assert.equal(says({ is_read_only: true }, fact), undefined)
  }
  assert.equal(says({}, { subject: 'Physics', summary: 'Forces', notes: 'Tired', start_time: '' }), undefined)
})

test('a lesson that is only in your log is sent with the family chosen for its new student', () => {
  assert.equal(fieldsOf(session).connection_id, undefined, 'a shared lesson stays with its family')
  const own = fieldsOf({ ...session, is_shared: false })
  assert.equal(own.connection_id, '')
  assert.equal('connection_id' in toSessionChanges(own), false)
  assert.deepEqual(toSessionChanges({ ...typed, connection_id: 'whitfield' }), {
    ...sent,
    connection_id: 'whitfield',
  })
})
