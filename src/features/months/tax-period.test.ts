import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import type { Currency } from '#kernel/money.ts'
import { paymentsCsv, PERIOD_KINDS, periodsOf, taxPeriodOf } from './tax-period.ts'

const day = (text: string) => text as CalendarDay
const of = (kind: 'year' | 'uk' | 'school', today: string, id: string) => {
  const { from, to } = periodsOf(kind, day(today)).find((one) => one.id === id) ?? assert.fail(id)
  return `${from} ${to}`
}

test('UK quarters begin on the 6th and cover a tax year without a gap, also in a leap year', () => {
  const today = '2028-12-31'
  for (const [id, days] of [
    ['uk-2027', '2027-04-06 2028-04-05'],
    ['uk-2027-1', '2027-04-06 2027-07-05'],
    ['uk-2027-2', '2027-07-06 2027-10-05'],
    ['uk-2027-3', '2027-10-06 2028-01-05'],
    ['uk-2027-4', '2028-01-06 2028-04-05'],
    ['uk-2028-1', '2028-04-06 2028-07-05'],
  ] as const)
    assert.equal(of('uk', today, id), days)
})

test('calendar and school years end where the next begins', () => {
  assert.equal(of('year', '2026-11-28', '2024'), '2024-01-01 2024-12-31')
  assert.equal(of('school', '2026-11-28', 'school-2026'), '2026-09-01 2027-08-31')
  assert.equal(of('school', '2026-11-28', 'school-2023'), '2023-09-01 2024-08-31')
})

test('only periods that have begun are offered, the current one first', () => {
  assert.deepEqual(
    periodsOf('uk', day('2026-04-05'))
      .slice(0, 2)
      .map(({ id }) => id),
    ['uk-2025-4', 'uk-2025-3'],
  )
  assert.equal(periodsOf('uk', day('2026-04-06'))[0]?.id, 'uk-2026-1')
  assert.equal(periodsOf('school', day('2026-08-31'))[0]?.label, '2025/26')
  assert.equal(periodsOf('year', day('2026-01-01'))[0]?.label, '2026')
  assert.deepEqual(periodsOf('range', day('2026-01-01')), [])
})

test('every day is in exactly one quarter and one year of each kind', () => {
  const today = day('2028-12-31')
  for (const kind of PERIOD_KINDS.filter((one) => one !== 'range')) {
    const periods = periodsOf(kind, today).filter(({ id }) => !/^uk-\d+$/.test(id))
    for (let at = day('2024-01-01'); at <= today; at = addDays(at, 1))
      assert.equal(periods.filter(({ from, to }) => from <= at && at <= to).length, 1, `${kind} ${at}`)
  }
})

const GBP = 'GBP' as Currency
const USD = 'USD' as Currency
const paid = (amount: number, more: object = {}) => ({
  kind: 'payment' as const,
  amount,
  currency: GBP,
  counts: true,
  own_confirmation: 'confirmed' as const,
  other_confirmation: 'confirmed' as const,
  deletion_asked_by: null,
  ...more,
})
const NOTHING = { sessions: 0, waiting: 0, left_out: 0, hours: 0, amounts: [] }

test('received is money that counts, per currency; a debt from before is none, and what nobody confirmed is apart', () => {
  const period = taxPeriodOf({
    payments: [
      paid(0.1),
      paid(0.2),
      paid(300, { kind: 'hours' }),
      paid(80, { kind: 'opening' }),
      paid(50, { currency: USD }),
      paid(40, { counts: false, other_confirmation: 'none' }),
      paid(30, { counts: false, other_confirmation: 'disputed' }),
      paid(20, { counts: false, deletion_asked_by: 'you' }),
    ],
    charges: [],
    taught: NOTHING,
  })
  assert.deepEqual(period.received, [
    { currency: GBP, count: 3, amount: 300.3 },
    { currency: USD, count: 1, amount: 50 },
  ])
  assert.deepEqual(period.on_its_way, [{ currency: GBP, count: 1, amount: 40 }])
})

const charge = (amount: number, counts = true, more: object = {}) => ({
  amount,
  counts,
  currency: GBP,
  reason: 'other' as const,
  ...more,
})

test('what was received is lowered by refunds that both sides confirmed, in their own currency', () => {
  const refund = { reason: 'refund' as const }
  const period = taxPeriodOf({
    payments: [paid(100), paid(50), paid(30, { currency: USD })],
    charges: [
      charge(-20.1, true, refund),
      charge(-9.9, true, refund),
      charge(-40, false, refund),
      charge(5, true, refund),
      charge(-7, true, { ...refund, currency: 'EUR' as Currency }),
      charge(-3),
    ],
    taught: NOTHING,
  })
  assert.deepEqual(period.received, [
    { currency: GBP, count: 2, amount: 120 },
    { currency: USD, count: 1, amount: 30 },
    { currency: 'EUR', count: 0, amount: -7 },
  ])
  assert.deepEqual(period.refunded, [
    { currency: GBP, count: 2, amount: 30 },
    { currency: 'EUR', count: 1, amount: 7 },
  ])
  assert.deepEqual(period.credits, [{ currency: GBP, count: 1, amount: -3 }])
  assert.deepEqual(period.charges, [{ currency: GBP, count: 1, amount: 5 }])
})

test('charges and credits count once confirmed, apart from each other and from what was received', () => {
  const period = taxPeriodOf({
    payments: [paid(10)],
    charges: [charge(25), charge(12.5), charge(-5), charge(99, false)],
    taught: NOTHING,
  })
  assert.deepEqual(period.received, [{ currency: GBP, count: 1, amount: 10 }])
  assert.deepEqual(period.charges, [{ currency: GBP, count: 2, amount: 37.5 }])
  assert.deepEqual(period.credits, [{ currency: GBP, count: 1, amount: -5 }])
})

test('the spreadsheet has the received payments and the refunds, oldest first, with a currency in each row', () => {
  const row = (date: string, more: object) =>
    ({
      ...paid(10),
      date,
      student_name: 'Zoë',
      hours: null,
      method: 'cash',
      reference: null,
      note: null,
      ...more,
    }) as never
  const { header, rows } = paymentsCsv(
    [
      row('2026-05-02', { amount: 12.5 }),
      row('2026-05-01', { counts: false }),
      row('2026-04-30', { currency: USD }),
    ],
    [
      row('2026-05-01', { ...charge(-4), reason: 'refund', label: 'Half a lesson' }),
      row('2026-05-01', charge(-5)),
      row('2026-05-01', { ...charge(-6, false), reason: 'refund' }),
    ],
    () => 'The Whitfields',
  )
  assert.equal(header.length, rows[0]?.length)
  assert.deepEqual(
    rows.map((cells) => cells.slice(0, 6)),
    [
      ['2026-04-30', 'The Whitfields', 'Zoë', '10.00', 'USD', 'Payment'],
      ['2026-05-01', 'The Whitfields', 'Zoë', -4, 'GBP', 'Refund'],
      ['2026-05-02', 'The Whitfields', 'Zoë', '12.50', 'GBP', 'Payment'],
    ],
  )
  assert.equal(rows[1]?.at(-1), 'Half a lesson')
})
