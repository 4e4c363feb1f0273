import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'
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

const mailsTo = (email: string, subject: string) =>
  readMailbox(`${server.dataDir}/mailbox`, email).then((mails) =>
    mails.filter((mail) => mail.subject.includes(subject)),
  )

/** Asks for two reset links, and returns the pairs in them. */
async function twoResetPairs(email: string): Promise<Record<string, string>[]> {
  for (let n = 0; n < 2; n++) await server.aStranger().call('POST', '/api/auth/forgot-password', { email })
  await server.allJobsDone()
  const mails = await mailsTo(email, 'Reset')
  assert.equal(mails.length, 2)
  return mails.map(({ text }) => Object.fromEntries(linkIn(text).searchParams))
}

/** Asks to change the address, and returns the tokens that confirm it, the old address's first. */
async function twoEmailTokens(user: Caller, email: string): Promise<string[]> {
  await user.call('POST', '/api/v1/me/email', { current_password: PASSWORD, email })
  const mails = [
    await server.mailTo(user.email, 'address change'),
    await server.mailTo(email, 'Confirm your new'),
  ]
  return mails.map(({ text }) => linkIn(text).hash.replace('#token=', ''))
}

const confirmEmail = async (token: string) => {
  const { body } = await server.aStranger().call('POST', '/api/auth/confirm-email', { token })
  return body.outcome ?? body.code
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

type Change = (user: Caller, pairs: Record<string, string>[]) => Promise<unknown>
const CHANGES: [string, Change][] = [
  [
    'a new password in the settings',
    async (user) => {
      const change = { current_password: PASSWORD, password: 'tulips-and-41' }
      assert.equal((await user.call('POST', '/api/v1/me/password', change)).status, 200)
    },
  ],
  [
    'a password reset',
    async (_user, [pair]) => {
      const reset = { ...pair, password: 'tulips-and-41' }
      assert.equal((await server.aStranger().call('POST', '/api/auth/reset-password', reset)).status, 200)
    },
  ],
  [
    'a new address',
    async (user) => {
      for (const token of await twoEmailTokens(user, `new-${user.email}`)) await confirmEmail(token)
      assert.equal((await user.call('GET', '/api/v1/me')).status, 401)
    },
  ],
]
for (const [name, change] of CHANGES)
  test(`A2: ${name} uses up every reset link sent before`, async () => {
    const user = await server.aUser()
    const pairs = await twoResetPairs(user.email)
    const isValid = async (pair: object) =>
      (await server.aStranger().call('POST', '/api/auth/check-reset', pair)).status === 200
    assert.deepEqual(await Promise.all(pairs.map(isValid)), [true, true])
    await change(user, pairs)
    assert.deepEqual(await Promise.all(pairs.map(isValid)), [false, false])
    for (const pair of pairs) {
      const reset = { ...pair, password: 'thief-knows-it' }
      assert.equal(
        (await server.aStranger().call('POST', '/api/auth/reset-password', reset)).body.code,
        'invalid_reset',
      )
    }
  })

test('A14: a new password ends a change of address that nobody has finished', async () => {
  const user = await server.aUser()
  const tokens = await twoEmailTokens(user, `new-${user.email}`)
  assert.equal(await confirmEmail(tokens[0] ?? ''), 'half')
  await user.call('POST', '/api/v1/me/password', { current_password: PASSWORD, password: 'tulips-and-41' })
  assert.equal(await confirmEmail(tokens[1] ?? ''), 'invalid_link')
  assert.equal((await user.call('GET', '/api/v1/me')).body.email, user.email)
})

test('A2: a reset email that waited for the mail server never goes to an address the account has left', async () => {
  const user = await server.aUser()
  const left = `left-${user.email}`
  await server.db.asSystem((tx) =>
    queueMail(tx, { userId: user.id, recipient: left, kind: 'reset_password' }),
  )
  await server.allJobsDone()
  assert.deepEqual(await mailsTo(left, ''), [])
})

test('A14: asking for two addresses at once fails neither request, and a link only goes to the address it confirms', async () => {
  const user = await server.aUser()
  const wished = Array.from({ length: 4 }, (_, n) => `wish-${n}-${user.email}`)
  const answers = await Promise.all(
    wished.map((email) => user.call('POST', '/api/v1/me/email', { current_password: PASSWORD, email })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  await server.allJobsDone()
  const change = await server.db.asSystem((tx) =>
    tx.selectFrom('email_changes').select('new_email').where('owner_id', '=', user.id).executeTakeFirst(),
  )
  for (const email of wished)
    if (email !== change?.new_email) {
      const [mail] = await mailsTo(email, 'Confirm your new')
      if (mail)
        assert.equal(await confirmEmail(linkIn(mail.text).hash.replace('#token=', '')), 'invalid_link')
    }
})

test('A22: what someone exports about their own emails does not tell whether the address they asked for is taken', async () => {
  const owner = await server.aUser()
  const rowsFor = async (email: string) => {
    const user = await server.aUser()
    await user.call('POST', '/api/v1/me/email', { current_password: PASSWORD, email })
    await server.allJobsDone()
    const rows = await server.db.asMember(user.member, (tx) =>
      tx.selectFrom('outbox').select(['kind', 'recipient', 'sent_at']).execute(),
    )
    return rows
      .map(({ kind, recipient, sent_at }) => [kind, recipient === email, sent_at !== null])
      .toSorted()
  }
  assert.deepEqual(await rowsFor(owner.email), await rowsFor('never-taken@example.com'))
})

test('only currencies with hundredths are offered', async () => {
  const user = await server.aUser()
  assert.equal((await user.call('PATCH', '/api/v1/me', { currency: 'EUR' })).body.currency, 'EUR')
  assert.equal((await user.call('PATCH', '/api/v1/me', { currency: 'KWD' })).status, 422)
  assert.equal(
    (await user.call('PATCH', '/api/v1/me', { full_name: 'Dana' })).body.currency,
    'EUR',
    'what is left out stays',
  )
})

test('the browser tells the time zone until someone chooses one, and only real time zones are taken', async () => {
  const user = await server.aUser()
  const change = async (changes: object) => (await user.call('PATCH', '/api/v1/me', changes)).body
  const { body: me } = await user.call('GET', '/api/v1/me')
  assert.deepEqual([me.time_zone, me.has_chosen_time_zone], [null, false])
  const told = await change({ browser_time_zone: 'Europe/Berlin' })
  assert.deepEqual([told.time_zone, told.has_chosen_time_zone], ['Europe/Berlin', false])
  assert.equal(told.version, me.version, "a change that nobody made doesn't make an open form outdated")
  assert.equal((await change({ browser_time_zone: 'America/New_York' })).time_zone, 'America/New_York')
  const chosen = await change({ time_zone: 'Asia/Kolkata' })
  assert.deepEqual([chosen.time_zone, chosen.has_chosen_time_zone], ['Asia/Kolkata', true])
  assert.equal((await change({ browser_time_zone: 'Europe/Paris' })).time_zone, 'Asia/Kolkata')
  for (const time_zone of ['', 'Mars/Olympus', '+05:00', 'x'.repeat(80), null, 5])
    assert.equal((await user.call('PATCH', '/api/v1/me', { time_zone })).status, 422)
  assert.equal((await user.call('GET', '/api/v1/me')).body.time_zone, 'Asia/Kolkata')
})
