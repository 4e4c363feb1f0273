import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const add = async (person: Caller, path: string, body: object): Promise<string> =>
  String((await person.call('POST', path, body)).body.id)
const dashboard = async (person: Caller, query: string) =>
  (await person.call('GET', `/api/v1/dashboard?${query}`)).body as {
    sessions_to_confirm: number
    sessions_this_month: number
    upcoming: { date: string }[]
    due: { date: string }[]
  }

test("a tutor's 'This Week' counts sessions to confirm from Sunday to the tutor's own today, and none of June", async () => {
  const email = 'week@example.com'
  const parent = await server.aUser()
  const student_id = await add(parent, '/api/v1/students', { name: 'Maya' })
  const tutor_id = await add(parent, '/api/v1/tutors', { name: 'Ingrid', email })
  const link = await add(parent, `/api/v1/tutors/${tutor_id}/link`, {})
  const tutor = server.aStranger()
  await tutor.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'tutor' })
  await server.confirm(tutor, email)
  await tutor.call('PATCH', `/api/v1/families/${link}`, { state: 'active' })
  // Saturday and Sunday around each end of the week from November 15 to 21.
  for (const date of ['2026-06-30', '2026-11-14', '2026-11-15', '2026-11-21', '2026-11-22'])
    await add(parent, '/api/v1/sessions', { student_id, tutor_id, date, duration: 1 })
  const count = async (today: string) => (await dashboard(tutor, `today=${today}`)).sessions_to_confirm
  assert.deepEqual(
    [await count('2026-11-14'), await count('2026-11-15'), await count('2026-11-20')],
    [1, 1, 1],
  )
  // The same moment in Honolulu and in Auckland.
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

test("a class that is over by the user's own clock, or in the log, is not upcoming any more", async () => {
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
