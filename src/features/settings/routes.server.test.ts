import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

async function another(user: Caller, userAgent: string): Promise<Caller> {
  const device = server.aStranger()
  device.email = user.email
  await device.call(
    'POST',
    '/api/auth/sign-in',
    { email: user.email, password: PASSWORD },
    { 'user-agent': userAgent },
  )
  return device
}

const linkIn = (text: string) => new URL(/http\S+/.exec(text)?.[0] ?? '')

test('A4: changing the password asks for the current one and ends every other login', async () => {
  const user = await server.aUser()
  const phone = await another(user, 'phone')
  const change = (current_password: string, password: string) =>
    user.call('POST', '/api/v1/me/password', { current_password, password })
  assert.deepEqual((await change('wrong', 'tulips-and-41')).body.errors, [
    { field: 'current_password', message: "That's not your password" },
  ])
  assert.equal((await change(PASSWORD, 'password1')).body.code, 'weak_password')
  assert.equal((await phone.call('GET', '/api/v1/me')).status, 200, 'a refused change ends nothing')
  assert.equal((await change(PASSWORD, 'tulips-and-41')).status, 200)
  assert.equal((await phone.call('GET', '/api/v1/me')).status, 401)
  assert.equal((await user.call('GET', '/api/v1/me')).status, 200)
  assert.equal(
    (await server.aStranger().call('POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD }))
      .status,
    401,
  )
  assert.match((await server.mailTo(user.email, 'was changed')).text, /every other device was signed out/)
})

test("A11: someone at an unlocked device can't keep guessing the password", async () => {
  const user = await server.aUser()
  const answers: number[] = []
  for (let n = 0; n < 12; n++)
    answers.push(
      (
        await user.call('POST', '/api/v1/me/password', {
          current_password: `wrong-${n}`,
          password: 'tulips-and-41',
        })
      ).status,
    )
  assert.deepEqual(answers, [...Array(10).fill(422), 429, 429])
})

test('A5: the list shows the devices that are signed in; each can be ended, and only by its owner', async () => {
  const user = await server.aUser()
  const phone = await another(
    user,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1) Version/18.1 Mobile Safari/604.1',
  )
  const list = async (caller: Caller) =>
    (await caller.call('GET', '/api/v1/devices')).body.devices as {
      id: string
      name: string
      is_this: boolean
    }[]
  const devices = await list(user)
  assert.deepEqual(
    devices.map((device) => [device.name, device.is_this]).sort(),
    [
      ['Safari on iPhone', false],
      ['Unknown device', true],
    ].sort(),
  )
  const phoneId = devices.find((device) => !device.is_this)?.id ?? ''
  const stranger = await server.aUser()
  assert.equal((await stranger.call('DELETE', `/api/v1/devices/${phoneId}`, {})).status, 404)
  assert.equal((await phone.call('GET', '/api/v1/me')).status, 200)
  assert.equal((await user.call('DELETE', `/api/v1/devices/${phoneId}`, {})).status, 204)
  assert.equal((await phone.call('GET', '/api/v1/me')).status, 401)
  await another(user, 'one')
  await another(user, 'two')
  assert.equal((await user.call('DELETE', '/api/v1/devices', {})).status, 204)
  assert.deepEqual(
    (await list(user)).map((device) => device.is_this),
    [true],
  )
})

test('A14: a new address counts once both addresses have confirmed, and the old one is told', async () => {
  const user = await server.aUser()
  const wished = `new-${user.email}`
  assert.equal(
    (await user.call('POST', '/api/v1/me/email', { current_password: 'wrong', email: wished })).status,
    422,
  )
  assert.equal(
    (await user.call('POST', '/api/v1/me/email', { current_password: PASSWORD, email: wished })).status,
    200,
  )
  const [oldLink, newLink] = [
    linkIn((await server.mailTo(user.email, 'Confirm your email address change')).text),
    linkIn((await server.mailTo(wished, 'Confirm your new')).text),
  ]
  const confirm = async (link: URL) => {
    const token = link.hash.replace('#token=', '')
    const { body } = await server.aStranger().call('POST', '/api/auth/confirm-email', { token })
    return body.outcome ?? body.code
  }
  for (const link of [oldLink, newLink]) {
    assert.equal(link.pathname, '/confirm-email')
    const opened = await server.app.inject({ url: `/api/auth${link.pathname}?${link.hash.slice(1)}` })
    assert.equal(opened.statusCode, 404, 'opening a link confirms nothing')
  }
  assert.equal(await confirm(newLink), 'half')
  assert.equal(await confirm(newLink), 'invalid_link', 'a link works once')
  assert.equal(
    (await server.aStranger().call('POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD }))
      .status,
    200,
    'after one link the old address still signs in',
  )
  assert.equal(await confirm(oldLink), 'done')
  assert.equal(
    (await server.aStranger().call('POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD }))
      .status,
    401,
  )
  assert.equal(
    (await server.aStranger().call('POST', '/api/auth/sign-in', { email: wished, password: PASSWORD }))
      .status,
    200,
  )
  assert.equal((await user.call('GET', '/api/v1/me')).status, 401)
  await server.mailTo(user.email, 'address was changed')
})

test("A1, A14: an address that is taken can't be used, and the response doesn't reveal it", async () => {
  const [user, owner] = [await server.aUser(), await server.aUser()]
  const fresh = await user.call('POST', '/api/v1/me/email', {
    current_password: PASSWORD,
    email: 'nobody-yet@example.com',
  })
  const taken = await user.call('POST', '/api/v1/me/email', {
    current_password: PASSWORD,
    email: owner.email.toUpperCase(),
  })
  assert.deepEqual([taken.status, taken.body], [fresh.status, fresh.body])
  await server.mailTo(owner.email, 'already have')
})

test('only currencies with hundredths are offered', async () => {
  const user = await server.aUser()
  assert.equal((await user.call('PATCH', '/api/v1/me', { currency: 'EUR' })).body.currency, 'EUR')
  assert.equal((await user.call('PATCH', '/api/v1/me', { currency: 'JPY' })).status, 422)
  assert.equal(
    (await user.call('PATCH', '/api/v1/me', { full_name: 'Dana' })).body.currency,
    'EUR',
    'what is left out stays',
  )
})
