import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PaymentFields, toInput } from './payment-form.ts'

const typed: PaymentFields = {
  party: 'p1',
  date: '2026-11-17',
  kind: 'hours',
  amount: '160.00',
  hours: '4',
  method: 'transfer',
  note: 'For November',
}
const rest = { date: '2026-11-17', amount: 160, note: 'For November' }

test('a payment sends all that was typed, about a tutor for a family and about a student for a tutor', () => {
  assert.deepEqual(toInput(typed, 'tutor'), {
    ...rest,
    tutor_id: 'p1',
    kind: 'hours',
    hours: 4,
    method: 'transfer',
  })
  assert.deepEqual(toInput({ ...typed, party: '' }, 'student'), {
    ...rest,
    student_id: null,
    kind: 'hours',
    hours: 4,
    method: 'transfer',
  })
})

test('hours go with prepaid hours only, a way to pay not with an earlier balance, and cleared fields are cleared', () => {
  const sent = (more: Partial<PaymentFields>) => {
    const { hours, method, note } = toInput({ ...typed, ...more }, 'tutor')
    return [hours, method, note]
  }
  assert.deepEqual(sent({ kind: 'payment' }), [null, 'transfer', 'For November'])
  assert.deepEqual(sent({ kind: 'opening' }), [null, null, 'For November'])
  assert.deepEqual(sent({ hours: ' ', method: '', note: '' }), [null, null, ''])
})
