import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SharedSession } from './confirmation.ts'
import { sameDayOf, saysTheSame } from './same-lesson.ts'

const shared = (id: string, more: Partial<SharedSession> = {}) =>
  ({
    id,
    date: '2026-11-20',
    student_name: 'Maya',
    other_name: 'Ingrid',
    own_confirmation: 'none',
    deletion_asked_by: null,
    ...more,
  }) as SharedSession

test('the sessions that may be the same lesson are on the same day and, if there are any, with the same people', () => {
  const waiting = [
    shared('ours'),
    shared('brother', { student_name: 'Leo' }),
    shared('yesterday', { date: '2026-11-19' }),
    shared('answered', { own_confirmation: 'disputed' }),
    shared('leaving', { deletion_asked_by: 'other' }),
  ]
  const ids = (student: string, tutor = 'Ingrid') =>
    sameDayOf(waiting, { date: '2026-11-20', student, tutor }).map(({ id }) => id)
  assert.deepEqual(ids('Maya'), ['ours'])
  assert.deepEqual(ids('Leo', 'Somebody'), ['brother'])
  assert.deepEqual(ids('Renamed'), ['ours', 'brother'])
})

test('a typed lesson is the same if its duration matches and, if one was typed, its rate', () => {
  const theirs = { duration: 1.5, rate: 45 }
  assert.equal(saysTheSame(theirs, { duration: '1.5' }), true)
  assert.equal(saysTheSame(theirs, { duration: 1.5, hourly_rate: 45 }), true)
  assert.equal(saysTheSame(theirs, { duration: 1.5, hourly_rate: 50 }), false)
  assert.equal(saysTheSame(theirs, { duration: 1 }), false)
})
