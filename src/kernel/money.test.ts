import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  amountAsTyped,
  amountInField,
  amountProblem,
  cents,
  centsOfDollars,
  centsOfText,
  currencyOf,
  dollars,
  formatMoney,
  inCurrency,
  leastAmountOf,
  partOf,
  priceOf,
  Rate,
  twoAmountsOf,
} from './money.ts'

const USD = currencyOf('USD')

test('dollars with two decimals are read exactly, digit by digit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (amount) => {
      const text = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
      assert.equal(centsOfText(text, USD), amount)
      assert.equal(centsOfDollars(dollars(cents(amount))), amount)
    }),
  )
})

test('text that is not an amount is refused', () => {
  for (const text of ['', '-1', '1.234', '1e3', 'NaN', 'Infinity', '0x10', '1,000', '.5', '1.', '9999999999'])
    assert.equal(centsOfText(text, USD), undefined, text)
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
  for (const typed of [1.239, '500.001', '0,125', '1,2345', '1 23'])
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

test('a part is rounded half up to the smallest amount, as in exact arithmetic, in four currencies', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('USD', 'EUR', 'JPY', 'KRW').map(currencyOf),
      fc.integer({ min: -20_000_000, max: 20_000_000 }),
      fc.integer({ min: 0, max: 1440 }),
      fc.integer({ min: 1, max: 12_000 }),
      (currency, units, parts, of) => {
        const least = leastAmountOf(currency)
        const part = partOf(cents(units * least), parts, of, currency)
        assert.equal(Math.abs(part % least), 0, 'whole')
        // Twice the distance to the exact part is at most one unit, and a half goes up.
        const off = 2n * (BigInt(part / least) * BigInt(of) - BigInt(units) * BigInt(parts))
        assert.ok(off > -BigInt(of) && off <= BigInt(of), `${part}`)
      },
    ),
  )
})

test('an amount in a currency without decimals is whole, and 1,234 in it is no question', () => {
  const yen = currencyOf('JPY')
  for (const [typed, amount] of [
    ['3000', '3000'],
    ['3,000', '3000'],
    ['3.000', '3000'],
    ['1,234', '1234'],
    ['12 500', '12500'],
    ['1,234,500', '1234500'],
    ['3000.00', '3000'],
    ['３０００', '3000'],
    ['٣٬٠٠٠', '3000'],
    ['-3,000', '-3000'],
    ['', ''],
  ] as const)
    assert.deepEqual(amountAsTyped(typed, yen), { amount }, typed)
  for (const typed of ['32,50', '1,234.50', '0.5', '٣٢٫٥٠', '1.25'])
    assert.deepEqual(amountAsTyped(typed, yen), {
      problem: 'JPY has no decimals. Enter a whole amount such as 4500',
    })
  assert.deepEqual(amountAsTyped('a lot', yen), { problem: 'Enter a whole amount such as 4500' })
  for (const typed of ['1,234', '32,50', 'a lot'])
    assert.deepEqual(amountAsTyped(typed, USD), { amount: typed }, 'the schema says what is wrong')
  assert.equal(centsOfText('1,234', yen), 123_400)
  assert.equal(centsOfText('1,234.50', yen), undefined)
  assert.equal(amountProblem('Enter an amount such as 45 or 45.50', yen), 'Enter a whole amount such as 4500')
  assert.equal(
    amountProblem('Enter an amount such as 45 or 45.50', USD),
    'Enter an amount such as 45 or 45.50',
  )
})

test('money is shown with its sign, its thousands and its cents', () => {
  assert.equal(formatMoney(cents(123_456), currencyOf('USD')), '$1,234.56')
  assert.equal(formatMoney(cents(-123_456), currencyOf('EUR')), '-€1,234.56')
  assert.equal(formatMoney(cents(-0), currencyOf('USD')), '$0.00')
})

test('amounts have two decimals, or none in a currency without them', () => {
  assert.equal(formatMoney(cents(123_400), currencyOf('JPY')), '¥1,234')
  assert.equal(formatMoney(cents(-5_000_000), currencyOf('KRW')), '-₩50,000')
  assert.equal(amountInField(1234, currencyOf('JPY')), '1234')
  assert.equal(amountInField(1234, USD), '1234.00')
  assert.equal(amountInField(null, USD), '')
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
