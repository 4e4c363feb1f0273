import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, cents, currencyOf, priceOf } from '#kernel/money.ts'
import { clockOf, dayOf, minutesOf, moneyOf } from './cell.ts'
import { guessColumns, guessDateOrder, isHeader } from './columns.ts'
import { type Books, planImport, priceLine, sessionKey } from './plan.ts'

const books: Books = {
  students: [{ id: 's1', name: 'Maya', archived: false }],
  tutors: [{ id: 't1', name: 'Ingrid', archived: false, rate: cents(4500) }],
  existing: '',
  currency: currencyOf('USD'),
  now: new Date('2026-11-21T12:00:00Z'),
}
const columns = { date: 0, student: 1, tutor: 2, duration: 3, rate: 4, amount: 5, subject: 6, notes: 7 }
const rows = (...cells: string[][]) => cells.map((own, at) => ({ line: at + 2, cells: own }))
const none = { existing: false, repeats: false }

test('start times are read in the forms people write them', () => {
  for (const [cell, start] of [
    ['16:30', '16:30'],
    ['4:30 PM', '16:30'],
    ['4pm', '16:00'],
    ['12 a.m.', '00:00'],
    ['2026-11-17 09:05:00', '09:05'],
    ['', null],
    ['4', undefined],
    ['25:00', undefined],
    ['noon', undefined],
  ] as const)
    assert.equal(clockOf(cell), start, cell)
  assert.deepEqual(guessColumns(['Date', 'Student', 'Start time', 'Hours', 'Lesson summary', 'Homework']), {
    date: 0,
    student: 1,
    start_time: 2,
    duration: 3,
    summary: 4,
    homework: 5,
  })
})

test('columns are found by their usual names', () => {
  assert.deepEqual(
    guessColumns([
      'Date',
      'Student',
      'Tutor',
      'Duration (hours)',
      'Subject',
      'Rate ($/hour)',
      'Amount ($)',
      'Verified',
      'Notes',
    ]),
    { date: 0, student: 1, tutor: 2, duration: 3, subject: 4, rate: 5, amount: 6, notes: 8 },
  )
  assert.deepEqual(
    guessColumns([
      'lesson_date',
      'Child',
      'teacher name',
      'Minutes',
      'Hourly rate',
      'Total cost',
      'topic',
      'Comments',
    ]),
    { date: 0, student: 1, tutor: 2, minutes: 3, rate: 4, amount: 5, subject: 6, notes: 7 },
  )
  assert.equal(isHeader(['2026-11-01', 'Maya', 'Ingrid', '1']), false)
  assert.equal(isHeader(['When', 'Who', 'How long']), true)
})

test('dates are read in many forms, and never shift by a day', () => {
  for (const cell of [
    '2026-11-03',
    '2026/11/3',
    '11/3/2026',
    '11/03/26',
    'Tue, Nov 3, 2026',
    '3 November 2026',
    '2026-11-03 16:30',
    '2026-11-03T16:30:00Z',
    'Nov 3rd 2026',
  ])
    assert.equal(dayOf(cell, 'mdy'), '2026-11-03', cell)
  assert.equal(dayOf('3.11.2026', 'dmy'), '2026-11-03')
  for (const cell of ['', '2026-02-30', '13/13/2026', 'yesterday', 'Nov 2026', '45000'])
    assert.equal(dayOf(cell, 'mdy'), undefined, cell)
  assert.deepEqual(
    [guessDateOrder(['1/2/2026', '25/2/2026']), guessDateOrder(['1/25/2026']), guessDateOrder(['1/2/2026'])],
    ['dmy', 'mdy', 'mdy'],
  )
})

test('hours and money are read exactly, in many forms', () => {
  for (const cell of ['1.5', '1,5', '1:30', '1h30', '1 h 30 min', '90 min', '1.5 hours', '1.5h'])
    assert.equal(minutesOf(cell, 'hours'), 90, cell)
  assert.equal(minutesOf('90', 'minutes'), 90)
  for (const cell of ['', 'an hour', '-1', '1.333', '1:75'])
    assert.equal(minutesOf(cell, 'hours'), undefined, cell)
  for (const [cell, amount] of [
    ['$1,234.50', 123_450],
    ['45', 4500],
    ['45,5', 4550],
    ['1.234,50 €', 123_450],
    ['CA$45.50', 4550],
    ['450 kr', 45_000],
    ['₹1,250', 125_000],
    ['CHF 90/h', 9000],
    ['45.55/h', 4555],
    ['', null],
    ['–', null],
    ['12.345', undefined],
    ['-5', undefined],
    ['free', undefined],
  ] as const)
    assert.equal(moneyOf(cell), amount, cell)
})

test('every refused line has its number and its reason', () => {
  const plan = planImport(
    rows(
      ['2026-02-30', 'Maya', 'Ingrid', '1', '', '', '', ''],
      ['2026-11-01', '', 'Ingrid', '1', '', '', '', ''],
      ['2026-11-01', 'Maya', '', '1', '', '', '', ''],
      ['2026-11-01', 'Maya', 'Ingrid', '1.1', '', '', '', ''],
      ['2026-11-01', 'Maya', 'Ingrid', '25', '', '', '', ''],
      ['2028-11-01', 'Maya', 'Ingrid', '1', '', '', '', ''],
      ['2026-11-01', 'Maya', 'Ingrid', '1', 'x', '', '', ''],
      ['2026-11-01', 'Maya', 'Ingrid', '1', '45', '46', '', ''],
      ['2026-11-01', 'Maya', 'Ingrid', '1', '', '', 'x'.repeat(121), ''],
      ['2026-11-01', 'M'.repeat(121), 'Ingrid', '1', '', '', '', ''],
      ['2026-11-01', 'Maya', 'Ingrid', '1', '', '', 'a\u0000', ''],
      ['2026-11-01'],
    ),
    columns,
    'mdy',
    books,
    none,
  )
  assert.deepEqual(
    plan.refused.map(({ line }) => line),
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  )
  assert.deepEqual(
    plan.refused.slice(0, 4).map(({ problem }) => problem),
    [
      "“2026-02-30” isn't a valid date",
      'The student is missing',
      'The tutor is missing',
      'Use quarter hours, such as 0.75 or 1.5',
    ],
  )
  assert.equal(plan.refused[7]?.problem, 'The amount is $46.00, but the rate times the duration is $45.00')
  assert.deepEqual(plan.ready, [])
})

test('names match in any spacing and capitalization, new ones are added once, and a name that two people share is refused', () => {
  const plan = planImport(
    rows(
      ['2026-11-01', ' maya ', 'INGRID', '1'],
      ['2026-11-02', 'Ada  Lovelace', 'Ingrid', '1'],
      ['2026-11-03', 'ada lovelace', 'Ingrid', '1'],
    ),
    columns,
    'mdy',
    books,
    none,
  )
  assert.deepEqual(
    [plan.newStudents, plan.newTutors, plan.ready[0]?.student, plan.ready[0]?.amount],
    [['Ada  Lovelace'], [], { id: 's1' }, 4500],
  )
  const twins = planImport(
    rows(['2026-11-01', 'Maya', 'Ingrid', '1']),
    columns,
    'mdy',
    { ...books, students: [...books.students, { id: 's2', name: 'maya', archived: false }] },
    none,
  )
  assert.match(twins.refused[0]?.problem ?? '', /Two people on your list/)
  assert.deepEqual(
    planImport(
      rows(['2026-11-01', 'Unknown Student', 'Unknown Tutor', '1']),
      columns,
      'mdy',
      books,
      none,
    ).ready.map(({ student, tutor }) => [student, tutor]),
    [[null, null]],
  )
})

test('lines already in the log are left out, as often as the log has them', () => {
  const line = ['2026-11-01', 'Maya', 'Ingrid', '1', '', '', '', '']
  const key = sessionKey({ student: 's1', tutor: 't1', day: '2026-11-01', minutes: 60 })
  const counts = (existing: string[], skips: { existing: boolean; repeats: boolean }) => {
    const plan = planImport(
      rows(line, line, line),
      columns,
      'mdy',
      { ...books, existing: existing.join('\n') },
      skips,
    )
    return [plan.ready.length, plan.existing.length, plan.repeats.length]
  }
  assert.deepEqual(counts([], { existing: true, repeats: false }), [3, 0, 0])
  assert.deepEqual(counts([key, key], { existing: true, repeats: false }), [1, 2, 0])
  assert.deepEqual(counts([key], { existing: false, repeats: false }), [3, 0, 0])
  assert.deepEqual(counts([], { existing: true, repeats: true }), [1, 0, 2])
})

test('D1: the amount of a line never changes: a rate is found that gives it to the cent, or the line is refused', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 96 }).map((quarters) => (quarters * 15) as Minutes),
      fc.integer({ min: 0, max: 1_000_000 }).map(cents),
      (minutes, rate) => {
        const amount = priceOf(rate, minutes)
        const found = priceLine(minutes, null, amount, currencyOf('USD'))
        assert.ok('rate' in found && found.rate !== null)
        assert.equal(priceOf(found.rate as Cents, minutes), amount)
      },
    ),
  )
  // 90 minutes at 0.02 an hour cost 0.03, and at 0.03 an hour they cost 0.05, so no rate gives 0.04.
  assert.ok('problem' in priceLine(90 as Minutes, null, cents(4), currencyOf('USD')))
})
