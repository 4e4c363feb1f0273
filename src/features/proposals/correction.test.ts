import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCorrection } from './correction.ts'

const typed = { student_id: 'maya', date: '2026-11-17', duration: '1.25', hourly_rate: '42.50' }
const sent = { ...typed, duration: 1.25, hourly_rate: 42.5 }

test('a corrected proposal sends all that was typed, and a cleared rate is cleared', () => {
  assert.deepEqual(toCorrection(typed, { same_session: null }), sent)
  assert.deepEqual(toCorrection({ ...typed, hourly_rate: ' ' }, { same_session: null }), {
    ...sent,
    hourly_rate: null,
  })
})

test('a corrected proposal of a lesson that the family logged too becomes one with it', () => {
  const same = { id: 's1', duration: 1, rate: 45, is_equal: false }
  assert.deepEqual(toCorrection(typed, { same_session: same }), { ...sent, session_id: 's1' })
})
