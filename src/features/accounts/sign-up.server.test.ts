import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '#main/testing/process.server.ts'
import type { MakingOptions, UsingOptions } from '#features/passkeys/passkey.ts'
import { aDevice, type Device } from '#main/testing/authenticator.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const THIEVES = 'thief-knows-it'

/**
 * The tokens in the confirmation links sent to an address, newest first. Waits until there are `count` of
 * them.
 */
async function tokensTo(email: string, count: number): Promise<string[]> {
  let tokens: string[] = []
  await until(`${count} confirmation links for ${email}`, async () => {
    const mails = await readMailbox(`${server.dataDir}/mailbox`, email)
    tokens = mails.flatMap(({ text }) => /verify-email#token=(\S+)/.exec(text)?.[1] ?? [])
    return tokens.length >= count
  })
  return tokens
}

/** Signs up in a browser and returns the token from the emailed link. */
async function signUp(
  browser: Caller,
  email: string,
  password = PASSWORD,
  more: { role?: string; ref?: string } = {},
): Promise<string> {
  const earlier = (await readMailbox(`${server.dataDir}/mailbox`, email)).flatMap(
    ({ text }) => /verify-email#token=(\S+)/.exec(text)?.[1] ?? [],
  )
  const { status } = await browser.call('POST', '/api/auth/sign-up', {
    email,
    password,
    role: 'parent',
    ...more,
  })
  assert.equal(status, 200)
  const tokens = await tokensTo(email, earlier.length + 1)
  return tokens.find((token) => !earlier.includes(token)) ?? ''
}

const verify = async (browser: Caller, token: string, password?: string) => {
  const { status, body } = await browser.call('POST', '/api/auth/verify', { token, password })
  return body.code ?? status
}
const signIn = async (browser: Caller, email: string, password: string) =>
  (await browser.call('POST', '/api/auth/sign-in', { email, password })).status
const roleOf = async (browser: Caller) => (await browser.call('GET', '/api/v1/me')).body.role

for (const isOwnerFirst of [true, false])
  test(`A8, A19: with two sign-ups for one address, each link confirms only its own, the owner's ${isOwnerFirst ? 'first' : 'last'}`, async () => {
    const email = `owner-${isOwnerFirst}@example.com`
    const [owner, thief] = [server.aStranger(), server.aStranger()]
    const ownersSignUp = () => signUp(owner, email, PASSWORD, { role: 'tutor' })
    const thievesSignUp = () => signUp(thief, email, THIEVES)
    let [own, thieves] = isOwnerFirst ? [await ownersSignUp(), ''] : ['', await thievesSignUp()]
    if (isOwnerFirst) thieves = await thievesSignUp()
    else own = await ownersSignUp()
    assert.equal(await signIn(thief, email, THIEVES), 200, 'the gate opens for each of them')
    assert.equal(await verify(owner, thieves), 'password_needed', "the thief's link in the owner's browser")
    assert.equal(await verify(owner, thieves, PASSWORD), 'wrong_password')
    assert.equal(await verify(thief, own), 'password_needed', "the owner's link in the thief's browser")
    assert.equal(await verify(thief, own, THIEVES), 'wrong_password')

    assert.equal(await verify(owner, own), 200)
    assert.deepEqual(
      [await roleOf(owner), (await owner.call('GET', '/api/v1/me')).body.email],
      ['tutor', email],
    )
    assert.equal((await thief.call('GET', '/api/auth/session')).status, 401, "the thief's login has ended")
    assert.equal(await verify(thief, thieves, THIEVES), 'invalid_link')
    assert.equal(await signIn(server.aStranger(), email, THIEVES), 401)
    assert.equal(await signIn(server.aStranger(), email, PASSWORD), 200)
    assert.equal(await verify(owner, own), 'invalid_link', 'a link works once')
  })

test('A19: opening the link changes nothing, no matter who opens it', async () => {
  const person = server.aStranger()
  const token = await signUp(person, person.email)
  for (const url of [`/verify-email?token=${token}`, `/api/auth/verify?token=${token}`])
    for (const browser of [person, server.aStranger()]) {
      const { headers } = await browser.call('GET', url)
      assert.equal(headers['set-cookie'], undefined)
    }
  await signIn(person, person.email, PASSWORD)
  assert.equal((await person.call('GET', '/api/v1/me')).body.code, 'email_not_verified')
  assert.equal(await verify(server.aStranger(), token), 'password_needed', 'a scanner that runs the page')
  assert.equal(await verify(person, token), 200)
})

test("A19: in another browser the link asks for the sign-up's password, even if someone else is signed in there", async () => {
  const person = server.aStranger()
  const token = await signUp(person, person.email)
  const elsewhere = await server.aUser()
  assert.equal(await verify(elsewhere, token), 'password_needed')
  assert.equal((await elsewhere.call('GET', '/api/v1/me')).body.email, elsewhere.email, 'and nothing changed')
  for (let n = 0; n < 8; n++) assert.equal(await verify(elsewhere, token, `wrong-${n}`), 'wrong_password')
  assert.equal(await verify(elsewhere, token, PASSWORD), 200)
  assert.equal((await elsewhere.call('GET', '/api/v1/me')).body.email, person.email)
})

test("A19: guessing a sign-up's password on its link's page is limited", async () => {
  const token = await signUp(server.aStranger(), 'guessed@example.com')
  const codes = new Set<unknown>()
  for (let n = 0; n < 11; n++) codes.add(await verify(server.aStranger(), token, `wrong-${n}`))
  assert.deepEqual([...codes], ['wrong_password', 'too_many'])
})

test("A19: on another device that is already signed in and waiting for confirmation, the link doesn't ask for the password", async () => {
  const email = 'two-devices@example.com'
  const token = await signUp(server.aStranger(), email)
  const phone = server.aStranger()
  await signIn(phone, email, PASSWORD)
  assert.equal(await verify(phone, token), 200)
})

test('A19: two sign-ups in one browser: either link confirms, and the one that is confirmed keeps its password and role', async () => {
  const person = server.aStranger()
  const first = await signUp(person, person.email, 'tulips-and-41', { role: 'tutor' })
  await signUp(person, person.email, PASSWORD, { role: 'parent' })
  assert.equal(await verify(person, first), 200)
  assert.equal(await roleOf(person), 'tutor')
  assert.equal(await signIn(server.aStranger(), person.email, PASSWORD), 401)
})

test('A8: the right password of any sign-up signs in to that one alone, until the address is confirmed', async () => {
  const email = 'gate@example.com'
  const [ann, bob] = [server.aStranger(), server.aStranger()]
  await signUp(ann, email, PASSWORD, { role: 'tutor' })
  await signUp(bob, email, THIEVES, { role: 'parent' })
  const sessionOf = async (password: string) => {
    const browser = server.aStranger()
    assert.equal(await signIn(browser, email, password), 200)
    return (await browser.call('GET', '/api/auth/session')).body.user as { id: string; role: string }
  }
  const [own, other] = [await sessionOf(PASSWORD), await sessionOf(THIEVES)]
  assert.deepEqual([own.role, other.role], ['tutor', 'parent'])
  assert.notEqual(own.id, other.id)
  assert.equal(await signIn(server.aStranger(), email, 'neither-of-them'), 401)
})

test('A8: a reset link gives the address to its owner, and drops whatever a stranger signed up with', async () => {
  const [inviter, stranger] = [await server.aUser(), server.aStranger()]
  const email = 'never-came@example.com'
  const ref = String((await inviter.call('GET', '/api/v1/referral')).body.code)
  await signUp(stranger, email, THIEVES, { role: 'tutor', ref })
  const owner = server.aStranger()
  await owner.call('POST', '/api/auth/forgot-password', { email })
  const pair = Object.fromEntries(
    new URL(/http\S+/.exec((await server.mailTo(email, 'Reset')).text)?.[0] ?? '').searchParams,
  )
  const reset = await owner.call('POST', '/api/auth/reset-password', { ...pair, password: PASSWORD })
  assert.equal(reset.status, 200)
  assert.equal(await roleOf(owner), null, 'the owner chooses the role')
  assert.equal((await owner.call('PUT', '/api/v1/me/role', { role: 'parent' })).status, 200)
  const id = String((await owner.call('GET', '/api/v1/me')).body.id)
  const terms = await server.db.asMember({ accountId: id }, (tx) =>
    tx.selectFrom('acceptances').select('document').execute(),
  )
  assert.equal(terms.length, 3, 'P8: the terms are accepted with the role')
  assert.equal((await inviter.call('GET', '/api/v1/referral')).body.friends_joined, 0)
  assert.equal(await signIn(stranger, email, THIEVES), 401)
})

test('a new link is for the sign-up of this browser, or of the old link; a stranger’s newer sign-up gets none', async () => {
  const email = 'another-link@example.com'
  const owner = server.aStranger()
  const old = await signUp(owner, email)
  await signUp(server.aStranger(), email, THIEVES)
  const ask = (browser: Caller, more = {}) =>
    browser.call('POST', '/api/auth/request-verification', { email, ...more })
  assert.equal((await ask(owner)).status, 200)
  const [third] = await tokensTo(email, 3)
  server.clock.now = new Date(server.clock.now.getTime() + 49 * 3_600_000)
  assert.equal(
    await verify(server.aStranger(), third ?? '', PASSWORD),
    'invalid_link',
    'links hold for 48 hours',
  )
  await ask(server.aStranger(), { token: old })
  const tokens = await tokensTo(email, 4)
  assert.equal(await verify(server.aStranger(), tokens[0] ?? '', PASSWORD), 200)
})

test('A14: an unconfirmed sign-up ends when an account changes to its address', async () => {
  const [user, stranger] = [await server.aUser(), server.aStranger()]
  const wished = 'wished@example.com'
  const waiting = await signUp(stranger, wished, THIEVES)
  await signIn(stranger, wished, THIEVES)
  await user.call('POST', '/api/v1/me/email', { current_password: PASSWORD, email: wished })
  for (const [email, subject] of [
    [wished, 'Confirm your new'],
    [user.email, 'Confirm your email address change'],
  ] as const) {
    const token = /#token=(\S+)/.exec((await server.mailTo(email, subject)).text)?.[1]
    assert.equal((await server.aStranger().call('POST', '/api/auth/confirm-email', { token })).status, 200)
  }
  assert.equal((await stranger.call('GET', '/api/auth/session')).status, 401)
  assert.equal(await verify(stranger, waiting, THIEVES), 'invalid_link')
  assert.equal(await signIn(server.aStranger(), wished, PASSWORD), 200)
})

test('A22, A23: a sign-up with a passkey answers alike for known and unknown addresses, and only its passkey confirms it elsewhere', async () => {
  const known = await server.aUser()
  const [phone, other] = [aDevice(), aDevice()]
  const answers = []
  for (const email of [known.email, 'passkey@example.com']) {
    const browser = server.aStranger()
    const device = email === known.email ? other : phone
    const options = (await browser.call('POST', '/api/auth/passkey/sign-up', { email }))
      .body as unknown as MakingOptions
    const passkey = device.make(options)
    const { status, body } = await browser.call('POST', '/api/auth/sign-up', {
      email,
      passkey,
      role: 'parent',
    })
    answers.push([status, body, Object.keys(options), options.excludeCredentials])
    // The same passkey can't be used for another sign-up, because its challenge is used up.
    const again = await browser.call('POST', '/api/auth/sign-up', { email, passkey, role: 'parent' })
    assert.deepEqual([again.status, again.body.code], [422, 'passkey_refused'])
  }
  assert.deepEqual(answers[0], answers[1])

  const { text } = await server.mailTo('passkey@example.com', 'Verify')
  const token = /\/verify-email#token=(\S+)/.exec(text)?.[1]
  const elsewhere = server.aStranger()
  const verify = async (device?: Device) => {
    const options = (await elsewhere.call('POST', '/api/auth/passkey/start', {}))
      .body as unknown as UsingOptions
    const { status, body } = await elsewhere.call('POST', '/api/auth/verify', {
      token,
      ...(device && { passkey: device.use(options) }),
    })
    return [status, body.code]
  }
  assert.deepEqual(await verify(), [422, 'passkey_needed'])
  assert.deepEqual(await verify(other), [422, 'passkey_refused'])
  assert.deepEqual(
    await elsewhere
      .call('POST', '/api/auth/verify', { token, password: 'greenhouse-41' })
      .then(({ status, body }) => [status, body.code]),
    [422, 'passkey_needed'],
  )
  assert.deepEqual(await verify(phone), [200, undefined])
  assert.equal((await elsewhere.call('GET', '/api/v1/me')).body.has_password, false)
})

test('A23: a sign-up has a password or a passkey, never both or neither', async () => {
  const browser = server.aStranger()
  const options = (await browser.call('POST', '/api/auth/passkey/sign-up', { email: browser.email }))
    .body as unknown as MakingOptions
  const signUp = (secret: object) =>
    browser.call('POST', '/api/auth/sign-up', { email: browser.email, role: 'parent', ...secret })
  for (const secret of [{}, { password: PASSWORD, passkey: aDevice().make(options) }])
    assert.equal((await signUp(secret)).status, 422)
})
