import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { MakingOptions, UsingOptions } from '#features/passkeys/passkey.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { appCode } from '#main/testing/authenticator-app.ts'
import { aDevice } from '#main/testing/authenticator.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
beforeEach(() => {
  server.clock.now = new Date()
})
after(async () => server.stop())

const days = (count: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + count * 86_400_000)
}

const signIn = (browser: Caller, email: string, password = PASSWORD) =>
  browser.call('POST', '/api/auth/sign-in', { email, password }, { 'user-agent': 'Firefox Linux' })

const subjectsTo = async (email: string) => {
  await server.allJobsDone()
  return (await readMailbox(`${server.dataDir}/mailbox`, email)).map(({ subject }) => subject)
}

/** The token of "This wasn't me" in an email. */
async function tokenIn(email: string, subject: string): Promise<string> {
  const { text } = await server.mailTo(email, subject)
  return /\/not-me#token=(\S+)/.exec(text)?.[1] ?? ''
}

const report = (token: string) => server.aStranger().call('POST', '/api/auth/not-me', { token })

/** Chooses a new password with the link that was emailed. */
async function reset(email: string, password: string, code?: string) {
  const { text } = await server.mailTo(email, 'Reset')
  const pair = Object.fromEntries(new URL(/http\S+/.exec(text)?.[0] ?? '').searchParams)
  const browser = server.aStranger()
  const answer = await browser.call('POST', '/api/auth/reset-password', { ...pair, password, code })
  return { browser, answer }
}

/** Signs in where nobody has before, with a code if there's a second step, and finds the owner's link about that. */
async function strangeSignIn(email: string, code?: string) {
  const browser = server.aStranger()
  const answer = await browser.call('POST', '/api/auth/sign-in', { email, password: PASSWORD, code })
  assert.equal(answer.status, 200)
  return { browser, token: await tokenIn(email, 'New sign-in') }
}

/** An account that has had a second step for a while, and how to get what its app shows now. */
async function aUserWithSecondStep() {
  const user = await server.aUser()
  const { key } = (await user.call('POST', '/api/v1/me/second-step/start', {})).body
  const codeNow = () => appCode(String(key), server.clock.now)
  const on = await user.call('POST', '/api/v1/me/second-step', { code: codeNow() })
  days(0.1)
  return { user, codeNow, recovery: on.body.recovery_codes as string[] }
}

async function changeEmail(user: Caller, wished: string) {
  await user.call('POST', '/api/v1/me/email', { current_password: PASSWORD, email: wished })
  for (const [to, subject] of [
    [user.email, 'address change'],
    [wished, 'Confirm your new'],
  ] as const) {
    const token = /#token=(\S+)/.exec((await server.mailTo(to, subject)).text)?.[1]
    await server.aStranger().call('POST', '/api/auth/confirm-email', { token })
  }
}

test('A25: the owner is emailed once about a new browser, and not again about a known one', async () => {
  const user = await server.aUser()
  assert.deepEqual(
    (await subjectsTo(user.email)).filter((subject) => !subject.includes('Verify')),
    [],
    'signing up is nothing to email about',
  )
  const browser = server.aStranger()
  for (let n = 0; n < 3; n++) assert.equal((await signIn(browser, user.email)).status, 200)
  const mails = await subjectsTo(user.email)
  assert.equal(mails.filter((subject) => subject.includes('New sign-in')).length, 1)
  assert.match((await server.mailTo(user.email, 'New sign-in')).text, /\(Firefox on Linux\)/)
})

test('I7, A25: whoever knows the password can’t flood the mailbox with new browsers', async () => {
  const user = await server.aUser()
  for (let n = 0; n < 22; n++) {
    days(0.0001)
    assert.equal((await signIn(server.aStranger(), user.email)).status, 200)
  }
  const mails = (await subjectsTo(user.email)).filter((subject) => subject.startsWith('New sign-in'))
  assert.equal(mails.length, 20)
  const { events } = (await user.call('GET', '/api/v1/me/activity')).body as { events: { kind: string }[] }
  assert.ok(events.length === 10 && events.every(({ kind }) => kind === 'new_browser'))
})

test('I7, A25: nobody is emailed about sign-ins to an address that isn’t confirmed', async () => {
  const stranger = server.aStranger()
  await stranger.call('POST', '/api/auth/sign-up', {
    email: 'bystander@example.com',
    password: PASSWORD,
    role: 'parent',
  })
  for (let n = 0; n < 3; n++)
    assert.equal((await signIn(server.aStranger(), 'bystander@example.com')).status, 200)
  assert.deepEqual(await subjectsTo('bystander@example.com'), ['Verify your email for Tutorlog'])
})

test('A25: “This wasn’t me” signs everyone out, and only a new password from the mailbox signs in again', async () => {
  const user = await server.aUser()
  const thief = server.aStranger()
  await signIn(thief, user.email)
  const token = await tokenIn(user.email, 'New sign-in')
  const opened = await server.app.inject({ url: `/api/auth/not-me?token=${token}` })
  assert.equal(opened.statusCode, 404)
  assert.equal((await thief.call('GET', '/api/v1/me')).status, 200, 'opening the link changes nothing')
  assert.deepEqual((await report(token)).body, { outcome: 'signed_out' })
  for (const browser of [thief, user]) assert.equal((await browser.call('GET', '/api/v1/me')).status, 401)
  assert.equal((await signIn(thief, user.email)).status, 401, 'the password that somebody knows is over')
  const { browser, answer } = await reset(user.email, 'tulips-and-41')
  assert.equal(answer.status, 200)
  assert.equal((await browser.call('GET', '/api/v1/me')).body.id, user.id)
  const { events } = (await browser.call('GET', '/api/v1/me/activity')).body as { events: { kind: string }[] }
  assert.deepEqual(events.map(({ kind }) => kind).sort(), [
    'new_browser',
    'password_changed',
    'recovered',
    'reported',
    'sign_in_failed',
    'signed_in',
  ])
  assert.deepEqual((await report(token)).body.code, 'invalid_link', 'the link works once')
  assert.equal((await browser.call('GET', '/api/v1/me')).status, 200)
})

test('A2, A25: of calls with the same link at once, one counts', async () => {
  const user = await server.aUser()
  await signIn(server.aStranger(), user.email)
  const token = await tokenIn(user.email, 'New sign-in')
  const answers = await Promise.all([1, 2, 3, 4].map(() => report(token)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422])
  const mails = (await subjectsTo(user.email)).filter((subject) => subject.startsWith('Reset'))
  assert.equal(mails.length, 1)
})

test('A3, A18: the link works for a week, and is kept as a hash', async () => {
  const user = await server.aUser()
  await signIn(server.aStranger(), user.email)
  const token = await tokenIn(user.email, 'New sign-in')
  const kept = await server.db.asSystem((tx) =>
    tx.selectFrom('not_me_links').selectAll().where('user_id', '=', user.id).execute(),
  )
  assert.equal(kept.length, 1)
  assert.ok(!JSON.stringify(kept).includes(token))
  days(7.01)
  assert.equal((await report(token)).body.code, 'invalid_link')
  for (const made of ['', 'x', 'x'.repeat(200)]) assert.equal((await report(made)).body.code, 'invalid_link')
  assert.equal((await report('x'.repeat(201))).status, 422)
})

test('A25: passkeys that a thief added go, and those from before stay', async () => {
  const user = await server.aUser()
  const [own, stolen] = [aDevice(), aDevice()]
  const add = async (browser: Caller, device: ReturnType<typeof aDevice>) => {
    const making = (await browser.call('POST', '/api/v1/me/passkeys/start', {}))
      .body as never as MakingOptions
    assert.equal(
      (await browser.call('POST', '/api/v1/me/passkeys', { passkey: device.make(making) })).status,
      200,
    )
  }
  await add(user, own)
  assert.ok((await subjectsTo(user.email)).includes('A passkey was added to your Tutorlog account'))
  await server.db.asSystem((tx) => tx.deleteFrom('not_me_links').execute())
  // The owner's was made more than the minute before that clocks may differ by.
  server.clock.now = new Date(Date.now() + 120_000)
  const thief = server.aStranger()
  await signIn(thief, user.email)
  const token = await tokenIn(user.email, 'New sign-in')
  await add(thief, stolen)
  assert.equal((await report(token)).status, 200)
  const use = async (device: ReturnType<typeof aDevice>) => {
    const browser = server.aStranger()
    const options = (await browser.call('POST', '/api/auth/passkey/start', {})).body as never as UsingOptions
    return (await browser.call('POST', '/api/auth/passkey', { passkey: device.use(options) })).status
  }
  assert.equal(await use(own), 200)
  assert.notEqual(await use(stolen), 200)
})

test('A14, A25: for three days, the address before can take the account back', async () => {
  const user = await server.aUser()
  const wished = `thief-${user.email}`
  await changeEmail(user, wished)
  const token = await tokenIn(user.email, 'address was changed')
  assert.ok(!(await server.mailTo(user.email, 'address was changed')).text.includes(wished))
  days(0.1)
  // Whoever has the account now gets a link, too, which must not end the owner's.
  await signIn(server.aStranger(), wished)
  assert.equal((await report(await tokenIn(wished, 'New sign-in'))).status, 200)
  assert.equal((await report(token)).status, 200)
  const { browser, answer } = await reset(user.email, 'tulips-and-41')
  assert.equal(answer.status, 200)
  assert.equal((await browser.call('GET', '/api/v1/me')).body.email, user.email)
  assert.equal((await signIn(server.aStranger(), wished, 'tulips-and-41')).status, 401)
})

test('A14, A25: the link in an email from before a change of address takes the address back, too', async () => {
  const user = await server.aUser()
  const wished = `stolen-${user.email}`
  await signIn(server.aStranger(), user.email)
  const token = await tokenIn(user.email, 'New sign-in')
  days(0.1)
  const thief = server.aStranger()
  await signIn(thief, user.email)
  await changeEmail({ ...thief, email: user.email }, wished)
  await server.mailTo(user.email, 'address was changed')
  assert.equal((await report(token)).status, 200)
  const { browser, answer } = await reset(user.email, 'tulips-and-41')
  assert.equal(answer.status, 200)
  assert.equal((await browser.call('GET', '/api/v1/me')).body.email, user.email)
  assert.deepEqual(
    (await subjectsTo(wished)).filter((subject) => subject.startsWith('Reset')),
    [],
    'the thief gets no link',
  )
})

test('A14, A25: while somebody else has the address before, nothing changes, and the link stays good', async () => {
  const user = await server.aUser()
  const wished = `moved-${user.email}`
  await changeEmail(user, wished)
  const token = await tokenIn(user.email, 'address was changed')
  days(0.1)
  const next = server.aStranger()
  await next.call('POST', '/api/auth/sign-up', { email: user.email, password: PASSWORD, role: 'parent' })
  await server.allJobsDone()
  assert.equal((await server.confirm(next, user.email)).status, 200)
  for (let n = 0; n < 2; n++) assert.equal((await report(token)).body.code, 'address_taken')
  assert.equal((await signIn(server.aStranger(), wished)).status, 200)
})

test('A14, A25: after three days, the address before changes nothing', async () => {
  const user = await server.aUser()
  const wished = `new-${user.email}`
  await changeEmail(user, wished)
  const token = await tokenIn(user.email, 'address was changed')
  days(3.01)
  assert.equal((await report(token)).body.code, 'invalid_link')
  assert.equal((await signIn(server.aStranger(), wished)).status, 200)
})

test('A4, A25: a reset is emailed as a changed password, and not as a new browser, too', async () => {
  const user = await server.aUser()
  await user.call('POST', '/api/auth/forgot-password', { email: user.email })
  await reset(user.email, 'tulips-and-41')
  const mails = await subjectsTo(user.email)
  assert.equal(mails.filter((subject) => subject.includes('password was changed')).length, 1)
  assert.equal(mails.filter((subject) => subject.includes('New sign-in')).length, 0)
})

test('A23, A25: a second step that a thief turned on doesn’t keep the owner out', async () => {
  const user = await server.aUser()
  const thief = server.aStranger()
  await signIn(thief, user.email)
  const token = await tokenIn(user.email, 'New sign-in')
  const { key } = (await thief.call('POST', '/api/v1/me/second-step/start', {})).body
  const code = appCode(String(key), server.clock.now)
  assert.equal((await thief.call('POST', '/api/v1/me/second-step', { code })).status, 200)
  assert.deepEqual((await report(token)).body, { outcome: 'signed_out' })
  const { browser, answer } = await reset(user.email, 'tulips-and-41')
  assert.equal(answer.status, 200)
  assert.equal((await browser.call('GET', '/api/v1/me')).body.id, user.id)
})

test('A23, A25: recovery codes that a thief made stop working, and the owner’s second step stays', async () => {
  const { user, codeNow } = await aUserWithSecondStep()
  const { browser: thief, token } = await strangeSignIn(user.email, codeNow())
  const made = await thief.call('POST', '/api/v1/me/second-step/recovery-codes', {})
  const [stolen] = made.body.recovery_codes as string[]
  assert.deepEqual((await report(token)).body, { outcome: 'signed_out' })
  assert.equal((await reset(user.email, 'tulips-and-41', stolen)).answer.body.code, 'wrong_code')
  days(0.01)
  const { browser, answer } = await reset(user.email, 'tulips-and-41', codeNow())
  assert.equal(answer.status, 200)
  const { second_step: step } = (await browser.call('GET', '/api/v1/me/passkeys')).body
  assert.equal((step as { recovery_codes_left: number }).recovery_codes_left, 0)
})

test('A23, A25: recovery codes from before what was reported still work', async () => {
  const { user, codeNow, recovery } = await aUserWithSecondStep()
  const { token } = await strangeSignIn(user.email, codeNow())
  assert.equal((await report(token)).status, 200)
  assert.equal((await reset(user.email, 'tulips-and-41', recovery[0])).answer.status, 200)
})
