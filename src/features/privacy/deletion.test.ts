import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { type StandIn, startStripeStandIn } from '#main/testing/stripe.server.ts'
import { until } from '#main/testing/process.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aFullAccount } from '#main/testing/full-account.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { KEPT_DAYS } from './retention.ts'

let server: TestServer
let stripe: StandIn
let client: pg.Client
const start = Date.now()

before(async () => {
  stripe = await startStripeStandIn(() => server.clock.now)
  server = await startTestServer(stripe.settings)
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
})
beforeEach(() => {
  server.clock.now = new Date(start)
})
after(async () => {
  await client.end()
  await server.stop()
  await stripe.stop()
})

const rows = async (text: string, values: unknown[] = []) =>
  (await client.query<Record<string, unknown>>(text, values)).rows
const days = (count: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + count * 86_400_000)
}
const signIn = (user: Caller) =>
  user.call('POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD })

test('deleting asks for the password again and ends every login at once, even after the trial', async () => {
  const { user } = await aFullAccount(server)
  const phone = server.aStranger()
  phone.email = user.email
  await signIn(phone)
  assert.equal((await user.call('DELETE', '/api/v1/me', {})).body.code, 'wrong_password')
  assert.equal(
    (await user.call('DELETE', '/api/v1/me', { current_password: 'wrong' })).body.code,
    'wrong_password',
  )
  assert.equal((await phone.call('GET', '/api/v1/me')).status, 200)
  assert.equal((await user.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status, 204)
  for (const caller of [user, phone])
    assert.equal((await caller.call('GET', '/api/v1/me')).status, 401, 'A16')
  await server.mailTo(user.email, 'was deleted')
})

test('signing in before the purge only offers to keep the account, and keeping it brings everything back', async () => {
  const { user } = await aFullAccount(server)
  await user.call('DELETE', '/api/v1/me', { current_password: PASSWORD })
  days(28)
  await server.runTask('purge_accounts')
  const login = await signIn(user)
  assert.equal(login.status, 200)
  assert.match(String((login.body.user as { deletion_due_at: string }).deletion_due_at), /^\d{4}-/)
  assert.deepEqual(
    await user.call('GET', '/api/v1/students').then(({ status, body }) => [status, body.code]),
    [403, 'account_deleted'],
  )
  assert.equal((await user.call('POST', '/api/auth/keep-account', {})).body.deletion_due_at, null)
  assert.equal(((await user.call('GET', '/api/v1/students')).body as unknown as unknown[]).length, 1)
  days(5)
  await server.runTask('purge_accounts')
  await signIn(user)
  assert.equal((await user.call('GET', '/api/v1/students')).status, 200)
})

test('an account without a password is deleted after signing in again', async () => {
  const user = await server.aUser()
  await rows('update users set password_hash = null where id = $1', [user.id])
  days(0.01)
  assert.equal((await user.call('DELETE', '/api/v1/me', {})).body.code, 'sign_in_again')
  server.clock.now = new Date(start)
  assert.equal((await user.call('DELETE', '/api/v1/me', {})).status, 204)
})

test('P1: 31 days after deletion, nothing about the person is left in the database, emails, files, or at the payment provider', async () => {
  const { user } = await aFullAccount(server)
  const { body } = await user.call('POST', '/api/v1/billing/checkout', { interval: 'month' })
  await stripe.pay(String(body.url))
  await user.call('POST', '/api/v1/billing/refresh', {})
  await user.call('POST', '/api/v1/me/email', { current_password: PASSWORD, email: `other-${user.email}` })
  await server.mailTo(`other-${user.email}`, 'Confirm')
  await server.aStranger().call('POST', '/api/auth/sign-in', { email: user.email, password: 'wrong' })
  // An email sent to someone else in the person's name.
  await user.call('POST', '/api/v1/invitations', { friend_email: 'kim@example.com' })
  await server.mailTo('kim@example.com', 'Quirina Zabel invited you')
  await user.call('POST', '/api/auth/forgot-password', { email: user.email })
  await server.mailTo(user.email, 'Reset')
  assert.ok((await placesOf(user)).length > 8, 'the search finds people who are there')

  await user.call('DELETE', '/api/v1/me', { current_password: PASSWORD })
  await server.mailTo(user.email, 'was deleted')
  await server.runTask('cancel_customer', { customer: customerOf(user) })
  assert.equal(
    [...stripe.things.values()].find(
      (thing) => thing.customer === customerOf(user) && thing.object === 'subscription',
    )?.cancel_at_period_end,
    true,
    'nothing more is charged',
  )
  days(31)
  const customer = customerOf(user)
  await server.runTask('purge_accounts')
  assert.deepEqual(await placesOf(user), [])
  assert.deepEqual(
    (await readMailbox(`${server.dataDir}/mailbox`)).filter((mail) =>
      JSON.stringify(mail).includes('Quirina Zabel'),
    ),
    [],
  )
  await until('the provider has forgotten the customer', async () => !stripe.things.has(customer))
  assert.equal((await signIn(user)).status, 401)
})

const customerOf = (user: Caller) =>
  [...stripe.things.values()].find(
    (thing) => thing.object === 'customer' && (thing.metadata as { owner: string }).owner === user.id,
  )?.id ?? ''

/** Lists every table column, and every email, that contains the person's id, address or name. */
async function placesOf(user: Caller): Promise<string[]> {
  const found: string[] = []
  const columns = await rows(
    `select table_schema, table_name, column_name from information_schema.columns
      where table_schema in ('public', 'graphile_worker')
      and (table_schema, table_name) in (select schemaname, tablename from pg_tables) order by 1, 2, 3`,
  )
  for (const { table_schema, table_name, column_name } of columns) {
    const [hit] = await rows(
      `select 1 from "${String(table_schema)}"."${String(table_name)}" where "${String(column_name)}"::text ilike any ($1) limit 1`,
      [[`%${user.id}%`, `%${user.email}%`]],
    )
    if (hit) found.push(`${String(table_name)}.${String(column_name)}`)
  }
  for (const mail of await readMailbox(`${server.dataDir}/mailbox`))
    if (JSON.stringify(mail).includes(user.email)) found.push(`mail ${mail.subject}`)
  return found
}

test('P1: what a family shared stays with the tutor, with both confirmations, when the family is erased; and the other way around', async () => {
  const pair = async () => {
    const [parent, tutor] = [await server.aUser(), await server.aUser('tutor')]
    const add = async (path: string, body: object) =>
      String((await parent.call('POST', `/api/v1/${path}`, body)).body.id)
    const student_id = await add('students', { name: 'Maya' })
    const tutor_id = await add('tutors', { name: 'Ingrid', email: tutor.email, hourly_rate: 45 })
    const connection = await add('connections', { tutor_id })
    const session = await add('sessions', { student_id, tutor_id, date: '2026-11-20', duration: 1 })
    await tutor.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
    await tutor.call('POST', `/api/v1/sessions/${session}/confirm`, {})
    return { parent, tutor, session }
  }
  const [first, second] = [await pair(), await pair()]
  const left = [
    { goes: first.parent, stays: first.tutor, session: first.session },
    { goes: second.tutor, stays: second.parent, session: second.session },
  ]
  for (const { goes } of left) await goes.call('DELETE', '/api/v1/me', { current_password: PASSWORD })
  days(31)
  await server.runTask('purge_accounts')
  for (const { goes, stays, session } of left) {
    assert.equal((await rows('select from users where id = $1', [goes.id])).length, 0)
    assert.equal((await rows('select from workspaces where id = $1', [goes.id])).length, 0)
    await signIn(stays)
    const kept = (await stays.call('GET', `/api/v1/sessions/${session}`)).body
    assert.deepEqual(
      [kept.verified_by_tutor, kept.is_shared, kept.total_amount, kept.is_read_only],
      [true, false, 45, false],
    )
    const { entries } = (await stays.call('GET', `/api/v1/sessions/${session}/history`)).body as {
      entries: { by: string; action: string }[]
    }
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['logged', 'confirmed'],
    )
    assert.deepEqual((await stays.call('GET', '/api/v1/connections')).body, [])
  }
})

test('T17: an address gets one trial, even after its account is erased; only a hash remembers it, for 12 months', async () => {
  // The sign-up time comes from the database's own clock.
  const signedUpAt = Date.now()
  const user = await server.aUser()
  const comeBack = async () => {
    const again = server.aStranger()
    await again.call('POST', '/api/auth/sign-up', {
      email: user.email.toUpperCase(),
      password: PASSWORD,
      role: 'parent',
    })
    await server.confirm(again, user.email.toUpperCase())
    return again
  }
  const eraseAt = async (caller: Caller, password: string) => {
    await caller.call('DELETE', '/api/v1/me', { current_password: password })
    days(30.1)
    await server.runTask('purge_accounts')
  }
  const planOf = async (caller: Caller) => {
    const { body } = await caller.call('GET', '/api/v1/billing')
    return [body.state, body.trial_days_left]
  }
  await eraseAt(user, PASSWORD)
  const again = await comeBack()
  assert.deepEqual(await planOf(again), ['trial', 15])
  assert.ok(
    Math.abs(
      Date.parse(String((await again.call('GET', '/api/v1/me')).body.trial_ends_at)) -
        signedUpAt -
        45 * 86_400_000,
    ) < 120_000,
  )
  await eraseAt(again, PASSWORD)
  const third = await comeBack()
  assert.deepEqual(await planOf(third), ['ended', 0])
  assert.equal((await third.call('POST', '/api/v1/students', { name: 'Maya' })).status, 402)
  await eraseAt(third, PASSWORD)
  // The row contains just a hash and two timestamps.
  assert.deepEqual(Object.keys((await rows('select * from first_trials'))[0] ?? {}), [
    'address_hash',
    'began_at',
    'left_at',
  ])
  assert.deepEqual(await placesOf(user), [])
  days(366)
  await server.runTask('purge_old')
  assert.deepEqual(await rows('select from first_trials'), [])
  // The accounts in this test are created using the database's clock, which is independent of the server's.
  const later = await comeBack()
  assert.equal(
    (await rows('select from users where email_key = $1 and trial_since is null', [user.email])).length,
    1,
  )
  await eraseAt(later, PASSWORD)
})

test('T17: an address that an account changed away from gets no new trial', async () => {
  const user = await server.aUser()
  await rows("update users set created_at = created_at - interval '40 days 1 hour' where id = $1", [user.id])
  await user.call('POST', '/api/v1/me/email', { current_password: PASSWORD, email: `moved-${user.email}` })
  for (const [email, subject] of [
    [`moved-${user.email}`, 'Confirm your new'],
    [user.email, 'Confirm your email address change'],
  ] as const) {
    const token = /#token=(\S+)/.exec((await server.mailTo(email, subject)).text)?.[1]
    await user.call('POST', '/api/auth/confirm-email', { token })
  }
  const again = server.aStranger()
  await again.call('POST', '/api/auth/sign-up', { email: user.email, password: PASSWORD, role: 'parent' })
  await again.call('POST', '/api/auth/forgot-password', { email: user.email })
  const pair = Object.fromEntries(
    new URL(/http\S+/.exec((await server.mailTo(user.email, 'Reset')).text)?.[0] ?? '').searchParams,
  )
  await again.call('POST', '/api/auth/reset-password', { ...pair, password: 'tulips-and-41' })
  assert.equal((await again.call('GET', '/api/v1/billing')).body.trial_days_left, 5)
})

test('P1: an unconfirmed account is deleted after 30 days, and a confirmed one stays', async () => {
  const kept = await server.aUser()
  await server.aStranger().call('POST', '/api/auth/sign-up', {
    email: 'never-confirmed@example.com',
    password: PASSWORD,
    role: 'tutor',
  })
  await server.mailTo('never-confirmed@example.com', 'Verify')
  days(29)
  await server.runTask('purge_accounts')
  assert.equal((await rows("select from users where email = 'never-confirmed@example.com'")).length, 1)
  days(2)
  await server.runTask('purge_accounts')
  assert.equal((await rows("select from users where email = 'never-confirmed@example.com'")).length, 0)
  assert.equal((await rows('select from users where id = $1', [kept.id])).length, 1)
})

test('D8: an erasure that fails halfway erases nothing', async () => {
  const { user } = await aFullAccount(server)
  await user.call('DELETE', '/api/v1/me', { current_password: PASSWORD })
  days(31)
  await rows(
    "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$",
  )
  await rows('create trigger refuse before delete on sessions for each row execute function refuse()')
  await assert.rejects(server.runTask('purge_accounts'), /not now/)
  assert.equal((await rows('select from students where workspace_id = $1', [user.id])).length, 1)
  await rows('drop trigger refuse on sessions')
  await rows('drop function refuse')
  await server.runTask('purge_accounts')
  assert.equal((await rows('select from users where id = $1', [user.id])).length, 0)
})

test('P2: every kind of log is deleted when its time is up, not earlier, and sessions stay', async () => {
  const { user } = await aFullAccount(server)
  const at = new Date(start)
  await rows("insert into billing_events (id, type, received_at) values ('evt_old', 'x', $1)", [at])
  await rows(
    "insert into admin_reads (owner_id, admin_id, what, purpose, day, read_at) values ($1, $1, 'record', 'asked for help', '2026-01-01', $2)",
    [user.id, at],
  )
  await rows("insert into first_trials (address_hash, began_at, left_at) values ('\\x03', $1, $1)", [at])
  await rows(
    "insert into oidc_flows (state_hash, nonce, code_verifier, expires_at) values ('\\x01', 'n', 'v', $1)",
    [at],
  )
  await rows(
    "insert into passkey_challenges (challenge_hash, makes, expires_at) values ('\\x04', false, $1)",
    [at],
  )
  await rows('insert into second_steps (user_id, secret, created_at) values ($1, $2, $3)', [
    user.id,
    Buffer.alloc(20),
    at,
  ])
  await rows("insert into rate_limits (key, window_ends_at, hits) values ('old', $1, 1)", [at])
  await rows(
    "insert into auth_tokens (user_id, purpose, token_hash, expires_at) values ($1, 'verify', '\\x02', $2)",
    [user.id, at],
  )
  await rows("insert into email_changes (owner_id, new_email, expires_at) values ($1, 'x@y.example', $2)", [
    user.id,
    at,
  ])
  await rows(
    "insert into member_invitations (workspace_id, email, email_key, role, expires_at) values ($1, 'x@y.example', 'x@y.example', 'viewer', $2)",
    [user.member.workspaceId, at],
  )
  await rows(
    "insert into not_me_links (token_hash, user_id, happened_at, expires_at) values ('\\x05', $1, $2, $2)",
    [user.id, at],
  )
  await rows("insert into security_events (user_id, kind, happened_at) values ($1, 'exported', $2)", [
    user.id,
    at,
  ])
  await rows(
    "insert into restore_drills (backup, backup_at, backup_bytes, began_at) values ('old.gz', $1, 1, $1)",
    [at],
  )
  await rows("insert into erasures (account_hash, erased_at) values (sha256('gone'), $1)", [at])
  const countOf: Record<Exclude<keyof typeof KEPT_DAYS, 'unconfirmed_accounts'>, string> = {
    logins: `select from logins where user_id = '${user.id}'`,
    auth_tokens: "select from auth_tokens where token_hash = '\\x02'",
    email_changes: `select from email_changes where owner_id = '${user.id}'`,
    member_invitations: `select from member_invitations where workspace_id = '${user.id}'`,
    oidc_flows: "select from oidc_flows where state_hash = '\\x01'",
    passkey_challenges: "select from passkey_challenges where challenge_hash = '\\x04'",
    second_steps: `select from second_steps where user_id = '${user.id}'`,
    not_me_links: "select from not_me_links where token_hash = '\\x05'",
    security_events: `select from security_events where user_id = '${user.id}'`,
    rate_limits: "select from rate_limits where key = 'old'",
    idempotency_keys: `select from idempotency_keys where user_id = '${user.id}'`,
    outbox: `select from outbox where user_id = '${user.id}'`,
    billing_events: "select from billing_events where id = 'evt_old'",
    restore_drills: "select from restore_drills where backup = 'old.gz'",
    admin_reads: `select from admin_reads where owner_id = '${user.id}'`,
    first_trials: "select from first_trials where address_hash = '\\x03'",
    erasures: "select from erasures where account_hash = sha256('gone')",
  }
  const kinds = Object.entries(countOf).map(([kind, text]) => ({
    kind,
    text,
    kept: KEPT_DAYS[kind as keyof typeof KEPT_DAYS],
  }))
  for (const kept of [...new Set(kinds.map((one) => one.kept))].sort((a, b) => a - b)) {
    assert.ok(kept <= 366)
    const due = kinds.filter((one) => one.kept === kept)
    server.clock.now = new Date(start + (kept - 0.2) * 86_400_000)
    await server.runTask('purge_old')
    for (const { kind, text } of due)
      assert.ok((await rows(text)).length > 0, `${kind} are kept for ${kept} days`)
    // Slightly longer than the retention period, because a login has to expire first (two hours).
    server.clock.now = new Date(start + (kept + 0.2) * 86_400_000)
    await server.runTask('purge_old')
    for (const { kind, text } of due)
      assert.equal((await rows(text)).length, 0, `${kind} are gone after ${kept} days`)
  }
  assert.equal((await readMailbox(`${server.dataDir}/mailbox`, user.email)).length, 0)
  assert.equal((await rows('select from sessions where family_id = $1', [user.id])).length, 2)
})
