import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const idOf = (answer: Answer) => String(answer.body.id)

interface Books {
  parent: Caller
  maya: string
  theo: string
  ingrid: string
  samuel: string
  log: (
    student_id: string,
    tutor_id: string,
    date: string,
    duration: number,
    more?: object,
  ) => Promise<string>
}

async function aFamily(): Promise<Books> {
  const parent = await server.aUser()
  const add = async (path: string, body: object) => idOf(await parent.call('POST', `/api/v1/${path}`, body))
  return {
    parent,
    maya: await add('students', { name: 'Maya' }),
    theo: await add('students', { name: 'Theo' }),
    ingrid: await add('tutors', { name: 'Ingrid', hourly_rate: '45.55' }),
    samuel: await add('tutors', { name: 'Samuel' }),
    log: (student_id, tutor_id, date, duration, more = {}) =>
      add('sessions', { student_id, tutor_id, date, duration, ...more }),
  }
}
const monthOf = async (caller: Caller, month = '2026-10') =>
  (await caller.call('GET', `/api/v1/summary?month=${month}`)).body as unknown as {
    total_sessions: number
    total_hours: number
    total_amount: number
    by_tutor: { id: string | null; name: string; sessions: number; hours: number; amount: number }[]
    by_student: { id: string | null; name: string; sessions: number; hours: number; amount: number }[]
    by_week: { from: string; to: string; sessions: number; hours: number }[]
  }
const NOTHING = { verified_amount: 0, waiting_amount: 0, disputed_amount: 0, own_amount: 0 }

test('D2: a month adds up by tutor, by child and by week, the largest amount first', async () => {
  const { parent, maya, theo, ingrid, samuel, log } = await aFamily()
  await log(maya, ingrid, '2026-10-01', 1.5)
  await log(theo, ingrid, '2026-10-07', 0.25)
  await log(maya, samuel, '2026-10-08', 2)
  await log(maya, samuel, '2026-10-31', 1, { hourly_rate: 100 })
  const month = await monthOf(parent)
  // The amounts are 68.33, 11.39, none (no rate), and 100.
  assert.deepEqual([month.total_sessions, month.total_hours, month.total_amount], [4, 4.75, 179.72])
  assert.deepEqual(month.by_tutor, [
    { id: samuel, name: 'Samuel', sessions: 2, hours: 3, amount: 100 },
    { id: ingrid, name: 'Ingrid', sessions: 2, hours: 1.75, amount: 79.72 },
  ])
  assert.deepEqual(month.by_student, [
    { id: maya, name: 'Maya', sessions: 3, hours: 4.5, amount: 168.33 },
    { id: theo, name: 'Theo', sessions: 1, hours: 0.25, amount: 11.39 },
  ])
  assert.deepEqual(
    month.by_week.map(({ from, to, sessions, hours }) => [from, to, sessions, hours]),
    [
      ['2026-10-01', '2026-10-07', 2, 1.75],
      ['2026-10-08', '2026-10-14', 1, 2],
      ['2026-10-15', '2026-10-21', 0, 0],
      ['2026-10-22', '2026-10-28', 0, 0],
      ['2026-10-29', '2026-10-31', 1, 1],
    ],
  )
})

test('a month without sessions has empty weeks, and February ends on the 29th in a leap year', async () => {
  const { parent, maya, ingrid, log } = await aFamily()
  assert.deepEqual((await parent.call('GET', '/api/v1/summary?month=2026-02')).body, {
    month: '2026-02',
    total_sessions: 0,
    total_hours: 0,
    total_amount: 0,
    ...NOTHING,
    other_currencies: [],
    by_tutor: [],
    by_student: [],
    by_week: [1, 8, 15, 22].map((day) => ({
      from: `2026-02-${String(day).padStart(2, '0')}`,
      to: `2026-02-${String(day + 6).padStart(2, '0')}`,
      sessions: 0,
      hours: 0,
      ...NOTHING,
    })),
  })
  await log(maya, ingrid, '2024-02-29', 1)
  const leap = await monthOf(parent, '2024-02')
  assert.deepEqual(leap.by_week.at(-1)?.to, '2024-02-29')
  assert.deepEqual([leap.total_sessions, leap.by_week.at(-1)?.sessions], [1, 1])
  assert.equal((await monthOf(parent, '2024-03')).total_sessions, 0)
})

test('D7: deleted children and tutors still count in the totals, together under one name each', async () => {
  const { parent, maya, theo, ingrid, samuel, log } = await aFamily()
  await log(maya, ingrid, '2026-10-05', 1)
  await log(theo, samuel, '2026-10-06', 2, { hourly_rate: 10 })
  for (const path of [`students/${maya}`, `students/${theo}`, `tutors/${ingrid}`, `tutors/${samuel}`])
    assert.equal((await parent.call('DELETE', `/api/v1/${path}`, {})).status, 204)
  const month = await monthOf(parent)
  assert.deepEqual(month.by_student, [
    { id: null, name: 'Unknown Student', sessions: 2, hours: 3, amount: 65.55 },
  ])
  assert.deepEqual(month.by_tutor, [
    { id: null, name: 'Unknown Tutor', sessions: 2, hours: 3, amount: 65.55 },
  ])
})

test('a year is its twelve months: taught, paid and open at the end of each', async () => {
  const { parent, maya, ingrid, log } = await aFamily()
  await log(maya, ingrid, '2025-12-31', 2)
  await log(maya, ingrid, '2026-01-01', 1)
  await log(maya, ingrid, '2026-12-31', 1)
  for (const [date, amount] of [
    ['2025-12-31', 90],
    ['2026-01-31', 40],
    ['2026-02-01', 1],
  ] as const)
    await parent.call('POST', '/api/v1/payments', { tutor_id: ingrid, date, amount })
  const year = (await parent.call('GET', '/api/v1/summary/year?year=2026')).body as unknown as {
    total_sessions: number
    total_amount: number
    paid_amount: number
    open_amount: number
    by_month: { month: string; sessions: number; paid_amount: number; open_amount: number }[]
  }
  assert.deepEqual(
    [year.total_sessions, year.total_amount, year.paid_amount, year.open_amount],
    [2, 91.1, 41, 51.2],
  )
  assert.deepEqual(
    year.by_month.map(({ month, sessions, paid_amount, open_amount }) => [
      month,
      sessions,
      paid_amount,
      open_amount,
    ]),
    [
      ['2026-01', 1, 40, 6.65],
      ['2026-02', 0, 1, 5.65],
      ...Array.from({ length: 9 }, (_, at) => [`2026-${String(at + 3).padStart(2, '0')}`, 0, 0, 5.65]),
      ['2026-12', 1, 0, 51.2],
    ],
  )
})

test("both sides read the same month: what's waiting counts, what was sent back is shown separately, and what's to be deleted doesn't count", async () => {
  const tutor = await server.aUser('tutor')
  const parent = await server.aUser()
  const add = async (path: string, body: object) => idOf(await parent.call('POST', `/api/v1/${path}`, body))
  const student_id = await add('students', { name: 'Maya' })
  const tutor_id = await add('tutors', { name: 'Ingrid', email: tutor.email, hourly_rate: 40 })
  const connection = await add('connections', { tutor_id })
  const ids: string[] = []
  for (const date of ['2026-10-01', '2026-10-02', '2026-10-08', '2026-10-09'])
    ids.push(await add('sessions', { student_id, tutor_id, date, duration: 1 }))
  await tutor.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
  const [verified, disputed, leaving] = ids
  for (const id of [verified, leaving]) await tutor.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  await tutor.call('POST', `/api/v1/sessions/${disputed}/dispute`, { note: 'No lesson' })
  assert.equal((await parent.call('DELETE', `/api/v1/sessions/${leaving}`)).status, 202)
  for (const person of [parent, tutor]) {
    const { body } = await person.call('GET', '/api/v1/summary?month=2026-10')
    assert.deepEqual(
      [body.total_sessions, body.total_hours, body.total_amount, body.verified_amount, body.waiting_amount],
      [2, 2, 80, 40, 40],
    )
    assert.deepEqual([body.disputed_amount, body.own_amount], [40, 0])
    assert.deepEqual(
      (await monthOf(person)).by_week.slice(0, 2).map(({ sessions }) => sessions),
      [1, 1],
    )
    assert.deepEqual(
      (await monthOf(person)).by_student.map(({ sessions, amount }) => [sessions, amount]),
      [[2, 80]],
    )
    const year = (await person.call('GET', '/api/v1/summary/year?year=2026')).body
    assert.deepEqual([year.total_sessions, year.total_amount, year.open_amount], [2, 80, 80])
  }
})

test('T1: other users’ sessions are in no total, and requests without a login or a month are refused', async () => {
  const { parent, maya, ingrid, log } = await aFamily()
  await log(maya, ingrid, '2026-10-05', 1)
  for (const other of [await server.aUser(), await server.aUser('tutor')]) {
    assert.equal((await monthOf(other)).total_sessions, 0)
    const { body } = await other.call('GET', '/api/v1/summary/year?year=2026')
    assert.deepEqual([body.total_sessions, body.paid_amount, body.open_amount], [0, 0, 0])
  }
  for (const query of [
    'summary',
    'summary?month=2026-13',
    'summary?month=2026-1',
    'summary?month=october',
    'summary?month=2026-10&workspace_id=1',
    'summary/year',
    'summary/year?year=26',
    'summary/year?year=2200',
  ])
    assert.equal((await parent.call('GET', `/api/v1/${query}`)).status, 422, query)
  for (const query of ['summary?month=2026-10', 'summary/year?year=2026'])
    assert.equal((await server.aStranger().call('GET', `/api/v1/${query}`)).status, 401)
})
