import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  cents,
  centsOfDollars,
  centsOfText,
  currencyOf,
  dollars,
  formatMoney,
  formatPrice,
  inCurrency,
  priceOf,
  Rate,
  twoAmountsOf,
} from './money.ts'

test('dollars with two decimals are read exactly, digit by digit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (amount) => {
      const text = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
      assert.equal(centsOfText(text), amount)
      assert.equal(centsOfDollars(dollars(cents(amount))), amount)
    }),
  )
})

test('text that is not an amount is refused', () => {
  for (const text of ['', '-1', '1.234', '1e3', 'NaN', 'Infinity', '0x10', '1,000', '.5', '1.', '9999999999'])
    assert.equal(centsOfText(text), undefined, text)
})

test('an amount is taken with a comma, exactly, and a doubtful one is asked about', () => {
  const read = (value: unknown) => {
    const parsed = Rate.safeParse(value)
    return parsed.success ? parsed.data : parsed.error.issues[0]?.message
  }
  for (const [typed, amount] of [
    ['32,50', 3250],
    ['1 234,50', 123_450],
    ['٣٢٫٥٠', 3250],
    [32.5, 3250],
  ] as const)
    assert.equal(read(typed), amount)
  assert.equal(read('1.239'), 'Is that 1,239.00 or 1.23?')
  assert.equal(read('9,000'), 'Is that 9,000.00 or 9.00?')
  for (const typed of [1.239, '10.001', '0,125', '1,2345', '1 23'])
    assert.equal(read(typed), 'Enter an amount such as 45 or 45.50', String(typed))
  assert.deepEqual(twoAmountsOf('1.239'), [123_900, 123])
  for (const typed of ['1.23', '1,234.50', 'x', '']) assert.equal(twoAmountsOf(typed), undefined)
})

test('a price is rounded half up to the cent, as in exact arithmetic', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 96 }), (rate, quarters) => {
      const exact = (BigInt(rate) * BigInt(quarters * 15) * 2n + 60n) / 120n
      assert.equal(priceOf(cents(rate), quarters * 15, currencyOf('USD')), Number(exact))
    }),
  )
})

test('money is shown with its sign, its thousands and its cents', () => {
  assert.equal(formatMoney(cents(123_456), currencyOf('USD')), '$1,234.56')
  assert.equal(formatMoney(cents(-123_456), currencyOf('EUR')), '-€1,234.56')
  assert.equal(formatMoney(cents(-0), currencyOf('USD')), '$0.00')
})

test('amounts have two decimals in every currency, prices as many as their currency has', () => {
  assert.equal(formatMoney(cents(123_450), currencyOf('JPY')), '¥1,234.50')
  assert.equal(formatPrice(900, currencyOf('JPY')), '¥900')
  assert.throws(() => currencyOf('usd'), RangeError)
})

test("fixed labels show the account's currency symbol; in dollars they read as specified", () => {
  for (const [code, label] of [
    ['USD', 'Rate Override ($/hour)'],
    ['EUR', 'Rate Override (€/hour)'],
    ['CAD', 'Rate Override (CA$/hour)'],
    ['CHF', 'Rate Override (CHF/hour)'],
  ] as const)
    assert.equal(inCurrency('Rate Override ($/hour)', currencyOf(code)), label)
})
