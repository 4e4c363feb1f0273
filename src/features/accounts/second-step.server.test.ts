import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { UsingOptions } from '#features/passkeys/passkey.ts'
import { appCode } from '#main/testing/authenticator-app.ts'
import { aDevice } from '#main/testing/authenticator.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())
const start = new Date()
beforeEach(() => {
  server.clock.now = start
})

const seconds = (count: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + count * 1000)
}
const codeNow = (secret: string, secondsAway = 0) =>
  appCode(secret, new Date(server.clock.now.getTime() + secondsAway * 1000))

/** Turns on someone's second step. The code that turns it on is used up. */
async function turnOn(user: Caller): Promise<{ secret: string; recovery: string[] }> {
  const secret = String((await user.call('POST', '/api/v1/me/second-step/start', {})).body.key)
  const { status, body } = await user.call('POST', '/api/v1/me/second-step', { code: codeNow(secret) })
  assert.equal(status, 200)
  return { secret, recovery: body.recovery_codes as string[] }
}

async function aUserWithSecondStep() {
  const user = await server.aUser()
  const step = await turnOn(user)
  // Past the code that turned it on.
  seconds(60)
  return { user, ...step }
}

const signIn = (browser: Caller, email: string, code?: string, password = PASSWORD) =>
  browser.call('POST', '/api/auth/sign-in', { email, password, ...(code !== undefined && { code }) })
const outcomeOf = async (answer: ReturnType<Caller['call']>) => {
  const { status, body } = await answer
  return [status, body?.code]
}
const WRONG = [422, 'wrong_code']

async function read(user: Caller) {
  return (await user.call('GET', '/api/v1/me/passkeys')).body.second_step as {
    on_since: string
    recovery_codes_left: number
  } | null
}

test('A23: the second step is on only after a code, and then asked for after the password, before anything else', async () => {
  const user = await server.aUser()
  const { status, body } = await user.call('POST', '/api/v1/me/second-step/start', {})
  assert.equal(status, 200)
  const uri = new URL(String(body.uri))
  assert.deepEqual(
    [uri.protocol, uri.host + uri.pathname, uri.searchParams.get('secret'), uri.searchParams.get('issuer')],
    ['otpauth:', `totp/Tutorlog:${encodeURIComponent(user.email)}`, body.key, 'Tutorlog'],
  )
  assert.match(String(body.key), /^[A-Z2-7]{32}$/)
  assert.equal(await read(user), null)
  assert.equal((await signIn(server.aStranger(), user.email)).status, 200, 'not on yet')
  const turn = (code: string) => user.call('POST', '/api/v1/me/second-step', { code })
  assert.deepEqual(await outcomeOf(turn('123456')), WRONG)
  const on = await turn(codeNow(String(body.key)))
  assert.equal(on.status, 200)
  assert.equal(new Set(on.body.recovery_codes as string[]).size, 10)
  assert.deepEqual(await read(user), { on_since: start.toISOString(), recovery_codes_left: 10 })

  seconds(60)
  const browser = server.aStranger()
  const asked = await signIn(browser, user.email)
  assert.deepEqual([asked.status, asked.body.code], [422, 'code_needed'])
  assert.deepEqual([...browser.cookies.keys()], [])
  assert.equal((await browser.call('GET', '/api/v1/me')).status, 401)
  assert.equal((await signIn(browser, user.email, codeNow(String(body.key)))).status, 200)
  assert.equal((await browser.call('GET', '/api/v1/me')).body.id, user.id)
})

test('A22, A23: without the password nobody learns that there is a second step', async () => {
  const { user, secret } = await aUserWithSecondStep()
  for (const code of [undefined, codeNow(secret), '000000'])
    assert.deepEqual(await outcomeOf(signIn(server.aStranger(), user.email, code, 'not-it-at-all')), [
      401,
      'invalid_credentials',
    ])
})

test('A23: a code counts once, from the 30 seconds before to the 30 after, and no earlier one after it', async () => {
  const { user, secret } = await aUserWithSecondStep()
  const at = (code: string) => outcomeOf(signIn(server.aStranger(), user.email, code))
  assert.deepEqual(await at(codeNow(secret, -60)), WRONG, 'from the past')
  assert.deepEqual(await at(codeNow(secret, 60)), WRONG, 'from the future')
  assert.equal((await at(codeNow(secret, -30)))[0], 200)
  assert.deepEqual(await at(codeNow(secret, -30)), WRONG, 'replayed')
  const ahead = codeNow(secret, 30)
  assert.equal((await at(ahead))[0], 200)
  assert.deepEqual(await at(codeNow(secret)), WRONG, 'earlier than the last one')
  seconds(30)
  assert.deepEqual(await at(ahead), WRONG, 'replayed within its window')
})

test('A23: the same code sent twice at once signs in once', async () => {
  const { user, secret, recovery } = await aUserWithSecondStep()
  for (const code of [codeNow(secret), recovery[0] ?? '']) {
    const answers = await Promise.all([1, 2, 3].map(() => signIn(server.aStranger(), user.email, code)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422])
  }
})

test('A23: the code that turned it on is used up', async () => {
  const user = await server.aUser()
  const { secret } = await turnOn(user)
  assert.deepEqual(await outcomeOf(signIn(server.aStranger(), user.email, codeNow(secret))), WRONG)
})

test('A23: each recovery code works once, and new ones end the earlier ones', async () => {
  const { user, recovery } = await aUserWithSecondStep()
  const [first = '', second = '', third = ''] = recovery
  const at = (code: string) => outcomeOf(signIn(server.aStranger(), user.email, code))
  assert.equal((await at(first.toUpperCase().replace('-', ' ')))[0], 200)
  assert.deepEqual(await at(first), WRONG)
  assert.equal((await at(second))[0], 200)
  assert.equal((await read(user))?.recovery_codes_left, 8)
  const made = await user.call('POST', '/api/v1/me/second-step/recovery-codes', {})
  const [fresh = ''] = made.body.recovery_codes as string[]
  assert.equal((await read(user))?.recovery_codes_left, 10)
  assert.deepEqual(await at(third), WRONG)
  assert.equal((await at(fresh))[0], 200)
})

test('A11, A20, A23: after five wrong codes a browser has to wait, and the owner’s own still gets in', async () => {
  const { user, secret } = await aUserWithSecondStep()
  const known = server.aStranger()
  assert.equal((await signIn(known, user.email, codeNow(secret))).status, 200)
  seconds(60)
  const thief = server.aStranger()
  for (let tries = 1; tries <= 5; tries++)
    assert.deepEqual(await outcomeOf(signIn(thief, user.email, '000000')), WRONG, `try ${tries}`)
  const right = codeNow(secret)
  const late = await signIn(thief, user.email, right)
  assert.deepEqual([late.status, late.body.code], [429, 'too_many'])
  assert.ok(Number(late.headers['retry-after']) > 600)
  assert.equal((await signIn(known, user.email, right)).status, 200)
})

test('A23, I1: whatever is typed as a code is refused, never a failure', async () => {
  const { user } = await aUserWithSecondStep()
  const browser = server.aStranger()
  for (const code of ['12345', '１２３４５６', 'e30e30e30e', '😀😀😀', "' or 1=1"])
    assert.deepEqual(await outcomeOf(signIn(browser, user.email, code)), WRONG, code)
  for (const code of ['', ' ', 'x'.repeat(101), 123456, null, ['123456'], { $gt: '' }])
    assert.equal(
      (await browser.call('POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD, code }))
        .status,
      422,
      String(code),
    )
})

test('A23: passkeys need no second step', async () => {
  const { user } = await aUserWithSecondStep()
  const device = aDevice()
  const making = await user.call('POST', '/api/v1/me/passkeys/start', {})
  await user.call('POST', '/api/v1/me/passkeys', { passkey: device.make(making.body as never) })
  const browser = server.aStranger()
  const options = (await browser.call('POST', '/api/auth/passkey/start', {})).body as unknown as UsingOptions
  assert.equal(
    (await browser.call('POST', '/api/auth/passkey', { passkey: device.use(options) })).status,
    200,
  )
})

async function resetLink(user: Caller) {
  await user.call('POST', '/api/auth/forgot-password', { email: user.email })
  const link = new URL(/http\S+/.exec((await server.mailTo(user.email, 'Reset')).text)?.[0] ?? '')
  return Object.fromEntries(link.searchParams)
}

test('A4, A23: a reset link changes nothing without a code, and stays good until there is one', async () => {
  const { user, secret } = await aUserWithSecondStep()
  const pair = await resetLink(user)
  const browser = server.aStranger()
  const reset = (more: object) =>
    outcomeOf(
      browser.call('POST', '/api/auth/reset-password', { ...pair, password: 'tulips-and-41', ...more }),
    )
  const asked = await browser.call('POST', '/api/auth/check-reset', pair)
  assert.equal(asked.body.has_second_step, true)
  assert.deepEqual(await reset({}), [422, 'code_needed'])
  assert.deepEqual(await reset({ code: '000000' }), WRONG)
  const passkey = await browser.call('POST', '/api/auth/passkey/reset', pair)
  assert.deepEqual([passkey.status, passkey.body.code], [422, 'code_needed'], 'a passkey is no way around it')
  assert.deepEqual([...browser.cookies.keys()], [])
  assert.equal((await user.call('GET', '/api/v1/me')).status, 200, 'nothing has changed')
  assert.deepEqual(await outcomeOf(signIn(server.aStranger(), user.email, undefined, 'tulips-and-41')), [
    401,
    'invalid_credentials',
  ])
  const code = codeNow(secret)
  const start_ = await browser.call('POST', '/api/auth/passkey/reset', { ...pair, code })
  assert.equal(start_.status, 200, 'this doesn’t use it up')
  assert.equal((await reset({ code }))[0], 200)
  assert.equal((await browser.call('GET', '/api/v1/me')).body.id, user.id)
  assert.equal((await user.call('GET', '/api/v1/me')).status, 401)
  assert.deepEqual(await outcomeOf(signIn(server.aStranger(), user.email, undefined, 'tulips-and-41')), [
    422,
    'code_needed',
  ])
})

test('A23: guessing at a reset keeps nobody from signing in', async () => {
  const { user, secret } = await aUserWithSecondStep()
  const pair = await resetLink(user)
  const reset = () => server.aStranger().call('POST', '/api/auth/passkey/reset', { ...pair, code: '000000' })
  for (let tries = 0; tries < 5; tries++) assert.equal((await reset()).status, 422)
  assert.equal((await reset()).status, 429)
  assert.equal((await signIn(server.aStranger(), user.email, codeNow(secret))).status, 200)
})

test('A24: with a second step, a password alone is no proof', async () => {
  const { user, secret, recovery } = await aUserWithSecondStep()
  seconds(660)
  const feed = () => outcomeOf(user.call('POST', '/api/v1/calendar-feed', {}))
  const prove = (input: object) => outcomeOf(user.call('POST', '/api/v1/me/proof', input))
  const change = () =>
    outcomeOf(user.call('POST', '/api/v1/me/password', { current_password: PASSWORD, password: PASSWORD }))
  assert.deepEqual(await change(), [403, 'sign_in_again'])
  assert.deepEqual(await prove({ password: PASSWORD }), [422, 'code_needed'])
  assert.deepEqual(await prove({ password: PASSWORD, code: '000000' }), WRONG)
  assert.deepEqual(await prove({ password: 'not-it-at-all', code: codeNow(secret) }), [422, 'wrong_password'])
  assert.deepEqual(await feed(), [403, 'sign_in_again'])
  assert.deepEqual(await prove({ password: PASSWORD, code: codeNow(secret) }), [204, undefined])
  assert.equal((await feed())[0], 200)
  await user.call('POST', '/api/auth/refresh', { active: true })
  seconds(300)
  assert.equal((await change())[0], 200)
  seconds(301)
  assert.deepEqual(await feed(), [403, 'sign_in_again'], 'changing the password wasn’t another proof')
  assert.deepEqual(await prove({ password: PASSWORD, code: recovery[0] }), [204, undefined])
})

test('A23: it’s turned off with a proof, and set up again with another secret', async () => {
  const { user, secret } = await aUserWithSecondStep()
  assert.deepEqual(await outcomeOf(user.call('POST', '/api/v1/me/second-step/start', {})), [
    409,
    'already_on',
  ])
  assert.equal((await user.call('DELETE', '/api/v1/me/second-step', {})).status, 204)
  assert.equal(await read(user), null)
  assert.equal((await signIn(server.aStranger(), user.email)).status, 200)
  assert.deepEqual(await outcomeOf(user.call('POST', '/api/v1/me/second-step/recovery-codes', {})), [
    409,
    'not_on',
  ])
  const again = await turnOn(user)
  assert.notEqual(again.secret, secret)
  seconds(60)
  assert.deepEqual(await outcomeOf(signIn(server.aStranger(), user.email, codeNow(secret))), WRONG)
})

test('an account without a password has no second step to set up', async () => {
  const user = await server.aUser()
  await server.db.asSystem((tx) =>
    tx.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute(),
  )
  assert.deepEqual(await outcomeOf(user.call('POST', '/api/v1/me/second-step/start', {})), [
    409,
    'no_password',
  ])
})

test('T1, A18: nobody sees another’s second step, and no recovery code is kept as it is', async () => {
  const { user, recovery } = await aUserWithSecondStep()
  const other = await server.aUser()
  assert.equal(await read(other), null)
  const kept = await server.db.asSystem((tx) =>
    tx.selectFrom('second_steps').select('recovery_hashes').where('user_id', '=', user.id).executeTakeFirst(),
  )
  assert.equal(kept?.recovery_hashes.length, 10)
  for (const code of recovery)
    for (const hash of kept?.recovery_hashes ?? []) assert.ok(!hash.includes(code.replace('-', '')))
  const rows = await server.db.asMember(other.member, (tx) =>
    tx.selectFrom('second_steps').select('user_id').execute(),
  )
  assert.deepEqual(rows, [])
})

test('the codes of the tests are those of RFC 6238', () => {
  // Appendix B, for the ASCII secret 12345678901234567890.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  assert.equal(appCode(secret, new Date(59_000)), '287082')
  assert.equal(appCode(secret, new Date(1_111_111_109_000)), '081804')
  assert.equal(appCode(secret, new Date(20_000_000_000_000)), '353130')
})

test('A23, A25: the account lists what happened to its second step, wrong and replayed codes and used recovery codes too', async () => {
  const { user, secret, recovery } = await aUserWithSecondStep()
  const at = (code?: string) => outcomeOf(signIn(server.aStranger(), user.email, code))
  assert.deepEqual(await at('000000'), WRONG, 'guessed')
  assert.deepEqual(await at(codeNow(secret, -60)), WRONG, 'from the past')
  const code = codeNow(secret)
  assert.equal((await at(code))[0], 200)
  assert.deepEqual(await at(code), WRONG, 'replayed')
  seconds(60)
  assert.equal((await at(recovery[0]))[0], 200)
  seconds(60)
  assert.deepEqual(await at(recovery[0]), WRONG, 'used')
  seconds(60)
  assert.equal((await user.call('POST', '/api/v1/me/second-step/recovery-codes', {})).status, 200)
  seconds(60)
  assert.equal((await user.call('DELETE', '/api/v1/me/second-step')).status, 204)
  const { events } = (await user.call('GET', '/api/v1/me/activity')).body as {
    events: { kind: string; times: number }[]
  }
  assert.deepEqual(
    events.flatMap(({ kind, times }) => (/second_step|recovery/.test(kind) ? [`${kind} ${times}`] : [])),
    [
      'second_step_off 1',
      'recovery_codes_made 1',
      'second_step_failed 4',
      'recovery_code_used 1',
      'second_step_on 1',
    ],
  )
  await server.mailTo(user.email, 'second step')
})
