import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '#features/sessions/session.ts'
import { afterSort, asksForOrder, orderIn, sorted, type SortColumn } from './session-order.ts'

const session = (id: string, changes: Partial<Session>): Session =>
  ({
    id,
    date: '2026-11-02',
    start_time: null,
    student_name: 'Maya',
    tutor_name: 'Ingrid',
    ...changes,
  }) as Session
const month = [
  session('new', {
    date: '2026-11-20',
    student_name: 'Theo',
    total_amount: null,
    subject: null,
    duration: 1,
  }),
  session('later', { start_time: '17:00', total_amount: 100, subject: 'algebra', duration: 2 }),
  session('early', { start_time: '09:00', total_amount: 67.5, subject: 'Zoology', duration: 1 }),
  session('old', {
    date: '2026-11-01',
    student_name: 'Ángel',
    total_amount: 9,
    subject: 'Chess',
    duration: 1.5,
  }),
]
const inOrder = (address: string) =>
  sorted(month, orderIn(new URLSearchParams(address)), (one) => one.student_name ?? '').map(({ id }) => id)

test("a month's sessions are sorted by any column, with equal ones newest first and empty ones last", () => {
  assert.deepEqual(inOrder(''), ['new', 'later', 'early', 'old'])
  assert.deepEqual(inOrder('sort=date'), ['old', 'early', 'later', 'new'])
  assert.deepEqual(inOrder('sort=student'), ['old', 'later', 'early', 'new'])
  assert.deepEqual(inOrder('sort=-amount'), ['later', 'early', 'old', 'new'])
  assert.deepEqual(inOrder('sort=amount'), ['old', 'early', 'later', 'new'])
  assert.deepEqual(inOrder('sort=subject'), ['later', 'old', 'early', 'new'])
  assert.deepEqual(inOrder('sort=duration'), ['new', 'early', 'old', 'later'])
  assert.deepEqual(inOrder('sort=nonsense'), ['new', 'later', 'early', 'old'])
})

test('a header sorts names from A and numbers from the largest, then reverses, and the usual order has no parameter', () => {
  const pressed = (...columns: SortColumn[]) =>
    columns
      .reduce((query, column) => afterSort(query, column), new URLSearchParams('month=2026-10'))
      .toString()
  assert.equal(pressed('student'), 'month=2026-10&sort=student')
  assert.equal(pressed('student', 'student'), 'month=2026-10&sort=-student')
  assert.equal(pressed('student', 'amount'), 'month=2026-10&sort=-amount')
  assert.equal(pressed('date'), 'month=2026-10&sort=date')
  assert.equal(pressed('date', 'date'), 'month=2026-10')
  assert.equal(pressed('amount', 'date'), 'month=2026-10')
  assert.equal(asksForOrder(new URLSearchParams('sort=date')), true)
  assert.equal(asksForOrder(new URLSearchParams('month=2026-10')), false)
})
