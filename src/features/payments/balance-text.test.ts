import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { type Currency, currencyOf } from '#kernel/money.ts'
import type { LedgerLine } from './balance.ts'
import { boughtOf, changeInWords, changeOf, howItAddsUp, leftOutOfTotal } from './balance-text.ts'

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

test("a line says how it changes the balance; prepaid hours don't change it, and say what they cost", () => {
  const usd = 'USD' as Currency
  const line = (kind: LedgerLine['kind'], charged: number, paid: number, payment: object | null = null) =>
    ({ kind, charged, paid, covered_hours: 0, payment }) as LedgerLine
  const hours = { amount: 80, hours: 2, method: 'transfer', note: null, counts: true }
  const paid = { amount: 45, hours: null, method: 'cash', note: null, counts: true }
  assert.equal(changeOf(line('session', 67.5, 0)), 67.5)
  assert.equal(changeOf(line('opening', 30, 0, { ...paid, amount: 30 })), 30)
  assert.equal(changeOf(line('payment', 0, 45, paid)), -45)
  assert.equal(changeOf(line('payment', 0, 0, { ...paid, counts: false })), -45)
  assert.equal(changeOf(line('hours', 80, 80, hours)), 0)
  assert.equal(changeOf(line('hours', 0, 0, { ...hours, counts: false })), 0)
  assert.match(boughtOf(line('hours', 80, 80, hours), usd) ?? '', /^\$80\.00 for .*2 h.*, .*bank transfer/)
  assert.equal(boughtOf(line('payment', 0, 45, paid), usd), undefined)
})

test('a lesson without a rate shows a dash, and a free one shows 0', () => {
  const usd = 'USD' as Currency
  const lesson = (amount: number | null) =>
    ({ kind: 'session', amount, charged: 0, paid: 0, payment: null }) as unknown as LedgerLine
  assert.equal(changeInWords(lesson(null), usd), '–')
  assert.equal(changeInWords(lesson(0), usd), '$0.00')
})

test('what is owed unfolds into what was carried over, this month, and what was paid', () => {
  const words = (carried_over: number, charged: number, paid_amount: number) =>
    howItAddsUp(
      { carried_over, paid_amount, balance: Math.round((carried_over + charged - paid_amount) * 100) / 100 },
      currencyOf('USD'),
      '2026-11-27' as CalendarDay,
    )
  assert.deepEqual(
    [
      words(100, 345.01, 0),
      words(0, 90, 0),
      words(90, 0, 0),
      words(-20.5, 90, 10),
      words(0, 0, 50),
      words(0, 0, 0),
    ],
    [
      '$100.00 carried over + $345.01 in November',
      'All from November',
      'All carried over',
      '−$20.50 carried over + $90.00 in November − $10.00 paid',
      '−$50.00 paid',
      '',
    ],
  )
})
