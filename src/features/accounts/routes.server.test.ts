import assert from 'node:assert/strict'
import { argon2 } from 'node:crypto'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import type { MakingOptions, UsingOptions } from '#features/passkeys/passkey.ts'
import { aDevice } from '#main/testing/authenticator.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const minutes = (count: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + count * 60_000)
}

test('A1: sign-up and forgot password answer the same for known and unknown addresses', async () => {
  const known = await server.aUser()
  const stranger = server.aStranger()
  const fresh = await stranger.call('POST', '/api/auth/sign-up', {
    email: 'fresh@example.com',
    password: PASSWORD,
    role: 'parent',
  })
  const taken = await stranger.call('POST', '/api/auth/sign-up', {
    email: known.email.toUpperCase(),
    password: PASSWORD,
    role: 'tutor',
  })
  assert.deepEqual([taken.status, taken.body], [fresh.status, fresh.body])
  await server.mailTo(known.email, 'already have')
  const answers = await Promise.all(
    [known.email, 'nobody@example.com'].map((email) =>
      stranger.call('POST', '/api/auth/forgot-password', { email }),
    ),
  )
  assert.deepEqual(answers[0]?.body, answers[1]?.body)
})

test('A2: a reset pair works once, even if it is used twice at the same moment, and checking it does not use it up', async () => {
  const user = await server.aUser()
  await server.aStranger().call('POST', '/api/auth/forgot-password', { email: user.email })
  const link = new URL(/http\S+/.exec((await server.mailTo(user.email, 'Reset')).text)?.[0] ?? '')
  const pair = Object.fromEntries(link.searchParams)
  assert.equal(link.pathname, '/reset-password')
  for (let times = 0; times < 2; times++)
    assert.equal((await server.aStranger().call('POST', '/api/auth/check-reset', pair)).status, 200)
  assert.equal(
    (await server.aStranger().call('POST', '/api/auth/check-reset', { ...pair, refresh_token: 'other' }))
      .status,
    422,
  )
  const tries = await Promise.all(
    [1, 2].map((n) =>
      server.aStranger().call('POST', '/api/auth/reset-password', { ...pair, password: `tulips-and-${n}` }),
    ),
  )
  assert.deepEqual(tries.map((answer) => answer.status).sort(), [200, 422])
  assert.equal((await user.call('GET', '/api/v1/me')).status, 401, 'A4: the other login has ended')
})

test('A3: a reset pair is valid for 15 minutes', async () => {
  const user = await server.aUser()
  await user.call('POST', '/api/auth/forgot-password', { email: user.email })
  const pair = Object.fromEntries(
    new URL(/http\S+/.exec((await server.mailTo(user.email, 'Reset')).text)?.[0] ?? '').searchParams,
  )
  minutes(16)
  const late = await server
    .aStranger()
    .call('POST', '/api/auth/reset-password', { ...pair, password: 'tulips-and-41' })
  assert.deepEqual([late.status, late.body.code], [422, 'invalid_reset'])
})

test('A5, A6: signing in gives new tokens, and signing out ends them on the server', async () => {
  const user = await server.aUser()
  const browser = server.aStranger()
  browser.cookies.set('__Host-access', 'made-up')
  await browser.call('POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD })
  assert.notEqual(browser.cookies.get('__Host-access'), 'made-up')
  const copied = new Map(browser.cookies)
  const ended = await browser.call('POST', '/api/auth/sign-out', {})
  assert.deepEqual([ended.status, ended.headers['clear-site-data']], [204, '"cache"'], 'W9')
  for (const [name, value] of copied) browser.cookies.set(name, value)
  assert.equal((await browser.call('GET', '/api/v1/me')).status, 401)
  assert.equal((await browser.call('POST', '/api/auth/refresh', {})).status, 401)
})

test('P8: each sign-up records the accepted version and when', async () => {
  const person = server.aStranger()
  const signUp = () =>
    person.call('POST', '/api/auth/sign-up', { email: person.email, password: PASSWORD, role: 'parent' })
  const accepted = () =>
    server.db.asSystem((tx) =>
      tx
        .selectFrom('acceptances')
        .innerJoin('users', 'users.id', 'user_id')
        .select(['document', 'version', 'accepted_at', 'user_id'])
        .where('email', '=', person.email)
        .orderBy('accepted_at')
        .orderBy('document')
        .execute(),
    )
  const all = [
    ['age_or_consent', '2025-06-01'],
    ['privacy', '2025-06-01'],
    ['terms', '2025-06-01'],
  ]
  const documents = async () => (await accepted()).map(({ document, version }) => [document, version])
  await signUp()
  assert.deepEqual(await documents(), all)
  await signUp()
  assert.deepEqual(await documents(), [...all, ...all])
  assert.equal(new Set((await accepted()).map((row) => row.user_id)).size, 2)
})

test('A10: password rules', async () => {
  const stranger = server.aStranger()
  const signUp = (password: string) =>
    stranger.call('POST', '/api/auth/sign-up', {
      email: `p${Math.random()}@example.com`,
      password,
      role: 'parent',
    })
  assert.equal(
    (await signUp('12345')).body.errors?.[0]?.message,
    'Password must be at least 6 characters long',
  )
  for (const length of [64, 128, 256]) assert.equal((await signUp('aB3 '.repeat(length / 4))).status, 200)
  assert.equal((await signUp('a1'.repeat(129))).status, 422)
  const common = await signUp('password1')
  assert.deepEqual([common.status, common.body.code], [422, 'weak_password'])
  assert.equal((await signUp('köttbullar 🍲 med')).status, 200)
})

test('A10: wherever a password is chosen, a common one and the person’s own words are refused', async () => {
  const weak = (answer: Answer) => {
    const { status, body } = answer
    assert.deepEqual([status, body.code, body.errors?.[0]?.field], [422, 'weak_password', 'password'])
    return body.errors?.[0]?.message
  }
  const email = 'wilhelmina.oakes@example.com'
  const person = Object.assign(server.aStranger(), { email })
  const signUp = (password: string) =>
    person.call('POST', '/api/auth/sign-up', { email, password, role: 'parent' })
  assert.equal(
    weak(await signUp('Trustno1')),
    'This password is too easy to guess. It’s one of the most common passwords.',
  )
  assert.match(weak(await signUp('oakes.and.41.elms')) ?? '', /too similar to your email address/)
  assert.match(weak(await signUp('my-tutor-log-41')) ?? '', /this app’s name/)
  assert.match(weak(await signUp('tutor+parent=2')) ?? '', /only of words/)
  assert.equal((await signUp(PASSWORD)).status, 200)
  await server.confirm(person)
  await person.call('PATCH', '/api/v1/me', { full_name: 'Zo\u00eb Quillfeather' })

  const change = { current_password: PASSWORD, password: 'Quillfeather-41' }
  assert.match(weak(await person.call('POST', '/api/v1/me/password', change)) ?? '', /your name/)

  await person.call('POST', '/api/auth/forgot-password', { email })
  const link = new URL(/http\S+/.exec((await server.mailTo(email, 'Reset')).text)?.[0] ?? '')
  const reset = (password: string) =>
    server
      .aStranger()
      .call('POST', '/api/auth/reset-password', { ...Object.fromEntries(link.searchParams), password })
  for (const password of ['quillfeather-41', 'zoe-zoe-4', 'liverpool1']) weak(await reset(password))
  assert.equal((await reset('three-herons-41')).status, 200, 'the link is still good')

  const owner = await server.aUser()
  const friend = server.aStranger()
  await owner.call('POST', '/api/v1/members', { email: friend.email, role: 'parent' })
  const token = /#token=(\S+)/.exec((await server.mailTo(friend.email, 'invited you')).text)?.[1]
  const join = (password: string) =>
    friend.call('POST', '/api/auth/join', { token, password, full_name: 'Bartholomew' })
  for (const password of ['bartholomew1', 'password1']) weak(await join(password))
  assert.equal((await join('three-herons-41')).status, 200)
})

const COMPOSED = 'Se\u00f1or-G\u00e4rtner und S\u00f6hne'
const DECOMPOSED = 'Sen\u0303or-Ga\u0308rtner\u00a0und\u2003So\u0308hne'

test('A10: a password typed on another system is the same password: to sign in, confirm, change, reset and join', async () => {
  const person = server.aStranger()
  const { email } = person
  const signIn = async (password: string) =>
    (await server.aStranger().call('POST', '/api/auth/sign-in', { email, password })).status
  await person.call('POST', '/api/auth/sign-up', { email, password: DECOMPOSED, role: 'parent' })
  assert.equal(await signIn(COMPOSED), 200, 'before the address is confirmed')
  const token = /#token=(\S+)/.exec((await server.mailTo(email, 'Verify')).text)?.[1]
  const elsewhere = await server.aStranger().call('POST', '/api/auth/verify', { token, password: COMPOSED })
  assert.equal(elsewhere.status, 200)
  assert.deepEqual([await signIn(COMPOSED), await signIn(DECOMPOSED)], [200, 200])

  await person.call('POST', '/api/auth/sign-in', { email, password: COMPOSED })
  const other = { current_password: DECOMPOSED, password: `${COMPOSED} 2` }
  assert.equal((await person.call('POST', '/api/v1/me/password', other)).status, 200)
  assert.deepEqual([await signIn(`${DECOMPOSED}\u20092`), await signIn(COMPOSED)], [200, 401])

  await person.call('POST', '/api/auth/forgot-password', { email })
  const link = new URL(/http\S+/.exec((await server.mailTo(email, 'Reset')).text)?.[0] ?? '')
  const reset = { ...Object.fromEntries(link.searchParams), password: DECOMPOSED }
  assert.equal((await server.aStranger().call('POST', '/api/auth/reset-password', reset)).status, 200)
  assert.equal(await signIn(COMPOSED), 200)

  const owner = await server.aUser()
  const friend = server.aStranger()
  await owner.call('POST', '/api/v1/members', { email: friend.email, role: 'parent' })
  const invitation = /#token=(\S+)/.exec((await server.mailTo(friend.email, 'invited you')).text)?.[1]
  await friend.call('POST', '/api/auth/join', { token: invitation, password: DECOMPOSED })
  assert.equal(
    (await server.aStranger().call('POST', '/api/auth/sign-in', { email: friend.email, password: COMPOSED }))
      .status,
    200,
  )
})

test('A10: a password hashed before passwords were normalized still signs in, and from then on in either form', async () => {
  const user = await server.aUser()
  const earlier = 'Ga\u0308rtner-41'
  const salt = Buffer.alloc(16, 7)
  const tag = await promisify(argon2)('argon2id', {
    message: earlier,
    nonce: salt,
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  })
  const stored = ['argon2id', 19_456, 2, 1, salt.toString('base64url'), tag.toString('base64url')].join('$')
  await server.db.asSystem((tx) =>
    tx.updateTable('users').set({ password_hash: stored }).where('id', '=', user.id).execute(),
  )
  const signIn = async (password: string) =>
    (await server.aStranger().call('POST', '/api/auth/sign-in', { email: user.email, password })).status
  assert.equal(await signIn(earlier.normalize()), 401, 'nobody knows yet that this is the same password')
  assert.equal(await signIn(earlier), 200)
  assert.deepEqual([await signIn(earlier.normalize()), await signIn(earlier)], [200, 200])
})

test('A10: control characters in a new password are refused at its field', async () => {
  const sign = (password: string) =>
    server.aStranger().call('POST', '/api/auth/sign-up', { email: 'a@example.com', password, role: 'parent' })
  const { status, body } = await sign('green\thouse-41')
  assert.deepEqual([status, body.errors?.[0]?.field], [422, 'password'])
  assert.match(body.errors?.[0]?.message ?? '', /control characters/)
  assert.equal(
    (await sign('pa\u0301ss')).body.errors?.[0]?.message,
    'Password must be at least 6 characters long',
  )
})

test('A18: a password is stored only as a hash', async () => {
  const user = await server.aUser()
  const kept = JSON.stringify(
    await server.db.asSystem((tx) => tx.selectFrom('users').selectAll().where('id', '=', user.id).execute()),
  )
  assert.match(kept, /"password_hash":"argon2id\$/)
  assert.ok(!kept.includes(PASSWORD))
})

test('A20: 100 guesses from 100 networks are stopped, and a browser that signed in before still gets in', async () => {
  const user = await server.aUser()
  const guess = async (remoteAddress: string, password: string, cookie = '') =>
    (
      await server.app.inject({
        method: 'POST',
        url: '/api/auth/sign-in',
        remoteAddress,
        headers: { origin: 'http://localhost:3000', cookie },
        payload: { email: user.email, password },
      })
    ).statusCode
  const tries: number[] = []
  for (let n = 0; n < 100; n++) tries.push(await guess(`2001:db8:0:${n.toString(16)}::1`, `wrong-${n}`))
  assert.equal(tries.filter((status) => status === 401).length, 30)
  assert.equal(tries.filter((status) => status === 429).length, 70)
  assert.equal(await guess('203.0.113.9', PASSWORD), 429, 'nor is the right one found out in a new browser')
  const known = `__Host-browser=${user.cookies.get('__Host-browser')}`
  assert.equal(await guess('203.0.113.9', PASSWORD, known), 200)
  const other = await server.aUser()
  const foreign = `__Host-browser=${other.cookies.get('__Host-browser')}`
  assert.equal(await guess('203.0.113.9', PASSWORD, foreign), 429, "another account's browser is not known")
  const ownTries = await Promise.all(Array.from({ length: 12 }, () => guess('203.0.113.9', 'wrong', known)))
  assert.equal(ownTries.filter((status) => status === 401).length, 10, 'a known browser has a limit too')
})

test('A20: after a password change, browsers that signed in with the old one are no longer known', async () => {
  const user = await server.aUser()
  const thief = server.aStranger()
  await thief.call('POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD })
  const known = async () =>
    (
      await server.db.asSystem((tx) =>
        tx.selectFrom('known_browsers').selectAll().where('user_id', '=', user.id).execute(),
      )
    ).length
  assert.equal(await known(), 2)
  await user.call('POST', '/api/v1/me/password', { current_password: PASSWORD, password: 'tulips-and-41' })
  assert.equal(await known(), 1)
})

test('A20: addresses of one IPv6 /64 share one limit', async () => {
  const user = await server.aUser()
  const tries: number[] = []
  for (let n = 0; n < 12; n++)
    tries.push(
      (
        await server.app.inject({
          method: 'POST',
          url: '/api/auth/sign-in',
          remoteAddress: `2001:db8:1:1::${n + 1}`,
          headers: { origin: 'http://localhost:3000' },
          payload: { email: user.email, password: `wrong-${n}` },
        })
      ).statusCode,
    )
  assert.deepEqual(tries, [...Array(10).fill(401), 429, 429])
})

test('A11: guessing is limited, and the right password still works from elsewhere', async () => {
  const user = await server.aUser()
  const stranger = server.aStranger()
  const tries: number[] = []
  for (let n = 0; n < 12; n++)
    tries.push(
      (await stranger.call('POST', '/api/auth/sign-in', { email: user.email, password: `wrong-${n}` }))
        .status,
    )
  assert.deepEqual(tries, [...Array(10).fill(401), 429, 429])
  assert.equal((await user.call('GET', '/api/v1/me')).status, 200)
})

test("A12: a user who hasn't confirmed their address can't reach any data", async () => {
  const person = server.aStranger()
  await person.call('POST', '/api/auth/sign-up', { email: person.email, password: PASSWORD, role: 'parent' })
  assert.equal(
    (await person.call('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD })).status,
    200,
  )
  const document = (await person.call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, { 'x-roles': unknown }>>
  }
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation['x-roles'] === 'anyone' || operation['x-roles'] === 'signed-in') continue
      const answer = await person.call(
        method.toUpperCase(),
        path.replace('{id}', '00000000-0000-4000-8000-000000000000'),
        method === 'get' ? undefined : {},
      )
      assert.deepEqual([answer.status, answer.body.code], [403, 'email_not_verified'], `${method} ${path}`)
    }
  }
  assert.equal((await person.call('GET', '/api/auth/session')).status, 200)
})

test('A13: without activity a login ends after two hours, however often it is renewed; activity extends it', async () => {
  const user = await server.aUser()
  for (let times = 0; times < 11; times++) {
    minutes(10)
    assert.equal((await user.call('POST', '/api/auth/refresh', {})).status, 200)
  }
  assert.equal((await user.call('POST', '/api/auth/refresh', { active: true })).status, 200)
  minutes(14)
  assert.equal((await user.call('POST', '/api/auth/refresh', {})).status, 200)
  minutes(110)
  const ended = await user.call('POST', '/api/auth/refresh', {})
  assert.deepEqual([ended.status, ended.body.title], [401, 'Auth session missing!'])
})

test('A13: a login ends 30 days after signing in, however active someone is', async () => {
  const user = await server.aUser()
  const begun = server.clock.now
  const renewAfter = async (minutesSince: number) => {
    const now = new Date(begun.getTime() + minutesSince * 60_000)
    server.clock.now = now
    // As if someone had been active all along.
    await server.db.asSystem((tx) =>
      tx
        .updateTable('logins')
        .set({ active_until: new Date(now.getTime() + 60_000) })
        .where('user_id', '=', user.id)
        .execute(),
    )
    const { status, body } = await user.call('POST', '/api/auth/refresh', { active: true })
    return [status, body.expires_in]
  }
  const month = 30 * 24 * 60
  try {
    assert.deepEqual(await renewAfter(month - 30), [200, 15 * 60])
    assert.deepEqual(await renewAfter(month - 5), [200, 5 * 60])
    assert.equal((await renewAfter(month))[0], 401)
    assert.equal((await user.call('GET', '/api/v1/me')).status, 401)
  } finally {
    server.clock.now = begun
  }
})

const renew = (caller: Caller, cookie = caller.cookies.get('__Host-refresh')) => {
  const other = server.aStranger()
  if (cookie) other.cookies.set('__Host-refresh', cookie)
  return other.call('POST', '/api/auth/refresh', {}).then((answer) => ({ ...answer, cookies: other.cookies }))
}

test('A21: six tabs that renew at once all stay signed in, round after round, whichever response the browser keeps', async () => {
  const user = await server.aUser()
  for (let round = 0; round < 8; round++) {
    const answers = await Promise.all(Array.from({ length: 6 }, () => renew(user)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(6).fill(200),
      `round ${round + 1}`,
    )
    for (const { cookies } of answers) {
      for (const [name, value] of cookies) user.cookies.set(name, value)
      assert.equal((await user.call('GET', '/api/v1/me')).status, 200)
    }
    // The next round may follow at once, or when the access cookie is about to expire.
    if (round % 2 === 1) minutes(14)
    for (const [name, value] of answers[round % 6]?.cookies ?? []) user.cookies.set(name, value)
  }
})

test('A21: a tab that renews with the token of just before gets the current login, not another one', async () => {
  const user = await server.aUser()
  const before = user.cookies.get('__Host-refresh')
  const [first, second] = [await renew(user), await renew(user)]
  assert.deepEqual(first.cookies, second.cookies)
  assert.notEqual(first.cookies.get('__Host-refresh'), before)
})

for (const renewals of [2, 3, 7])
  test(`A21: replaying a renewal token of ${renewals} renewals ago ends that login everywhere, and no other`, async () => {
    const user = await server.aUser()
    const phone = server.aStranger()
    await phone.call('POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD })
    const copied = user.cookies.get('__Host-refresh')
    for (let n = 0; n < renewals; n++)
      assert.equal((await user.call('POST', '/api/auth/refresh', {})).status, 200)
    assert.equal((await renew(user, copied)).status, 401)
    assert.equal((await user.call('GET', '/api/v1/me')).status, 401)
    assert.equal((await user.call('POST', '/api/auth/refresh', {})).status, 401)
    assert.equal((await phone.call('POST', '/api/auth/refresh', {})).status, 200)
  })

test('A21: a made-up or cut renewal token ends nobody’s login', async () => {
  const user = await server.aUser()
  const cookie = user.cookies.get('__Host-refresh') ?? ''
  const [family = '', own = ''] = cookie.split('.')
  for (const madeUp of [`${'x'.repeat(43)}.${own}`, own, family, '.', `.${own}`])
    assert.equal((await renew(user, madeUp)).status, 401, madeUp)
  assert.equal((await user.call('POST', '/api/auth/refresh', {})).status, 200)
})

test('A21: a refused renewal leaves the cookies alone, because the browser may have signed in again', async () => {
  const user = await server.aUser()
  const old = user.cookies.get('__Host-refresh')
  await user.call('POST', '/api/auth/sign-out', {})
  const late = await renew(user, old)
  assert.deepEqual([late.status, late.headers['set-cookie']], [401, undefined])
})

test('A21: a login from before renewal tokens had two parts is renewed, by tabs at once, and goes on', async () => {
  const user = await server.aUser()
  const token = 'o'.repeat(43)
  await server.db.asSystem((tx) =>
    tx
      .updateTable('logins')
      .set({ refresh_hash: tokenHash(token), family_hash: null })
      .where('user_id', '=', user.id)
      .execute(),
  )
  const answers = await Promise.all([renew(user, token), renew(user, token), renew(user, token)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal((await renew(user, answers[0]?.cookies.get('__Host-refresh'))).status, 200)
})

test('a copied refresh token that has been replaced ends the login', async () => {
  const user = await server.aUser()
  const copied = user.cookies.get('__Host-refresh') ?? ''
  await user.call('POST', '/api/auth/refresh', {})
  minutes(2)
  const thief = server.aStranger()
  thief.cookies.set('__Host-refresh', copied)
  assert.equal((await thief.call('POST', '/api/auth/refresh', {})).status, 401)
  assert.equal((await user.call('POST', '/api/auth/refresh', {})).status, 401)
})

test('A15: lookalike letters are not the same address', async () => {
  await server
    .aStranger()
    .call('POST', '/api/auth/sign-up', { email: 'kate@example.com', password: PASSWORD, role: 'parent' })
  await server.mailTo('kate@example.com', 'Verify')
  await server.aStranger().call('POST', '/api/auth/forgot-password', { email: '\u212Aate@example.com' })
  await server.allJobsDone()
  const subjects = (await readMailbox(`${server.dataDir}/mailbox`))
    .filter(({ to }) => to.endsWith('ate@example.com'))
    .map(({ subject }) => subject)
  assert.deepEqual(subjects, ['Verify your email for Tutorlog'])
})

test('T5: nobody can make themselves an admin, and a role is set only once', async () => {
  const stranger = server.aStranger()
  assert.equal(
    (
      await stranger.call('POST', '/api/auth/sign-up', {
        email: stranger.email,
        password: PASSWORD,
        role: 'admin',
      })
    ).status,
    422,
  )
  const user = await server.aUser()
  assert.equal((await user.call('PUT', '/api/v1/me/role', { role: 'admin' })).status, 422)
  assert.equal((await user.call('PUT', '/api/v1/me/role', { role: 'tutor' })).status, 409)
  assert.equal((await user.call('PATCH', '/api/v1/me', { role: 'admin' })).status, 422)
})

test('W2: tokens travel in httpOnly cookies only', async () => {
  const user = await server.aUser()
  const answer = await user.call('POST', '/api/auth/refresh', {})
  const cookies = [answer.headers['set-cookie']].flat().map(String)
  assert.equal(cookies.length, 2)
  for (const cookie of cookies) assert.match(cookie, /^__Host-\w+=.*HttpOnly; Secure; SameSite=Lax/)
  for (const value of user.cookies.values()) assert.ok(!JSON.stringify(answer.body).includes(value))
})

test('W3: an unsafe call from another origin, or from none, is refused', async () => {
  const user = await server.aUser()
  for (const origin of ['https://evil.example', 'null', '', 'http://localhost:3001']) {
    assert.equal(
      (await user.call('POST', '/api/v1/students', { name: 'Maya' }, { origin })).status,
      403,
      origin,
    )
  }
})

test('A4, A23: a reset link adds a passkey, once, and ends every other login', async () => {
  const user = await server.aUser()
  await user.call('POST', '/api/auth/forgot-password', { email: user.email })
  const link = new URL(/http\S+/.exec((await server.mailTo(user.email, 'Reset')).text)?.[0] ?? '')
  const pair = Object.fromEntries(link.searchParams)
  const browser = server.aStranger()
  const start = (more: object = {}) => browser.call('POST', '/api/auth/passkey/reset', { ...pair, ...more })
  assert.equal((await start({ refresh_token: 'other' })).body.code, 'invalid_reset')
  const device = aDevice()
  const passkey = device.make((await start()).body as unknown as MakingOptions)
  const reset = () => browser.call('POST', '/api/auth/reset-password', { ...pair, passkey })
  assert.equal((await reset()).status, 200)
  assert.equal((await reset()).status, 422)
  assert.equal((await start()).body.code, 'invalid_reset')
  assert.equal((await user.call('GET', '/api/v1/me')).status, 401)
  const again = server.aStranger()
  const options = (await again.call('POST', '/api/auth/passkey/start', {})).body as unknown as UsingOptions
  assert.equal((await again.call('POST', '/api/auth/passkey', { passkey: device.use(options) })).status, 200)
})
