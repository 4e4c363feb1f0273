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

test('demo people sign in and see their year; a second run adds nothing, and a later one only what is new', async () => {
  const earlier = addDays(today, -60)
  const first = await makeDemonstration(server.db, earlier)
  assert.equal(first.length, 2)
  for (const line of first) assert.match(line, /created with \d+ sessions/)
  const [family, tutor] = demonstration(20, earlier)
  assert.ok(family && tutor)
  assert.equal(await count(family.email), family.sessions.length)
  const shared = family.sessions.filter((session) => family.tutors[session.tutor]?.email === tutor.email)
  assert.ok(shared.length > 0)
  assert.equal(await count(tutor.email), tutor.sessions.length + shared.length)

  for (const line of await makeDemonstration(server.db, earlier)) assert.match(line, /is up to date/)
  const before = await count('family@example.com')
  for (const line of await makeDemonstration(server.db, today)) assert.match(line, /newer sessions added/)
  assert.ok((await count('family@example.com')) > before)
})

test('demo accounts are paid up: closed months match on both sides, and little is owed besides the last payment', async () => {
  const [family, tutor] = [await signIn('family@example.com'), await signIn('tutor@example.com')]
  const month = today.slice(0, 7)
  const read = async (person: typeof family, path: string, list: string) =>
    (await person.call('GET', `/api/v1/${path}`)).body[list] as Record<string, number | string | null>[]
  const accounts = await read(family, `balances?month=${month}`, 'balances')
  // At most two of the months have exams.
  for (const { balance } of accounts)
    assert.ok(Number(balance) >= 0 && Number(balance) < 1500, String(balance))
  assert.ok(accounts.some((one) => Number(one.on_its_way_amount) > 0))
  const theirs = await read(tutor, `balances?month=${month}`, 'balances')
  const shared = theirs.find((one) => one.connection_id)
  assert.equal(
    accounts.find((one) => one.connection_id === shared?.connection_id)?.balance,
    shared?.balance,
    'one balance for both',
  )
  assert.deepEqual(
    theirs.filter((one) => one.is_only_yours).map((one) => one.name),
    ['Maya W.'],
  )
  const closed = (await read(family, 'months/closed', 'months')).map((one) => one.code)
  assert.ok(closed.length > 0)
  assert.deepEqual(
    (await read(tutor, 'months/closed', 'months')).map((one) => one.code),
    closed,
  )
  assert.equal((await read(family, `connections/${shared?.connection_id}/payment-ways`, 'ways')).length, 2)
})

test('every screen of a demo family has something to show', async () => {
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
  const students = (await tutor.call('GET', '/api/v1/students')).body as unknown as { name: string }[]
  assert.deepEqual(
    students.map(({ name }) => name).sort(),
    ['Ella', 'Maya W.', 'Oliver Brandt', 'Priya Raman', 'Sam Okafor'],
    'a child that the tutor has on the list is no second student',
  )
  const sessionsOf = async (person: typeof tutor) =>
    (await person.call('GET', '/api/v1/sessions?limit=200')).body.sessions as {
      verified_by_tutor: boolean
      status: string
      own_confirmation: string
      is_shared: boolean
      total_amount: number
    }[]
  for (const person of [family, tutor]) {
    const shared = (await sessionsOf(person)).filter((session) => session.is_shared)
    assert.ok(shared.some((session) => session.verified_by_tutor))
    assert.ok(shared.some((session) => session.status === 'disputed'))
    assert.ok(shared.some((session) => session.own_confirmation === 'none'))
  }
  assert.ok((await sessionsOf(tutor)).every((session) => session.total_amount > 0))
})
