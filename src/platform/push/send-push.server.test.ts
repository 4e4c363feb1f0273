import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { after, afterEach, before, test } from 'node:test'
import ece from 'http_ece'
import { decrypted, PushService } from '#main/testing/push-service.server.ts'
import { pushAddresses } from './push-address.server.ts'
import { pushKeyOf } from './push-key.server.ts'
import type { PushText } from './push-message.ts'
import { openPushSender } from './send-push.server.ts'

const KEY = pushKeyOf(randomBytes(32))
const TEXT: PushText = {
  title: 'Did this class happen?',
  body: 'Math, Tuesday at 4:00 PM',
  path: '/dashboard#due',
  tag: 'class-1',
  waiting: 2,
  answers: [
    { title: 'Yes', path: '/api/v1/answers', input: { token: 'a', answer: 'yes' } },
    { title: 'No', path: '/api/v1/answers', input: { token: 'a', answer: 'no' } },
  ],
  ttlSeconds: 3600,
}

let service: PushService
before(async () => {
  service = await new PushService().listen()
})
after(() => service.stop())
afterEach(() => {
  service.answers = []
  service.headers = {}
})

const senderTo = (listed: string[], resolve?: (name: string) => Promise<string[]>) =>
  openPushSender({
    readKey: async () => KEY,
    baseUrl: 'https://tutorlog.example',
    contact: 'help@tutorlog.example',
    check: pushAddresses(listed, resolve),
  })

/** The example of RFC 8291, appendix A. In pieces, because it's made of keys, and no key may be in the repository. */
const EXAMPLE = {
  privateKey: ['q1dXpw3UpT5VOmu_cf_v', '6ih07Aems3njxI-JWgLcM94'].join(''),
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body: [
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9Ks',
    'N6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZI',
    'IgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6',
    'PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXz',
    'tLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQex',
    'SgSxsj_Qulcy4a-fN',
  ].join(''),
  text: 'When I grow up, I want to be a watermelon',
}

test("the tests' decryption reads the example of RFC 8291, and so does another author's", () => {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(Buffer.from(EXAMPLE.privateKey, 'base64url'))
  const body = Buffer.from(EXAMPLE.body, 'base64url')
  const { auth: authSecret, text } = EXAMPLE
  assert.equal(decrypted(body, { curve, auth: Buffer.from(authSecret, 'base64url') }).toString(), text)
  assert.equal(ece.decrypt(body, { version: 'aes128gcm', privateKey: curve, authSecret }).toString(), text)
})

test('a message arrives encrypted and signed, and is a declarative push message', async () => {
  const subscription = service.subscribe()
  assert.equal(await senderTo([service.origin]).send(subscription, TEXT), 'accepted')
  const { message } = service.messages.at(-1) ?? {}
  const navigate = 'https://tutorlog.example/dashboard#due'
  assert.deepEqual(message, {
    web_push: 8030,
    notification: {
      title: TEXT.title,
      body: TEXT.body,
      navigate,
      lang: 'en',
      tag: 'class-1',
      icon: 'https://tutorlog.example/icons/icon-192.png',
      actions: [
        { action: '0', title: 'Yes', navigate },
        { action: '1', title: 'No', navigate },
      ],
      data: {
        answers: [
          { path: '/api/v1/answers', input: { token: 'a', answer: 'yes' } },
          { path: '/api/v1/answers', input: { token: 'a', answer: 'no' } },
        ],
      },
    },
    app_badge: 2,
  })
  const { key, ttl } = service.asked.at(-1) ?? {}
  assert.deepEqual([key, ttl], [KEY.publicKey, 3600])
})

test("what a push service gets is read by another author's decryption, and says nothing in the clear", async () => {
  const curve = createECDH('prime256v1')
  const p256dh = curve.generateKeys().toString('base64url')
  const auth = randomBytes(16).toString('base64url')
  const { endpoint } = service.subscribe()
  const bodies: Buffer[] = []
  const other = createServer(async (request, response) => {
    for await (const chunk of request) bodies.push(chunk as Buffer)
    response.writeHead(201).end()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const origin = `http://127.0.0.1:${port}`
  const sent = await senderTo([origin]).send(
    { endpoint: endpoint.replace(service.origin, origin), p256dh, auth },
    TEXT,
  )
  other.close()
  assert.equal(sent, 'accepted')
  const body = Buffer.concat(bodies)
  assert.doesNotMatch(body.toString('latin1'), /Math|class/)
  const read = ece.decrypt(body, { version: 'aes128gcm', privateKey: curve, authSecret: auth })
  assert.equal(JSON.parse(read.toString()).notification.title, TEXT.title)
})

test('answers say whether to try again, and a redirect is neither followed nor a success', async () => {
  const sender = senderTo([service.origin])
  const subscription = service.subscribe()
  service.headers = { location: `${service.origin}/push/elsewhere`, 'retry-after': '1' }
  const expected = [
    [200, 'accepted'],
    [204, 'accepted'],
    [404, 'gone'],
    [410, 'gone'],
    [429, 'later'],
    [500, 'later'],
    [503, 'later'],
    [301, 'refused'],
    [307, 'refused'],
    [400, 'refused'],
    [403, 'refused'],
    [413, 'refused'],
  ] as const
  const before = service.asked.length
  service.answers = expected.map(([status]) => status)
  for (const [status, delivery] of expected)
    assert.equal(await sender.send(subscription, TEXT), delivery, String(status))
  assert.equal(service.asked.length, before + expected.length)
})

test('an endless answer is cut off, and a service that cannot be reached is tried again later', async () => {
  let written = 0
  const endless = createServer((request, response) => {
    request.resume()
    response.writeHead(201)
    const more = () => {
      while (!response.destroyed && written < 50_000_000) {
        written += 65_536
        if (!response.write(Buffer.alloc(65_536))) return response.once('drain', more)
      }
      return response.end()
    }
    more()
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(endless.address() as { port: number }).port}`
  const subscription = { ...service.subscribe(), endpoint: `${origin}/push/x` }
  assert.equal(await senderTo([origin]).send(subscription, TEXT), 'accepted')
  assert.ok(written < 20_000_000, String(written))
  endless.closeAllConnections()
  endless.close()
  assert.equal(await senderTo([origin]).send(subscription, TEXT), 'later')
})

test('no request leaves for an address that is not a push service on the internet, by number, name, port or scheme', async () => {
  const before = service.asked.length
  const port = new URL(service.origin).port
  const subscription = service.subscribe()
  const path = new URL(subscription.endpoint).pathname
  const resolved: Record<string, string[]> = {
    'fcm.googleapis.com': ['127.0.0.1'],
    'web.push.apple.com': ['17.188.1.1', '10.0.0.7'],
    'wns2.notify.windows.com': ['::1'],
    'updates.push.services.mozilla.com': [],
    'evil.example': ['93.184.216.34'],
    localhost: ['127.0.0.1'],
  }
  const sender = senderTo(['http://127.0.0.1:1'], async (name) => resolved[name] ?? [])
  for (const origin of [
    service.origin,
    `http://localhost:${port}`,
    `https://127.0.0.1:${port}`,
    'https://127.0.0.1',
    'https://[::1]',
    'https://169.254.169.254',
    'https://2130706433',
    'https://evil.example',
    'https://fcm.googleapis.com.evil.example',
    'https://evil.example#fcm.googleapis.com',
    'https://notify.windows.com',
    'https://evilpush.apple.com.',
    'https://fcm.googleapis.com',
    'https://web.push.apple.com',
    'https://wns2.notify.windows.com',
    'https://updates.push.services.mozilla.com',
    'file://',
    'nothing',
  ]) {
    const endpoint = origin + path
    assert.equal(await sender.mayReach(endpoint), false, origin)
    assert.equal(await sender.send({ ...subscription, endpoint }, TEXT), 'refused', origin)
  }
  assert.equal(service.asked.length, before)
})

test('a known push service on the internet may be reached, and a name that cannot be looked up is tried again', async () => {
  const known = senderTo([], async () => ['142.250.1.95', '2a00:1450:4001:800::200a'])
  for (const host of [
    'fcm.googleapis.com',
    'updates.push.services.mozilla.com',
    'web.push.apple.com',
    'wns2-by3p.notify.windows.com',
  ])
    assert.equal(await known.mayReach(`https://${host}/x`), true, host)
  for (const other of [
    'https://fcm.googleapis.com:8443/x',
    'http://fcm.googleapis.com/x',
    'https://me@fcm.googleapis.com/x',
  ])
    assert.equal(await known.mayReach(other), false, other)
  const away = senderTo([], async () => {
    throw new Error('the name server is away')
  })
  await assert.rejects(away.mayReach('https://fcm.googleapis.com/x'))
  assert.equal(
    await away.send({ ...service.subscribe(), endpoint: 'https://fcm.googleapis.com/x' }, TEXT),
    'later',
  )
})

test('private and special addresses are not on the internet', async () => {
  const at = (address: string) => senderTo([], async () => [address]).mayReach('https://fcm.googleapis.com/x')
  for (const address of (
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1 ' +
    '224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 fc00::1 fd12::1 fe80::1 ff02::1 ' +
    '2001:db8::1 2002:7f00:1:: localhost'
  ).split(' '))
    assert.equal(await at(address), false, address)
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2a00:1450:4001:800::200a'])
    assert.equal(await at(address), true, address)
})

test('a message that no push service takes is never written', async () => {
  const text = { ...TEXT, body: 'ü'.repeat(2000) }
  await assert.rejects(senderTo([service.origin]).send(service.subscribe(), text), /too long/)
})
