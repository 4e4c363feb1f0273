import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, cents, currencyOf, priceOf } from '#kernel/money.ts'
import type { Books } from './line.ts'
import { planImport, priceLine, sessionKey } from './plan.ts'

const books: Books = {
  students: [{ id: 's1', name: 'Maya', archived: false }],
  tutors: [{ id: 't1', name: 'Ingrid', archived: false, rate: cents(4500) }],
  existing: '',
  currency: currencyOf('USD'),
  now: new Date('2026-11-21T12:00:00Z'),
}
const columns = { date: 0, student: 1, tutor: 2, duration: 3, rate: 4, amount: 5, subject: 6, notes: 7 }
const rows = (...cells: string[][]) => cells.map((own, at) => ({ line: at + 2, cells: own }))
const ORDERS = { slashed: 'mdy', dotted: 'dmy' } as const
const none = { existing: false, repeats: false }

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
    ORDERS,
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
    ORDERS,
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
    ORDERS,
    { ...books, students: [...books.students, { id: 's2', name: 'maya', archived: false }] },
    none,
  )
  assert.match(twins.refused[0]?.problem ?? '', /Two people on your list/)
  assert.deepEqual(
    planImport(
      rows(['2026-11-01', 'Unknown Student', 'Unknown Tutor', '1']),
      columns,
      ORDERS,
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
      ORDERS,
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

test('a line is to be checked if the same people already had a session of another length that day', () => {
  const logged = (day: string, minutes: number) =>
    sessionKey({ student: 's1', tutor: 't1', day, minutes: minutes as Minutes })
  const existing = [logged('2026-11-01', 60), logged('2026-11-02', 60), logged('2026-11-04', 90)].join('\n')
  const plan = planImport(
    rows(
      ['2026-11-01', 'Maya', 'Ingrid', '1.25', '', '', '', ''],
      ['2026-11-02', 'Maya', 'Ingrid', '1', '', '', '', ''],
      ['2026-11-02', 'Maya', 'Ingrid', '1', '', '', '', ''],
      ['2026-11-03', 'Maya', 'Ingrid', '1', '', '', '', ''],
      ['2026-11-04', 'Leo', 'Ingrid', '1', '', '', '', ''],
    ),
    columns,
    ORDERS,
    { ...books, existing },
    { existing: true, repeats: false },
  )
  assert.deepEqual(
    plan.ready.map(({ line, toCheck }) => [line, toCheck]),
    [
      [2, 'You already logged a session of another length that day.'],
      [4, null],
      [5, null],
      [6, null],
    ],
  )
})

test('D1: the amount of a line never changes: a rate is found that gives it to the cent, or the line is refused', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 96 }).map((quarters) => (quarters * 15) as Minutes),
      fc.integer({ min: 0, max: 1_000_000 }).map(cents),
      (minutes, rate) => {
        const amount = priceOf(rate, minutes, currencyOf('USD'))
        const found = priceLine(minutes, null, amount, currencyOf('USD'))
        assert.ok('rate' in found && found.rate !== null)
        assert.equal(priceOf(found.rate as Cents, minutes, currencyOf('USD')), amount)
      },
    ),
  )
  // 90 minutes at 0.02 an hour cost 0.03, and at 0.03 an hour they cost 0.05, so no rate gives 0.04.
  assert.ok('problem' in priceLine(90 as Minutes, null, cents(4), currencyOf('USD')))
})

const timed = { date: 0, student: 1, tutor: 2, start_time: 3, end_time: 4, duration: 5 }
const planTimed = (...cells: string[][]) => planImport(rows(...cells), timed, ORDERS, books, none)

test('a line with a start and an end gets its start time, and its duration if there is no column for it', () => {
  for (const [start, end, hours, expected] of [
    ['16:00', '17:30', '1.5', ['16:00', 90]],
    ['4:00 PM', '5:30 PM', '', ['16:00', 90]],
    ['3pm', '3:45pm', '', ['15:00', 45]],
    ['16:00-17:30', '', '', ['16:00', 90]],
    ['4 to 5:30 PM', '', '', ['16:00', 90]],
    ['11-1 PM', '', '', ['11:00', 120]],
    ['23:30', '00:30', '1', ['23:30', 60]],
    ['09:00:00 AM', '10:15:00 AM', '01:15:00', ['09:00', 75]],
    ['11:00', '1:00', '2', ['11:00', 120]],
    ['16:00', '', '1', ['16:00', 60]],
  ] as const) {
    const { ready, refused } = planTimed(['2026-11-03', 'Maya', 'Ingrid', start, end, hours])
    assert.deepEqual(refused, [], start)
    assert.deepEqual([ready[0]?.start, ready[0]?.minutes], expected, start)
    assert.equal(ready[0]?.toCheck, null, start)
  }
})

test('a column of hours and one of minutes are the same duration twice, or two parts of it', () => {
  for (const [hours, minutes, expected] of [
    ['1.5', '90', 90],
    ['1', '30', 90],
    ['0', '45', 45],
    ['2', '', 120],
    ['', '75', 75],
    ['1', '90', undefined],
  ] as const) {
    const { ready, refused } = planImport(
      rows(['2026-11-03', 'Maya', 'Ingrid', hours, minutes]),
      { date: 0, student: 1, tutor: 2, duration: 3, minutes: 4 },
      ORDERS,
      books,
      none,
    )
    assert.equal(ready[0]?.minutes, expected, `${hours}, ${minutes}`)
    if (expected === undefined) assert.equal(refused[0]?.problem, "“1, 90” isn't a valid duration")
  }
})

test('a line says so if its duration and its times disagree, or if the lesson is long', () => {
  for (const [start, end, hours, toCheck] of [
    ['16:00', '17:00', '1.5', 'The duration is 1.5 h, but 4:00 PM to 5:00 PM is 1 h.'],
    ['9:15', '10:00', '1', 'The duration is 1 h, but 9:15 AM to 10:00 AM is 0.75 h.'],
    ['11:00', '1:00', '', 'Check the duration: 11:00 AM to 1:00 AM is 2 h.'],
    ['', '', '8.25', '8.25 h is long for a lesson. Check the duration.'],
    ['08:00', '17:00', '', '9 h is long for a lesson. Check the duration.'],
    ['', '', '8', null],
  ] as const) {
    const { ready } = planTimed(['2026-11-03', 'Maya', 'Ingrid', start, end, hours])
    assert.equal(ready[0]?.toCheck, toCheck, `${start} ${end} ${hours}`)
  }
})

test('a number is never the name of a new student or tutor', () => {
  const known = { ...books, students: [...books.students, { id: 's7', name: '007', archived: false }] }
  for (const name of ['1042', '#12', '12-34', '№ 5', '١٢', '3.0'])
    for (const line of [
      [name, 'Ingrid'],
      ['Maya', name],
    ]) {
      const { refused } = planImport(rows(['2026-11-03', ...line, '1']), columns, ORDERS, known, none)
      assert.match(refused[0]?.problem ?? '', /is a number, not a (student|tutor)'s name$/, name)
    }
  for (const name of ['007', 'Agent 7', '李 2', '🦊'])
    assert.deepEqual(
      planImport(rows(['2026-11-03', name, 'Ingrid', '1']), columns, ORDERS, known, none).refused,
      [],
      name,
    )
})

test('an amount in another currency is refused, whether the cell or the column says it', () => {
  const line = (rate: string, amount: string) => ['2026-11-03', 'Maya', 'Ingrid', '1', rate, amount, '', '']
  const problems = (cells: string[], header?: string[]) =>
    planImport(rows(cells), columns, ORDERS, books, none, header).refused.map(({ problem }) => problem)
  assert.deepEqual(problems(line('$45', '$45')), [])
  assert.deepEqual(problems(line('', '€45')), ['The amount is in €, and yours are in USD'])
  const header = ['Date', 'Student', 'Tutor', 'Hours', 'Rate (GBP)', 'Total', 'Subject', 'Notes']
  assert.deepEqual(problems(line('45', ''), header), ['The amount is in GBP, and yours are in USD'])
  assert.deepEqual(problems(line('', ''), header), [], 'without an amount, nothing is relabeled')
})
