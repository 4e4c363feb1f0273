import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Currency } from '#kernel/money.ts'
import { leftOutOfTotal } from './balance-text.ts'

const inCurrencies = (...codes: string[]) => codes.map((currency) => ({ currency: currency as Currency }))

test('a total says which currencies it leaves out', () => {
  const usd = 'USD' as Currency
  assert.equal(leftOutOfTotal(inCurrencies('USD', 'USD'), usd), undefined)
  assert.equal(leftOutOfTotal(inCurrencies('USD', 'EUR', 'EUR'), usd), 'Amounts in EUR aren’t included')
  assert.equal(
    leftOutOfTotal(inCurrencies('GBP', 'USD', 'EUR'), usd),
    'Amounts in GBP and EUR aren’t included',
  )
})
