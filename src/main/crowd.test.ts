// Many requests at once on a small connection pool. Nobody should see anyone else's rows, and limits and
// quotas have to hold exactly, even with two servers.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { MAX_SCHEDULES } from '#features/schedules/schedule.ts'
import { MAX_STUDENTS } from '#features/students/student.ts'
import { MAX_TUTORS } from '#features/tutors/tutor.ts'
import { readConfig } from '#platform/config.server.ts'
import { openDb } from '#features/access/db.server.ts'
import { roleUrls } from '#platform/db/migrate.server.ts'
import { buildServer } from './services.server.ts'
import { type Caller, startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
let client: pg.Client
/** A second server on the same database, with two connections per role. */
let second: FastifyInstance
let stopSecond: () => Promise<void>

before(async () => {
  server = await startTestServer()
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  const db = openDb(await roleUrls(server.superuserUrl), 2)
  second = buildServer(
    readConfig({ DATA_DIR: server.dataDir, LOG_LEVEL: 'silent' }),
    db,
    () => server.clock.now,
  )
  await second.ready()
  stopSecond = async () => {
    await second.close()
    await db.close()
  }
})
after(async () => {
  await stopSecond()
  await client.end()
  await server.stop()
})

function onSecond(caller: Caller): Caller {
  const other = server.aStranger(second)
  for (const [name, value] of caller.cookies) other.cookies.set(name, value)
  return other
}

const LISTS = [
  '/api/v1/students',
  '/api/v1/tutors',
  '/api/v1/sessions?month=2026-11',
  '/api/v1/schedules',
  '/api/v1/summary?month=2026-11',
  '/api/v1/dashboard',
  '/api/v1/me',
  '/api/v1/payments?from=2026-11-01&to=2026-11-30',
  '/api/v1/balances?month=2026-11',
]

test("T12: ten users at once over two connections never see another's rows", async () => {
  const people = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const person = await server.aUser()
      const mark = `Mark${String(at)}x`
      const student = String(
        (await person.call('POST', '/api/v1/students', { name: `${mark} child`, notes: mark })).body.id,
      )
      const tutor = String(
        (await person.call('POST', '/api/v1/tutors', { name: `${mark} tutor`, hourly_rate: 10 + at })).body
          .id,
      )
      assert.equal(
        (
          await person.call('POST', '/api/v1/sessions', {
            student_id: student,
            tutor_id: tutor,
            date: '2026-11-02',
            duration: 1,
            notes: mark,
          })
        ).status,
        201,
      )
      return { person: onSecond(person), mark, student, tutor }
    }),
  )
  const seen = await Promise.all(
    people.flatMap((who, at) =>
      Array.from({ length: 5 }, async (_, round) => {
        const found: string[] = []
        for (const list of LISTS) {
          const answer = await who.person.call('GET', list)
          assert.equal(answer.status, 200, list)
          found.push(...(answer.bytes.toString().match(/Mark\d+x/g) ?? []))
        }
        // After a refused or failed request, the pooled connection must not stay set to that request's user.
        const other = people[(at + 1) % people.length]
        assert.equal((await who.person.call('GET', `/api/v1/students/${other?.student}`)).status, 404)
        assert.equal(
          (
            await who.person.call('POST', '/api/v1/sessions', {
              student_id: other?.student,
              tutor_id: who.tutor,
              date: '2026-11-02',
              duration: 1,
            })
          ).status,
          422,
        )
        const logged = await who.person.call('POST', '/api/v1/sessions', {
          student_id: who.student,
          tutor_id: who.tutor,
          date: '2026-11-03',
          duration: 1,
          notes: `${who.mark} ${round}`,
        })
        assert.deepEqual([logged.status, String(logged.body.notes)], [201, `${who.mark} ${round}`])
        return found.every((mark) => mark === who.mark) && found.length > 0
      }),
    ),
  )
  assert.deepEqual([...new Set(seen)], [true])
  const { rows } = await client.query<{ wrong: number; count: number }>(
    `select count(*)::int as count, count(*) filter (where split_part(n.text, ' ', 1) <> s.notes)::int as wrong
      from session_notes n join students s on s.workspace_id = n.workspace_id`,
  )
  assert.deepEqual(rows, [{ count: 60, wrong: 0 }])
})

test("T7: a user's totals, groups and onboarding do not move while another user adds, deletes and loses names", async () => {
  const [mine, other] = await Promise.all([server.aUser(), server.aUser()])
  const aFamily = async (caller: Caller) => ({
    student_id: String((await caller.call('POST', '/api/v1/students', { name: 'Maya' })).body.id),
    tutor_id: String(
      (await caller.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 })).body.id,
    ),
  })
  const ours = await aFamily(mine)
  await mine.call('POST', '/api/v1/sessions', { ...ours, date: '2026-11-02', duration: 1.5 })
  await mine.call('DELETE', `/api/v1/tutors/${ours.tutor_id}`)
  const aggregates = async () =>
    Promise.all(
      [
        '/api/v1/summary?month=2026-11',
        '/api/v1/dashboard',
        '/api/v1/summary/year?year=2026',
        '/api/v1/balances?month=2026-11',
      ].map(async (path) => {
        const { status, body } = await mine.call('GET', path)
        return [path, status, body]
      }),
    )
  const first = await aggregates()
  assert.ok(JSON.stringify(first).includes('Unknown Tutor'))
  for (let times = 0; times < 3; times++) {
    const theirs = await aFamily(other)
    for (let count = 0; count < 4; count++)
      assert.equal(
        (await other.call('POST', '/api/v1/sessions', { ...theirs, date: '2026-11-02', duration: 2 })).status,
        201,
      )
    await other.call('DELETE', `/api/v1/tutors/${theirs.tutor_id}`)
    await other.call('DELETE', `/api/v1/students/${theirs.student_id}`)
    assert.deepEqual(await aggregates(), first)
  }
})

test('I10: a limit is exact when both servers are asked at the same moment', async () => {
  const email = (await server.aUser()).email
  const guess = (at: number) =>
    server
      .aStranger(at % 2 ? server.app : second)
      .call('POST', '/api/auth/sign-in', { email, password: `wrong-guess-${at}` })
  const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => guess(at)))
  const of = (status: number) => answers.filter((answer) => answer.status === status)
  assert.deepEqual([of(401).length, of(429).length], [10, 14])
  assert.ok(of(429).every(({ headers }) => Number(headers['retry-after']) > 0))

  const person = await server.aUser()
  const feeds = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      (at % 2 ? person : onSecond(person)).call('POST', '/api/v1/calendar-feed', {}),
    ),
  )
  const statuses = feeds.map(({ status }) => status)
  assert.deepEqual(
    [statuses.filter((status) => status < 300).length, statuses.filter((status) => status === 429).length],
    [20, 10],
    statuses.join(),
  )
})

test('I17: a quota is exact when fifty rows are added at once over two servers', async () => {
  const parent = await server.aUser()
  const student_id = String((await parent.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const tutor_id = String((await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid' })).body.id)
  const quotas = [
    {
      path: 'students',
      most: MAX_STUDENTS,
      columns: 'name',
      values: "'child ' || n",
      body: { name: 'One more' },
    },
    {
      path: 'tutors',
      most: MAX_TUTORS,
      columns: 'name',
      values: "'tutor ' || n",
      body: { name: 'One more' },
    },
    {
      path: 'schedules',
      most: MAX_SCHEDULES,
      owner: 'family_id',
      columns: 'day, currency, day_of_week, start_time, minutes',
      values: "'2026-11-02', 'USD', 1, '16:00', 60",
      body: {
        student_id,
        tutor_id,
        day_of_week: 1,
        start_time: '16:00',
        duration: 1,
        start_date: '2026-11-02',
      },
    },
  ]
  for (const { path, most, owner = 'workspace_id', columns, values, body } of quotas) {
    await client.query(
      `insert into ${path} (${owner}, ${columns}) select '${parent.id}', ${values}
        from generate_series(1, ${most} - 5 - (select count(*)::int from ${path} where ${owner} = '${parent.id}')) n`,
    )
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        (at % 2 ? parent : onSecond(parent)).call('POST', `/api/v1/${path}`, body),
      ),
    )
    const codes = answers.map((answer) =>
      answer.status === 201 ? 'made' : `${answer.status} ${String(answer.body.code)}`,
    )
    assert.deepEqual(
      [
        codes.filter((code) => code === 'made').length,
        codes.filter((code) => code === '422 too_many_rows').length,
      ],
      [5, 45],
      `${path}: ${[...new Set(codes)].join()}`,
    )
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from ${path} where ${owner} = $1`,
      [parent.id],
    )
    assert.equal(rows[0]?.count, most)
  }
})
