import { currencyOf } from '#kernel/money.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  besideInWords,
  changesFacts,
  type ChargeFields,
  chargesBeside,
  emptyCharge,
  factsToSend,
  fieldsOf,
} from './charge-form.ts'
import { NewCharge } from './charge.ts'

const typed: ChargeFields = {
  ...emptyCharge('2026-11-14'),
  amount: '12,50',
  label: ' Reading book ',
}
const sent = { amount: 12.5, date: '2026-11-14', reason: 'materials', label: 'Reading book' }

test('a charge is sent as typed, and a credit with a minus sign', () => {
  assert.deepEqual(factsToSend(typed), sent)
  assert.deepEqual(factsToSend({ ...typed, kind: 'credit', reason: 'discount', label: '' }), {
    ...sent,
    amount: -12.5,
    reason: 'discount',
    label: null,
  })
})

test('what is saved along with a session survives a reload, and a payment is called one', () => {
  const payment = { key: 'k', amount: 30, reason: null, label: null }
  assert.deepEqual(chargesBeside(JSON.stringify([payment])), [payment])
  assert.equal(besideInWords(payment, currencyOf('USD')), '$30.00 paid')
  const charge = { key: 'k', amount: 12, reason: 'materials', label: 'Book' } as const
  assert.equal(besideInWords(charge, currencyOf('USD')), 'Book $12.00')
})

test('an amount is no charge if it is 0, has a sign of its own, or could mean two numbers', () => {
  for (const kind of ['charge', 'credit'] as const)
    for (const amount of ['', '0', '0,00', '-5', '−5', '1,234', 'five', '20000000.01'])
      assert.equal(
        NewCharge.safeParse(factsToSend({ ...typed, kind, amount })).success,
        false,
        `${kind} ${amount}`,
      )
  assert.equal(
    NewCharge.safeParse(factsToSend({ ...typed, kind: 'credit', amount: '1.234,50' })).success,
    true,
  )
})

test('a stored charge fills the form as it would be typed', () => {
  const stored = {
    amount: -20,
    date: '2026-11-14',
    reason: 'refund',
    label: null,
    currency: currencyOf('USD'),
  } as const
  const fields = fieldsOf(stored)
  assert.deepEqual([fields.kind, fields.amount, fields.label], ['credit', '20.00', ''])
  assert.equal(changesFacts({ ...fields, amount: '20' }, fields), false)
  assert.equal(changesFacts({ ...fields, kind: 'charge' }, fields), true)
  assert.equal(changesFacts({ ...fields, label: 'Twice paid' }, fields), true)
})
