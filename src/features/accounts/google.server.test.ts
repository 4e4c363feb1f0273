import assert from 'node:assert/strict'
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Answer, type OpenIdStandIn, startOpenIdStandIn } from '#main/testing/openid.server.ts'
import { appCode } from '#main/testing/authenticator-app.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

let provider: OpenIdStandIn
let server: TestServer

before(async () => {
  provider = await startOpenIdStandIn()
  server = await startTestServer(provider.settings)
})
after(async () => {
  await server.stop()
  await provider.stop()
})

/** Starts a sign-in and returns the address that the provider would redirect the browser to. */
async function leave(browser: Caller, input: { ref?: string } = {}): Promise<string> {
  const { body } = await browser.call('POST', '/api/auth/google', input)
  const url = new URL(String(body.url))
  assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
  assert.equal(url.searchParams.get('redirect_uri'), 'http://localhost:3000/api/auth/google/callback')
  const back = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '')
  return back.pathname + back.search
}

async function signInWithGoogle(
  answer: Answer = {},
  input: { ref?: string } = {},
): Promise<{ browser: Caller; lands: unknown }> {
  provider.next = answer
  const browser = server.aStranger()
  const { headers } = await browser.call('GET', await leave(browser, input))
  return { browser, lands: headers.location }
}

test('the first sign-in creates a confirmed account without a role, and the second finds it', async () => {
  const first = await signInWithGoogle()
  assert.equal(first.lands, '/dashboard')
  const me = await first.browser.call('GET', '/api/v1/me')
  assert.deepEqual(
    [me.body.email, me.body.full_name, me.body.role],
    ['dana@gmail.example', 'Dana Whitfield', null],
  )
  assert.equal((await first.browser.call('PUT', '/api/v1/me/role', { role: 'tutor' })).body.role, 'tutor')
  const again = await signInWithGoogle()
  assert.equal((await again.browser.call('GET', '/api/v1/me')).body.id, me.body.id)
})

test("T17: an invitation's code survives signing up with Google, and both friends are rewarded once", async () => {
  const inviter = await server.aUser()
  const referral = async (user: Caller) => (await user.call('GET', '/api/v1/referral')).body
  const ref = String((await referral(inviter)).code)
  const friend = { claims: { sub: 'lee-at-google', email: 'lee@gmail.example' } }
  const { browser } = await signInWithGoogle(friend, { ref })
  await signInWithGoogle(friend, { ref })
  assert.deepEqual(
    [
      (await referral(inviter)).friends_joined,
      (await referral(inviter)).days_earned,
      (await referral(browser)).days_earned,
    ],
    [1, 30, 30],
  )
  // Someone who already has an account doesn't count as an invited friend.
  await signInWithGoogle(
    { claims: { sub: 'inviter-at-google', email: inviter.email } },
    { ref: String((await referral(browser)).code) },
  )
  assert.equal((await referral(browser)).friends_joined, 0)
})

test('A8, A22: a sign-up with the address of an account gets nothing when its owner signs in with Google', async () => {
  const email = 'mia@gmail.example'
  const signIn = () => signInWithGoogle({ claims: { sub: 'mia-at-google', email } })
  const { browser: owner } = await signIn()
  await owner.call('PUT', '/api/v1/me/role', { role: 'parent' })
  const pender = server.aStranger()
  await pender.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'tutor' })
  await pender.call('POST', '/api/auth/sign-in', { email, password: PASSWORD })
  const { browser: again } = await signIn()
  const me = async (browser: Caller) => (await browser.call('GET', '/api/v1/me')).body
  assert.deepEqual([(await me(again)).id, (await me(again)).has_password], [(await me(owner)).id, false])
  assert.equal((await me(pender)).code, 'email_not_verified')
})

test('signing in with Google for the first time in several tabs at once leads to one account in each', async () => {
  provider.next = { claims: { sub: 'noa-at-google', email: 'noa@gmail.example' } }
  const tabs = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const browser = server.aStranger()
      return { browser, back: await leave(browser) }
    }),
  )
  const lands = await Promise.all(tabs.map(({ browser, back }) => browser.call('GET', back)))
  assert.deepEqual(
    lands.map(({ headers }) => headers.location),
    Array(5).fill('/dashboard'),
  )
  const ids = await Promise.all(
    tabs.map(async ({ browser }) => (await browser.call('GET', '/api/v1/me')).body.id),
  )
  assert.equal(new Set(ids).size, 1)
})

test('P8: signing up with Google accepts the terms, the privacy policy and the statement of age', async () => {
  const { browser } = await signInWithGoogle({ claims: { sub: 'eve-at-google', email: 'eve@gmail.example' } })
  const id = String((await browser.call('GET', '/api/v1/me')).body.id)
  const accepted = await server.db.asMember({ accountId: id }, (tx) =>
    tx.selectFrom('acceptances').select(['document', 'version']).orderBy('document').execute(),
  )
  assert.deepEqual(
    accepted,
    ['age_or_consent', 'privacy', 'terms'].map((document) => ({ document, version: '2025-06-01' })),
  )
})

test('A24: signing in with Google again is a proof', async () => {
  const { browser } = await signInWithGoogle()
  await browser.call('PUT', '/api/v1/me/role', { role: 'parent' })
  const makeFeed = async () => (await browser.call('POST', '/api/v1/calendar-feed', {})).body.code
  assert.equal(await makeFeed(), undefined)
  const start = server.clock.now
  server.clock.now = new Date(start.getTime() + 11 * 60_000)
  assert.equal(await makeFeed(), 'sign_in_again')
  assert.equal((await browser.call('GET', await leave(browser))).headers.location, '/dashboard')
  assert.equal(await makeFeed(), undefined)
  server.clock.now = start
})

test('A9: an invalid token signs nobody in, whatever is wrong with it', async () => {
  const past = Math.floor(Date.now() / 1000) - 3600
  const wrong: Record<string, Answer> = {
    issuer: { claims: { iss: 'https://elsewhere.example' } },
    audience: { claims: { aud: 'another-app' } },
    nonce: { claims: { nonce: 'another' } },
    'no nonce': { claims: { nonce: undefined } },
    expired: { claims: { iat: past - 300, exp: past } },
    'alg none': { header: { alg: 'none', kid: undefined }, sign: () => '' },
    'HS256 with the public key': {
      header: { alg: 'HS256' },
      sign: (input) => createHmac('sha256', provider.publicPem).update(input).digest('base64url'),
    },
    'a signature of another key': {
      sign: (input) =>
        createSign('RSA-SHA256')
          .update(input)
          .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'base64url'),
    },
    'an address that Google does not vouch for': { claims: { sub: 'someone-new', email_verified: false } },
  }
  for (const [name, answer] of Object.entries(wrong)) {
    const { browser, lands } = await signInWithGoogle(answer)
    assert.equal(lands, '/login?google=failed', name)
    assert.equal((await browser.call('GET', '/api/auth/session')).status, 401, name)
  }
})

test('A9: a state that is missing, used, or from another browser is refused', async () => {
  provider.next = {}
  const browser = server.aStranger()
  const back = await leave(browser)
  const failed = async (caller: Caller, path: string) =>
    assert.equal((await caller.call('GET', path)).headers.location, '/login?google=failed')
  await failed(server.aStranger(), back)
  const cookies = new Map(browser.cookies)
  await failed(browser, back.replace(/&state=.*/, ''))
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  await failed(browser, back)
})

test('A8: an unconfirmed account loses its password when Google confirms the address', async () => {
  const email = 'victim@gmail.example'
  const thief = server.aStranger()
  await thief.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'parent' })
  await thief.call('POST', '/api/auth/sign-in', { email, password: PASSWORD })
  const { browser, lands } = await signInWithGoogle({ claims: { sub: 'victim', email } })
  assert.equal(lands, '/dashboard')
  assert.equal((await browser.call('GET', '/api/v1/me')).body.email, email)
  assert.equal((await thief.call('GET', '/api/auth/session')).status, 401)
  assert.equal((await thief.call('POST', '/api/auth/sign-in', { email, password: PASSWORD })).status, 401)
})

test('A8: in the browser that signed up, Google confirms that sign-up, with its password and role', async () => {
  const browser = server.aStranger()
  const email = 'impatient@gmail.example'
  await browser.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'tutor' })
  await server
    .aStranger()
    .call('POST', '/api/auth/sign-up', { email, password: 'thief-knows-it', role: 'parent' })
  provider.next = { claims: { sub: 'impatient', email } }
  await browser.call('GET', await leave(browser))
  const { body } = await browser.call('GET', '/api/v1/me')
  assert.deepEqual([body.email, body.role, body.has_password], [email, 'tutor', true])
  provider.next = {}
})

test('A23: an account with a second step is linked to no further Google account, and a linked one signs in without a code', async () => {
  const turnOn = async (user: Caller) => {
    const { body } = await user.call('POST', '/api/v1/me/second-step/start', {})
    const code = appCode(String(body.key), server.clock.now)
    assert.equal((await user.call('POST', '/api/v1/me/second-step', { code })).status, 200)
  }
  const user = await server.aUser()
  await turnOn(user)
  const stranger = await signInWithGoogle({ claims: { sub: 'reads-the-mailbox', email: user.email } })
  assert.equal(stranger.lands, '/login?google=second-step')
  assert.equal((await stranger.browser.call('GET', '/api/v1/me')).status, 401)

  const linked = await server.aUser()
  const claims = { sub: 'the-owner', email: linked.email }
  assert.equal((await signInWithGoogle({ claims })).lands, '/dashboard')
  await turnOn(linked)
  assert.equal((await signInWithGoogle({ claims })).lands, '/dashboard')
})

test('F9: if the provider is down, the button says so, and signing in with a password works', async () => {
  const away = await startTestServer({
    GOOGLE_CLIENT_ID: 'tutorlog',
    GOOGLE_CLIENT_SECRET: 'secret',
    OIDC_ISSUER: 'http://127.0.0.1:9',
  })
  try {
    const answer = await away.aStranger().call('POST', '/api/auth/google', {})
    assert.deepEqual([answer.status, answer.body.code], [422, 'google_away'])
    assert.equal((await (await away.aUser()).call('GET', '/api/v1/me')).status, 200)
  } finally {
    await away.stop()
  }
})

test('A25: the owner is emailed when Google is linked, and "This wasn’t me" takes it away again', async () => {
  const user = await server.aUser()
  const claims = { sub: 'thief-at-google', email: user.email }
  const { browser: thief } = await signInWithGoogle({ claims })
  assert.equal((await thief.call('GET', '/api/v1/me')).body.id, user.id)
  const { text } = await server.mailTo(user.email, 'Google was linked')
  const { events } = (await user.call('GET', '/api/v1/me/activity')).body as { events: { kind: string }[] }
  assert.ok(events.some(({ kind }) => kind === 'google_linked'))
  const token = /\/not-me#token=(\S+)/.exec(text)?.[1]
  assert.equal((await server.aStranger().call('POST', '/api/auth/not-me', { token })).status, 200)
  assert.equal((await thief.call('GET', '/api/v1/me')).status, 401)
  const identities = await server.db.asSystem((tx) =>
    tx.selectFrom('identities').select('subject').where('user_id', '=', user.id).execute(),
  )
  assert.deepEqual(identities, [])
})
