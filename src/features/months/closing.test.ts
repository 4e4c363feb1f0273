import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, currencyOf } from '#kernel/money.ts'
import {
  type Closing,
  comesFirst,
  figuresOf,
  inTheWay,
  isOver,
  type MonthPayment,
  type MonthRows,
  type MonthSession,
  notOverInWords,
  obstacleInWords,
  standingOfMonth,
} from './closing.ts'
import { contentOf, contentText, type MonthContent } from './month-page.ts'
import { monthInWords } from './closing-text.ts'

const USD = currencyOf('USD')
const agreed = {
  standing: 'verified',
  waits_for_you: false,
  family_at: '2026-11-03T10:00:00.000Z',
  practice_at: '2026-11-04T10:00:00.000Z',
} as const
let last = 0
function aSession(more: Partial<MonthSession> = {}): MonthSession {
  return {
    id: `00000000-0000-4000-8000-${String(++last).padStart(12, '0')}`,
    day: '2026-11-03' as CalendarDay,
    minutes: 60 as Minutes,
    rate_cents: 4500 as Cents,
    total_cents: 4500 as Cents,
    currency: USD,
    subject: 'Algebra',
    first_name: 'Maya',
    ...agreed,
    ...more,
  }
}
function aPayment(more: Partial<MonthPayment> = {}): MonthPayment {
  return {
    id: `00000000-0000-4000-8000-${String(++last).padStart(12, '0')}`,
    day: '2026-11-14' as CalendarDay,
    kind: 'payment',
    amount_cents: 3000 as Cents,
    prepaid_minutes: null,
    method: 'transfer',
    currency: USD,
    first_name: null,
    ...agreed,
    ...more,
  }
}
function rowsOf(sessions: MonthSession[], payments: MonthPayment[] = [], more: Partial<MonthRows> = {}) {
  const rows: MonthRows = {
    side: 'family',
    is_over: false,
    is_other_closed: false,
    currency: USD,
    family_name: 'Jordan Whitfield',
    tutor_name: 'Ingrid Lindqvist',
    time_zone: 'America/New_York',
    sessions,
    payments,
    charges: [],
    pairs: 0,
    closings: [],
    ...more,
  }
  return rows
}
const inDecember = new Date('2026-12-01T09:00:00Z')

test("anything not agreed keeps the month open for either side; other months don't matter", () => {
  const rows = rowsOf(
    [
      aSession(),
      aSession({ standing: 'waiting', waits_for_you: true }),
      aSession({ standing: 'waiting' }),
      aSession({ standing: 'waiting' }),
      aSession({ standing: 'disputed', waits_for_you: true }),
      aSession({ standing: 'leaving', waits_for_you: true }),
      aSession({ day: '2026-10-31' as CalendarDay, standing: 'waiting' }),
    ],
    [aPayment({ standing: 'waiting' })],
    { pairs: 1 },
  )
  const words = inTheWay(rows, '2026-11').map((one) => obstacleInWords(one, 'Ingrid'))
  assert.deepEqual(words, [
    '1 session for you to confirm',
    '2 sessions waiting for Ingrid',
    '1 session not right',
    '1 session with a deletion request',
    '1 session may be logged twice',
    '1 payment waiting for Ingrid',
  ])
  assert.deepEqual(inTheWay(rowsOf([aSession()], [aPayment()]), '2026-11'), [])
})

test('a month can be closed from its last day on, as soon as that day has begun anywhere', () => {
  assert.equal(isOver('2026-11', new Date('2026-11-28T23:59:59Z')), false)
  assert.equal(isOver('2026-11', new Date('2026-11-29T00:00:00Z')), true)
  assert.equal(isOver('2026-02', new Date('2026-02-27T12:00:00Z')), true)
  assert.equal(notOverInWords('2026-11'), 'November 2026 is not over yet. You can close it starting Nov 30.')
})

test('closing comes first on the summary from the 25th on, and for the month before until it is closed with everyone', () => {
  const open = { state: 'open' as const, sessions: 2, payments: 0, charges: 0 }
  const closed = { ...open, state: 'closed' as const }
  const empty = { ...open, sessions: 0 }
  const first = (month: string, today: string, months: Parameters<typeof comesFirst>[2]) =>
    comesFirst(month, today as CalendarDay, months)
  assert.deepEqual(
    [first('2026-11', '2026-11-24', [open]), first('2026-11', '2026-11-25', [open])],
    [false, true],
  )
  assert.deepEqual(
    [[open], [closed], [closed, open], [closed, empty], []].map((months) =>
      first('2025-12', '2026-01-03', months),
    ),
    [true, false, true, false, false],
  )
  assert.equal(first('2026-09', '2026-11-26', [open]), false)
})

test('the balance carries over from month to month, and only payments that both confirmed count', () => {
  const rows = rowsOf(
    [aSession({ day: '2026-10-20' as CalendarDay }), aSession(), aSession({ standing: 'disputed' })],
    [aPayment(), aPayment({ standing: 'waiting' }), aPayment({ currency: currencyOf('EUR') })],
  )
  const { carriedOver, sessions, paid, balance } = figuresOf(rows, '2026-11')
  assert.deepEqual([carriedOver, sessions, paid, balance], [4500, 4500, 3000, 6000])
})

test('a month reads the same from both sides, except for who asked', () => {
  const closing: Closing = {
    id: 'c',
    month: '2026-11',
    state: 'asked',
    asked_by: 'family',
    asked_at: '2026-12-01T08:00:00.000Z',
    answered_at: null,
    code: null,
    reopened_by: null,
    reopened_at: null,
    reason: null,
    reminders: 0,
    reminded_at: null,
    version: 1,
  }
  const rows = rowsOf([aSession()], [], { closings: [closing] })
  const of = (side: 'family' | 'practice') =>
    standingOfMonth('x', null, { ...rows, side }, '2026-11', inDecember)
  assert.deepEqual(
    [of('family').state, of('practice').state, of('family').can_close, of('family').balance],
    ['asked_by_you', 'asked_by_other', true, 45],
  )
  assert.deepEqual({ ...of('family'), state: '' }, { ...of('practice'), state: '' })
  assert.equal(standingOfMonth('x', null, rowsOf([]), '2026-11', inDecember).can_close, false)
})

const aPage = fc
  .array(fc.record({ minutes: fc.constantFrom(15, 60), subject: fc.option(fc.string({ maxLength: 4 })) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((lines) =>
    contentOf(
      rowsOf(
        lines.map(({ minutes, subject }) => aSession({ minutes: minutes as Minutes, subject })),
        [aPayment()],
      ),
      '2026-11',
      { askedBy: 'family', askedAt: 'a', closedAt: 'b', code: 'ABCDE12345', url: 'https://x/verify/y' },
    ),
  )

test('a page’s text doesn’t depend on the database’s order, and any change to the page changes it', () => {
  fc.assert(
    fc.property(aPage, (page) => {
      const shuffled = JSON.parse(
        JSON.stringify(Object.fromEntries(Object.entries(page).reverse())),
      ) as MonthContent
      assert.equal(
        contentText({ ...shuffled, sessions: [...shuffled.sessions].reverse() }),
        contentText(page),
      )
      const paths = [
        { ...page, tutor: `${page.tutor}x` },
        { ...page, figures: { ...page.figures, balance: 1 as Cents } },
        { ...page, sessions: page.sessions.slice(1) },
        { ...page, payments: page.payments.map((row) => ({ ...row, amount_cents: 1 as Cents })) },
        { ...page, sessions: page.sessions.map((row) => ({ ...row, practice_at: null })) },
      ]
      for (const other of paths) assert.notEqual(contentText(other), contentText(page))
    }),
  )
})

test('a page names both sides the way strangers may read them, with nothing that an email program turns into a link', () => {
  const page = contentOf(
    rowsOf([aSession({ first_name: 'evil.test' })], [], { family_name: null, tutor_name: 'http://x.y' }),
    '2026-11',
    {
      askedBy: 'family',
      askedAt: 'a',
      closedAt: 'b',
      code: 'ABCDE12345',
      url: 'u',
    },
  )
  assert.deepEqual(
    [page.family, page.tutor, page.sessions[0]?.first_name],
    ["evil. test's family", 'http x. y', 'evil. test'],
  )
})

test('the line about a month adds up, even with prepaid hours, an older debt or money paid ahead', () => {
  const hours = { kind: 'hours', prepaid_minutes: 120 as Minutes, amount_cents: 8000 as Cents } as const
  const of = (sessions: MonthSession[], payments: MonthPayment[]) => {
    const { sum, end } = monthInWords(
      standingOfMonth('c', 'Ingrid', rowsOf(sessions, payments), '2026-11', inDecember),
    )
    return `${sum} ${end}`
  }
  assert.equal(of([aSession()], []), '1 session, $45.00. $45.00 due')
  assert.equal(of([], [aPayment(hours)]), '$80.00 for prepaid hours, $80.00 paid. $0.00 due')
  assert.equal(
    of([aSession({ day: '2026-10-20' as CalendarDay })], [aPayment()]),
    '$45.00 carried over, $30.00 paid. $15.00 due',
  )
  assert.equal(
    of(
      [aSession({ day: '2026-11-20' as CalendarDay }), aSession({ day: '2026-11-21' as CalendarDay })],
      [
        aPayment({ ...hours, day: '2026-11-01' as CalendarDay, prepaid_minutes: 60 as Minutes }),
        aPayment({ kind: 'opening', amount_cents: 2000 as Cents, day: '2026-11-01' as CalendarDay }),
      ],
    ),
    // 90 + 100 - 45 - 80
    '2 sessions, $90.00 ($80.00 for prepaid hours, $20.00 owed from before, $45.00 covered by prepaid hours, $80.00 paid). $65.00 due',
  )
  assert.equal(
    of([aSession()], [aPayment({ day: '2026-10-30' as CalendarDay, amount_cents: 6000 as Cents })]),
    '1 session, $45.00 ($60.00 previously prepaid). $15.00 paid ahead',
  )
})
