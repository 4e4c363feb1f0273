import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { aDevice, type Device } from '#main/testing/authenticator.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { freeName, type MakingOptions, MOST_PASSKEYS, type UsingOptions } from './passkey.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())
const start = new Date()
beforeEach(() => {
  server.clock.now = start
})

const minutes = (count: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + count * 60_000)
}

async function startAdding(user: Caller): Promise<MakingOptions> {
  return (await user.call('POST', '/api/v1/me/passkeys/start', {})).body as unknown as MakingOptions
}
async function add(user: Caller, device: Device = aDevice()) {
  const made = device.make(await startAdding(user))
  return user.call('POST', '/api/v1/me/passkeys', { passkey: made })
}
async function startSignIn(browser: Caller): Promise<UsingOptions> {
  return (await browser.call('POST', '/api/auth/passkey/start', {})).body as unknown as UsingOptions
}
const send = (browser: Caller, passkey: object) => browser.call('POST', '/api/auth/passkey', { passkey })
async function waysIn(user: Caller) {
  return (await user.call('GET', '/api/v1/me/passkeys')).body as unknown as {
    passkeys: { id: string; name: string; used_at: string | null }[]
    has_password: boolean
    has_google: boolean
  }
}

/** How many failed sign-ins the security log has. */
async function failedSignIns(): Promise<number> {
  const rows = await server.db.asSystem((tx) =>
    tx.selectFrom('security_events').select('times').where('kind', '=', 'sign_in_failed').execute(),
  )
  return rows.reduce((sum, { times }) => sum + times, 0)
}

test('a passkey signs in on another browser, and is named by the device it was made on', async () => {
  const user = await server.aUser()
  const device = aDevice()
  assert.equal((await add(user, device)).status, 200)
  const browser = server.aStranger()
  const login = await send(browser, device.use(await startSignIn(browser)))
  assert.equal(login.status, 200)
  assert.equal((login.body.user as { id: string }).id, user.id)
  assert.equal((await browser.call('GET', '/api/v1/me')).body.id, user.id)
  const [passkey] = (await waysIn(user)).passkeys
  assert.deepEqual([passkey?.name, passkey?.used_at], ['Unknown device', start.toISOString()])
})

test('A23: an answer that is replayed, for another site, with a count that went back, or without anyone present is refused and logged', async () => {
  const user = await server.aUser()
  const before = await failedSignIns()
  const device = aDevice()
  await add(user, device)
  const browser = server.aStranger()
  const first = device.use(await startSignIn(browser))
  assert.equal((await send(browser, first)).status, 200)
  const refuses = async (what: string, passkey: object) => {
    const stranger = server.aStranger()
    const { status, body } = await send(stranger, passkey)
    assert.deepEqual([status, body.code], [422, 'passkey_refused'], what)
    assert.equal((await stranger.call('GET', '/api/v1/me')).status, 401, what)
  }
  await refuses('replayed', first)
  const lies = {
    'another origin': { origin: 'https://tutorlog.example.evil' },
    'another site': { rpId: 'example.evil' },
    'a count that went back': { count: 1 },
    'nobody present': { flags: 0 },
    'a challenge of its own': { challenge: 'bWFkZS11cA' },
    'making instead of using': { type: 'webauthn.create' },
    "another account's handle": { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' },
    'a signature of something else': { signature: first.signature },
  }
  for (const [what, lie] of Object.entries(lies))
    await refuses(what, device.use(await startSignIn(browser), lie))
  await refuses('a device nobody knows', aDevice().use(await startSignIn(browser)))
  const late = await startSignIn(browser)
  minutes(10.1)
  await refuses('too late', device.use(late))
  const answers = ['replayed', ...Object.keys(lies), 'a device nobody knows', 'too late']
  assert.equal((await failedSignIns()) - before, answers.length)
  // Whoever is there, but wasn't recognized, may still sign in: that's preferred, not required.
  assert.equal((await send(browser, device.use(await startSignIn(browser), { flags: 1 }))).status, 200)
})

test('A23: a challenge is used up by a wrong answer, and holds only for what and whom it was asked', async () => {
  const user = await server.aUser()
  const other = await server.aUser()
  const device = aDevice()
  await add(user, device)
  const asked = await startSignIn(user)
  assert.equal((await send(server.aStranger(), device.use(asked, { flags: 0 }))).status, 422)
  assert.equal((await send(server.aStranger(), device.use(asked))).status, 422)
  const own = (await user.call('POST', '/api/v1/me/proof/start', {})).body as unknown as UsingOptions
  assert.equal(own.allowCredentials.length, 1)
  assert.equal((await send(server.aStranger(), device.use(own))).status, 422, 'a proof is no sign-in')
  const making = await startAdding(other)
  const made = aDevice().make(making)
  assert.equal((await user.call('POST', '/api/v1/me/passkeys', { passkey: made })).status, 422)
  assert.equal((await other.call('POST', '/api/v1/me/passkeys', { passkey: made })).status, 200)
})

test('A23: what a device makes is refused if it is for another site, made without anyone, or made twice', async () => {
  const user = await server.aUser()
  const refuses = async (what: string, passkey: object, by = user) => {
    const { status, body } = await by.call('POST', '/api/v1/me/passkeys', { passkey })
    assert.deepEqual([status, body.code], [422, 'passkey_refused'], what)
  }
  const lies = {
    'another origin': { origin: 'https://example.evil' },
    'another site': { rpId: 'example.evil' },
    'nobody present': { flags: 0 },
    'a challenge of its own': { challenge: 'bWFkZS11cA' },
    'using instead of making': { type: 'webauthn.get' },
  }
  for (const [what, lie] of Object.entries(lies))
    await refuses(what, aDevice().make(await startAdding(user), lie))
  const device = aDevice()
  const made = device.make(await startAdding(user))
  assert.equal((await user.call('POST', '/api/v1/me/passkeys', { passkey: made })).status, 200)
  await refuses('replayed', made)
  const other = await server.aUser()
  await refuses("someone else's", device.make(await startAdding(other)), other)
  const options = await startAdding(user)
  assert.deepEqual(
    options.excludeCredentials.map(({ id }) => id),
    [made.id],
  )
})

test('I1: whatever is sent as a passkey is refused, never a failure', async () => {
  const user = await server.aUser()
  const device = aDevice()
  await add(user, device)
  const browser = server.aStranger()
  const good = device.use(await startSignIn(browser))
  const junk = ['AA', 'e30', 'bnVsbA', 'A'.repeat(2000), Buffer.from('[1]').toString('base64url')]
  for (const field of ['id', 'client_data', 'authenticator_data', 'signature', 'user_handle'])
    for (const text of junk) {
      const { status } = await send(browser, {
        ...device.use(await startSignIn(browser)),
        [field]: text,
      })
      assert.equal(status, 422, `${field} ${text.slice(0, 10)}`)
    }
  for (const wrong of [{}, { ...good, more: 1 }, { ...good, id: '!' }, { ...good, signature: 7 }])
    assert.equal((await send(browser, wrong)).status, 422)
  for (const text of junk) {
    const made = { ...aDevice().make(await startAdding(user)), attestation: text }
    assert.equal((await user.call('POST', '/api/v1/me/passkeys', { passkey: made })).status, 422)
  }
})

test('A23: the last way in stays, also if two are removed at once', async () => {
  const user = await server.aUser()
  const ids = [(await add(user)).body.id, (await add(user)).body.id]
  await server.db.asSystem((tx) =>
    tx.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute(),
  )
  const remove = (id: unknown) => user.call('DELETE', `/api/v1/me/passkeys/${String(id)}`, {})
  const removed = await Promise.all(ids.map(remove))
  assert.deepEqual(removed.map(({ status }) => status).sort(), [204, 409])
  assert.equal(removed.find(({ status }) => status === 409)?.body.code, 'last_way_in')
  const { passkeys, has_password, has_google } = await waysIn(user)
  assert.deepEqual([passkeys.length, has_password, has_google], [1, false, false])
  // With another way in, the last passkey may go.
  await user.call('POST', '/api/v1/me/password', { password: PASSWORD })
  assert.equal((await remove(passkeys[0]?.id)).status, 204)
})

test('T1, T2: nobody sees, renames or removes the passkey of another account', async () => {
  const user = await server.aUser()
  const id = String((await add(user)).body.id)
  const other = await server.aUser()
  assert.deepEqual((await waysIn(other)).passkeys, [])
  for (const [method, input] of [
    ['PATCH', { name: 'Mine' }],
    ['DELETE', {}],
  ] as const)
    assert.equal((await other.call(method, `/api/v1/me/passkeys/${id}`, input)).status, 404)
  assert.equal((await user.call('PATCH', `/api/v1/me/passkeys/${id}`, { name: ' My phone ' })).status, 200)
  assert.equal((await waysIn(user)).passkeys[0]?.name, 'My phone')
})

test('I17: an account has a limited number of passkeys, also if several are added at once', async () => {
  const user = await server.aUser()
  for (let count = 1; count < MOST_PASSKEYS; count++) await add(user)
  const made = [aDevice(), aDevice(), aDevice()]
  const answers = await Promise.all(made.map((device) => add(user, device)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
})

test('A24: a passkey is a proof, if it is one of the account', async () => {
  const user = await server.aUser()
  const [own, foreign] = [aDevice(), aDevice()]
  await add(user, own)
  await add(await server.aUser(), foreign)
  minutes(11)
  const start_ = async () =>
    (await user.call('POST', '/api/v1/me/proof/start', {})).body as unknown as UsingOptions
  const prove = async (device: Device) =>
    (await user.call('POST', '/api/v1/me/proof', { passkey: device.use(await start_()) })).status
  const feed = async () => (await user.call('POST', '/api/v1/calendar-feed', {})).status
  assert.deepEqual([await feed(), await prove(foreign), await feed()], [403, 422, 403])
  assert.deepEqual([await prove(own), await feed()], [204, 200])
})

test('A16: the passkey of a disabled account signs nobody in', async () => {
  const user = await server.aUser()
  const device = aDevice()
  await add(user, device)
  await server.db.asSystem((tx) =>
    tx.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', user.id).execute(),
  )
  const browser = server.aStranger()
  assert.equal((await send(browser, device.use(await startSignIn(browser)))).status, 422)
})

test('A18: no challenge is kept as it is', async () => {
  const browser = server.aStranger()
  const { challenge } = await startSignIn(browser)
  const kept = await server.db.asSystem((tx) =>
    tx.selectFrom('passkey_challenges').select('challenge_hash').execute(),
  )
  assert.ok(kept.length > 0)
  for (const { challenge_hash: hash } of kept) {
    assert.notEqual(hash.toString('base64url'), challenge)
    assert.notEqual(hash.toString(), challenge)
  }
})

test('passkeys made on the same kind of device have different names', () => {
  assert.equal(freeName('Chrome on Mac', []), 'Chrome on Mac')
  assert.equal(freeName('Chrome on Mac', ['Chrome on Mac', 'Chrome on Mac 2']), 'Chrome on Mac 3')
})
