import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { EVENT_KINDS } from './event.ts'
import { pseudonym, securityJobs } from './jobs.server.ts'
import { guessingSince } from './queries.server.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

let server: TestServer
let client: pg.Client

before(async () => {
  server = await startTestServer({ TRUSTED_PROXIES: '127.0.0.1' })
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
})
beforeEach(() => {
  server.clock.now = new Date()
})
after(async () => {
  await client.end()
  await server.stop()
})

interface Seen {
  id: string
  kind: string
  network: string | null
  device: string | null
  times: number
}

async function activityOf(user: Caller, cursor?: string) {
  const answer = await user.call('GET', `/api/v1/me/activity${cursor ? `?cursor=${cursor}` : ''}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as unknown as { events: Seen[]; next_cursor: string | null }
}

const kindsOf = async (user: Caller) => (await activityOf(user)).events.map(({ kind }) => kind).sort()

/** The clock of the server stands still otherwise. */
const aSecondLater = () => {
  server.clock.now = new Date(server.clock.now.getTime() + 1000)
}

const signIn = async (
  browser: Caller,
  { email }: Caller,
  { password = PASSWORD, agent = CHROME, from = '203.0.113.77' } = {},
) => {
  aSecondLater()
  return browser.call(
    'POST',
    '/api/auth/sign-in',
    { email, password },
    { 'user-agent': agent, 'x-forwarded-for': from },
  )
}

const rows = async (text: string, values: unknown[] = []) =>
  (await client.query<Record<string, unknown>>(text, values)).rows

test('A25: the owner sees sign-ins, failed ones too, with the browser and a shortened network', async () => {
  const user = await server.aUser()
  await signIn(server.aStranger(), user, { password: 'not-it-at-all' })
  await signIn(server.aStranger(), user, { agent: FIREFOX, from: '2001:db8:1:2:3:4:5:6' })
  const { events } = await activityOf(user)
  assert.deepEqual(
    events.map(({ kind, device, network, times }) => [kind, device, network, times]),
    [
      ['new_browser', 'Firefox on Linux', '2001:db8:1::/48', 1],
      ['sign_in_failed', 'Chrome on Windows', '203.0.113.0/24', 1],
      ['signed_in', 'Unknown device', '127.0.0.0/24', 1],
    ],
  )
})

test('A23, A25: made-up addresses and names of browsers never get into the log', async () => {
  const user = await server.aUser()
  for (const from of [
    'evil\u0000.test',
    '203.0.113.7\\n{"level":60}',
    '<b>1.2.3.4</b>',
    '1.2.3.4.5',
    'unknown',
  ])
    for (const agent of [
      '\u001b[31mroot\u0007',
      'x'.repeat(4000),
      '"},{"msg":"security"',
      'Chrome\tWindows\t\u009b',
    ])
      assert.ok(
        [401, 429].includes(
          (await signIn(server.aStranger(), user, { password: 'no-no-no', agent, from })).status,
        ),
      )
  const seen = await rows(
    "select distinct network, device from security_events where user_id = $1 and kind = 'sign_in_failed' order by 1, 2",
    [user.id],
  )
  assert.ok(seen.length > 0)
  for (const { network, device } of seen) {
    assert.match(String(network), /^(null|[\d.]+\/24)$/)
    assert.match(String(device), /^(Unknown device|Chrome on Windows)$/)
  }
})

test('I10, A25: guesses are counted, so that they fill neither the table nor the list', async () => {
  const user = await server.aUser()
  for (let n = 0; n < 8; n++) await signIn(server.aStranger(), user, { password: 'not-it-at-all' })
  const [newest] = (await activityOf(user)).events
  assert.deepEqual([newest?.kind, newest?.times], ['sign_in_failed', 8])
  await Promise.all(
    Array.from({ length: 12 }, (_none, n) =>
      signIn(server.aStranger(), { ...user, email: `nobody-${n}@example.com` }, { from: '198.51.100.9' }),
    ),
  )
  const unknown = await rows(
    "select times from security_events where user_id is null and kind = 'sign_in_failed' and network = '198.51.100.0/24'",
  )
  assert.deepEqual(unknown, [{ times: 12 }], 'unknown addresses share one row')
  server.clock.now = new Date(Date.now() + 3_600_000)
  await signIn(server.aStranger(), user, { password: 'not-it-at-all' })
  const later = await rows(
    "select times from security_events where user_id = $1 and kind = 'sign_in_failed'",
    [user.id],
  )
  assert.equal(later.length, 2, 'another hour has another row')
})

test('the list comes in pages, and each event once', async () => {
  const user = await server.aUser()
  await rows(
    "insert into security_events (user_id, kind, happened_at) select $1, 'exported', now() - make_interval(mins => n / 3) from generate_series(1, 24) n",
    [user.id],
  )
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await activityOf(user, cursor)
    assert.ok(page.events.length <= 10)
    seen.push(...page.events.map(({ id }) => id))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  assert.deepEqual([seen.length, new Set(seen).size], [25, 25])
  assert.equal((await user.call('GET', '/api/v1/me/activity?cursor=1')).status, 422)
})

test('T1, A25: nobody reads, changes or makes up another’s events', async () => {
  const [user, other] = [await server.aUser(), await server.aUser()]
  const [event] = (await activityOf(user)).events
  assert.deepEqual((await activityOf(other, event?.id)).events, [], 'a cursor of somebody else leads nowhere')
  const asOther = <Result>(work: Parameters<typeof server.db.asMember<Result>>[1]) =>
    server.db.asMember(other.member, work)
  assert.deepEqual(
    await asOther((tx) =>
      tx.selectFrom('security_events').select('id').where('user_id', '=', user.id).execute(),
    ),
    [],
  )
  const forged = { user_id: user.id, kind: 'exported', happened_at: new Date(), network: null, device: null }
  await assert.rejects(
    asOther((tx) => tx.insertInto('security_events').values(forged).execute()),
    /row-level security/,
  )
  await assert.rejects(
    asOther((tx) => tx.deleteFrom('security_events').execute()),
    /permission denied/,
  )
  await assert.rejects(
    asOther((tx) => tx.updateTable('security_events').set({ times: 1 }).execute()),
    /permission denied/,
  )
})

test('A25: changes, exports, members, deletion and refusals by role are in the log', async () => {
  const owner = await server.aUser()
  await owner.call('POST', '/api/v1/me/password', { current_password: PASSWORD, password: 'tulips-and-41' })
  await owner.call('POST', '/api/v1/members', { email: 'viv@example.com', role: 'viewer' })
  await owner.call('POST', '/api/v1/export', {})
  const { text } = await server.mailTo('viv@example.com', 'invite')
  const viewer = server.aStranger()
  viewer.email = 'viv@example.com'
  const token = /#token=(\S+)/.exec(text)?.[1] ?? ''
  assert.equal(
    (await viewer.call('POST', '/api/auth/join', { token, password: 'lilies-and-41' })).status,
    200,
  )
  viewer.id = String((await viewer.call('GET', '/api/v1/me')).body.id)
  aSecondLater()
  for (const name of ['Maya', 'Leo'])
    assert.equal((await viewer.call('POST', '/api/v1/students', { name })).body.code, 'read_only')
  const [refusal] = (await activityOf(viewer)).events
  assert.deepEqual([refusal?.kind, refusal?.times], ['refused', 2])
  await owner.call('PATCH', `/api/v1/members/${viewer.id}`, { role: 'parent' })
  await owner.call('PATCH', `/api/v1/members/${viewer.id}`, { role: 'owner' })
  await viewer.call('DELETE', `/api/v1/members/${owner.id}`, {})
  assert.deepEqual(await kindsOf(owner), [
    'exported',
    'handed_over',
    'member_changed',
    'member_invited',
    'password_changed',
    'signed_in',
  ])
  assert.deepEqual(await kindsOf(viewer), ['member_joined', 'member_removed', 'refused', 'signed_in'])
})

test('A25: what fails leaves no event, because an event is written with its cause', async () => {
  const user = await server.aUser()
  await rows(
    "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$",
  )
  await rows('create trigger refuse before insert on outbox for each row execute function refuse()')
  const answer = await user.call('POST', '/api/v1/me/password', {
    current_password: PASSWORD,
    password: 'tulips-and-41',
  })
  await rows('drop trigger refuse on outbox')
  await rows('drop function refuse')
  assert.equal(answer.status, 500)
  assert.deepEqual(await kindsOf(user), ['signed_in'])
})

test('P3: the operator’s log gets each event once, as JSON with a pseudonym and no name', async () => {
  const user = await server.aUser()
  await signIn(server.aStranger(), user, { password: 'not-it-at-all' })
  await rows('update security_events set is_logged = user_id is distinct from $1', [user.id])
  const lines: [string, Record<string, unknown>][] = []
  const { log_security: write } = securityJobs(server.db, (event, details) =>
    lines.push([event, details as Record<string, unknown>]),
  )
  await write?.()
  await write?.()
  assert.deepEqual(
    lines.map(([event, { kind, account }]) => [event, kind, account]),
    [
      ['security', 'signed_in', pseudonym(user.id)],
      ['security', 'sign_in_failed', pseudonym(user.id)],
    ],
  )
  for (const [, details] of lines) {
    assert.deepEqual(Object.keys(details).sort(), ['account', 'at', 'device', 'kind', 'network', 'times'])
    assert.ok(!JSON.stringify(details).includes(user.id) && !JSON.stringify(details).includes(user.email))
  }
  await signIn(server.aStranger(), user, { password: 'not-it-at-all' })
  await write?.()
  assert.deepEqual(lines.at(-1)?.[1].times, 2, 'a failure that was counted again is written again')
})

test('P1: erasing an account erases its events', async () => {
  const user = await server.aUser()
  await user.call('DELETE', '/api/v1/me', { current_password: PASSWORD })
  assert.equal((await rows('select from security_events where user_id = $1', [user.id])).length, 2)
  server.clock.now = new Date(Date.now() + 31 * 86_400_000)
  await server.runTask('purge_accounts')
  assert.equal((await rows('select from security_events where user_id = $1', [user.id])).length, 0)
})

test('the figures about guessing tell one account from many', async () => {
  await rows('delete from security_events')
  const figures = () => server.db.asSystem((tx) => guessingSince(tx, new Date(Date.now() - 3_600_000)))
  assert.deepEqual(await figures(), {
    failed_sign_ins_at_one_account: 0,
    accounts_failed_from_one_network: 0,
    accounts_failed: 0,
    sign_ins: 0,
  })
  const [user, other] = [await server.aUser(), await server.aUser()]
  for (const from of ['203.0.113.1', '198.51.100.1', '192.0.2.1'])
    await signIn(server.aStranger(), user, { password: 'not-it-at-all', from })
  await signIn(server.aStranger(), other, { password: 'not-it-at-all', from: '192.0.2.2' })
  await user.call('POST', '/api/v1/me/proof', { password: 'not-it-at-all' })
  for (const n of [1, 2])
    await signIn(server.aStranger(), { ...user, email: `none-${n}@example.com` }, { from: '192.0.2.3' })
  assert.deepEqual(await figures(), {
    failed_sign_ins_at_one_account: 4,
    accounts_failed_from_one_network: 4,
    accounts_failed: 4,
    sign_ins: 2,
  })
})

test('every kind of event fits the table', async () => {
  for (const kind of EVENT_KINDS)
    await rows('insert into security_events (kind, happened_at) values ($1, now())', [kind])
  assert.equal(new Set(EVENT_KINDS).size, EVENT_KINDS.length)
})
