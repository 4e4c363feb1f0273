// Payments pay the oldest lines first, and every cent of them is somewhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, cents, currencyOf, priceOf } from '#kernel/money.ts'
import { type Entry, ledgerOf } from '#features/payments/balance.ts'
import { settle } from './settling.ts'

const USD = currencyOf('USD')

type Owed = Entry & { payment: { method: 'cash' } | null }

const entry = (kind: Entry['kind'], at: number, amount: number, minutes = 0): Owed => ({
  id: `${kind} ${at}`,
  kind,
  day: `2026-11-${String(at).padStart(2, '0')}` as CalendarDay,
  minutes: minutes as Minutes,
  rate: (kind === 'session' ? (amount * 60) / minutes : null) as Cents | null,
  amount: cents(amount),
  payment: kind === 'payment' || kind === 'hours' ? { method: 'cash' } : null,
})
const short = (entries: Owed[]) =>
  settle(ledgerOf(entries, USD), USD).map(({ from, to, amount }) => `${from} > ${to}: ${amount}`)

test('a payment pays the oldest lesson first, and the rest of it the next one', () => {
  assert.deepEqual(
    short([
      entry('session', 3, 4500, 60),
      entry('session', 10, 4500, 60),
      entry('charge', 11, 1800),
      entry('payment', 12, 6000),
      entry('payment', 20, 4000),
    ]),
    [
      'payment 12 > session 3: 4500',
      'payment 12 > session 10: 1500',
      'payment 20 > session 10: 3000',
      'payment 20 > charge 11: 1000',
    ],
  )
})

test('prepaid hours pay for the lessons that draw on them, a credit pays like a payment, an earlier debt comes first', () => {
  assert.deepEqual(
    short([
      entry('opening', 1, 1000),
      entry('hours', 2, 8000, 120),
      entry('session', 3, 4500, 60),
      entry('session', 10, 6750, 90),
      entry('charge', 12, -500),
      entry('payment', 13, 2750),
    ]),
    [
      'hours 2 > session 3: 4500',
      'hours 2 > session 10: 4500',
      'charge 12 > opening 1: 500',
      'payment 13 > opening 1: 500',
      'payment 13 > session 10: 2250',
    ],
  )
})

const anEntry = fc
  .record({
    kind: fc.constantFrom('session', 'session', 'payment', 'charge', 'hours', 'opening'),
    at: fc.integer({ min: 1, max: 28 }),
    quarters: fc.integer({ min: 1, max: 12 }),
    amount: fc.integer({ min: 1, max: 9000 }),
    isCredit: fc.boolean(),
  })
  .map(({ kind, at, quarters, amount, isCredit }): Owed => {
    const minutes = quarters * 15
    if (kind === 'session') return entry(kind, at, priceOf(cents(amount), minutes, USD), minutes)
    return entry(kind, at, kind === 'charge' && isCredit ? -amount : amount, kind === 'hours' ? minutes : 0)
  })

test('D2: in any account nothing is paid twice, and what is open is the balance', () => {
  fc.assert(
    fc.property(fc.array(anEntry, { maxLength: 25 }), (drawn) => {
      const lines = ledgerOf(
        drawn.map((one, at) => ({ ...one, id: `${one.kind} ${at}` })),
        USD,
      )
      const settlements = settle(lines, USD)
      const total = (of: typeof settlements) => of.reduce((sum, { amount }) => sum + amount, 0)
      const byPayment = settlements.filter(({ kind }) => kind !== 'prepaid')
      for (const { entry: one, charged, coveredAmount, paid } of lines) {
        const isOwed = one.kind !== 'hours'
        assert.ok(
          total(settlements.filter(({ to }) => to === one.id)) <=
            (isOwed ? Math.max(0, charged) : 0) + coveredAmount,
        )
        assert.ok(
          total(byPayment.filter(({ from }) => from === one.id)) <= Math.max(isOwed ? paid : 0, -charged),
        )
      }
      const owed = lines.reduce(
        (sum, { entry: one, charged }) => sum + (one.kind === 'hours' ? 0 : Math.max(0, charged)),
        0,
      )
      assert.equal(owed - total(byPayment), Math.max(0, lines.at(-1)?.balance ?? 0))
    }),
    { numRuns: 2000 },
  )
})
