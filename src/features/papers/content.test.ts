// What a paper says follows from what was recorded: sums, standing, order and what is left out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, cents, currencyOf } from '#kernel/money.ts'
import { type Entry, ledgerOf } from '#features/payments/balance.ts'
import type { Charge } from '#features/charges/charge.ts'
import type { Session } from '#features/sessions/session.ts'
import { contentOf, copyForProvider, paperNumber, type PaperSources } from './content.ts'
import { detailsOf, NO_PROVIDER, ProviderInput } from './provider.ts'
import { settle } from './settling.ts'

const USD = currencyOf('USD')
const ours = {
  is_shared: false,
  own_confirmation: 'confirmed',
  other_confirmation: 'none',
  deletion_asked_by: null,
} as const

const session = (id: string, date: string, amount: number | null, more: object = {}) =>
  ({
    id,
    date,
    duration: 1,
    subject: 'Algebra',
    start_time: '23:30',
    total_amount: amount,
    currency: USD,
    ...ours,
    ...more,
  }) as Session
const charge = (id: string, date: string, amount: number, more: object = {}) =>
  ({
    id,
    date,
    amount,
    reason: 'other',
    label: 'Book',
    currency: USD,
    counts: true,
    ...ours,
    ...more,
  }) as Charge

const input = {
  student_id: 's',
  kind: 'receipt' as const,
  program: 'free-form',
  from: '2026-11-01' as CalendarDay,
  to: '2026-11-30' as CalendarDay,
  is_unrelated: false,
  is_reviewed: false,
  places: [],
}
const sources = (more: Partial<PaperSources>): PaperSources => ({
  today: '2026-11-20' as CalendarDay,
  region: null,
  provider: NO_PROVIDER,
  currency: USD,
  sessions: [],
  charges: [],
  settlements: [],
  dueOn: null,
  remembered: new Map(),
  ways: [],
  side: 'practice',
  ...more,
})

test('what was sent back, is about to be deleted, lies ahead or isn\u2019t agreed on is left out by name; one side\u2019s lesson is marked', () => {
  const shared = { is_shared: true }
  const { content, leftOut } = contentOf(
    input,
    sources({
      sessions: [
        session('1', '2026-11-03', 45, { ...shared, other_confirmation: 'confirmed' }),
        session('2', '2026-11-04', 45, shared),
        session('3', '2026-11-05', 45, {
          ...shared,
          own_confirmation: 'none',
          other_confirmation: 'confirmed',
        }),
        session('4', '2026-11-06', 45, { ...shared, other_confirmation: 'disputed' }),
        session('5', '2026-11-07', 45, { ...shared, deletion_asked_by: 'other' }),
        session('6', '2026-11-25', 45),
      ],
      charges: [charge('7', '2026-11-08', 5, { ...shared, counts: false })],
    }),
  )
  assert.deepEqual(
    content.lessons.map(({ id, confirmed_by: by, start, end }) => [id, by, start, end]),
    [
      ['1', 'both', '23:30', '00:30'],
      ['2', 'provider', '23:30', '00:30'],
      ['3', 'family', '23:30', '00:30'],
    ],
  )
  assert.deepEqual(
    leftOut.map(({ what, day, why }) => `${what} ${day} ${why}`),
    [
      'session 2026-11-06 not_right',
      'session 2026-11-07 leaving',
      'charge 2026-11-08 waiting',
      'session 2026-11-25 not_taught_yet',
    ],
  )
})

const aRow = fc.record({
  kind: fc.constantFrom('session', 'session', 'session', 'payment', 'charge', 'hours'),
  // From September to December, so that payments reach over the paper's edges.
  at: fc.integer({ min: 0, max: 119 }),
  amount: fc.integer({ min: 1, max: 9000 }),
  isCredit: fc.boolean(),
})

test('D2: lessons + charges = total, total - paid = due, and due is what is open of the lines on the paper', () => {
  fc.assert(
    fc.property(fc.array(aRow, { maxLength: 30 }), (drawn) => {
      const rows = drawn.map(({ kind, at, amount, isCredit }, index) => ({
        id: String(index),
        kind: kind as Entry['kind'],
        day: new Date(Date.UTC(2026, 8, 1 + at)).toISOString().slice(0, 10) as CalendarDay,
        minutes: (kind === 'session' || kind === 'hours' ? 60 : 0) as Minutes,
        rate: (kind === 'session' ? amount : null) as Cents | null,
        amount: cents(kind === 'charge' && isCredit ? -amount : amount),
        payment: kind === 'payment' || kind === 'hours' ? { method: 'cash' as const } : null,
      }))
      const lines = ledgerOf(rows, currencyOf('USD'))
      const settlements = settle(lines, currencyOf('USD'))
      const on = rows.filter(({ day }) => day.startsWith('2026-11'))
      const { content } = contentOf(
        input,
        sources({
          today: '2026-12-31' as CalendarDay,
          sessions: on
            .filter(({ kind }) => kind === 'session')
            .map(({ id, day, amount }) => session(id, day, amount / 100)),
          charges: on
            .filter(({ kind }) => kind === 'charge')
            .map(({ id, day, amount }) => charge(id, day, amount / 100)),
          settlements,
        }),
      )
      const { sums } = content
      const sum = (of: readonly { amount_cents: Cents | null }[]) =>
        of.reduce((total, { amount_cents: one }) => total + (one ?? 0), 0)
      assert.equal(sums.lessons, sum(content.lessons))
      assert.equal(sums.charges, sum(content.charges))
      assert.equal(sums.total, sums.lessons + sums.charges)
      assert.equal(sums.paid, sum(content.payments))
      assert.equal(sums.due, sums.total - sums.paid)
      const onPaper = new Set([...content.lessons, ...content.charges].map(({ id }) => id))
      const owed = lines
        .filter(({ entry }) => onPaper.has(entry.id))
        .reduce((total, { charged, coveredAmount }) => total + Math.max(0, charged) + coveredAmount, 0)
      const settled = settlements
        .filter(({ to }) => onPaper.has(to))
        .reduce((total, { amount }) => total + amount, 0)
      assert.equal(sums.due, owed - settled)
      assert.ok(sums.due >= 0)
    }),
    { numRuns: 2000 },
  )
})

test('VAT is what the total includes, half up, and a tax line keeps only what it uses', () => {
  const details = (typed: object) => detailsOf(ProviderInput.parse(typed))
  const vat = details({ tax_kind: 'vat', vat_number: 'DE1', vat_rate: '8,1 %', tax_text: 'left over' })
  assert.deepEqual([vat.vat_rate, vat.tax_text], [810, null])
  const { content } = contentOf(input, sources({ provider: vat, sessions: [session('1', '2026-11-03', 90)] }))
  // 90.00 x 8.1 / 108.1 = 6.7438
  assert.equal(content.vat_cents, 674)
  assert.equal(details({ tax_kind: 'vat', vat_number: 'DE1', vat_rate: '19' }).vat_rate, 1900)
  for (const rate of ['1,234', '-1', '0', 'x', ''])
    assert.equal(
      ProviderInput.safeParse({ tax_kind: 'vat', vat_number: 'DE1', vat_rate: rate }).success,
      false,
      rate,
    )
  assert.equal(ProviderInput.safeParse({ tax_kind: 'small_business' }).success, false)
})

test('on a family’s paper only what its connection shares stands, and what only one side said is marked from its side', () => {
  const shared = { is_shared: true, connection_id: 'c' }
  const theirs = { ...shared, own_confirmation: 'none', other_confirmation: 'confirmed' }
  const of = (connection?: string) =>
    contentOf(
      { ...input, kind: connection ? 'receipt' : 'record' },
      sources({
        side: 'family',
        sessions: [
          session('a', '2026-11-03', 45, shared),
          session('b', '2026-11-04', 45, theirs),
          session('c', '2026-11-05', 45, { connection_id: null, currency: currencyOf('EUR') }),
        ],
        ...(connection && { connection }),
      }),
    )
  const { content, leftOut } = of('c')
  assert.deepEqual(
    content.lessons.map(({ id, confirmed_by }) => [id, confirmed_by]),
    [
      ['a', 'family'],
      ['b', 'provider'],
    ],
  )
  assert.deepEqual(leftOut, [{ what: 'session', day: '2026-11-05', why: 'not_shared' }])
  assert.deepEqual([content.currency, content.is_by_family], ['USD', true])
  assert.equal(of().content.lessons.length, 3)
})

test('the provider’s copy has the lines and sums, and nothing that the family typed', () => {
  const typed = {
    payer_name: 'typed 1',
    payer_address: 'typed 2',
    child_name: 'typed 3',
    program_number: 'typed 4',
    learning_goal: 'typed 5',
    note: 'typed 6',
    program: 'typed-7',
    group: 'group' as const,
    group_share: 'typed 8',
    letter_on: '1999-01-01' as CalendarDay,
    is_unrelated: true,
    is_reviewed: true,
  }
  const sessions = [session('a', '2026-11-03', 45)]
  const { content } = contentOf({ ...input, ...typed }, sources({ side: 'family', sessions }))
  const copy = copyForProvider(content)
  assert.doesNotMatch(JSON.stringify(copy), /typed|1999|true(?<!"is_by_family":true)/)
  assert.deepEqual([copy.lessons, copy.sums, copy.from], [content.lessons, content.sums, content.from])
})

test('a number names its series if the tutor has no account', () => {
  assert.equal(paperNumber({ series: null, year: 2026, number: 7 }), '2026-0007')
  assert.equal(paperNumber({ series: '7F3A', year: 2026, number: 12345 }), '7F3A-2026-12345')
})
