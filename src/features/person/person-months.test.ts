import assert from 'node:assert/strict'
import type { Currency } from '#kernel/money.ts'
import { test } from 'node:test'
import type { Portion } from '#features/summary/summary.ts'
import { firstMonth, personMonths, withMissed } from './person-months.ts'

const portion = (month: string, more: Partial<Portion> = {}): Portion => ({
  tutor_id: 'ingrid',
  tutor_name: 'Ingrid',
  student_id: 'maya',
  student_name: 'Maya',
  part: Number(month.slice(5)) - 1,
  standing: 'verified',
  other_currency: null,
  sessions: 1,
  minutes: 90,
  amount_cents: 6750,
  ...more,
})
const reading = { until: '2026-11', kind: 'tutor', currency: 'USD' as Currency, seesAmounts: true } as const

test('twelve months end with the current one, newest first, without those that have no sessions', () => {
  assert.equal(firstMonth('2026-11'), '2025-12')
  const { months } = personMonths([portion('2025-12'), portion('2026-11'), portion('2026-03')], reading)
  assert.deepEqual(
    months.map(({ month }) => month),
    ['2026-11', '2026-03', '2025-12'],
  )
  assert.deepEqual(months[0], {
    month: '2026-11',
    sessions: 1,
    hours: 1.5,
    amounts: [{ currency: 'USD', amount: 67.5 }],
    state: 'agreed',
  })
})

test("a month's state is that of its least settled session, and what's disputed or leaving doesn't count", () => {
  const state = (...standings: Portion['standing'][]) => {
    const all = standings.map((standing) => portion('2026-11', { standing }))
    const [month] = personMonths(all, reading).months
    return [month?.state, month?.sessions]
  }
  assert.deepEqual(state('own'), ['own', 1])
  assert.deepEqual(state('own', 'verified'), ['agreed', 2])
  assert.deepEqual(state('verified', 'waiting'), ['waiting', 2])
  assert.deepEqual(state('verified', 'leaving'), ['waiting', 1])
  assert.deepEqual(state('waiting', 'disputed'), ['disputed', 1])
})

test('the other side of the lessons adds up by name, in each currency', () => {
  const all = [
    portion('2026-11'),
    portion('2026-10', { minutes: 30, amount_cents: 2251 }),
    portion('2026-10', { other_currency: 'EUR' as Currency, amount_cents: 100 }),
    portion('2026-10', { student_id: 'ada', student_name: 'Ada', amount_cents: 5 }),
    portion('2026-10', { student_id: null, student_name: null, standing: 'disputed' }),
  ]
  assert.deepEqual(personMonths(all, reading).with, [
    { id: 'ada', name: 'Ada', sessions: 1, hours: 1.5, amounts: [{ currency: 'USD', amount: 0.05 }] },
    {
      id: 'maya',
      name: 'Maya',
      sessions: 3,
      hours: 3.5,
      amounts: [
        { currency: 'USD', amount: 90.01 },
        { currency: 'EUR', amount: 1 },
      ],
    },
  ])
  const tutors = personMonths(all, { ...reading, kind: 'student' }).with
  assert.deepEqual(
    tutors.map(({ name }) => name),
    ['Ingrid'],
  )
})

test('people who see no amounts get none', () => {
  const { months, with: others } = personMonths([portion('2026-11')], { ...reading, seesAmounts: false })
  assert.deepEqual([months[0]?.amounts, others[0]?.amounts], [[], []])
})

test('missed classes are counted beside each month, also in one without a session, and change no total', () => {
  const { months } = personMonths([portion('2026-11'), portion('2026-09')], reading)
  const missed = ['2026-11-24', '2026-11-03', '2026-10-06'].map((date) => ({ date }))
  assert.deepEqual(
    withMissed(months, missed).map((one) => [
      one.month,
      one.sessions,
      one.hours,
      one.missed.length,
      one.state,
    ]),
    [
      ['2026-11', 1, 1.5, 2, 'agreed'],
      ['2026-10', 0, 0, 1, 'own'],
      ['2026-09', 1, 1.5, 0, 'agreed'],
    ],
  )
})
