// An account that was deleted or disabled but hasn't been erased yet. Nobody can answer on its behalf, and
// the other side can still read what it shared.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { readConfig } from '#platform/config.server.ts'
import { openDb } from '#features/access/db.server.ts'
import { roleUrls } from '#platform/db/migrate.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { pause } from '#platform/timeout.server.ts'
import { buildServer } from './services.server.ts'
import { byLink } from './testing/two-sides.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
/** A second server on the same database. Its event streams have to close too. */
let second: FastifyInstance
let stopSecond: () => Promise<void>

before(async () => {
  server = await startTestServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const db = openDb(await roleUrls(server.superuserUrl), 2)
  const config = readConfig({ DATA_DIR: server.dataDir, LOG_LEVEL: 'silent' })
  second = buildServer(config, db, () => server.clock.now)
  await second.listen({ port: 0, host: '127.0.0.1' })
  stopSecond = async () => {
    second.server.closeAllConnections()
    await second.close()
    await db.close()
  }
})
after(async () => {
  await stopSecond()
  await server.stop()
})

interface Pair {
  parent: Caller
  tutor: Caller
  link: string
  token: string
  student: string
  log: (date: string) => Promise<string>
}

/** A connected family and tutor. The tutor has an account and has also received an emailed link. */
async function aPair(): Promise<Pair> {
  const [parent, tutor] = [await server.aUser(), await server.aUser('tutor')]
  const idOf = async (person: Caller, path: string, body: object) =>
    String((await person.call('POST', path, body)).body.id)
  const student_id = await idOf(parent, '/api/v1/students', { name: 'Maya Whitfield' })
  const tutor_id = await idOf(parent, '/api/v1/tutors', {
    name: 'Ingrid',
    email: tutor.email,
    hourly_rate: 45,
  })
  const link = await idOf(parent, '/api/v1/connections', { tutor_id })
  const token = /\/confirm#(\S+)/.exec((await server.mailTo(tutor.email, 'asks you')).text)?.[1] ?? ''
  const session = { student_id, tutor_id, date: day(-9), duration: 1 }
  const first = await idOf(parent, '/api/v1/sessions', session)
  assert.equal((await tutor.call('PATCH', `/api/v1/connections/${link}`, { state: 'active' })).status, 200)
  await parent.call('DELETE', `/api/v1/sessions/${first}`)
  const [maya] = (await tutor.call('GET', '/api/v1/students')).body as unknown as { id: string }[]
  const student = String(maya?.id)
  return {
    parent,
    tutor,
    link,
    token,
    student,
    log: (date) => idOf(parent, '/api/v1/sessions', { student_id, tutor_id, date, duration: 1 }),
  }
}

const signIn = (person: Caller) =>
  person.call('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD })
const deleteAccount = async (person: Caller) =>
  assert.equal((await person.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status, 204)

const day = (ahead: number) =>
  new Date(server.clock.now.getTime() + ahead * 86_400_000).toISOString().slice(0, 10)

/** The responses to all requests that the emailed link allows. */
async function byMail({ token }: Pair, id: string): Promise<(string | number)[]> {
  const one = { id, version: 1 }
  const asked: [string, object][] = [
    ['open', {}],
    ['confirm', { sessions: [one] }],
    ['dispute', { ...one, note: 'No' }],
    ['withdraw', one],
    ['signed.pdf', { month: day(0).slice(0, 7) }],
    ['end', { forget: false }],
  ]
  const stranger = server.aStranger()
  const answers = []
  for (const [path, body] of asked) {
    const { status, body: answer } = await byLink(stranger, token, path, body)
    answers.push(answer.code ?? status)
  }
  return answers
}

/** The number of emails about waiting sessions that someone has received. */
const digests = async ({ email }: Caller) =>
  (await readMailbox(join(server.dataDir, 'mailbox'), email)).filter(({ subject }) =>
    /^\d+ sessions? to confirm/.test(subject),
  ).length

const GONE = Array.from({ length: 6 }, () => 'link_gone')
const listed = async ({ tutor }: Pair) =>
  (await tutor.call('GET', '/api/v1/confirmations')).body.sessions as {
    id: string
    is_read_only: boolean
    version: number
  }[]

test('T18: while a family’s account is deleted, its emailed link is dead and the tutor can only read, until the deletion is undone', async () => {
  const pair = await aPair()
  const { parent, tutor, link } = pair
  const [waiting, confirmed, later] = [
    await pair.log(day(-2)),
    await pair.log(day(-3)),
    await pair.log(day(5)),
  ]
  await tutor.call('POST', `/api/v1/sessions/${confirmed}/confirm`, {})
  const feed = new URL(String((await parent.call('POST', '/api/v1/calendar-feed', {})).body.url)).pathname
  const before = await listed(pair)
  await deleteAccount(parent)

  assert.deepEqual(await byMail(pair, waiting), GONE)
  assert.equal((await server.aStranger().call('GET', feed)).status, 404)
  assert.deepEqual(
    await listed(pair),
    before.map((session) => ({ ...session, is_read_only: true })),
  )
  const history = await tutor.call('GET', `/api/v1/sessions/${confirmed}/history`)
  assert.equal(history.status, 200)
  const refused: [string, string, object][] = [
    ['POST', `/api/v1/sessions/${waiting}/confirm`, {}],
    ['POST', '/api/v1/confirmations', { sessions: [{ id: waiting, version: 1 }] }],
    ['POST', `/api/v1/sessions/${waiting}/dispute`, { note: 'No' }],
    ['DELETE', `/api/v1/sessions/${confirmed}/confirm`, {}],
    ['PATCH', `/api/v1/sessions/${waiting}`, { duration: 3 }],
    ['DELETE', `/api/v1/sessions/${waiting}`, {}],
    ['PATCH', `/api/v1/connections/${link}`, { people: [] }],
    ['POST', `/api/v1/connections/${link}/pairs`, { same: [] }],
  ]
  for (const [method, path, body] of refused) {
    const answer = await tutor.call(method, path, body)
    assert.deepEqual([answer.status, answer.body.code], [409, 'other_closed'], path)
    assert.match(String(answer.body.title), /closed their account/)
  }
  assert.deepEqual((await tutor.call('GET', '/api/v1/confirmations?waiting=true')).body.sessions, [])
  assert.deepEqual(
    ((await tutor.call('GET', '/api/v1/connections')).body as unknown as { is_read_only: boolean }[]).map(
      (family) => family.is_read_only,
    ),
    [true],
  )

  const start = server.clock.now
  try {
    server.clock.now = new Date(start.getTime() + 6 * 86_400_000)
    await signIn(tutor)
    assert.deepEqual(
      (await listed(pair)).map(({ id, is_read_only: isReadOnly }) => [id, isReadOnly]),
      [later, waiting, confirmed].map((id) => [id, true]),
      'what was logged for a later day is in the own log like the rest, and answers no more either',
    )
    await server.runTask('daily_digest')
    assert.equal(await digests(tutor), 0)
    await signIn(parent)
    assert.equal((await parent.call('POST', '/api/auth/keep-account', {})).status, 200)
    assert.deepEqual(
      (await listed(pair)).map(({ id, is_read_only: isReadOnly }) => [id, isReadOnly]),
      [later, waiting, confirmed].map((id) => [id, false]),
    )
    assert.equal((await tutor.call('POST', `/api/v1/sessions/${waiting}/confirm`, {})).status, 200)
  } finally {
    server.clock.now = start
  }
})

test('T18: a question of a family that left is not shown to the tutor, and cannot be accepted', async () => {
  const [parent, tutor] = [await server.aUser(), await server.aUser('tutor')]
  const row = await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', email: tutor.email })
  const asked = await parent.call('POST', '/api/v1/connections', { tutor_id: row.body.id })
  const path = `/api/v1/connections/${String(asked.body.id)}`
  await deleteAccount(parent)
  assert.deepEqual((await tutor.call('GET', '/api/v1/connections')).body, [])
  assert.equal((await tutor.call('PATCH', path, { state: 'active' })).status, 404)
})

test('T18: while a tutor’s account is deleted, the emailed link is dead and the family can only read, until the deletion is undone', async () => {
  const pair = await aPair()
  const id = await pair.log(day(-2))
  const self = ((await pair.tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[])[0]?.id
  const own = { student_id: pair.student, tutor_id: self, date: day(-1), duration: 1 }
  const theirs = String((await pair.tutor.call('POST', '/api/v1/sessions', own)).body.id)
  const path = `/api/v1/sessions/${theirs}`
  const waiting = async () =>
    (await pair.parent.call('GET', '/api/v1/confirmations?waiting=true')).body.sessions as object[]
  await pair.tutor.call('POST', `/api/v1/sessions/${id}/dispute`, { note: 'Half an hour' })
  const sentBack = async () => (await pair.parent.call('GET', '/api/v1/dashboard')).body.sessions_sent_back
  assert.deepEqual([(await waiting()).length, await sentBack()], [1, 1])
  await deleteAccount(pair.tutor)
  assert.deepEqual(await byMail(pair, id), GONE)
  // There's nobody to receive an answer, so nothing is left waiting for one.
  assert.deepEqual([await waiting(), await sentBack()], [[], 0])
  const kept = (await pair.parent.call('GET', path)).body
  assert.deepEqual([kept.is_read_only, kept.own_confirmation], [true, 'none'])
  for (const [method, url, body] of [
    ['POST', `${path}/confirm`, {}],
    ['POST', `${path}/dispute`, { note: 'No' }],
    ['PATCH', path, { duration: 3 }],
    ['DELETE', path, {}],
  ] as const)
    assert.equal((await pair.parent.call(method, url, body)).body.code, 'other_closed', `${method} ${url}`)
  const noted = await pair.parent.call('PATCH', path, { notes: 'ours alone' })
  assert.deepEqual([noted.status, noted.body.notes], [200, 'ours alone'])
  await server.runTask('daily_digest')
  assert.equal(await digests(pair.tutor), 0)
  await signIn(pair.tutor)
  await pair.tutor.call('POST', '/api/auth/keep-account', {})
  assert.deepEqual([(await waiting()).length, await sentBack()], [1, 1])
  assert.equal((await pair.parent.call('POST', `${path}/confirm`, {})).body.verified_by_tutor, true)
})

/** Opens an event stream for someone on one of the two servers. */
async function stream(person: Caller, on: FastifyInstance = server.app) {
  const { port } = on.server.address() as AddressInfo
  const ended = new AbortController()
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/events`, {
    signal: ended.signal,
    headers: { cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  const state = { isOpen: answer.ok }
  const code = answer.ok ? undefined : ((await answer.json()) as { code: string }).code
  const read = async () => {
    for await (const _chunk of answer.body ?? []);
  }
  if (answer.ok)
    void read()
      .catch(() => undefined)
      .finally(() => {
        state.isOpen = false
      })
  return { status: answer.status, code, state, end: () => ended.abort() }
}

test('A16, T18: the streams of whoever is deleted, disabled or signed out close at once, on every server', async () => {
  const admin = await server.aUser()
  await server.db.asSystem((tx) =>
    tx.updateTable('user_roles').set({ role: 'admin' }).where('user_id', '=', admin.id).execute(),
  )
  const bystander = await server.aUser()
  const stays = [await stream(bystander), await stream(bystander, second)]
  const ways: Record<string, (person: Caller) => Promise<unknown>> = {
    deleted: deleteAccount,
    disabled: (person) => admin.call('PATCH', `/api/v1/admin/people/${person.id}`, { disabled: true }),
    'signed out': (person) => person.call('POST', '/api/auth/sign-out', {}),
    'signed out elsewhere': async (person) => {
      const other = server.aStranger()
      other.email = person.email
      await signIn(other)
      await other.call('DELETE', '/api/v1/devices', {})
    },
  }
  for (const [name, end] of Object.entries(ways)) {
    const person = await server.aUser()
    const streams = [await stream(person), await stream(person, second)]
    await end(person)
    // The database notifies the servers. Otherwise, the streams would be checked only after 20 s.
    for (let tries = 0; tries < 200 && streams.some(({ state }) => state.isOpen); tries++) await pause(25)
    assert.deepEqual(
      streams.map(({ status, state }) => [status, state.isOpen]),
      [
        [200, false],
        [200, false],
      ],
      name,
    )
  }
  for (const { state, end } of stays) {
    assert.ok(state.isOpen, 'a bystander keeps the stream')
    end()
  }
})

test('T18: the stream refuses whom other routes refuse, with the same code', async () => {
  const leaver = await server.aUser()
  await deleteAccount(leaver)
  await signIn(leaver)
  const newcomer = server.aStranger()
  await newcomer.call('POST', '/api/auth/sign-up', {
    email: newcomer.email,
    password: PASSWORD,
    role: 'parent',
  })
  await signIn(newcomer)
  const roleless = await server.aUser()
  await server.db.asSystem((tx) => tx.deleteFrom('user_roles').where('user_id', '=', roleless.id).execute())
  for (const [person, expected] of [
    [leaver, 'account_deleted'],
    [newcomer, 'email_not_verified'],
    [server.aStranger(), 'signed_out'],
    [roleless, undefined],
  ] as const) {
    const opened = await stream(person)
    opened.end()
    const other = await person.call('GET', '/api/v1/notices')
    assert.deepEqual(
      [opened.status, opened.code, other.status, other.body.code],
      [other.status, expected, opened.status, expected],
    )
  }
})
