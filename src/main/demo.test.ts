import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays, type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import { DEMO_PASSWORD, makeDemonstration } from './demo.ts'
import { demonstration } from './demonstration.ts'
import { startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const today = dayIn(new Date(), 'UTC')
const signIn = async (email: string) => {
  const person = server.aStranger()
  assert.equal(
    (await person.call('POST', '/api/auth/sign-in', { email, password: DEMO_PASSWORD })).status,
    200,
  )
  return person
}
const count = async (email: string) => {
  const person = await signIn(email)
  let sessions = 0
  let cursor: unknown
  do {
    const { body } = await person.call(
      'GET',
      `/api/v1/sessions?limit=200${cursor ? `&cursor=${String(cursor)}` : ''}`,
    )
    sessions += (body.sessions as unknown[]).length
    cursor = body.next_cursor
  } while (cursor)
  return sessions
}

test('demonstration people sign in and see their year; a second run adds nothing, a later one what is new', async () => {
  const earlier = addDays(today, -60)
  const first = await makeDemonstration(server.db, earlier)
  assert.equal(first.length, 2)
  for (const line of first) assert.match(line, /made, with \d+ sessions/)
  for (const person of demonstration(20, earlier))
    assert.equal(await count(person.email), person.sessions.length)

  for (const line of await makeDemonstration(server.db, earlier)) assert.match(line, /is up to date/)
  const before = await count('family@example.com')
  for (const line of await makeDemonstration(server.db, today)) assert.match(line, /newer sessions added/)
  assert.ok((await count('family@example.com')) > before)
})

test('the screens of a demonstration family have something to show', async () => {
  const family = await signIn('family@example.com')
  const month = demonstration(20, today)[0]?.sessions.at(-1)?.day.slice(0, 7) as CalendarDay
  const { body } = await family.call('GET', `/api/v1/summary?month=${month}`)
  assert.ok(Number(body.total_amount) > 0 && (body.by_tutor as unknown[]).length > 1)
  const schedules = (await family.call('GET', '/api/v1/schedules')).body as unknown as {
    is_active: boolean
    student_name: string | null
  }[]
  assert.deepEqual(schedules.map((schedule) => schedule.is_active).sort(), [false, true, true, true])
  assert.ok(schedules.every((schedule) => schedule.student_name))
  const tutor = await signIn('tutor@example.com')
  assert.equal(((await tutor.call('GET', '/api/v1/students')).body as unknown as unknown[]).length, 4)
  const sessionsOf = async (person: typeof tutor) =>
    (await person.call('GET', '/api/v1/sessions?limit=200')).body.sessions as {
      verified_by_tutor: boolean
      total_amount: number
    }[]
  assert.ok((await sessionsOf(family)).some((session) => session.verified_by_tutor))
  assert.ok((await sessionsOf(tutor)).every((session) => session.total_amount > 0))
})
