// Reads that the database answers in a single statement. They take one round trip, and their responses and
// refusals are the same as on the regular path.
import { declarationOf } from '#features/access/declaration.server.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import * as z from 'zod/mini'
import { grantAdmin, setDisabled } from '#features/admin/queries.server.ts'
import { ListSessions } from '#features/sessions/session.ts'
import { ReadSummary } from '#features/summary/summary.ts'
import { currencyOf, leastAmountOf } from '#kernel/money.ts'
import { readConfig } from '#platform/config.server.ts'
import { roleUrls } from '#platform/db/migrate.server.ts'
import { buildServer } from './services.server.ts'
import { RandomSteps } from './testing/random-steps.ts'
import { aPair, idOf, type Pair } from './testing/two-sides.server.ts'
import { onServer, startWiredServer, type WiredServer } from './testing/wired-server.server.ts'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
/** The same server with single-statement reads turned off. */
let longWay: FastifyInstance
let wired: WiredServer
let client: pg.Client

before(async () => {
  server = await startTestServer()
  const config = readConfig({ DATA_DIR: server.dataDir, LOG_LEVEL: 'silent' })
  longWay = buildServer(config, { ...server.db, readAtOnce: async () => undefined }, () => server.clock.now)
  wired = await startWiredServer(server)
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
})
after(async () => {
  await client.end()
  await wired.stop()
  await longWay.close()
  await server.stop()
})

/** The single-statement reads, with the schemas of their responses. */
const READS = [
  { path: '/api/v1/sessions?month=2026-11', output: declarationOf(ListSessions).output },
  { path: '/api/v1/sessions?month=2026-11&limit=3', output: declarationOf(ListSessions).output },
  { path: '/api/v1/summary?month=2026-11', output: declarationOf(ReadSummary).output },
]

const on = (app: FastifyInstance, caller: Caller) => onServer(server, app, caller)

const toldOf = ({ status, body: { request_id: _id, ...body } }: Answer) => ({ status, body })

async function aMember(owner: Caller, role: string, studentIds: string[] | null = null): Promise<Caller> {
  const person = server.aStranger()
  await owner.call('POST', '/api/v1/members', { email: person.email, role, student_ids: studentIds })
  const { text } = await server.mailTo(person.email, 'invited you')
  const token = /\/join#token=(\S+)/.exec(text)?.[1]
  const joined = await person.call('POST', '/api/auth/join', { token, password: PASSWORD, full_name: 'Cara' })
  assert.equal(joined.status, 200)
  person.id = String((await person.call('GET', '/api/v1/me')).body.id)
  return person
}

/**
 * Inserts sessions in every state for a family and a practice, bypassing the rules that would prevent some of
 * those states.
 */
async function scatterSessions(pair: Pair, steps: RandomSteps, count: number): Promise<void> {
  const maybe = <Value>(value: Value, share = 0.5) => (steps.chance(share) ? value : null)
  const instant = () => new Date(Date.UTC(2026, 10, 1 + steps.below(27), 3, 4, 5, steps.below(1000)))
  const text = () =>
    steps.oneOf(['Math', 'a "b" \\ c', 'zwei\nZeilen\t\u0001', '名前 🙂 é', '</script>', ' '])
  const reminded = (side: string) => {
    const asked = maybe(instant(), 0.4)
    const reminders = asked ? steps.below(3) : 0
    const words = maybe(text(), 0.4)
    return {
      [`${side}_asked_since`]: asked,
      [`${side}_reminders`]: reminders,
      [`${side}_reminded_at`]: reminders > 0 ? instant() : null,
      [`${side}_reply`]: words,
      [`${side}_reply_at`]: words && instant(),
    }
  }
  const answer = (side: string, said: string | null) => ({
    [`${side}_answer`]: said,
    [`${side}_answer_version`]: said && 1 + steps.below(2),
    [`${side}_answered_at`]: said && instant(),
    [`${side}_answer_note`]: said === 'disputed' ? text() : null,
  })
  await client.query('set session_replication_role = replica')
  for (let nth = 0; nth < count; nth++) {
    const isShared = steps.chance(0.6)
    const isOfPractice = isShared || steps.chance(0.3)
    const isOfFamily = isShared || !isOfPractice
    const word = () => maybe(steps.oneOf(['confirmed', 'disputed']), 0.7)
    const [family, practice] = [word(), isShared ? word() : null]
    const deletion = maybe(steps.oneOf(['family', 'practice']), 0.2)
    const currency = currencyOf(steps.oneOf(['USD', 'EUR', 'JPY']))
    const rate = () => steps.below(10_001) * leastAmountOf(currency)
    const row: Record<string, unknown> = {
      connection_id: isShared ? pair.connection : null,
      family_id: isOfFamily ? pair.family.id : null,
      child_id: isOfFamily ? maybe(pair.child, 0.9) : null,
      family_tutor_id: isOfFamily ? maybe(pair.tutor, 0.9) : null,
      practice_id: isOfPractice ? pair.practice.id : null,
      student_id: isOfPractice ? maybe(pair.student, 0.9) : null,
      practice_tutor_id: isOfPractice ? maybe(pair.self, 0.9) : null,
      day: `2026-11-${String(1 + steps.below(30)).padStart(2, '0')}`,
      minutes: 15 * steps.below(97),
      rate_override_cents: maybe(rate(), 0.4),
      tutor_rate_cents: maybe(rate(), 0.8),
      currency,
      subject: maybe(text()),
      start_time: maybe(steps.oneOf(['16:30', '00:00', '23:59'])),
      summary: maybe(text()),
      homework: maybe(text()),
      facts_version: 1 + steps.below(2),
      ...answer('family', family),
      ...answer('practice', practice),
      deletion_asked_by: deletion,
      deletion_asked_at: deletion && instant(),
      caregiver_id: maybe(pair.family.id, 0.2),
      is_held: steps.chance(0.1),
      version: 1 + steps.below(9),
      created_at: instant(),
    }
    for (const side of ['family', 'practice']) Object.assign(row, reminded(side))
    const { rows } = await client.query<{ id: string }>(
      `insert into sessions (${Object.keys(row).join(', ')}) values (${Object.keys(row)
        .map((_, place) => `$${String(place + 1)}`)
        .join(', ')}) returning id`,
      Object.values(row),
    )
    for (const person of [pair.family, pair.practice])
      if (steps.chance(0.3))
        await client.query(
          'insert into session_notes (workspace_id, session_id, text, version) values ($1, $2, $3, $4)',
          [person.id, rows[0]?.id, maybe(text(), 0.8) ?? '', 1 + steps.below(4)],
        )
  }
  await client.query('set session_replication_role = origin')
}

test('a single-statement read returns the same as the standard path for every kind of session and member, in the declared shape', async () => {
  const steps = new RandomSteps(0)
  const pair = await aPair(server)
  const theo = idOf(await pair.family.call('POST', '/api/v1/students', { name: 'Theo "T" \\ 名' }))
  const members = [
    pair.family,
    pair.practice,
    await aMember(pair.family, 'caregiver'),
    await aMember(pair.family, 'viewer'),
    await aMember(pair.family, 'parent', [pair.child]),
    await aMember(pair.family, 'caregiver', [theo]),
    await aMember(pair.practice, 'assistant'),
  ]
  await scatterSessions(pair, steps, 150)
  const seen: number[] = []
  for (const member of members) {
    for (const { path, output } of READS) {
      const quick = await member.call('GET', path)
      const slow = await on(longWay, member).call('GET', path)
      assert.deepEqual(toldOf(quick), toldOf(slow))
      assert.equal(quick.headers['content-type'], slow.headers['content-type'])
      if (quick.status === 403 && path.includes('summary')) continue
      assert.equal(quick.status, 200)
      // Parsing drops unknown fields, so comparing the result with the body also catches extra fields.
      assert.deepEqual(z.parse(output, quick.body), quick.body)
      seen.push(JSON.stringify(quick.body).length)
    }
  }
  assert.ok(Math.max(...seen) > 50_000, 'there was something to compare')
})

test('a month is read page by page, one statement per page, with every session once', async () => {
  const pair = await aPair(server)
  await scatterSessions(pair, new RandomSteps(0), 60)
  const all = (await pair.family.call('GET', '/api/v1/sessions?month=2026-11&limit=200')).body.sessions
  const pages: unknown[] = []
  let cursor: unknown = null
  do {
    const query = `/api/v1/sessions?month=2026-11&limit=7${cursor ? `&cursor=${String(cursor)}` : ''}`
    const page = await pair.family.call('GET', query)
    assert.deepEqual(page.body, (await on(longWay, pair.family).call('GET', query)).body)
    pages.push(...(page.body.sessions as unknown[]))
    cursor = page.body.next_cursor
  } while (cursor !== null)
  assert.deepEqual(pages, all)
})

test('a single-statement read refuses the same callers as the standard path, with the same response', async () => {
  const { family, practice, child } = await aPair(server)
  const stranger = server.aStranger()
  const signedOut = await server.aUser()
  const cookies = new Map(signedOut.cookies)
  await signedOut.call('POST', '/api/auth/sign-out', {})
  for (const [name, value] of cookies) signedOut.cookies.set(name, value)
  const expired = await server.aUser()
  await client.query(`update logins set access_expires_at = now() - interval '1 hour' where user_id = $1`, [
    expired.id,
  ])
  const closed = await server.aUser()
  await client.query('update users set deletion_asked_at = now() where id = $1', [closed.id])
  const unconfirmed = await server.aUser()
  await client.query('update users set email_confirmed_at = null where id = $1', [unconfirmed.id])
  const unpaid = await server.aUser()
  await client.query(`update users set created_at = now() - interval '3 years' where id = $1`, [unpaid.id])
  const disabled = await server.aUser()
  const kept = new Map(disabled.cookies)
  await server.db.asSystem((tx) => setDisabled(tx, disabled.id, new Date()))
  for (const [name, value] of kept) disabled.cookies.set(name, value)
  const admin = await server.aUser()
  await server.db.asSystem((tx) => grantAdmin(tx, admin.id))
  const nowhere = await server.aUser()
  await client.query('delete from members where account_id = $1', [nowhere.id])
  const callers: [string, Caller, number][] = [
    ['a stranger', stranger, 401],
    ['somebody signed out', signedOut, 401],
    ['somebody whose login expired', expired, 401],
    ['somebody disabled', disabled, 401],
    ['somebody whose account is closed', closed, 403],
    ['somebody unconfirmed', unconfirmed, 403],
    ['somebody without a workspace', nowhere, 403],
    ['somebody who no longer pays', unpaid, 200],
    ['an administrator', admin, 200],
    ['the owner', family, 200],
    ['a tutor', practice, 200],
    ['a viewer', await aMember(family, 'viewer'), 200],
    ['a limited member', await aMember(family, 'parent', [child]), 200],
    ['a caregiver', await aMember(family, 'caregiver'), 200],
  ]
  const named = [undefined, family.id, family.id.toUpperCase(), practice.id, crypto.randomUUID(), 'nonsense']
  const paths = [
    ...READS.map(({ path }) => path),
    '/api/v1/sessions?month=nonsense',
    '/api/v1/sessions?limit=0',
  ]
  for (const [name, caller, expected] of callers)
    for (const path of paths)
      for (const workspace of named) {
        const headers = workspace === undefined ? undefined : { 'tutorlog-workspace': workspace }
        const quick = toldOf(await on(server.app, caller).call('GET', path, undefined, headers))
        const slow = toldOf(await on(longWay, caller).call('GET', path, undefined, headers))
        assert.deepEqual(quick, slow, `${name} ${path} ${workspace}`)
        if (workspace === undefined && path === READS[0]?.path)
          assert.equal(quick.status, expected, `${name}: ${JSON.stringify(quick.body).slice(0, 200)}`)
      }
})

test('A5: signing out, removal and a smaller role take effect on the very next read', async () => {
  const { family } = await aPair(server)
  const path = '/api/v1/sessions?month=2026-11'
  const [viewer, leaver] = [await aMember(family, 'viewer'), await aMember(family, 'parent')]
  const inFamily = { 'tutorlog-workspace': family.id }
  assert.equal((await viewer.call('GET', path, undefined, inFamily)).status, 200)
  assert.equal((await family.call('DELETE', `/api/v1/members/${viewer.id}`)).status, 204)
  assert.equal((await viewer.call('GET', path, undefined, inFamily)).body.code, 'no_such_workspace')
  const left = new Map(leaver.cookies)
  assert.equal((await leaver.call('GET', path)).status, 200)
  await leaver.call('POST', '/api/auth/sign-out', {})
  for (const [name, value] of left) leaver.cookies.set(name, value)
  assert.equal((await leaver.call('GET', path)).status, 401)
})

test('a month’s list and its summary take one round trip each, and leave nothing about the caller on the connection', async () => {
  const { family, practice } = await aPair(server)
  for (const person of [family, practice, family]) {
    const caller = on(wired.app, person)
    for (const { path } of READS) {
      await caller.call('GET', path)
      wired.wire.count()
      assert.equal((await caller.call('GET', path)).status, 200)
      assert.equal(wired.wire.count(), 1, path)
    }
  }
})

test('T1: callers whose reads share a connection at the same moment get only what is theirs', async () => {
  const [one, other] = [await aPair(server), await aPair(server)]
  for (const { log } of [one, other]) await log()
  const callers = [one.family, other.practice, server.aStranger(), one.practice, other.family]
  const asked = callers.flatMap((caller) => READS.map(({ path }) => ({ caller, path })))
  const expected: ReturnType<typeof toldOf>[] = []
  for (const { caller, path } of asked) expected.push(toldOf(await on(longWay, caller).call('GET', path)))
  const rounds = 5
  wired.wire.count()
  const told = await Promise.all(
    Array.from({ length: rounds }, () => asked)
      .flat()
      .map(async ({ caller, path }) => toldOf(await on(wired.app, caller).call('GET', path))),
  )
  told.forEach((answer, at) => assert.deepEqual(answer, expected[at % asked.length]))
  assert.ok(wired.wire.count() < told.length / 2)
})

test('a single-statement read needs the hash of a login, and neither side has a role that can look up who is signed in', async () => {
  const urls = await roleUrls(server.superuserUrl)
  const asServer = new pg.Client({ connectionString: urls.server })
  await asServer.connect()
  try {
    const read = (hash: Buffer) =>
      asServer.query<{ answer: string | null; role: string; account: string | null }>(
        `select read_lines_of_month($1, now(), null, '{}', '2026-11-01', '2026-11-30', 100, null, null) as answer`,
        [hash],
      )
    assert.equal((await read(Buffer.alloc(32))).rows[0]?.answer, null)
    const { rows } = await asServer.query(
      "select current_user::text as role, coalesce(current_setting('app.account_id', true), '') as account, current_setting('transaction_read_only') as reads",
    )
    assert.deepEqual(rows, [{ role: `${urls.rolePrefix}server`, account: '', reads: 'off' }])
    for (const side of ['family', 'practice', 'caregiver'])
      await assert
        .rejects(
          asServer.query(
            `begin; set local role ${urls.rolePrefix}${side}; select * from signed_in('\\x00', now(), null)`,
          ),
          /permission denied for function signed_in/,
        )
        .finally(() => asServer.query('rollback'))
    await assert.rejects(asServer.query('select family.lines_of_month(null, null, 1, null, null)'), /denied/)
  } finally {
    await asServer.end()
  }
})

test('A5: a read that has not changed is answered without a body, and only for whoever may still read it', async () => {
  const pair = await aPair(server)
  const { family } = pair
  const viewer = await aMember(family, 'viewer')
  const inFamily = { 'tutorlog-workspace': family.id }
  await pair.log({ date: '2026-11-02' })
  for (const path of [
    ...READS.map((read) => read.path),
    '/api/v1/dashboard?today=2026-11-20',
    '/api/v1/students',
  ]) {
    const read = (caller: Caller, known?: unknown) =>
      caller.call('GET', path, undefined, {
        ...inFamily,
        ...(known ? { 'if-none-match': String(known) } : {}),
      })
    const first = await read(viewer)
    assert.equal(first.headers['cache-control'], 'no-store')
    assert.match(String(first.headers.etag), /^W\/"[\w-]{27}"$/)
    const again = await read(viewer, `"another", ${first.headers.etag}`)
    assert.deepEqual([again.status, again.bytes.length], [304, 0], path)
    assert.equal((await read(viewer, '"another"')).status, 200)
    // Someone else gets their own response, even if they send this reader's ETag.
    const other = await pair.practice.call('GET', path, undefined, {
      'if-none-match': String(first.headers.etag),
    })
    assert.notEqual(other.headers.etag, first.headers.etag)
    assert.equal(other.status, 200)
  }
  const path = READS[0]?.path ?? ''
  const { etag } = (await viewer.call('GET', path, undefined, inFamily)).headers
  const known = { ...inFamily, 'if-none-match': String(etag) }
  await pair.log({ date: '2026-11-03' })
  const changed = await viewer.call('GET', path, undefined, known)
  assert.deepEqual([changed.status, changed.headers.etag === etag], [200, false])
  const now = { ...inFamily, 'if-none-match': String(changed.headers.etag) }
  assert.equal((await viewer.call('GET', path, undefined, now)).status, 304)
  assert.equal((await family.call('DELETE', `/api/v1/members/${viewer.id}`)).status, 204)
  const removed = await viewer.call('GET', path, undefined, now)
  assert.deepEqual([removed.status, removed.body.code], [404, 'no_such_workspace'])
  const here = new Map(family.cookies)
  assert.equal((await family.call('GET', path, undefined, now)).status, 304)
  await family.call('POST', '/api/auth/sign-out', {})
  for (const [name, value] of here) family.cookies.set(name, value)
  assert.equal((await family.call('GET', path, undefined, now)).status, 401)
})

test('the calendar and the dashboard take one round trip, with the login in it', async () => {
  const { family, practice, child, tutor, log } = await aPair(server)
  await log({ date: '2026-11-10', summary: 'Fractions' })
  await family.call('POST', '/api/v1/schedules', {
    student_id: child,
    tutor_id: tutor,
    day_of_week: 2,
    start_time: '16:00',
    duration: 1,
    frequency: 'weekly',
    start_date: '2026-11-01',
  })
  for (const person of [family, practice])
    for (const path of [
      '/api/v1/occurrences?from=2026-11-01&to=2026-11-30',
      '/api/v1/dashboard?today=2026-11-20',
    ]) {
      const caller = on(wired.app, person)
      await caller.call('GET', path)
      wired.wire.count()
      assert.equal((await caller.call('GET', path)).status, 200)
      assert.equal(wired.wire.count(), 1, path)
    }
})
