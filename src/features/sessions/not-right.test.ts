import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Currency, currencyOf } from '#kernel/money.ts'
import { notRightFields, proposalInWords, saidOf } from './not-right.ts'

const SESSION = { date: '2026-11-03', duration: 1, rate: 52, total_amount: 52, currency: currencyOf('USD') }
const FIELDS = notRightFields(SESSION)

test('what is not right is a time, a rate, that it did not happen, or a note', () => {
  assert.deepEqual(saidOf({ ...FIELDS, what: 'time', duration: '0,75' }, SESSION), {
    said: { proposal: { date: '2026-11-03', duration: 0.75 } },
  })
  assert.deepEqual(saidOf({ ...FIELDS, what: 'rate', rate: '48,50', note: ' As agreed ' }, SESSION), {
    said: { note: 'As agreed', proposal: { rate: 48.5 } },
  })
  assert.deepEqual(saidOf({ ...FIELDS, what: 'removal' }, SESSION), {
    said: { proposal: { is_removal: true } },
  })
  assert.deepEqual(saidOf({ ...FIELDS, note: 'Wrong child' }, SESSION), { said: { note: 'Wrong child' } })
})

test('nothing picked, nothing changed and what cannot be read is said at its field', () => {
  const field = (change: Partial<typeof FIELDS>) => {
    const told = saidOf({ ...FIELDS, ...change }, SESSION)
    return 'errors' in told && Object.keys(told.errors)
  }
  assert.deepEqual(field({}), ['note'])
  assert.deepEqual(field({ what: 'time' }), ['duration'])
  assert.deepEqual(field({ what: 'time', duration: '1.1' }), ['duration'])
  assert.deepEqual(field({ what: 'rate' }), ['rate'])
  assert.deepEqual(field({ what: 'rate', rate: 'a lot' }), ['rate'])
  assert.deepEqual(field({ what: 'time', date: '2026-11-02' }), false)
})

test('a proposal is told as what it changes, in the currency of the session', () => {
  const told = (change: object, currency = 'USD' as Currency) =>
    proposalInWords({ ...SESSION, currency }, { ...SESSION, is_removal: false, ...change })
  assert.equal(
    told({ duration: 0.75, total_amount: 39 }),
    '45 minutes instead of 60, $39.00 instead of $52.00',
  )
  assert.equal(
    told({ rate: 48.5, total_amount: 48.5 }, 'EUR' as Currency),
    '€48.50/h instead of €52.00/h, €48.50 instead of €52.00',
  )
  assert.equal(told({ date: '2026-11-02' }), 'Nov 2 instead of Nov 3')
  assert.equal(told({ is_removal: true }), 'it didn’t happen')
})

test('in yen, 4,500 is clear and decimals are refused at the field', () => {
  const yen = { ...SESSION, rate: 4000, total_amount: 4000, currency: currencyOf('JPY') }
  const fields = { ...notRightFields(yen), what: 'rate' as const }
  assert.equal(fields.rate, '4000')
  assert.deepEqual(saidOf({ ...fields, rate: '4,500' }, yen), { said: { proposal: { rate: 4500 } } })
  for (const [rate, words] of [
    ['45,50', 'JPY has no decimals. Enter a whole amount such as 4500'],
    ['', 'Enter a whole amount such as 4500'],
  ] as const)
    assert.deepEqual(saidOf({ ...fields, rate }, yen), { errors: { rate: words } })
})
