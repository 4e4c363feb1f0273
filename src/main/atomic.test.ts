// Breaks the database connection at every statement of each multi-row write, and checks that either
// everything or nothing was written.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { readConfig } from '#platform/config.server.ts'
import { openDb } from '#features/access/db.server.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import { migrate, roleUrls } from '#platform/db/migrate.server.ts'
import { buildServer } from './services.server.ts'
import { schemaOf } from './testing/schema.server.ts'
import { startWire, type Wire } from './testing/wire.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer, withTestRoles } from './testing.server.ts'

let server: TestServer
let client: pg.Client

before(async () => {
  server = await startTestServer()
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
})
after(async () => {
  await client.end()
  await server.stop()
})

const rows = async (text: string, values: unknown[] = []) =>
  (await client.query<Record<string, unknown>>(text, values)).rows

/** A second server on the same database, with a proxy that can cut the connections of one role. */
async function startBehindProxy(
  role: string,
): Promise<{ app: FastifyInstance; wire: Wire; stop(): Promise<void> }> {
  const wire = await startWire(server.superuserUrl, withTestRoles(role))
  const db = openDb(await roleUrls(wire.url), 2)
  const app = buildServer(
    readConfig({ DATA_DIR: server.dataDir, LOG_LEVEL: 'silent' }),
    db,
    () => server.clock.now,
  )
  await app.ready()
  return {
    app,
    wire,
    stop: async () => {
      await app.close()
      await db.close()
      wire.stop()
    },
  }
}

/**
 * Runs `work` repeatedly and cuts the connection one statement later each time, until a run finishes without
 * a cut. Does this twice: with cuts before the statement, then after it. `work` restores the connection and
 * returns whether it was cut.
 */
async function atEachStatement(wire: Wire, work: (cut: string) => Promise<boolean>): Promise<number> {
  let most = 0
  for (const when of ['before', 'after'] as const) {
    for (let nth = 1; ; nth++) {
      wire.cutAt(nth, when)
      if (!(await work(`${when} statement ${nth}`))) break
      assert.ok(nth < 100, 'the work never runs to its end')
      most = Math.max(most, nth)
    }
  }
  return most
}

/** The same caller on another server, with the same cookies. */
function sameOn(app: FastifyInstance, caller: Caller): Caller {
  const other = server.aStranger(app)
  for (const [name, value] of caller.cookies) other.cookies.set(name, value)
  return other
}

test('A17: a connection that breaks at any statement of a sign-up leaves no account, or one with role, terms and its mail', async () => {
  const { app, wire, stop } = await startBehindProxy('tutorlog_system')
  const answers = new Set<number>()
  const whole = await server.aUser()
  const terms = Number(
    (await rows('select count(*)::int as terms from acceptances where user_id = $1', [whole.id]))[0]?.terms,
  )
  assert.ok(terms > 0)
  try {
    // A tutor's sign-up runs one more statement than a parent's.
    const role = 'tutor'
    const statements = await atEachStatement(wire, async (cut) => {
      const person = server.aStranger(app)
      const { status } = await person.call('POST', '/api/auth/sign-up', {
        email: person.email,
        password: PASSWORD,
        role,
      })
      const wasCut = wire.mend()
      answers.add(status)
      const [account] = await rows(
        `select (select role from user_roles where user_id = u.id) as role, (select count(*)::int from profiles where user_id = u.id) as profiles,
        (select count(*)::int from acceptances where user_id = u.id) as terms,
          (select count(*)::int from outbox where user_id = u.id) as mails,
          (select count(*)::int from tutors where workspace_id = u.id) as tutors
        from users u where email = $1`,
        [person.email],
      )
      if (account) assert.deepEqual(account, { role, profiles: 1, terms, mails: 1, tutors: 1 }, cut)
      else assert.notEqual(status, 200, cut)
      // A retry succeeds no matter which statement failed the first time.
      assert.equal(
        (await person.call('POST', '/api/auth/sign-up', { email: person.email, password: PASSWORD, role }))
          .status,
        200,
        cut,
      )
      const all = await rows(
        'select role from users u left join user_roles r on r.user_id = u.id where email = $1',
        [person.email],
      )
      assert.ok(all.length >= 1 && all.every((each) => each.role === role), cut)
      return wasCut
    })
    assert.ok(statements >= 6, `a sign-up has more statements than ${statements}`)
  } finally {
    await stop()
  }
  assert.deepEqual([...answers].sort(), [200, 503])
})

test('D8: a connection that breaks at any statement of an import leaves the account as it was, or with all of it', async () => {
  const { app, wire, stop } = await startBehindProxy('tutorlog_server')
  const text = 'Date,Student,Tutor,Duration (hours)\n2026-11-03,Maya,Ingrid,1.5\n2026-11-04,Theo,Samuel,1'
  const parent = await server.aUser()
  try {
    const statements = await atEachStatement(wire, async (cut) => {
      const key = crypto.randomUUID()
      const send = () =>
        sameOn(app, parent).call('POST', '/api/v1/imports', { text }, { 'idempotency-key': key })
      const counts = async () =>
        Object.values(
          (
            await rows(
              `select (select count(*)::int from students where workspace_id = $1) as a, (select count(*)::int from tutors where workspace_id = $1) as b,
        (select count(*)::int from sessions where family_id = $1) as c, (select count(*)::int from history where family_id = $1) as d`,
              [parent.id],
            )
          )[0] ?? {},
        )
      const { status } = await send()
      const wasCut = wire.mend()
      const seen = await counts()
      assert.ok(
        [0, 2].includes(Number(seen[0])) && seen.every((count) => count === seen[0]),
        `${cut}: ${seen.join()}`,
      )
      if (status === 201) assert.deepEqual(seen, [2, 2, 2, 2], cut)
      // A client that got no response sends the same call again, and everything is written exactly once.
      assert.equal((await send()).status, 201, cut)
      assert.deepEqual(await counts(), [2, 2, 2, 2], cut)
      await client.query('begin; set local session_replication_role = replica')
      for (const table of ['history', 'sessions'])
        await client.query(`delete from ${table} where family_id = '${parent.id}'`)
      for (const table of ['students', 'tutors'])
        await client.query(`delete from ${table} where workspace_id = '${parent.id}'`)
      await client.query('delete from rate_limits')
      await client.query('commit')
      return wasCut
    })
    assert.ok(statements >= 8, `an import has more statements than ${statements}`)
  } finally {
    await stop()
  }
})

test('D8: a connection to the database that breaks at any statement of accepting connects both sides and shares what both logged, or neither', async () => {
  const { app, wire, stop } = await startBehindProxy('tutorlog_server')
  try {
    const family = await server.aUser()
    const tutor = await server.aUser('tutor')
    const made = async (path: string, body: object) =>
      String((await family.call('POST', `/api/v1/${path}`, body)).body.id)
    const student_id = await made('students', { name: 'Maya' })
    const statements = await atEachStatement(wire, async (cut) => {
      const tutor_id = await made('tutors', { name: 'Ingrid', email: tutor.email })
      const session = await made('sessions', { student_id, tutor_id, date: '2026-11-20', duration: 1 })
      const asked = await family.call('POST', '/api/v1/connections', { tutor_id })
      assert.equal(asked.status, 201, JSON.stringify(asked.body))
      const path = `/api/v1/connections/${String(asked.body.id)}`
      const answer = await sameOn(app, tutor).call('PATCH', path, { state: 'active' })
      const wasCut = wire.mend()
      const [state] = await rows(
        `select state, c.practice_id is not null as is_answered, answered_at is not null as has_time,
          s.practice_id is not null and s.student_id is not null as is_shared from connections c
          join sessions s on s.connection_id = c.id where c.id = $1 and s.id = $2`,
        [asked.body.id, session],
      )
      const isActive = state?.state === 'active'
      assert.deepEqual(
        state,
        {
          state: isActive ? 'active' : 'asked',
          is_answered: isActive,
          has_time: isActive,
          is_shared: isActive,
        },
        cut,
      )
      assert.ok([200, 503].includes(answer.status), `${cut}: ${answer.status} ${JSON.stringify(answer.body)}`)
      if (!isActive) assert.equal(answer.status, 503, cut)
      assert.equal((await family.call('DELETE', path, {})).status, 204, cut)
      const copies = await rows(
        'select connection_id, family_id is null as is_copy from sessions where id = $1 order by 2',
        [session],
      )
      const alone = { connection_id: null, is_copy: false }
      assert.deepEqual(copies, isActive ? [alone, { connection_id: null, is_copy: true }] : [alone], cut)
      await rows('delete from rate_limits')
      return wasCut
    })
    assert.ok(statements >= 3)
  } finally {
    await stop()
  }
})

async function stepsOf(url: string): Promise<unknown[]> {
  const own = await connectTo(url)
  return (await own.query('select name from schema_migrations order by name').finally(() => own.end())).rows
}

test('F11: a migration that breaks at any statement is finished by the next start, and ends in the same tables', async () => {
  await client.query('create database half_way')
  const wire = await startWire(server.superuserUrl, 'postgres')
  const url = new URL(wire.url)
  url.pathname = '/half_way'
  try {
    let breaks = 0
    // Migrations completed in an earlier attempt aren't undone, so each attempt gets further than the last.
    for (const when of ['after', 'before'] as const) {
      for (let nth = 1; ; nth++) {
        wire.cutAt(nth, when)
        const failure = await migrate(url.href).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (!wire.mend()) {
          assert.ifError(failure)
          break
        }
        assert.ok(failure instanceof Error, 'a start whose connection broke says so')
        breaks += 1
      }
    }
    assert.ok(breaks > 20, `broke ${breaks} times only`)
  } finally {
    wire.stop()
  }
  const direct = new URL(server.superuserUrl)
  direct.pathname = '/half_way'
  assert.deepEqual(await schemaOf(direct.href), await schemaOf(server.superuserUrl))
  assert.deepEqual(await stepsOf(direct.href), await stepsOf(server.superuserUrl))
})
