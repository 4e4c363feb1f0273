// What happens to times when clocks change, jump, or are set to another zone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, PASSWORD, startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
let parent: Caller

before(async () => {
  server = await startTestServer()
  parent = await server.aUser()
})
after(async () => server.stop())

const idOf = async (path: string, body: object) => {
  const answer = await parent.call('POST', path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return String(answer.body.id)
}

test('D4: a weekly class keeps its wall clock over every change of time, whatever zone the server runs in', async () => {
  const tutor_id = await idOf('/api/v1/tutors', { name: 'Ingrid' })
  const student_id = await idOf('/api/v1/students', { name: 'Theo' })
  const feed = String((await parent.call('POST', '/api/v1/calendar-feed', {})).body.url)
  const made = await idOf('/api/v1/schedules', {
    student_id,
    tutor_id,
    day_of_week: 0,
    start_time: '02:30',
    duration: 1,
    start_date: '2026-01-04',
  })
  const before = process.env.TZ
  const seen = new Set<string>()
  try {
    for (const zone of [
      'UTC',
      'America/New_York',
      'Europe/Berlin',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'America/Sao_Paulo',
    ]) {
      process.env.TZ = zone
      const lists: unknown[] = []
      for (const [from, to] of [
        ['2026-03-01', '2026-04-12'],
        ['2026-10-01', '2026-11-10'],
      ]) {
        const { status, body } = await parent.call('GET', `/api/v1/occurrences?from=${from}&to=${to}`)
        assert.equal(status, 200)
        lists.push(
          ...((body.occurrences ?? body) as { schedule_id: string; date: string; start_time: string }[])
            .filter((one) => one.schedule_id === made)
            .map(({ date, start_time: time }) => `${date} ${time}`),
        )
      }
      const calendar = (await server.app.inject(new URL(feed).pathname)).payload
      seen.add(JSON.stringify([lists, /DTSTART[^\r]*/.exec(calendar.slice(calendar.indexOf(made)))?.[0]]))
    }
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
  assert.deepEqual(
    [...seen],
    [
      JSON.stringify([
        [
          '2026-03-01',
          '2026-03-08',
          '2026-03-15',
          '2026-03-22',
          '2026-03-29',
          '2026-04-05',
          '2026-04-12',
          '2026-10-04',
          '2026-10-11',
          '2026-10-18',
          '2026-10-25',
          '2026-11-01',
          '2026-11-08',
        ].map((day) => `${day} 02:30`),
        'DTSTART:20260104T023000',
      ]),
    ],
  )
})

test('F12: a clock that jumps back or far ahead loses nothing and signs nobody in', async () => {
  const person = await server.aUser()
  const start = server.clock.now
  const jump = (hours: number) => {
    server.clock.now = new Date(start.getTime() + hours * 3_600_000)
  }
  const student = String((await person.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  try {
    jump(-26)
    assert.equal((await person.call('GET', `/api/v1/students/${student}`)).status, 200)
    assert.equal((await person.call('PATCH', `/api/v1/students/${student}`, { name: 'Maya L.' })).status, 200)
    assert.equal((await person.call('POST', '/api/auth/refresh', { active: true })).status, 200)
    jump(24 * 4000)
    assert.equal((await person.call('GET', '/api/v1/students')).status, 401)
    assert.equal((await person.call('POST', '/api/auth/refresh', { active: true })).status, 401)
    assert.equal(
      (await person.call('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD })).status,
      200,
    )
    assert.equal((await person.call('GET', '/api/v1/dashboard')).status, 200)
    await server.runTask('purge_old')
    await server.runTask('purge_accounts')
    jump(0)
    await person.call('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD })
    assert.deepEqual(
      [
        (await person.call('GET', `/api/v1/students/${student}`)).body.name,
        (await server.app.inject('/readyz')).statusCode,
      ],
      ['Maya L.', 200],
    )
  } finally {
    server.clock.now = start
  }
})
