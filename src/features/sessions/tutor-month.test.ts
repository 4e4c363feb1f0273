import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readCsv } from '#platform/csv.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-11-21T12:00:00Z')
})
after(async () => server.stop())

interface Practice {
  tutor: Caller
  self: string
  maya: string
  theo: string
  log: (student: string, date: string, more?: object) => Promise<Record<string, unknown>>
  setRate: (rate: number | null) => Promise<void>
}

/** A tutor with two students and no hourly rate yet. */
async function aPractice(): Promise<Practice> {
  const tutor = await server.aUser('tutor')
  const [own] = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  const self = String(own?.id)
  const student = async (name: string) =>
    String((await tutor.call('POST', '/api/v1/students', { name })).body.id)
  return {
    tutor,
    self,
    maya: await student('Maya'),
    theo: await student('Theo'),
    log: async (student_id, date, more = {}) =>
      (
        await tutor.call('POST', '/api/v1/sessions', {
          student_id,
          tutor_id: self,
          date,
          duration: 1,
          ...more,
        })
      ).body,
    setRate: async (hourly_rate) => {
      assert.equal((await tutor.call('PATCH', `/api/v1/tutors/${self}`, { hourly_rate })).status, 200)
    },
  }
}

async function aSchedule(practice: Practice, more: object = {}): Promise<string> {
  const { status, body } = await practice.tutor.call('POST', '/api/v1/schedules', {
    student_id: practice.maya,
    tutor_id: practice.self,
    day_of_week: 2,
    start_time: '16:00',
    duration: 1,
    frequency: 'weekly',
    start_date: '2026-11-03',
    ...more,
  })
  assert.equal(status, 201)
  return String(body.id)
}

const yes = async (practice: Practice, schedule: string, date: string) =>
  (await practice.tutor.call('POST', `/api/v1/schedules/${schedule}/log`, { date })).body

test("a tutor's month: the rate is set, lessons are logged with the form and with one tap, the rate goes up, and logged lessons keep theirs", async () => {
  const practice = await aPractice()
  const { tutor, maya, theo } = practice
  const needsRate = async () => (await tutor.call('GET', '/api/v1/dashboard')).body.needs_rate
  assert.equal(await needsRate(), true)
  await practice.setRate(45)
  assert.equal(await needsRate(), false)
  const schedule = await aSchedule(practice)

  assert.equal((await practice.log(maya, '2026-11-02')).total_amount, 45, 'by form')
  assert.equal((await yes(practice, schedule, '2026-11-03')).total_amount, 45, 'by one tap')
  await practice.setRate(50)
  const later = await yes(practice, schedule, '2026-11-10')
  assert.deepEqual([later.total_amount, later.default_rate], [50, 50])
  assert.equal(
    (await tutor.call('PATCH', `/api/v1/students/${theo}`, { hourly_rate: '60' })).body.hourly_rate,
    60,
  )
  assert.equal((await practice.log(theo, '2026-11-12')).total_amount, 60, "the student's own rate")
  assert.equal((await practice.log(theo, '2026-11-13', { hourly_rate: 20 })).total_amount, 20, 'the override')

  const { body } = await tutor.call('GET', '/api/v1/sessions?month=2026-11')
  assert.deepEqual(
    (body.sessions as { date: string; effective_rate: number }[]).map((one) => [
      one.date,
      one.effective_rate,
    ]),
    [
      ['2026-11-13', 20],
      ['2026-11-12', 60],
      ['2026-11-10', 50],
      ['2026-11-03', 45],
      ['2026-11-02', 45],
    ],
  )
  assert.equal((await tutor.call('GET', '/api/v1/summary?month=2026-11')).body.total_amount, 220)
  const balances = (await tutor.call('GET', '/api/v1/balances?month=2026-11')).body
  assert.equal((balances.total as { balance: number }).balance, 220)
  const csv = await server.app.inject({
    url: '/api/v1/statements/sessions.csv?from=2026-11-01&to=2026-11-30',
    headers: { cookie: [...tutor.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  assert.deepEqual(
    readCsv(csv.payload)
      .slice(1)
      .map(({ cells }) => cells.slice(5, 7).join()),
    // The last line says what is owed.
    ['45.00,45.00', '45.00,45.00', '50.00,50.00', '60.00,60.00', '20.00,20.00', ','],
  )
})

test("the schedule's rate comes before the student's, with one tap and in a form without a rate", async () => {
  const practice = await aPractice()
  await practice.setRate(45)
  await practice.tutor.call('PATCH', `/api/v1/students/${practice.maya}`, { hourly_rate: 60 })
  const schedule = await aSchedule(practice, { hourly_rate: 70 })
  assert.equal((await yes(practice, schedule, '2026-11-03')).total_amount, 70)
  const ref = { schedule_id: schedule, occurrence_date: '2026-11-10' }
  assert.equal((await practice.log(practice.maya, '2026-11-10', ref)).total_amount, 70)
  await practice.tutor.call('PATCH', `/api/v1/schedules/${schedule}`, { hourly_rate: null })
  assert.equal((await yes(practice, schedule, '2026-11-17')).total_amount, 60)
})

test("a lesson logged before the rate was set has no amount, and doesn't get one later", async () => {
  const practice = await aPractice()
  const { id, total_amount: amount } = await practice.log(practice.maya, '2026-11-02')
  assert.equal(amount, null)
  await practice.setRate(45)
  const { body } = await practice.tutor.call('PATCH', `/api/v1/sessions/${String(id)}`, {
    notes: 'Fractions',
  })
  assert.deepEqual([body.total_amount, body.default_rate], [null, null])
})

test("an imported line without a rate gets the student's, else the tutor's", async () => {
  const practice = await aPractice()
  await practice.setRate(45)
  await practice.tutor.call('PATCH', `/api/v1/students/${practice.theo}`, { hourly_rate: 60 })
  const text = 'Date,Student,Hours\n2026-11-02,Maya,1\n2026-11-03,Theo,2'
  assert.equal((await practice.tutor.call('POST', '/api/v1/imports/preview', { text })).body.amount, 165)
  await practice.tutor.call('POST', '/api/v1/imports', { text })
  assert.equal((await practice.tutor.call('GET', '/api/v1/summary?month=2026-11')).body.total_amount, 165)
})

test("a session moved to another student or tutor gets that person's rate", async () => {
  const practice = await aPractice()
  await practice.setRate(45)
  await practice.tutor.call('PATCH', `/api/v1/students/${practice.theo}`, { hourly_rate: 60 })
  const change = async (caller: Caller, id: unknown, body: object) =>
    (await caller.call('PATCH', `/api/v1/sessions/${String(id)}`, body)).body.total_amount
  const { id } = await practice.log(practice.maya, '2026-11-02')
  assert.equal(await change(practice.tutor, id, { student_id: practice.theo }), 60)
  assert.equal(await change(practice.tutor, id, { student_id: practice.maya }), 45)

  const parent = await server.aUser()
  const add = async (path: string, body: object) => String((await parent.call('POST', path, body)).body.id)
  const child = await add('/api/v1/students', { name: 'Maya' })
  const other = await add('/api/v1/students', { name: 'Theo' })
  const ingrid = await add('/api/v1/tutors', { name: 'Ingrid', hourly_rate: 40 })
  const ben = await add('/api/v1/tutors', { name: 'Ben', hourly_rate: 30 })
  const lesson = { student_id: child, tutor_id: ingrid, date: '2026-11-02', duration: 1 }
  const plain = await add('/api/v1/sessions', lesson)
  const special = await add('/api/v1/sessions', { ...lesson, hourly_rate: 55 })
  await parent.call('PATCH', `/api/v1/tutors/${ingrid}`, { hourly_rate: 99 })
  assert.equal(await change(parent, plain, { student_id: other }), 40, 'another child: history stays')
  assert.equal(await change(parent, plain, { tutor_id: ben }), 30)
  assert.equal(await change(parent, special, { tutor_id: ben }), 55, 'an override stays')
  assert.equal(
    await change(parent, special, { hourly_rate: null }),
    30,
    "a cleared override leaves the tutor's",
  )
})

test('in a family, rates belong to tutors, not to children', async () => {
  const parent = await server.aUser()
  const refused = await parent.call('POST', '/api/v1/students', { name: 'Maya', hourly_rate: 40 })
  assert.deepEqual([refused.status, refused.body.code], [422, 'no_own_rate'])
  const child = await parent.call('POST', '/api/v1/students', { name: 'Maya', hourly_rate: null })
  assert.equal(child.body.hourly_rate, null)
  assert.equal(
    (await parent.call('PATCH', `/api/v1/students/${String(child.body.id)}`, { hourly_rate: 40 })).status,
    422,
  )
})
