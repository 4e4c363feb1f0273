import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { currencyOf } from '#kernel/currency.ts'
import {
  clockOf,
  clockRangeOf,
  type DateOrders,
  dayOf,
  guessDateOrders,
  minutesOf,
  moneyOf,
  otherCurrencyIn,
} from './cell.ts'

const US: DateOrders = { slashed: 'mdy', dotted: 'dmy' }
const EUROPE: DateOrders = { slashed: 'dmy', dotted: 'dmy' }

test('start times are read in the forms people write them', () => {
  for (const [cell, start] of [
    ['16:30', '16:30'],
    ['4:30 PM', '16:30'],
    ['4pm', '16:00'],
    ['12 a.m.', '00:00'],
    ['01:26:00 PM', '13:26'],
    ['16.30 Uhr', '16:30'],
    ['2026-11-17 09:05:00', '09:05'],
    ['11/17/2026, 4:30 PM', '16:30'],
    ['', null],
    ['4', undefined],
    ['25:00', undefined],
    ['noon', undefined],
    ['1.5', undefined],
    ['2026-11-17T09:05:00Z', undefined],
  ] as const)
    assert.equal(clockOf(cell), start, cell)
})

test('two times in one cell are a start and an end', () => {
  for (const cell of ['16:00-17:30', '4:00 PM – 5:30 PM', '4-5:30 PM', '4 to 5:30pm', '16:00 bis 17:30 Uhr'])
    assert.deepEqual(clockRangeOf(cell), { start: '16:00', end: '17:30' }, cell)
  assert.deepEqual(clockRangeOf('11:30-1 PM'), { start: '11:30', end: '13:00' })
  for (const cell of ['16:00', '2026-11-03', '4-5', 'Maya - Ingrid', '', '1-2-3', '11/3 - 11/4'])
    assert.equal(clockRangeOf(cell), undefined, cell)
})

test('dates are read in many forms, and never shift by a day', () => {
  for (const cell of [
    '2026-11-03',
    '2026/11/3',
    '2026.11.03',
    '11/3/2026',
    '11/03/26',
    '03.11.2026',
    '3. 11. 2026',
    'Tue 11/3/2026',
    'Tue, Nov 3, 2026',
    'Tuesday, November 3, 2026',
    '3 November 2026',
    '03-Nov-26',
    '3-Nov-2026',
    "Nov 3, '26",
    '2026-Nov-03',
    '2026-11-03 16:30',
    '2026-11-03T16:30:00Z',
    '11/3/2026 4 PM',
    'Nov 3rd 2026',
    '3rd of November 2026',
    '3 de noviembre de 2026',
    'Di, 3. Nov. 2026',
    'mardi 3 novembre 2026',
  ])
    assert.equal(dayOf(cell, US), '2026-11-03', cell)
  assert.equal(dayOf('17-Mär-26', US), '2026-03-17')
  assert.equal(dayOf('12 déc. 2026', US), '2026-12-12')
  for (const cell of [
    '',
    '2026-02-30',
    '13/13/2026',
    'yesterday',
    'Nov 2026',
    'Nov-26',
    '45000',
    'Unit 3, May 12',
    'Marathon 3 2026',
  ])
    assert.equal(dayOf(cell, US), undefined, cell)
})

test('3.4.2026 is April 3, also between dates with slashes; only a file or a reader can say otherwise', () => {
  for (const [dates, orders] of [
    [['05.03.2026'], US],
    [['05.03.2026', '11/25/2026'], US],
    [['1/2/2026', '25/2/2026'], EUROPE],
    [['1/25/2026'], US],
    [['1/2/2026'], US],
    [['3.25.2026', '3.4.2026'], { slashed: 'mdy', dotted: 'mdy' }],
    [['1-2-2026', '25-2-2026'], EUROPE],
    [['Tue 25/2/2026'], EUROPE],
  ] as const)
    assert.deepEqual(guessDateOrders(dates), orders, dates.join(' '))
  assert.equal(dayOf('05.03.2026', US), '2026-03-05')
  assert.equal(dayOf('5/3/2026', US), '2026-05-03')
  assert.equal(dayOf('5/3/2026', EUROPE), '2026-03-05')
})

test('durations are read exactly, in many forms', () => {
  for (const cell of [
    '1.5',
    '1,5',
    '1:30',
    '01:30:00',
    '1:30 h',
    '1h30',
    '1 h 30 min',
    '90 min',
    '90 mins.',
    '1.5 hours',
    '1.5h',
    '1 ½',
    '1½ h',
    '1 1/2 hours',
    '1-1/2',
    '1 hour, 30 minutes',
    '1 hour and 30 minutes',
    '1 hr 30',
    '1 Std. 30 Min.',
    '1,5 Stunden',
    '1 hora y 30 minutos',
  ])
    assert.equal(minutesOf(cell, 'hours'), 90, cell)
  assert.equal(minutesOf('¾', 'hours'), 45)
  assert.equal(minutesOf('1/2 hour', 'hours'), 30)
  assert.equal(minutesOf('90', 'minutes'), 90)
  assert.equal(minutesOf('1:30', 'minutes'), 90)
  for (const cell of ['', 'an hour', '-1', '1.333', '1:75', '01:29:47', '1/0', '4 PM', '1 ½ ½'])
    assert.equal(minutesOf(cell, 'hours'), undefined, cell)
})

test('every duration that is written as a clock, in words or with a fraction is read back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 45), (hours, minutes) => {
      const total = hours * 60 + minutes
      const two = (value: number) => String(value).padStart(2, '0')
      const fraction = { 0: '', 15: '¼', 30: '½', 45: '¾' }[minutes]
      for (const text of [
        `${hours}:${two(minutes)}`,
        `${two(hours)}:${two(minutes)}:00`,
        `${hours} h ${minutes} min`,
        `${hours} hours, ${minutes} minutes`,
        `${hours} ${fraction}`,
        String(total / 60),
        String(total / 60).replace('.', ','),
      ])
        assert.equal(minutesOf(text, 'hours'), total, text)
    }),
  )
})

test('money is read exactly, in many forms', () => {
  for (const [cell, amount] of [
    ['$1,234.50', 123_450],
    ["1'234.50", 123_450],
    ['CHF 1’234.50', 123_450],
    ['1 234,50 €', 123_450],
    ['45', 4500],
    ['45,5', 4550],
    ['45.–', 4500],
    ['1.234,50 €', 123_450],
    ['CA$45.50', 4550],
    ['450 kr', 45_000],
    ['₹1,250', 125_000],
    ['CHF 90/h', 9000],
    ['45.55/h', 4555],
    ['$45/hr', 4500],
    ['45 per hour', 4500],
    ['', null],
    ['–', null],
    ['12.345', undefined],
    ["1'23", undefined],
    ['-5', undefined],
    ['free', undefined],
  ] as const)
    assert.equal(moneyOf(cell, currencyOf('USD')), amount, cell)
})

test('an amount that says it is in another currency is told apart from one that fits yours', () => {
  for (const [cell, currency, other] of [
    ['$45', 'USD', undefined],
    ['45.00 USD', 'USD', undefined],
    ['US$45', 'USD', undefined],
    ['45', 'EUR', undefined],
    ['45,50 €', 'EUR', undefined],
    ['€45', 'USD', '€'],
    ['45 EUR', 'USD', 'EUR'],
    ['$45', 'EUR', '$'],
    ['$45', 'CAD', undefined],
    ['CA$45', 'CAD', undefined],
    ['CA$45', 'USD', 'CA$'],
    ['Billable Rate (USD)', 'EUR', 'USD'],
    ['Billable Rate (USD)', 'USD', undefined],
    ['Total', 'USD', undefined],
    ['R$ 90,00', 'BRL', undefined],
    ['450 kr', 'SEK', undefined],
    ['450 kr', 'DKK', undefined],
    ['450 kr', 'EUR', 'kr'],
    ['120 zł', 'PLN', undefined],
    ['£30', 'INR', '£'],
    ['¥3,000', 'JPY', undefined],
    ['￥3000', 'JPY', undefined],
    ['3000円', 'JPY', undefined],
    ['3000 yen', 'USD', '¥'],
    ['50,000 won', 'KRW', undefined],
    ['Games won', 'USD', undefined],
    ['-', 'GBP', undefined],
  ] as const)
    assert.equal(otherCurrencyIn(cell, currencyOf(currency)), other, `${cell} among ${currency}`)
})

test('money in yen and won is whole, and a comma before three digits is no question', () => {
  for (const [cell, amount] of [
    ['3000', 300_000],
    ['¥3,000', 300_000],
    ['￥3,000', 300_000],
    ['JP¥3,000', 300_000],
    ['3.000', 300_000],
    ['3,000円', 300_000],
    ['3000 yen', 300_000],
    ['3000.00', 300_000],
    ['12,50', undefined],
    ['3000.5', undefined],
  ] as const)
    assert.equal(moneyOf(cell, currencyOf('JPY')), amount, cell)
  assert.equal(moneyOf('₩50,000', currencyOf('KRW')), 5_000_000)
  assert.equal(moneyOf('50,000원', currencyOf('KRW')), 5_000_000)
})
