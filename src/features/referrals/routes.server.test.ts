import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '#platform/config.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { buildServer } from '#main/services.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { forgetInvited } from './jobs.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const codeOf = async (user: Caller) => String((await user.call('GET', '/api/v1/referral')).body.code)
const earned = async (user: Caller) => {
  const { body } = await user.call('GET', '/api/v1/referral')
  return { friends: body.friends_joined, days: body.days_earned }
}
const linkIn = (text: string, part: string) =>
  new URL(new RegExp(`http\\S*${part}\\S*`).exec(text)?.[0] ?? '')
const stored = (table: 'outbox' | 'rewards' | 'opt_outs' | 'unsubscribe_tokens') =>
  server.db.asSystem((tx) => tx.selectFrom(table).selectAll().execute())

/** Signs up with a referral code and confirms with the emailed link. */
async function aFriend(ref: string, email?: string): Promise<Caller> {
  const friend = server.aStranger()
  if (email) friend.email = email
  assert.equal(
    (
      await friend.call('POST', '/api/auth/sign-up', {
        email: friend.email,
        password: PASSWORD,
        role: 'parent',
        ref,
      })
    ).status,
    200,
  )
  await server.confirm(friend)
  return friend
}

/**
 * Signs up with a referral code and confirms through a password reset link. The confirmation email must have
 * been sent already.
 */
async function aFriendByReset(email: string, ref: string): Promise<Caller> {
  const friend = server.aStranger()
  await friend.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'parent', ref })
  await friend.call('POST', '/api/auth/forgot-password', { email })
  const pair = Object.fromEntries(linkIn((await server.mailTo(email, 'Reset')).text, 'reset').searchParams)
  assert.equal(
    (await friend.call('POST', '/api/auth/reset-password', { ...pair, password: 'tulips-and-41' })).status,
    200,
  )
  return friend
}

test('a user has one code, and its link leads to the sign-up page', async () => {
  const user = await server.aUser()
  const answers = await Promise.all([1, 2, 3].map(() => user.call('GET', '/api/v1/referral')))
  assert.equal(new Set(answers.map(({ body }) => body.code)).size, 1)
  assert.deepEqual(answers[0]?.body, {
    code: answers[0]?.body.code,
    link: `http://localhost:3000/signup?ref=${String(answers[0]?.body.code)}`,
    trial_days: 45,
    bonus_days: 30,
    friends_joined: 0,
    days_earned: 0,
    days_credited: 0,
    days_due: 0,
  })
})

test('T17: when the invited friend confirms, both get their days, once', async () => {
  const inviter = await server.aUser()
  const code = await codeOf(inviter)
  const friend = server.aStranger()
  await friend.call('POST', '/api/auth/sign-up', {
    email: friend.email,
    password: PASSWORD,
    role: 'tutor',
    ref: code,
  })
  assert.deepEqual(await earned(inviter), { friends: 0, days: 0 }, 'nothing before the address is confirmed')
  await Promise.all([1, 2, 3].map(() => server.confirm(friend)))
  await friend.call('POST', '/api/auth/sign-in', { email: friend.email, password: PASSWORD })
  assert.deepEqual(
    [await earned(inviter), await earned(friend)],
    [
      { friends: 1, days: 30 },
      { friends: 0, days: 30 },
    ],
  )
  // Confirming again through a password reset doesn't earn anything more.
  await friend.call('POST', '/api/auth/forgot-password', { email: friend.email })
  const pair = Object.fromEntries(
    linkIn((await server.mailTo(friend.email, 'Reset')).text, 'reset').searchParams,
  )
  await friend.call('POST', '/api/auth/reset-password', { ...pair, password: 'tulips-and-41' })
  assert.deepEqual(await earned(inviter), { friends: 1, days: 30 })
  await aFriend(code)
  assert.deepEqual(await earned(inviter), { friends: 2, days: 60 })
})

test('after a friend joins, the account and the plan show the same end of the trial', async () => {
  const inviter = await server.aUser()
  const trialEnds = async (person: Caller) => {
    const [me, plan] = [await person.call('GET', '/api/v1/me'), await person.call('GET', '/api/v1/billing')]
    assert.equal(me.body.trial_ends_at, plan.body.trial_ends_at)
    return Date.parse(String(me.body.trial_ends_at))
  }
  const before = await trialEnds(inviter)
  const friend = await aFriend(await codeOf(inviter))
  assert.equal(await trialEnds(inviter), before + 30 * 86_400_000)
  await trialEnds(friend)
  const session = (await inviter.call('GET', '/api/auth/session')).body.user as { trial_ends_at: string }
  assert.equal(Date.parse(session.trial_ends_at), before + 30 * 86_400_000)
})

test('T17: a reset link also confirms, and gives the same rewards as the confirmation link', async () => {
  const inviter = await server.aUser()
  await aFriendByReset('resets@example.com', (await codeOf(inviter)).toUpperCase())
  assert.deepEqual(await earned(inviter), { friends: 1, days: 30 })
})

test("T17: there's no reward for inviting yourself, an existing account or a returning friend, or for an unknown code", async () => {
  const inviter = await server.aUser()
  const code = await codeOf(inviter)
  for (const email of [inviter.email, (await server.aUser()).email]) {
    assert.equal(
      (
        await server
          .aStranger()
          .call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'parent', ref: code })
      ).status,
      200,
    )
    await server.mailTo(email, 'already have')
  }
  await aFriend('000000000000')
  assert.deepEqual(await earned(inviter), { friends: 0, days: 0 })

  const friend = await aFriend(code)
  assert.deepEqual(await earned(inviter), { friends: 1, days: 30 })
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  await client.query('delete from users where email = $1', [friend.email])
  await client.end()
  const again = await aFriendByReset(friend.email, code)
  assert.deepEqual(
    [await earned(inviter), await earned(again)],
    [
      { friends: 1, days: 30 },
      { friends: 0, days: 0 },
    ],
  )
})

test('A8, T17: if an address has several sign-ups, the confirmed one decides who invited it', async () => {
  const [ann, bob] = [await server.aUser(), await server.aUser()]
  const [friend, stranger] = [server.aStranger(), server.aStranger()]
  const signUp = async (browser: Caller, ref: string) =>
    browser.call('POST', '/api/auth/sign-up', {
      email: friend.email,
      password: browser === friend ? PASSWORD : 'thief-knows-it',
      role: 'parent',
      ref,
    })
  await signUp(friend, await codeOf(ann))
  const token = /#token=(\S+)/.exec((await server.mailTo(friend.email, 'Verify')).text)?.[1]
  await signUp(stranger, await codeOf(bob))
  assert.equal((await friend.call('POST', '/api/auth/verify', { token })).status, 200)
  assert.deepEqual(
    [await earned(ann), await earned(bob)],
    [
      { friends: 1, days: 30 },
      { friends: 0, days: 0 },
    ],
  )
})

test('T17: several addresses of one mailbox count as one friend, and your own mailbox as none', async () => {
  const inviter = server.aStranger()
  inviter.email = 'dana.whitfield@gmail.com'
  await inviter.call('POST', '/api/auth/sign-up', {
    email: inviter.email,
    password: PASSWORD,
    role: 'parent',
  })
  await server.confirm(inviter)
  const code = await codeOf(inviter)
  for (const own of ['danawhitfield+2@gmail.com', 'DanaWhitfield@googlemail.com']) await aFriend(code, own)
  assert.deepEqual(await earned(inviter), { friends: 0, days: 0 })
  for (const email of ['lou@example.com', 'lou+1@example.com', 'LOU+2@example.com'])
    await aFriend(code, email)
  assert.deepEqual(await earned(inviter), { friends: 1, days: 30 })
  assert.deepEqual(await earned(await aFriend(code, 'l.ou@example.com')), { friends: 0, days: 30 })
  assert.deepEqual(await earned(inviter), { friends: 2, days: 60 }, 'elsewhere a dot makes another mailbox')
})

test('T17: an inviter gets at most 12 rewards a year, even for friends who join at the same moment; the friends get theirs', async () => {
  const inviter = await server.aUser()
  const code = await codeOf(inviter)
  for (let n = 0; n < 11; n++) await aFriend(code)
  const last = await Promise.all([1, 2, 3].map(() => aFriend(code)))
  assert.deepEqual(await earned(inviter), { friends: 14, days: 360 })
  for (const friend of last) assert.deepEqual(await earned(friend), { friends: 0, days: 30 })
  const now = server.clock.now
  server.clock.now = new Date(now.getTime() + 366 * 86_400_000)
  await aFriend(code)
  await inviter.call('POST', '/api/auth/sign-in', { email: inviter.email, password: PASSWORD })
  assert.deepEqual(await earned(inviter), { friends: 15, days: 390 })
  server.clock.now = now
})

test("T17, T1: nobody can give themselves a reward or read another's, not even in the database", async () => {
  const inviter = await server.aUser()
  await aFriend(await codeOf(inviter))
  const other = await server.aUser()
  await assert.rejects(
    server.db.asMember(other.member, (tx) =>
      tx
        .insertInto('rewards')
        .values({ owner_id: other.id, days: 3650, reason: 'joined_by_invitation' })
        .execute(),
    ),
    /permission denied/,
  )
  await assert.rejects(
    server.db.asMember(other.member, (tx) =>
      tx.updateTable('referral_codes').set({ code: '000000000001' }).execute(),
    ),
    /permission denied/,
  )
  assert.deepEqual(
    await server.db.asMember(other.member, (tx) => tx.selectFrom('rewards').select('days').execute()),
    [],
  )
  for (const extra of [{ days: 90 }, { referral_code: 'x' }, { trial_ends_at: '2100-01-01' }])
    assert.equal((await other.call('PATCH', '/api/v1/me', extra)).status, 422)
})

test('with SIGN_UP=invited or closed, an invitation to a friend is refused, and nothing is sent', async () => {
  const host = await server.aUser()
  for (const SIGN_UP of ['invited', 'closed']) {
    const other = buildServer(
      readConfig({ DATA_DIR: server.dataDir, LOG_LEVEL: 'silent', SIGN_UP }),
      server.db,
    )
    const user = server.aStranger(other)
    for (const [name, value] of host.cookies) user.cookies.set(name, value)
    const before = (await stored('outbox')).length
    const { status, body } = await user.call('POST', '/api/v1/invitations', { friend_email: 'f@example.com' })
    assert.deepEqual([status, body.code], [422, 'invitations_off'])
    assert.equal((await stored('outbox')).length, before)
    await other.close()
  }
})

test('an invitation arrives with the greeting, the sender and the link', async () => {
  const user = await server.aUser()
  await user.call('PATCH', '/api/v1/me', { full_name: 'Dana Whitfield' })
  const answer = await user.call(
    'POST',
    '/api/v1/invitations',
    { friend_name: 'Kim', friend_email: 'kim@example.com' },
    { 'idempotency-key': 'once' },
  )
  assert.equal(answer.status, 201)
  await user.call(
    'POST',
    '/api/v1/invitations',
    { friend_name: 'Kim', friend_email: 'kim@example.com' },
    { 'idempotency-key': 'once' },
  )
  const mail = await server.mailTo('kim@example.com', 'Dana Whitfield invited you')
  assert.match(mail.text, /^Hey Kim!/)
  assert.equal(linkIn(mail.text, 'signup').href, `http://localhost:3000/signup?ref=${await codeOf(user)}`)
  assert.equal(
    (await stored('outbox')).filter((row) => 'recipient' in row && row.recipient === 'kim@example.com')
      .length,
    1,
    'D5',
  )
  await user.call('POST', '/api/v1/invitations', { friend_email: 'lee@example.com' })
  assert.match((await server.mailTo('lee@example.com', 'invited you')).text, /^Hey there!/)
})

test("I7, I9: the caller can't set the recipients, sender, HTML or subject, and every invalid field is refused by name", async () => {
  const user = await server.aUser()
  const before = (await stored('outbox')).length
  const bad: [object, string][] = [
    [{}, 'friend_email'],
    [{ friend_email: '' }, 'friend_email'],
    [{ friend_email: 'nobody' }, 'friend_email'],
    [{ friend_email: 'a@x.example, b@x.example' }, 'friend_email'],
    [{ friend_email: 'a@x.example\nBcc: b@x.example' }, 'friend_email'],
    [{ friend_email: ['a@x.example', 'b@x.example'] }, 'friend_email'],
    [{ friend_email: { path: '/etc/passwd' } }, 'friend_email'],
    [{ friend_email: { href: 'http://x.example' } }, 'friend_email'],
    [{ friend_email: 'a@x.example', friend_name: { raw: 'x' } }, 'friend_name'],
    [{ friend_email: 'a@x.example', friend_name: 'x'.repeat(61) }, 'friend_name'],
    ...['to', 'from', 'subject', 'html', 'cc', 'link'].map((field): [object, string] => [
      { friend_email: 'a@x.example', [field]: 'x' },
      field,
    ]),
    [{ friend_email: user.email.toUpperCase() }, 'friend_email'],
  ]
  for (const [input, field] of bad) {
    const answer = await user.call('POST', '/api/v1/invitations', input)
    assert.deepEqual(
      [answer.status, answer.body.errors?.map((error) => error.field)],
      [422, [field]],
      JSON.stringify(input),
    )
  }
  assert.equal(
    (await user.call('POST', '/api/v1/invitations', {})).body.errors?.[0]?.message,
    "Please enter your friend's email address",
  )
  assert.equal((await stored('outbox')).length, before)
  assert.equal(
    (await server.aStranger().call('POST', '/api/v1/invitations', { friend_email: 'a@x.example' })).status,
    401,
  )
})

test('I8: names in the email are text, never HTML', async () => {
  const user = await server.aUser()
  await user.call('PATCH', '/api/v1/me', { full_name: '<img src=x onerror=alert(1)>\r\nBcc: x' })
  await user.call('POST', '/api/v1/invitations', {
    friend_name: '<b>"Kim"</b>',
    friend_email: 'escaped@example.com',
  })
  const mail = await server.mailTo('escaped@example.com', 'invited you')
  assert.doesNotMatch(mail.html, /<img|<b>|onerror=alert\(1\)>/)
  assert.doesNotMatch(mail.subject, /[\r\n]/)
})

test('I10: invitations are limited per account and per address, even at the same moment', async () => {
  const friend = { friend_email: 'often@example.com' }
  const users = await Promise.all([1, 2, 3, 4, 5].map(() => server.aUser()))
  const answers = await Promise.all(users.map((user) => user.call('POST', '/api/v1/invitations', friend)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 429, 429])
  assert.ok(Number(answers.find(({ status }) => status === 429)?.headers['retry-after']) > 0)
  const eager = await server.aUser()
  const statuses = await Promise.all(
    Array.from({ length: 25 }, (_, n) =>
      eager
        .call('POST', '/api/v1/invitations', { friend_email: `friend-${n}@example.com` })
        .then(({ status }) => status),
    ),
  )
  assert.equal(statuses.filter((status) => status === 201).length, 20)
})

test('P9: the opt-out link works without a login, for good, and only a hash of the address is kept', async () => {
  const [ann, bob] = [await server.aUser(), await server.aUser()]
  await ann.call('POST', '/api/v1/invitations', { friend_email: 'Quiet@example.com' })
  const token = linkIn(
    (await server.mailTo('Quiet@example.com', 'invited you')).text,
    'opt-out',
  ).searchParams.get('token')
  const stranger = server.aStranger()
  assert.equal((await stranger.call('POST', '/api/v1/invitations/opt-out', { token: 'made-up' })).status, 422)
  for (let times = 0; times < 2; times++)
    assert.equal((await stranger.call('POST', '/api/v1/invitations/opt-out', { token })).status, 200)
  assert.equal(
    (await bob.call('POST', '/api/v1/invitations', { friend_email: 'quiet@example.com' })).status,
    201,
    'the answer tells nobody',
  )
  await bob.call('POST', '/api/v1/invitations', { friend_email: 'next@example.com' })
  await server.mailTo('next@example.com', 'invited you')
  await server.allJobsDone()
  const invitations = await readMailbox(`${server.dataDir}/mailbox`, 'quiet@example.com')
  assert.equal(invitations.length, 1, "Ann's, and none from Bob")
  server.clock.now = new Date(server.clock.now.getTime() + 31 * 86_400_000)
  await forgetInvited(server.db, server.clock.now)
  const kept = JSON.stringify([
    await stored('outbox'),
    await stored('opt_outs'),
    await stored('unsubscribe_tokens'),
  ])
  assert.doesNotMatch(kept, /quiet@example\.com|next@example\.com/i)
  assert.equal((await stored('opt_outs')).length, 1)
  assert.equal(
    (await stranger.call('POST', '/api/v1/invitations/opt-out', { token })).status,
    200,
    'an old link still opts out',
  )
})

test('P9: an invited address is kept for 30 days and no longer', async () => {
  const user = await server.aUser()
  await user.call('POST', '/api/v1/invitations', { friend_email: 'old@example.com' })
  const row = (await stored('outbox')).find(
    (mail) => 'recipient' in mail && mail.recipient === 'old@example.com',
  ) as { created_at: Date }
  const after = (days: number) => new Date(row.created_at.getTime() + days * 86_400_000)
  const isKept = async () =>
    (await stored('outbox')).some((mail) => 'recipient' in mail && mail.recipient === 'old@example.com')
  await forgetInvited(server.db, after(29.9))
  assert.equal(await isKept(), true)
  await forgetInvited(server.db, after(30.1))
  assert.equal(await isKept(), false)
})
