import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays, type CalendarDay, dayIn, monthOf } from '#kernel/calendar-day.ts'
import { addMonths, monthsBack } from '#kernel/month.ts'
import { answer } from './browser-demo/api.ts'
import { exampleRecord } from './browser-demo/example.ts'
import { DEMO_PASSWORD, makeDemonstration, sessionsIn } from './demo.ts'
import { ACCOUNTS } from './story/cast.ts'
import { opening, story, YEAR } from './story/story.ts'
import { startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

/** The newest 20th, so that it doesn't depend on the day how much of the month there is. */
const today = `${monthOf(addDays(dayIn(new Date(), 'UTC'), -19))}-20` as CalendarDay
/** Two months before. */
const earlier = `${addMonths(monthOf(today), -2)}-20` as CalendarDay
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

test('demo people sign in and see their year', async () => {
  const first = await makeDemonstration(server.db, earlier)
  assert.equal(first.length, 2)
  for (const line of first) assert.match(line, /created with \d+ sessions/)
  const steps = [...opening(earlier), ...story(earlier, YEAR, ACCOUNTS)]
  assert.equal(await count('family@example.com'), sessionsIn(steps, 'family'))
  assert.equal(await count('tutor@example.com'), sessionsIn(steps, 'practice'))
})

const LESSON =
  'student_name date duration hourly_rate effective_rate total_amount currency subject start_time summary homework ' +
  'notes status verified_by_tutor own_confirmation other_confirmation other_took_part dispute_note answer_note deletion_asked_by'
/** What the two sides share, by path, with the fields that don't depend on ids or on times of day. */
const SHOWN: Record<string, string> = {
  'sessions?limit=200&month=': LESSON,
  'confirmations?month=':
    'student_name date duration rate total_amount other_name waits_for_you dispute_note',
  'confirmations?waiting=true&month=': 'student_name date duration total_amount waits_for_you',
  'months?month=': 'month state can_close sessions in_the_way other_name',
}

test('the demo in the browser shows each side what the server shows it', async () => {
  server.clock.now = new Date(`${earlier}T12:00:00`)
  const record = await exampleRecord(() => server.clock.now)
  for (const [side, email, other] of [
    ['family', 'family@example.com', 'Ingrid Halvorsen'],
    ['practice', 'tutor@example.com', 'Dana Whitfield'],
  ] as const) {
    const person = await signIn(email)
    const shown = (body: unknown, fields: string) =>
      (Object.values(body as object).find(Array.isArray) as Record<string, unknown>[])
        .filter(
          (row) =>
            row.other_name === other || (row.is_shared && [other, 'You'].includes(String(row.tutor_name))),
        )
        .map((row) => JSON.stringify(fields.split(' ').map((field) => [field, row[field]])))
        .sort()
    for (const month of monthsBack(monthOf(earlier), 3))
      for (const [path, fields] of Object.entries(SHOWN)) {
        const url = `/api/v1/${path}${month}`
        const expected = shown((await person.call('GET', url)).body, fields)
        const { body } = answer(record, side, { method: 'GET', url, body: undefined, version: undefined })
        assert.deepEqual(shown(body, fields), expected, `${side} ${path}${month}`)
        assert.ok(expected.length > 0 || path.includes('waiting'), `${side} ${path}${month}`)
      }
  }
  server.clock.now = new Date()
})

test('a second run adds nothing, and a later one only what is new', async () => {
  for (const line of await makeDemonstration(server.db, earlier)) assert.match(line, /is up to date/)
  const before = await count('family@example.com')
  for (const line of await makeDemonstration(server.db, today)) assert.match(line, /newer sessions added/)
  assert.ok((await count('family@example.com')) > before)
})

test('demo accounts are paid up: closed months match on both sides, and little is owed besides the last payment', async () => {
  const [family, tutor] = [await signIn('family@example.com'), await signIn('tutor@example.com')]
  const month = monthOf(today)
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
  const month = monthOf(today)
  const { body } = await family.call('GET', `/api/v1/summary?month=${month}`)
  assert.ok(Number(body.total_amount) > 0 && (body.by_tutor as unknown[]).length > 1)
  const schedules = (await family.call('GET', '/api/v1/schedules')).body as unknown as {
    is_active: boolean
    student_name: string | null
  }[]
  assert.deepEqual(schedules.map((schedule) => schedule.is_active).sort(), [
    false,
    true,
    true,
    true,
    true,
    true,
    true,
  ])
  assert.ok(schedules.every((schedule) => schedule.student_name))
  const tutor = await signIn('tutor@example.com')
  const students = (await tutor.call('GET', '/api/v1/students')).body as unknown as { name: string }[]
  assert.deepEqual(
    students.map(({ name }) => name).sort(),
    ['Maya W.', 'Noah W.', 'Oliver Brandt', 'Priya Raman', 'Sam Okafor'],
    'a child that the tutor already has is no second student, and one who only has other tutors is none',
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
