import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Minutes } from '#kernel/duration.ts'
import { cents, priceOf } from '#kernel/money.ts'
import { lineOf } from './spoken-line.ts'
import { claimMoney, rateOf, type SaidMoney } from './spoken-money.ts'

function said(text: string): SaidMoney[] {
  return claimMoney<SaidMoney>(lineOf(text)).flatMap((token) =>
    token.said && token.said.kind !== 'fee' ? [token.said] : [],
  )
}

test('rates for the hour', () => {
  const cases: [string, number][] = [
    ['at forty five dollars an hour', 4500],
    ['forty-five an hour', 4500],
    ['$45/hr', 4500],
    ['45 per hour', 4500],
    ['at $42.50 an hour', 4250],
    ['forty two fifty an hour', 4250],
    ['one twenty an hour', 12_000],
    ['one oh five an hour', 10_500],
    ['the rate was thirty', 3000],
    ['an hourly rate of 38', 3800],
    ['fifty bucks hourly', 5000],
    ['no charge', 0],
    ['it was free', 0],
    ['on the house', 0],
    ["he didn't charge us", 0],
    ['twenty dollars per half hour', 4000],
    ['at a discounted thirty dollars an hour', 3000],
    ["and she wouldn't take a penny", 0],
    ["but he didn't want paying", 0],
    ["and didn't want any money for it", 0],
    ['and refused payment', 0],
    ['and would not accept any money', 0],
    ['for nothing bless her', 0],
    ['out of the goodness of her heart', 0],
    ["he wouldn't let us pay", 0],
    ['and asked for nothing', 0],
    ["he's not charging us for that", 0],
    ['for $0', 0],
    ['without charging', 0],
    ['and said keep your money', 0],
    ["and wouldn't take anything for it", 0],
    ['at 40 p/h', 4000],
    ['£40 an hour', 4000],
    ['40€/h', 4000],
    ['one dollar a minute', 6000],
    ['thirty five an hour plus five dollars for the book', 3500],
  ]
  for (const [text, rate] of cases)
    assert.deepEqual(
      said(`maya had algebra ${text}`).map(({ kind, amount }) => [kind, amount]),
      [['rate', rate]],
      text,
    )
})

test('totals', () => {
  for (const text of [
    'we paid a hundred dollars total',
    'a hundred dollars for the whole lesson',
    'it came to a hundred altogether',
    '$100 in total',
    'total was 100',
    '£100 all told',
    'a hundred the lot',
    'i slipped him $100 for it',
    '100 dollars for both',
  ])
    assert.deepEqual(
      said(text).map(({ kind, amount }) => [kind, amount]),
      [['total', 10_000]],
      text,
    )
})

test('the price of one hour of several, of learners, and what stands behind the time', () => {
  const cases: [string, [string, number][]][] = [
    ['two hours i pay fifty dollars for one hour', [['rate', 5000]]],
    ['one hour and half the price is forty five for hour', [['rate', 4500]]],
    ['i paid fifty dollars for one hour', [['paid', 5000]]],
    ['1h30, fee 90 in total', [['total', 9000]]],
    ['half the price', [['share', 0.5]]],
    ['an hour, ten dollars off', [['off', 1000]]],
    ['got thirty dollars off him', [['paid', 3000]]],
    ['two hours @ 42 physics', [['at', 4200]]],
    ['charged an extra five an hour', [['shift', 500]]],
    ['a hundred even', [['total', 10_000]]],
    ['1h30, calculator', []],
    ['one hour 67.50', [['bare', 6750]]],
    ['one hour this time thirty five because of the snow', [['at', 3500]]],
    ['took twenty five not thirty', [['paid', 2500]]],
    ['a free taster hour', [['rate', 0]]],
  ]
  for (const [text, expected] of cases)
    assert.deepEqual(
      said(text).map(({ kind, amount }) => [kind, amount]),
      expected,
      text,
    )
})

test('a total becomes the rate that gives it back to the cent, or none', () => {
  fc.assert(
    fc.property(fc.integer({ min: 500, max: 50_000 }), fc.integer({ min: 1, max: 24 }), (total, quarters) => {
      const minutes = (quarters * 15) as Minutes
      const rate = rateOf({ slot: 'money', kind: 'total', amount: total }, minutes, null)
      if (rate !== null) assert.equal(priceOf(rate, minutes), total)
      else assert.notEqual(priceOf(cents(Math.round((total * 60) / minutes)), minutes), total)
    }),
  )
})

test("an amount without a word for it means what gives the tutor's usual rate", () => {
  const paid: SaidMoney = { slot: 'money', kind: 'bare', amount: 9000 }
  assert.equal(rateOf(paid, 120 as Minutes, cents(4500)), 4500)
  assert.equal(rateOf(paid, 120 as Minutes, cents(9000)), 9000)
  assert.equal(rateOf({ slot: 'money', kind: 'share', amount: 0.5 }, 60 as Minutes, cents(4500)), 2250)
  assert.equal(rateOf({ slot: 'money', kind: 'share', amount: 0.5 }, 60 as Minutes, null), null)
})

test('more or less than usual, and what takes an amount back', () => {
  const usual = cents(4500)
  assert.deepEqual(
    said('five dollars less than usual').map((amount) => rateOf(amount, 90 as Minutes, usual)),
    [4000],
  )
  assert.deepEqual(
    said('ten more an hour than usual').map((amount) => rateOf(amount, 90 as Minutes, null)),
    [null],
  )
  assert.deepEqual(
    said('with twenty percent off').map((amount) => rateOf(amount, 90 as Minutes, usual)),
    [3600],
  )
  assert.deepEqual(
    said('fifty an hour no wait forty').map(({ amount }) => amount),
    [5000, 4000],
  )
  assert.deepEqual(
    said('fifty dollars hold on sixty five').map(({ amount }) => amount),
    [5000, 6500],
  )
})

test('the price of something else is none', () => {
  for (const text of [
    'the school costs 60k a year',
    'nightmare parking, 12 quid',
    'her new calculator cost ninety dollars',
    'we bought her shoes for eighty dollars',
    'i still owe him 90 from last week',
    'he wants 50 a month',
    'she spent her 20 dollars on sweets',
    'the dog weighs 90 pounds',
    'the app is free',
    'the sixty dollars we owed from march',
  ])
    assert.deepEqual(said(text), [], text)
})

test('what is no price is none', () => {
  for (const text of [
    'he scored ninety two',
    'at four thirty',
    'ninety minutes',
    'algebra 2 an hour with',
    'at ninety percent',
    'page 45',
    'the usual rate',
    'she was free to go',
    'at 1600',
    'all that fuss was for nothing',
    "she didn't want paying until friday",
  ])
    assert.deepEqual(
      said(text).filter(({ kind }) => kind !== 'usual'),
      [],
      text,
    )
})
