import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aPair } from '#main/testing/two-sides.server.ts'
import type { MonthAmount } from './dashboard.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const TODAY = '2026-10-20'
const idOf = (answer: Answer) => String(answer.body.id)
const read = async (caller: Caller, today = TODAY) => {
  const answer = await caller.call('GET', `/api/v1/dashboard?today=${today}`)
  assert.equal(answer.status, 200)
  return answer.body
}

async function aFamily() {
  const parent = await server.aUser()
  const student_id = idOf(await parent.call('POST', '/api/v1/students', { name: 'Maya' }))
  const tutor_id = idOf(await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 }))
  const log = async (date: string, more: object = {}) =>
    idOf(await parent.call('POST', '/api/v1/sessions', { student_id, tutor_id, date, duration: 1, ...more }))
  const plan = async (more: object = {}) =>
    idOf(
      await parent.call('POST', '/api/v1/schedules', {
        student_id,
        tutor_id,
        day_of_week: 2,
        start_time: '16:30',
        duration: 1,
        frequency: 'weekly',
        start_date: '2026-10-20',
        timezone: 'UTC',
        is_active: true,
        ...more,
      }),
    )
  return { parent, student_id, tutor_id, log, plan }
}
const EMPTY = {
  total_students: 0,
  active_tutors: 0,
  active_schedules: 0,
  sessions_this_month: 0,
  month_amounts: [],
  sessions_to_confirm: 0,
  sessions_waiting: 0,
  session_pairs: 0,
  schedule_questions: 0,
  months_asked: [],
  sessions_sent_back: 0,
  recent_sessions: [],
  due: [],
  today: [],
  upcoming: [],
  needs_rate: false,
  has_sessions: false,
  has_schedules: false,
  has_verified_sessions: false,
  onboarding_dismissed: false,
}

test('a new parent starts with nothing, a new tutor with a row of their own that has no rate yet', async () => {
  assert.deepEqual(await read(await server.aUser()), EMPTY)
  const tutor = await server.aUser('tutor')
  assert.deepEqual(await read(tutor), { ...EMPTY, active_tutors: 1, needs_rate: true })
  const [own] = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  await tutor.call('PATCH', `/api/v1/tutors/${own?.id}`, { hourly_rate: 0 })
  assert.equal((await read(tutor)).needs_rate, false, '$0 an hour is a rate too')
})

test('the cards leave out archived, inactive and deleted rows', async () => {
  const { parent, student_id, tutor_id, log, plan } = await aFamily()
  await log('2026-10-05')
  const schedule = await plan()
  const counts = async () => {
    const { total_students, active_tutors, active_schedules, sessions_this_month } = await read(parent)
    return [total_students, active_tutors, active_schedules, sessions_this_month]
  }
  assert.deepEqual(await counts(), [1, 1, 1, 1])
  await parent.call('PATCH', `/api/v1/schedules/${schedule}`, { is_active: false })
  await parent.call('PATCH', `/api/v1/students/${student_id}`, { archived: true })
  await parent.call('PATCH', `/api/v1/tutors/${tutor_id}`, { archived: true })
  assert.deepEqual(await counts(), [0, 0, 0, 1])
  const { has_sessions, has_schedules } = await read(parent)
  assert.deepEqual([has_sessions, has_schedules], [true, true])
  await parent.call('DELETE', `/api/v1/schedules/${schedule}`, {})
  assert.equal((await read(parent)).has_schedules, false)
})

test('recent sessions are the newest 3 of the last 7 days, without future ones', async () => {
  const { parent, log } = await aFamily()
  for (const date of ['2026-10-12', '2026-10-13', '2026-10-21']) await log(date)
  const recent = async () =>
    ((await read(parent)).recent_sessions as { date: string }[]).map(({ date }) => date)
  assert.deepEqual(await recent(), ['2026-10-13'])
  for (const date of ['2026-10-20', '2026-10-15', '2026-10-18']) await log(date)
  assert.deepEqual(await recent(), ['2026-10-20', '2026-10-18', '2026-10-15'])
})

test('a class is asked about from its day on for 14 days, until it is logged or canceled', async () => {
  const { parent, plan } = await aFamily()
  const id = await plan({ start_date: '2026-10-01' })
  const due = async (today: string) =>
    ((await read(parent, today)).due as { date: string }[]).map(({ date }) => date)
  assert.deepEqual(await due('2026-10-05'), [])
  assert.deepEqual(await due('2026-10-06'), ['2026-10-06'])
  assert.deepEqual(await due('2026-10-20'), ['2026-10-06', '2026-10-13', '2026-10-20'])
  assert.deepEqual(await due('2026-10-21'), ['2026-10-13', '2026-10-20'])
  await parent.call('POST', `/api/v1/schedules/${id}/log`, { date: '2026-10-13' })
  await parent.call('PUT', `/api/v1/schedules/${id}/occurrence`, {
    date: '2026-10-20',
    status: 'canceled',
    outcome: 'no_show',
  })
  assert.deepEqual(await due('2026-10-21'), [])
})

test('what comes next is the next class of each active schedule, today included, soonest first', async () => {
  const { parent, plan } = await aFamily()
  const weekly = await plan()
  await plan({ frequency: 'custom', custom_interval_days: 365, start_date: '2026-10-22', day_of_week: 4 })
  await plan({ start_date: '2026-01-01', end_date: '2026-10-19' })
  await plan({ start_date: '2026-10-19', day_of_week: 1, is_active: false })
  const upcoming = async (today: string) =>
    ((await read(parent, today)).upcoming as { date: string }[]).map(({ date }) => date)
  assert.deepEqual(await upcoming('2026-10-20'), ['2026-10-20', '2026-10-22'])
  assert.deepEqual(await upcoming('2026-10-21'), ['2026-10-22', '2026-10-27'])
  assert.deepEqual(
    await upcoming('2026-10-23'),
    ['2026-10-27', '2027-10-22'],
    'a year ahead, where a rule says so',
  )
  await parent.call('PUT', `/api/v1/schedules/${weekly}/occurrence`, {
    date: '2026-10-27',
    status: 'moved',
    moved_to: '2026-10-24',
    start_time: '09:00',
  })
  assert.deepEqual(await upcoming('2026-10-23'), ['2026-10-24', '2027-10-22'])
})

test('each side’s counts are what waits for it and what was sent back to it', async () => {
  const [{ parent, student_id }, tutor] = [await aFamily(), await server.aUser('tutor')]
  const tutor_id = idOf(await parent.call('POST', '/api/v1/tutors', { name: 'Samuel', email: tutor.email }))
  const connection = idOf(await parent.call('POST', '/api/v1/connections', { tutor_id }))
  const log = async (date: string) =>
    idOf(await parent.call('POST', '/api/v1/sessions', { student_id, tutor_id, date, duration: 1 }))
  const shared = [await log('2026-10-19'), await log('2026-10-20')]
  await log('2026-10-16')
  const counts = async (caller: Caller) => {
    const { sessions_to_confirm, sessions_waiting, sessions_sent_back } = await read(caller)
    return [sessions_to_confirm, sessions_waiting, sessions_sent_back]
  }
  assert.deepEqual(await counts(tutor), [0, 0, 0], 'nothing is shared before the answer')
  await tutor.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
  assert.deepEqual(await counts(tutor), [2, 3, 0], 'the week began on Sunday, October 18')
  assert.deepEqual(await counts(parent), [0, 0, 0])
  await tutor.call('POST', `/api/v1/sessions/${shared[0]}/confirm`, {})
  await tutor.call('POST', `/api/v1/sessions/${shared[1]}/dispute`, { note: 'No lesson' })
  assert.deepEqual(await counts(tutor), [0, 1, 0])
  assert.deepEqual(await counts(parent), [0, 0, 1])
  assert.deepEqual(
    [(await read(tutor)).has_verified_sessions, (await read(parent)).has_verified_sessions],
    [true, true],
  )
  await parent.call('POST', `/api/v1/sessions/${shared[1]}/answer`, { note: 'There was one' })
  assert.deepEqual(await counts(tutor), [1, 2, 0], 'what was answered is listed again')
  assert.deepEqual(await counts(parent), [0, 0, 0])
  await tutor.call('PATCH', `/api/v1/sessions/${shared[0]}`, { duration: 2 })
  assert.deepEqual(await counts(parent), [1, 1, 0], 'a change waits for the other side')
})

test('both sides see the same total for the month, by status, from its first day to its last', async () => {
  const [{ parent, student_id }, tutor] = [await aFamily(), await server.aUser('tutor')]
  const tutor_id = idOf(
    await parent.call('POST', '/api/v1/tutors', { name: 'Samuel', email: tutor.email, hourly_rate: 45 }),
  )
  const log = async (date: string, duration: number) =>
    idOf(await parent.call('POST', '/api/v1/sessions', { student_id, tutor_id, date, duration }))
  const amounts = async (caller: Caller, today = '2026-10-31') =>
    Object.fromEntries(
      ((await read(caller, today)).month_amounts as MonthAmount[]).map(
        ({ standing, currency, sessions, amount }) => [standing, `${sessions}: ${currency} ${amount}`],
      ),
    )
  const [first, , last] = [
    await log('2026-10-01', 1),
    await log('2026-10-05', 1.25),
    await log('2026-10-31', 2),
    await log('2026-09-30', 3),
    await log('2026-11-01', 4),
  ]
  assert.deepEqual(await amounts(parent), { own: '3: USD 191.25' }, 'nobody is connected')
  assert.deepEqual(await amounts(tutor), {})
  const connection = idOf(await parent.call('POST', '/api/v1/connections', { tutor_id }))
  await tutor.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
  const both = async (expected: object) => {
    assert.deepEqual(await amounts(parent), expected)
    assert.deepEqual(await amounts(tutor), expected)
  }
  await both({ waiting: '3: USD 191.25' })
  await tutor.call('POST', `/api/v1/sessions/${first}/confirm`, {})
  await tutor.call('POST', `/api/v1/sessions/${last}/dispute`, { note: 'No lesson' })
  await both({ disputed: '1: USD 90', verified: '1: USD 45', waiting: '1: USD 56.25' })
  await parent.call('DELETE', `/api/v1/sessions/${first}`, {})
  await both({ disputed: '1: USD 90', leaving: '1: USD 45', waiting: '1: USD 56.25' })
  assert.equal((await read(parent, '2026-10-31')).sessions_this_month, 3)
  assert.deepEqual(await amounts(parent, '2026-09-30'), { waiting: '1: USD 135' })
})

test('T1: a dashboard shows nothing of other users and needs a login', async () => {
  const { log, plan } = await aFamily()
  await log('2026-10-19')
  await plan()
  assert.deepEqual(await read(await server.aUser()), EMPTY)
  assert.equal((await server.aStranger().call('GET', `/api/v1/dashboard?today=${TODAY}`)).status, 401)
  const parent = await server.aUser()
  for (const query of ['today=2026-02-30', 'today=yesterday', 'month=2026-10'])
    assert.equal((await parent.call('GET', `/api/v1/dashboard?${query}`)).status, 422, query)
  assert.equal(
    (await parent.call('GET', '/api/v1/dashboard')).status,
    200,
    'without a day it is today in UTC',
  )
})

const add = async (person: Caller, path: string, body: object): Promise<string> =>
  String((await person.call('POST', path, body)).body.id)
const dashboard = async (person: Caller, query: string) =>
  (await person.call('GET', `/api/v1/dashboard?${query}`)).body as {
    sessions_to_confirm: number
    sessions_this_month: number
    upcoming: { date: string }[]
    due: { date: string }[]
  }

test("a tutor's 'This Week' counts sessions to confirm from Sunday to today in the tutor's time zone", async () => {
  const email = 'week@example.com'
  const parent = await server.aUser()
  const student_id = await add(parent, '/api/v1/students', { name: 'Maya' })
  const tutor_id = await add(parent, '/api/v1/tutors', { name: 'Ingrid', email })
  const connection = await add(parent, '/api/v1/connections', { tutor_id })
  const tutor = server.aStranger()
  await tutor.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'tutor' })
  await server.confirm(tutor, email)
  await tutor.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
  // Includes the Saturdays and Sundays at both ends of the week of November 15 to 21.
  for (const date of ['2026-06-30', '2026-11-14', '2026-11-15', '2026-11-21', '2026-11-22'])
    await add(parent, '/api/v1/sessions', { student_id, tutor_id, date, duration: 1 })
  const count = async (today: string) => (await dashboard(tutor, `today=${today}`)).sessions_to_confirm
  assert.deepEqual(
    [await count('2026-11-14'), await count('2026-11-15'), await count('2026-11-20')],
    [1, 1, 1],
  )
  // At the same instant, it's Saturday in Honolulu and Sunday in Auckland.
  assert.deepEqual([await count('2026-11-21'), await count('2026-11-22')], [2, 1])
})

test("a parent's 'This Month' counts the first and the last day of the month, and the days around it do not", async () => {
  const parent = await server.aUser()
  const student_id = await add(parent, '/api/v1/students', { name: 'Maya' })
  const tutor_id = await add(parent, '/api/v1/tutors', { name: 'Ingrid' })
  for (const date of ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'])
    await add(parent, '/api/v1/sessions', { student_id, tutor_id, date, duration: 1 })
  const count = async (today: string) => (await dashboard(parent, `today=${today}`)).sessions_this_month
  assert.deepEqual(
    [
      await count('2026-10-31'),
      await count('2026-11-01'),
      await count('2026-11-30'),
      await count('2026-12-01'),
    ],
    [1, 2, 2, 1],
  )
})

test("a class that is over by the user's clock, or already logged, is no longer upcoming", async () => {
  const parent = await server.aUser()
  const student_id = await add(parent, '/api/v1/students', { name: 'Maya' })
  const tutor_id = await add(parent, '/api/v1/tutors', { name: 'Ingrid' })
  const schedule = await add(parent, '/api/v1/schedules', {
    student_id,
    tutor_id,
    day_of_week: 6,
    start_time: '16:30',
    duration: 1.5,
    frequency: 'weekly',
    start_date: '2026-11-21',
  })
  const next = async (query: string) =>
    (await dashboard(parent, `today=2026-11-21${query}`)).upcoming.map(({ date }) => date)
  assert.deepEqual(await next(''), ['2026-11-21'])
  assert.deepEqual(await next('&time=17:59'), ['2026-11-21'])
  assert.deepEqual(await next('&time=18:00'), ['2026-11-28'])
  await parent.call('POST', `/api/v1/schedules/${schedule}/log`, { date: '2026-11-21' })
  assert.deepEqual(await next('&time=10:00'), ['2026-11-28'])
  assert.equal((await parent.call('GET', '/api/v1/dashboard?time=25:00')).status, 422)
})

test('today lists all of a practice’s classes in order of time, each with what logging it comes to; a family has none', async () => {
  const pair = await aPair(server)
  const { family, practice, student, self } = pair
  await family.call('PATCH', '/api/v1/me', { currency: 'EUR' })
  await practice.call('PATCH', `/api/v1/tutors/${self}`, { hourly_rate: 40 })
  const own = idOf(await practice.call('POST', '/api/v1/students', { name: 'Theo', hourly_rate: 50.5 }))
  const plan = async (who: string, start_time: string, more: object = {}) =>
    idOf(
      await practice.call('POST', '/api/v1/schedules', {
        student_id: who,
        tutor_id: self,
        day_of_week: 2,
        start_time,
        duration: 1.5,
        start_date: '2026-10-13',
        ...more,
      }),
    )
  const [late, early, canceled, moved, other] = [
    await plan(own, '17:00'),
    await plan(student, '09:00'),
    await plan(own, '12:00', { hourly_rate: 60 }),
    await plan(own, '13:00', { hourly_rate: 0 }),
    await plan(own, '08:00', { day_of_week: 3 }),
  ]
  const change = (id: string, body: object) =>
    practice.call('PUT', `/api/v1/schedules/${id}/occurrence`, body)
  await change(canceled, { date: TODAY, status: 'canceled', outcome: 'canceled_late' })
  await change(moved, { date: TODAY, status: 'moved', moved_to: '2026-10-21', start_time: '13:00' })
  await change(other, { date: '2026-10-21', status: 'moved', moved_to: TODAY, start_time: '18:30' })
  const today = async () =>
    (
      (await read(practice)).today as {
        start_time: string
        status: string
        amount: number
        currency: string
      }[]
    ).map(({ start_time: start, status, amount, currency }) => `${start} ${status} ${currency} ${amount}`)
  const before = await today()
  assert.deepEqual(before, [
    '09:00 planned EUR 60',
    '12:00 canceled USD 90',
    '17:00 planned USD 75.75',
    '18:30 planned USD 75.75',
  ])
  for (const [id, date] of [
    [early, TODAY],
    [late, TODAY],
    [other, '2026-10-21'],
  ] as const)
    assert.equal((await practice.call('POST', `/api/v1/schedules/${id}/log`, { date })).status, 201)
  assert.deepEqual(
    await today(),
    before.map((line) => line.replace('planned', 'logged')),
    'logging them comes to the same',
  )
  assert.deepEqual((await read(family)).today, [])
})
