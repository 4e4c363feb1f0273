import { currencyOf } from '#kernel/money.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherAmountFields, saidOfAmount } from './other-amount.ts'

const charge = { date: '2026-06-17', amount: 12, currency: currencyOf('USD') }
const typed = (more: object, entry = charge) => saidOfAmount({ ...otherAmountFields(entry), ...more }, entry)

test('only what was changed is proposed, and nothing at all is not sent', () => {
  assert.equal(typed({}), undefined)
  assert.equal(typed({ note: '  ', amount: '12,00' }), undefined)
  assert.deepEqual(typed({ note: 'It was less' }), { note: 'It was less' })
  assert.deepEqual(typed({ amount: '10,50' }), { proposal: { amount: 10.5 } })
  assert.deepEqual(typed({ amount: '10', date: '2026-06-16', note: 'x' }), {
    note: 'x',
    proposal: { amount: 10, date: '2026-06-16' },
  })
})

test('a credit is typed without its sign and stays a credit, and what is no number is sent as it was typed', () => {
  const credit = { date: '2026-06-17', amount: -12, currency: currencyOf('USD') }
  assert.equal(typed({}, credit), undefined)
  assert.deepEqual(typed({ amount: '8' }, credit), { proposal: { amount: -8 } })
  assert.deepEqual(typed({ amount: '1,234' }), { proposal: { amount: '1,234' } })
  assert.deepEqual(typed({ amount: 'ten' }, credit), { proposal: { amount: '-ten' } })
})

test('in yen, 1,234 is clear and decimals are refused at the field', () => {
  const yen = { date: '2026-06-17', amount: 1200, currency: currencyOf('JPY') }
  assert.equal(otherAmountFields(yen).amount, '1200')
  assert.deepEqual(typed({ amount: '1,234' }, yen), { proposal: { amount: 1234 } })
  assert.deepEqual(typed({ amount: '12,50' }, yen), {
    problem: 'JPY has no decimals. Enter a whole amount such as 4500',
  })
})
