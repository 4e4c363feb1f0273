// Charges and credits from a spreadsheet: our own export, or a list that a bank or a tutor made.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { monthOf } from '#kernel/calendar-day.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { closed } from '#main/testing/months.server.ts'
import { aPair, idOf, type Row, rowsOf } from '#main/testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T09:00:00Z')
})
after(async () => server.stop())

interface Line {
  line: number
  state: string
  problem: string | null
  closed_month: object | null
}
const preview = async (who: Caller, text: string, more: object = {}) =>
  (await who.call('POST', '/api/v1/imports/preview', { text, ...more })).body as Row & { lines: Line[] }
const run = (who: Caller, text: string, more: object = {}) =>
  who.call('POST', '/api/v1/imports', { text, ...more })
const charge = async (who: Caller, body: object) => {
  const answer = await who.call('POST', '/api/v1/charges', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return idOf(answer)
}
const chargesOf = async (who: Caller) =>
  rowsOf(await who.call('GET', '/api/v1/charges?from=2026-01-01&to=2026-12-31'))
const waiting = async (who: Caller) => rowsOf(await who.call('GET', '/api/v1/charges/waiting'))
const problems = ({ lines }: { lines: Line[] }) =>
  lines.filter(({ state }) => state === 'refused').map(({ line, problem }) => [line, problem])
const factsOf = (rows: Row[]) =>
  rows
    .map(({ date, amount, reason, label, student_name }) => [date, amount, reason, label, student_name])
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
const exported = async (who: Caller) => {
  const { bytes } = await who.call('POST', '/api/v1/export', {})
  return strFromU8(unzipSync(bytes)['csv/charges.csv'] ?? new Uint8Array())
}

test('a list with a day, an amount with a comma and a reason is imported for both sides, once', async () => {
  const pair = await aPair(server, undefined, undefined, 'EUR')
  const text = [
    'Date;Reason;Amount',
    '14.11.2026;Reading book;12,50',
    '15.11.2026;Travel;1.234,50 €',
    '16.11.2026;Discount;-20,00',
    '17.11.2026;Materials;(7,25)',
  ].join('\n')
  const seen = await preview(pair.family, text)
  assert.deepEqual(
    [seen.kind, seen.charges, seen.sessions, seen.amount, seen.currency, seen.refused, seen.tutor_id],
    ['charges', 4, 0, 1219.75, 'EUR', 0, pair.tutor],
  )
  assert.deepEqual(await chargesOf(pair.family), [], 'a preview writes nothing')
  const done = await run(pair.family, text)
  assert.deepEqual(
    [done.status, done.body],
    [201, { sessions: 0, charges: 4, held: 0, students: 0, tutors: 0, latest_month: '2026-11' }],
  )
  const facts = [
    ['2026-11-14', 12.5, 'other', 'Reading book', null],
    ['2026-11-15', 1234.5, 'travel', null, null],
    ['2026-11-16', -20, 'discount', null, null],
    ['2026-11-17', -7.25, 'materials', null, null],
  ]
  assert.deepEqual(factsOf(await chargesOf(pair.family)), facts)
  // As if they had been entered by hand: this side has confirmed them, and they wait for the other one.
  assert.deepEqual(
    (await chargesOf(pair.family)).map((one) => [one.connection_id, one.own_confirmation, one.counts]),
    facts.map(() => [pair.connection, 'confirmed', false]),
  )
  assert.deepEqual(
    (await waiting(pair.practice)).map((one) => one.amount),
    [-7.25, -20, 1234.5, 12.5],
  )
  // The same file again, from either side.
  const again = await preview(pair.family, text)
  assert.deepEqual([again.charges, again.existing], [0, 4])
  assert.equal((await run(pair.family, text)).body.code, 'nothing')
  const theirs = await preview(pair.practice, text)
  assert.deepEqual([theirs.charges, theirs.existing, theirs.student_id], [0, 4, pair.student])
  assert.equal((await run(pair.family, text, { skip_existing: false })).body.charges, 4)
})

test('I1: every line that cannot be recorded says why, and the others are imported', async () => {
  const pair = await aPair(server, undefined, undefined, 'EUR')
  const text = [
    'Date,Child,Tutor,Amount,Reason,What for',
    '2026-11-01,Maya Whitfield,Ingrid,0,fee,',
    '2026-11-02,Maya Whitfield,Ingrid,$12.50,fee,',
    '2026-11-03,Maya Whitfield,Ingrid,"1,234",fee,',
    '2026-11-04,Mia,Ingrid,12,fee,',
    '2026-11-05,Maya Whitfield,Somebody Else,12,fee,',
    '2027-11-06,Maya Whitfield,Ingrid,12,fee,',
    '2026-11-07,Maya Whitfield,Ingrid,twelve,fee,',
    '2026-11-08,Maya Whitfield,Ingrid,,fee,',
    '2026-02-30,Maya Whitfield,Ingrid,12,fee,',
    `2026-11-09,Maya Whitfield,Ingrid,12,fee,${'x'.repeat(81)}`,
    '2026-11-10,Maya Whitfield,Ingrid,20000000.01,fee,',
    '2026-11-11,Maya Whitfield,Ingrid,12.505.1,fee,',
    '2026-11-12,Maya Whitfield,Ingrid,12,fee,Registration',
    '2026-11-13,,Ingrid,"12,50 EUR",fee,',
  ].join('\n')
  const seen = await preview(pair.family, text)
  assert.deepEqual(problems(seen), [
    [2, 'Enter an amount other than 0'],
    [3, 'The amount is in $, and yours are in EUR'],
    [4, '“1,234” could be 1,234.00 or 1.23. Write it with two decimals.'],
    [5, "“Mia” isn't on your list. Add them first, or correct the name."],
    [6, "“Somebody Else” isn't on your list. Add them first, or correct the name."],
    [7, "A charge can't be dated later than tomorrow"],
    [8, "“twelve” isn't a valid amount"],
    [9, 'The amount is missing'],
    [10, "“2026-02-30” isn't a valid date"],
    [11, 'What it’s for is longer than 80 characters'],
    [12, 'The amount can be at most 20,000,000'],
    [13, 'Enter an amount such as 45 or 45.50'],
  ])
  assert.equal((await run(pair.family, text)).body.code, 'lines_refused')
  assert.deepEqual(await chargesOf(pair.family), [])
  assert.equal((await run(pair.family, text, { skip_refused: 12 })).body.charges, 2)
  assert.deepEqual(factsOf(await chargesOf(pair.family)), [
    ['2026-11-12', 12, 'fee', 'Registration', 'Maya Whitfield'],
    ['2026-11-13', 12.5, 'fee', null, null],
  ])
  assert.deepEqual(
    rowsOf(await pair.family.call('GET', '/api/v1/students')).map(({ name }) => name),
    ['Maya Whitfield'],
    'nobody was added',
  )
})

test('a column of currencies is compared with that of the account, and a tutor’s families may have others', async () => {
  const pair = await aPair(server, undefined, undefined, 'EUR')
  const own = idOf(await pair.practice.call('POST', '/api/v1/students', { name: 'Theo' }))
  const text = [
    'Date,Student,Amount,Reason,Currency',
    '2026-11-01,maya W.,12,fee,EUR',
    '2026-11-02,maya W.,12,fee,USD',
    '2026-11-03,Theo,12,fee,USD',
    '2026-11-04,Theo,12,fee,JPY',
  ].join('\n')
  const seen = await preview(pair.practice, text)
  assert.deepEqual(problems(seen), [
    [3, 'The amount is in USD, and yours are in EUR'],
    [5, 'The amount is in JPY, and yours are in USD'],
  ])
  assert.deepEqual([seen.charges, seen.currency], [2, null], 'two currencies have no sum')
  assert.equal((await run(pair.practice, text, { skip_refused: 2 })).status, 201)
  assert.deepEqual(
    (await chargesOf(pair.practice)).map((one) => [one.student_id, one.currency, one.connection_id]),
    [
      [own, 'USD', null],
      [pair.student, 'EUR', pair.connection],
    ],
  )
})

test('D16: a line in a closed month names the month to reopen, and the others are imported', async () => {
  const pair = await closed(server)
  const text = ['Date,Amount,Reason', '2026-11-05,12.50,Book', '2026-10-05,12.50,Book'].join('\n')
  const seen = await preview(pair.family, text)
  assert.partialDeepStrictEqual(seen.lines[0], {
    line: 2,
    state: 'refused',
    problem: 'November 2026 is closed. Reopen it with a reason to change it.',
    closed_month: { connection_id: pair.connection, month: '2026-11' },
  })
  assert.equal((await run(pair.family, text, { skip_refused: 1 })).body.charges, 1)
  assert.equal((await pair.reopen(pair.practice)).status, 200)
  const reopened = await preview(pair.family, text)
  assert.deepEqual([reopened.refused, reopened.charges, reopened.existing], [0, 1, 1])
  assert.equal((await run(pair.family, text)).body.charges, 1)
  assert.deepEqual((await chargesOf(pair.family)).map(({ date }) => monthOf(date as never)).sort(), [
    '2026-10',
    '2026-11',
  ])
})

test('D12: exported charges import again into either side’s records, and into new ones to the cent', async () => {
  const pair = await aPair(server)
  const { family, practice, tutor, child, connection } = pair
  const theo = idOf(await family.call('POST', '/api/v1/students', { name: "=Theo; O'Neil" }))
  const facts = { date: '2026-11-03', tutor_id: tutor, reason: 'materials' }
  await charge(family, { ...facts, student_id: child, amount: '0.01', label: '=SUM(A1), "quoted"' })
  await charge(family, { ...facts, student_id: theo, amount: 1234.56, label: 'Book' })
  await charge(family, { ...facts, student_id: child, amount: 1234.56, label: 'Book', is_another: true })
  await charge(family, { ...facts, amount: '-12.5', reason: 'refund', label: null })
  await charge(practice, {
    connection_id: connection,
    date: '2026-10-31',
    amount: 7,
    reason: 'missed_lesson',
  })
  const [ours, theirs] = [await exported(family), await exported(practice)]
  for (const [who, text] of [
    [family, ours],
    [practice, theirs],
  ] as const) {
    const again = await preview(who, text)
    assert.deepEqual([again.kind, again.existing, again.charges, problems(again)], ['charges', 5, 0, []])
  }

  // Records of their own with the same people.
  const fresh = await server.aUser()
  for (const name of ['Maya Whitfield', "=Theo; O'Neil"])
    await fresh.call('POST', '/api/v1/students', { name })
  await fresh.call('POST', '/api/v1/tutors', { name: 'Ingrid' })
  const done = await run(fresh, ours)
  assert.equal(done.body.charges, 5, JSON.stringify(done.body))
  const before = (await chargesOf(family)).filter(({ date }) => date !== '2026-10-31')
  assert.deepEqual(
    factsOf((await chargesOf(fresh)).filter(({ date }) => date !== '2026-10-31')),
    factsOf(before),
  )
  assert.deepEqual(
    (await chargesOf(fresh)).map((one) => [one.counts, one.is_shared]),
    Array.from({ length: 5 }, () => [true, false]),
  )

  // What one side deleted comes back as it was.
  for (const { id } of before) await family.call('DELETE', `/api/v1/charges/${id}`)
  assert.equal((await chargesOf(family)).length, 1)
  assert.equal((await run(family, ours)).body.charges, 4)
  assert.deepEqual(
    factsOf((await chargesOf(family)).filter(({ date }) => date !== '2026-10-31')),
    factsOf(before),
  )
})

test('who all lines are for can be chosen, for sessions too', async () => {
  const parent = await server.aUser()
  const [maya, theo] = [
    idOf(await parent.call('POST', '/api/v1/students', { name: 'Maya' })),
    idOf(await parent.call('POST', '/api/v1/students', { name: 'Theo' })),
  ]
  const ingrid = idOf(await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid' }))
  const samuel = idOf(await parent.call('POST', '/api/v1/tutors', { name: 'Samuel' }))
  const charges = 'Date,Amount,Reason\n2026-11-05,12.50,Book'
  assert.deepEqual(problems(await preview(parent, charges)), [[2, 'The tutor is missing']])
  await run(parent, charges, { tutor_id: samuel, student_id: theo })
  assert.deepEqual(
    (await chargesOf(parent)).map((one) => [one.tutor_id, one.student_id]),
    [[samuel, theo]],
  )
  const lessons = 'Date,Hours\n2026-11-05,1'
  await run(parent, lessons, { tutor_id: ingrid, student_id: maya })
  const { sessions } = (await parent.call('GET', '/api/v1/sessions')).body as { sessions: Row[] }
  assert.deepEqual(
    sessions.map((one) => [one.tutor_id, one.student_id]),
    [[ingrid, maya]],
  )
  // Ids of others are nobody's on this list.
  const stranger = await server.aUser()
  assert.deepEqual(problems(await preview(stranger, charges, { tutor_id: ingrid })), [
    [2, 'The tutor is missing'],
  ])
})

test('D5: a retry of an import of charges records them once', async () => {
  const parent = await server.aUser()
  await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid' })
  const text = 'Date,Amount,Reason\n2026-11-05,12.50,Book'
  const answers = await Promise.all(
    [1, 2].map(() => parent.call('POST', '/api/v1/imports', { text }, { 'idempotency-key': 'charges-once' })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  )
  assert.equal((await chargesOf(parent)).length, 1)
})

test('I5: five hundred charges are imported at once, and more are refused', async () => {
  const parent = await server.aUser()
  await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid' })
  const lines = (count: number) =>
    `Date,Amount,Reason\n${Array.from({ length: count }, (_, at) => `2026-11-${String(1 + (at % 20)).padStart(2, '0')},${at + 1}.00,Book`).join('\n')}`
  assert.equal((await run(parent, lines(501))).body.code, 'too_many_charges')
  assert.equal((await run(parent, lines(500))).body.charges, 500)
})
