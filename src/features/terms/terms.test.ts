import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticeHoursOf } from './terms.ts'

const agreed = {
  own_confirmation: 'confirmed',
  other_confirmation: 'confirmed',
  ended_on: null,
  student_id: null,
}
const terms = [
  { ...agreed, connection_id: 'c', tutor_id: 't', applies_from: '2026-11-10', rules: { notice_hours: 48 } },
  { ...agreed, connection_id: 'c', tutor_id: 't', applies_from: '2026-10-01', rules: { notice_hours: 12 } },
  { ...agreed, connection_id: null, tutor_id: 'own', applies_from: '2026-10-01', rules: { notice_hours: 6 } },
  {
    ...agreed,
    connection_id: null,
    tutor_id: null,
    student_id: 's',
    applies_from: '2026-10-01',
    rules: { notice_hours: 3 },
  },
]
const hours = (date: string, connection_id: string | null, tutor_id = 't', student_id = 'x') =>
  noticeHoursOf(terms, { date, connection_id, tutor_id, student_id })

test('the notice for a class is that of the terms of its day, for the people who meet, and else 24 hours', () => {
  assert.equal(hours('2026-11-09', 'c'), 12)
  assert.equal(hours('2026-11-10', 'c'), 48)
  assert.equal(hours('2026-09-30', 'c'), 24)
  assert.equal(hours('2026-11-10', 'another'), 24)
  assert.equal(hours('2026-11-10', null), 24)
  assert.equal(hours('2026-11-10', null, 'own'), 6)
  assert.equal(hours('2026-11-10', null, 't', 's'), 3)
})
