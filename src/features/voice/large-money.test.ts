import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { cents, currencyOf } from '#kernel/money.ts'
import { readIn } from './large-money.ts'
import { read } from './reading/read.ts'
import { loadWeights } from './reading/weights.server.ts'

const weights = loadWeights()
const LISTS = {
  today: '2026-11-20' as CalendarDay,
  students: [{ id: 'maya', name: 'Maya' }],
  tutors: [{ id: 'ingrid', name: 'Ingrid', rate: cents(350_000), subjects: ['Math'] }],
}
const rateOf = (currency: string, price: string) =>
  readIn(
    currencyOf(currency),
    { ...LISTS, transcript: `Maya had an hour of math with Ingrid yesterday at ${price}` },
    (input) => read(weights, input),
  ).sessions[0]?.rate

test('rates in yen and won are read as they are, and a comma before three digits is no question', () => {
  for (const [price, rate] of [
    ['3000 yen an hour', 300_000],
    ['3,000 yen an hour', 300_000],
    ['¥3,050 an hour', 305_000],
    ['￥3000 per hour', 300_000],
    ['3,000 an hour', 300_000],
    ['3500円', 350_000],
  ] as const)
    assert.equal(rateOf('JPY', price), rate, price)
  assert.equal(rateOf('KRW', '50,000 won an hour'), 5_000_000)
  assert.equal(rateOf('USD', '40 dollars an hour'), 4000)
  assert.equal(rateOf('USD', '$32.50 an hour'), 3250)
})

test('what was paid in yen is read as it is', () => {
  const transcript = 'Maya had an hour of math with Ingrid yesterday and I paid her 3000 yen'
  const reading = readIn(currencyOf('JPY'), { ...LISTS, transcript }, (input) => read(weights, input))
  assert.deepEqual([reading.paid, reading.sessions[0]?.rate], [300_000, null])
})

test('amounts in Chilean pesos are read as they are, also in thousands', () => {
  const rateFor = (transcript: string) =>
    readIn(
      currencyOf('CLP'),
      {
        today: LISTS.today,
        students: LISTS.students,
        tutors: [{ id: 'rosa', name: 'Rosa', rate: cents(1_200_000), subjects: [] }],
        transcript,
      },
      (input) => read(weights, input),
    ).sessions[0]?.rate
  assert.equal(rateFor('Maya tuvo una hora de inglés con Rosa ayer, 15 lucas la hora'), 1_500_000)
  assert.equal(rateFor('Maya tuvo una hora de inglés con Rosa ayer, quince lucas la hora'), 1_500_000)
  assert.equal(rateFor('Maya tuvo una hora de inglés con Rosa ayer, 15000 pesos la hora'), 1_500_000)
})
