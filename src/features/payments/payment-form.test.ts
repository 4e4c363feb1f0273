import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from './payment.ts'
import { fieldsOf, type PaymentFields, paymentNotice, toInput } from './payment-form.ts'

const typed: PaymentFields = {
  party: 'p1',
  date: '2026-11-17',
  kind: 'hours',
  amount: '160.00',
  hours: '4',
  method: 'transfer',
  note: 'For November',
  reference: '',
}
const rest = { date: '2026-11-17', amount: 160, note: 'For November' }

test("a payment is sent as typed: a family's names a tutor, a tutor's names a student", () => {
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

test('only prepaid hours have hours, an earlier balance has no method, and emptied fields are cleared', () => {
  const sent = (more: Partial<PaymentFields>) => {
    const { hours, method, note } = toInput({ ...typed, ...more }, 'tutor')
    return [hours, method, note]
  }
  assert.deepEqual(sent({ kind: 'payment' }), [null, 'transfer', 'For November'])
  assert.deepEqual(sent({ kind: 'opening' }), [null, null, 'For November'])
  assert.deepEqual(sent({ hours: ' ', method: '', note: '' }), [null, null, ''])
})

const shared = {
  ...rest,
  kind: 'hours',
  hours: 4,
  method: 'transfer',
  is_shared: true,
  is_read_only: false,
  own_confirmation: 'confirmed',
  other_confirmation: 'confirmed',
  deletion_asked_by: null,
} as Payment

test('the form says that the other side confirms a new payment, and is asked again when its facts change', () => {
  const isNew = (isShared: boolean) =>
    paymentNotice(typed, 'tutor', { payment: undefined, isShared, other: 'Ingrid' })
  assert.equal(isNew(true), 'It counts once Ingrid confirms it.')
  assert.equal(isNew(false), undefined)
  const says = (now: Partial<Payment>, change: Partial<PaymentFields>) => {
    const payment = { ...shared, ...now }
    const { is_shared: isShared } = payment
    const fields = { ...fieldsOf(payment, 'tutor'), ...change }
    return paymentNotice(fields, 'tutor', { payment, isShared, other: 'the tutor' })
  }
  for (const fact of [
    { kind: 'payment' as const },
    { date: '2026-11-18' },
    { amount: '9' },
    { hours: '3' },
  ]) {
    assert.equal(says({}, fact), 'The tutor will be asked to confirm the change.')
    assert.equal(
      says({ is_shared: false }, fact),
      'The tutor confirmed this payment before your change and will be asked to confirm it again.',
    )
    assert.equal(says({ is_shared: false, other_confirmation: 'none' }, fact), undefined)
    assert.equal(says({ is_read_only: true }, fact), undefined)
  }
  assert.equal(says({}, { note: 'Thank you', method: 'cash' }), undefined)
})
