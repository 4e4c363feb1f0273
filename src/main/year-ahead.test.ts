// No matter how a session is added, its date can be at most a year from now.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const idOf = async (person: Caller, path: string, body: object) =>
  String((await person.call('POST', path, body)).body.id)

const day = (ahead: number) =>
  new Date(server.clock.now.getTime() + ahead * 86_400_000).toISOString().slice(0, 10)

/** A year plus a day, because the user's date can be ahead of the server's. */
const LAST = 366

test('a session in 2099 is refused by the form, an edit on either side, a class and an import; one a year from now is accepted', async () => {
  const [parent, tutor] = [await server.aUser(), await server.aUser('tutor')]
  const student_id = await idOf(parent, '/api/v1/students', { name: 'Maya' })
  const tutor_id = await idOf(parent, '/api/v1/tutors', {
    name: 'Ingrid',
    email: tutor.email,
    hourly_rate: 45,
  })
  const connection = await idOf(parent, '/api/v1/connections', { tutor_id })
  await tutor.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
  const lesson = { student_id, tutor_id, duration: 1 }
  const logged = await idOf(parent, '/api/v1/sessions', { ...lesson, date: day(0) })
  const daily = {
    ...lesson,
    frequency: 'custom',
    custom_interval_days: 1,
    day_of_week: 1,
    start_time: '16:00',
  }
  const schedule = await idOf(parent, '/api/v1/schedules', { ...daily, start_date: day(-30) })

  const ways: Record<string, (date: string) => ReturnType<Caller['call']>> = {
    form: (date) => parent.call('POST', '/api/v1/sessions', { ...lesson, date }),
    edit: (date) => parent.call('PATCH', `/api/v1/sessions/${logged}`, { date }),
    'edit of the other side': (date) => tutor.call('PATCH', `/api/v1/sessions/${logged}`, { date }),
    class: (date) => parent.call('POST', `/api/v1/schedules/${schedule}/log`, { date }),
    import: (date) =>
      parent.call('POST', '/api/v1/imports', {
        text: `Date,Student,Tutor,Duration (hours)\n${date},Maya,Ingrid,2`,
      }),
  }
  const before = (await parent.call('GET', '/api/v1/sessions')).body.sessions as object[]
  for (const [name, write] of Object.entries(ways)) {
    for (const date of ['2099-01-01', day(LAST + 1)]) {
      const answer = await write(date)
      assert.deepEqual(
        [answer.status, name === 'import' || answer.body.code],
        [422, name === 'import' || 'too_far_ahead'],
        `${name} ${date}`,
      )
      assert.match(JSON.stringify(answer.body.errors), /A session can't be more than a year from now/, name)
    }
  }
  assert.deepEqual((await parent.call('GET', '/api/v1/sessions')).body.sessions, before)
  for (const [name, write] of Object.entries(ways)) {
    const { status } = await write(day(LAST))
    assert.ok(status === 200 || status === 201, `${name} ${status}`)
  }
})
