import { currencyOf } from '#kernel/money.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, toPrice } from './price-form.ts'

const price = {
  id: 'p',
  student_id: 'maya',
  tutor_id: 'ingrid',
  from: '2026-09-01',
  amount: 32.5,
  lesson_minutes: 45,
  version: 1,
}

test('a price is sent as typed, with a comma or a point, per hour or per lesson', () => {
  const fields = fieldsOf(undefined, ['maya ingrid'], '2026-11-20', currencyOf('USD'))
  assert.deepEqual(fields, {
    pair: 'maya ingrid',
    from: '2026-11-20',
    amount: '',
    per: 'hour',
    lesson_minutes: '45',
  })
  const sent = { student_id: 'maya', tutor_id: 'ingrid', from: '2026-11-20' }
  assert.deepEqual(toPrice({ ...fields, amount: '32,50' }), { ...sent, amount: 32.5, lesson_minutes: null })
  assert.deepEqual(toPrice({ ...fields, amount: '32.50', per: 'lesson', lesson_minutes: '50' }), {
    ...sent,
    amount: 32.5,
    lesson_minutes: 50,
  })
  // What can mean two numbers goes as it was typed, so that the answer asks.
  assert.equal(toPrice({ ...fields, amount: '1,234' }).amount, '1,234')
})

test('the form shows a stored price, and asks whose it is only if there are several', () => {
  const fields = fieldsOf(price, ['maya ingrid', 'theo ingrid'], '2026-11-20', currencyOf('USD'))
  assert.deepEqual(fields, {
    pair: 'maya ingrid',
    from: '2026-09-01',
    amount: '32.50',
    per: 'lesson',
    lesson_minutes: '45',
  })
  assert.equal(fieldsOf(undefined, ['maya ingrid', 'theo ingrid'], '2026-11-20', currencyOf('USD')).pair, '')
  assert.equal(
    fieldsOf({ ...price, lesson_minutes: null as never }, [], '2026-11-20', currencyOf('USD')).per,
    'hour',
  )
})
