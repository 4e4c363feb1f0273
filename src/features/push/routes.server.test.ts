import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import type { Task } from 'graphile-worker'
import { PushService } from '#main/testing/push-service.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { readConfig } from '#platform/config.server.ts'
import { waitingWork } from '#platform/jobs/waiting.server.ts'
import { pushAddresses } from '#platform/push/push-address.server.ts'
import { openPushSender } from '#platform/push/send-push.server.ts'
import { type PushKind, pushTo, type QueuedPush, SEND_PUSH } from './commands.server.ts'
import { pushJobs } from './jobs.server.ts'
import { reachableDevices, readPushKey } from './queries.server.ts'

const DAY_MS = 86_400_000

/** Every host that was looked up or connected to in this run; '' is a socket of this machine. */
const reached = new Set<string>()
subscribe('net.client.socket', (opened) => {
  const { socket } = opened as { socket: Socket }
  socket.once('lookup', (_error, _address, _family, host) => reached.add(host))
  socket.once('connect', () => reached.add(socket.remoteAddress ?? ''))
})

let service: PushService
let server: TestServer
before(async () => {
  service = await new PushService().listen()
  server = await startTestServer({ PUSH_HOSTS: service.origin })
})
after(async () => {
  await server.stop()
  await service.stop()
  assert.ok(reached.has('127.0.0.1'))
  assert.deepEqual(
    [...reached].filter((host) => !['', 'localhost', '127.0.0.1', '::1'].includes(host)),
    [],
    'nothing was sent to any other host',
  )
})
beforeEach(() => {
  service.answers = []
  service.messages = []
  server.clock.now = new Date()
})

/** A user with messages turned on in their browser. */
async function aSubscriber(): Promise<{ person: Caller; endpoint: string; auth: string }> {
  const person = await server.aUser()
  const subscription = service.subscribe()
  assert.equal((await person.call('PUT', '/api/v1/push', subscription)).status, 200)
  return { person, ...subscription }
}

async function signedInAgain(person: Caller): Promise<Caller> {
  const again = server.aStranger()
  again.email = person.email
  again.id = person.id
  await again.call('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD })
  return again
}

const stateOf = async (person: Caller) => (await person.call('GET', '/api/v1/push')).body
const devicesOf = (userId: string) =>
  server.db.asSystem((tx) => reachableDevices(tx, userId, server.clock.now))

/** Asks to push a message, and runs its job the given number of times. Returns what was emailed instead. */
async function push(userId: string, attempts: number, kind: Partial<PushKind> = {}) {
  const instead: QueuedPush[] = []
  const kinds: Record<string, PushKind> = {
    example: {
      write: async (_tx, { showsNames }) => ({
        title: showsNames ? 'Did Maya’s class happen?' : 'Did the class happen?',
        body: 'Tuesday at 4:00 PM',
        path: '/dashboard',
        tag: 'example',
        ttlSeconds: 60,
      }),
      sendInstead: async (_tx, message) => void instead.push(message),
      noteDelivered: async () => undefined,
      ...kind,
    },
  }
  const config = readConfig({ PUSH_HOSTS: service.origin })
  const sender = openPushSender({
    readKey: () => server.db.readAsSystem(readPushKey),
    baseUrl: config.baseUrl,
    contact: config.pushContact,
    check: pushAddresses(config.pushHosts),
  })
  const run = pushJobs(server.db, sender, kinds, () => server.clock.now)[SEND_PUSH]
  const failures: unknown[] = []
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const helpers = { job: { attempts: attempt, max_attempts: attempts } } as Parameters<Task>[1]
    try {
      await run({ userId, kind: 'example', data: { class: 1 } }, helpers)
      break
    } catch (error) {
      failures.push(error)
    }
  }
  return { instead, failures: failures.length }
}

test('a device is turned on, gets a message, shows when, and is turned off', async () => {
  const person = await server.aUser()
  const off = await stateOf(person)
  assert.match(String(off.public_key), /^[\w-]{87}$/)
  assert.deepEqual([off.is_on, off.is_subscribed, off.delivered_at], [false, false, null])
  assert.equal((await person.call('POST', '/api/v1/push/test')).body.code, 'not_subscribed')
  const subscription = service.subscribe()
  const on = await person.call('PUT', '/api/v1/push', subscription)
  assert.deepEqual([on.body.is_on, on.body.is_subscribed], [true, true])
  const sent = await person.call('POST', '/api/v1/push/test')
  assert.equal(sent.body.delivered_at, server.clock.now.toISOString())
  assert.equal(service.messages[0]?.message.notification.title, 'Messages are on')
  assert.equal(service.asked.at(-1)?.key, off.public_key)
  assert.deepEqual((await person.call('DELETE', '/api/v1/push')).body.is_subscribed, false)
  assert.equal((await stateOf(person)).is_on, false)
  assert.deepEqual(await devicesOf(person.id), [])
})

test('an address elsewhere is refused when it is saved, and nothing is sent or kept', async () => {
  const person = await server.aUser()
  const before = service.asked.length
  const { endpoint, ...keys } = service.subscribe()
  const port = new URL(endpoint).port
  for (const address of [
    endpoint.replace('127.0.0.1', 'localhost'),
    `https://127.0.0.1:${port}/x`,
    'https://10.0.0.1/x',
    'https://evil.example/x',
    `https://fcm.googleapis.com:${port}/x`,
    'http://fcm.googleapis.com/x',
    'x',
  ]) {
    const answer = await person.call('PUT', '/api/v1/push', { endpoint: address, ...keys })
    assert.deepEqual([answer.status, answer.body.code], [422, 'unknown_push_service'], address)
  }
  for (const broken of [
    { ...keys, p256dh: 'short' },
    { ...keys, auth: '!' },
    { ...keys, more: 1 },
  ])
    assert.equal((await person.call('PUT', '/api/v1/push', { endpoint, ...broken })).status, 422)
  assert.equal((await stateOf(person)).is_on, false)
  assert.equal(service.asked.length, before)
})

test('an address that was allowed when it was saved is checked again before anything is sent there', async () => {
  const { person } = await aSubscriber()
  const strict = openPushSender({
    readKey: () => server.db.readAsSystem(readPushKey),
    baseUrl: 'http://localhost',
    contact: 'a@b.example',
    check: pushAddresses([]),
  })
  const before = service.asked.length
  const [device] = await devicesOf(person.id)
  assert.ok(device)
  const text = { title: 'x', body: 'x', path: '/', tag: 'x', ttlSeconds: 1 } as const
  assert.equal(await strict.send(device, text), 'refused')
  assert.equal(service.asked.length, before)
})

test('signing out ends the subscription, and signing in again in the same browser finds that it was on', async () => {
  const { person } = await aSubscriber()
  const other = await signedInAgain(person)
  await other.call('PUT', '/api/v1/push', service.subscribe())
  assert.equal((await devicesOf(person.id)).length, 2)
  await person.call('POST', '/api/auth/sign-out')
  assert.equal((await devicesOf(person.id)).length, 1)
  await person.call('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD })
  const { is_on, is_subscribed } = await stateOf(person)
  assert.deepEqual([is_on, is_subscribed], [true, false])
  // From another device.
  const devices = (await person.call('GET', '/api/v1/devices')).body.devices as {
    id: string
    is_this: boolean
  }[]
  assert.equal(devices.length, 2)
  await person.call('DELETE', `/api/v1/devices/${devices.find(({ is_this }) => !is_this)?.id}`)
  assert.deepEqual(await devicesOf(person.id), [])
})

test('an account has at most ten devices: one more ends the one used longest ago', async () => {
  const { person, endpoint } = await aSubscriber()
  for (let count = 0; count < 10; count++) {
    server.clock.now = new Date(server.clock.now.getTime() + 1000)
    await (await signedInAgain(person)).call('PUT', '/api/v1/push', service.subscribe())
  }
  const addresses = (await devicesOf(person.id)).map((device) => device.endpoint)
  assert.deepEqual([addresses.length, addresses.includes(endpoint)], [10, false])
})

test('a browser that someone else used belongs to whoever turned messages on last', async () => {
  const first = await aSubscriber()
  const second = await server.aUser()
  const [device] = await devicesOf(first.person.id)
  assert.ok(device)
  const { endpoint, p256dh, auth } = device
  await second.call('PUT', '/api/v1/push', { endpoint, p256dh, auth })
  assert.equal((await devicesOf(first.person.id)).length, 0)
  assert.equal((await devicesOf(second.id)).length, 1)
})

test('nobody sees or changes the devices of others', async () => {
  const { person } = await aSubscriber()
  const other = await server.aUser()
  await server.db.asMember(other.member, async (tx) => {
    assert.deepEqual(await tx.selectFrom('push_devices').select('user_id').execute(), [])
    await tx.updateTable('push_devices').set({ is_on: false, login_id: null }).execute()
  })
  assert.equal((await devicesOf(person.id)).length, 1)
})

test('after 14 days without anything opened or answered on it, a device gets no more messages', async () => {
  const { person, endpoint } = await aSubscriber()
  const ask = () =>
    server.db.asSystem((tx) =>
      pushTo(tx, { userId: person.id, kind: 'nothing', data: {} }, server.clock.now, 'never run'),
    )
  const later = (days: number) => new Date(server.clock.now.getTime() + days * DAY_MS)
  server.clock.now = later(13)
  assert.equal((await devicesOf(person.id)).length, 1)
  // Answered from the notification, where nobody is signed in.
  const anyone = server.aStranger()
  assert.equal((await anyone.call('POST', '/api/v1/push/used', { endpoint })).status, 204)
  assert.equal((await anyone.call('POST', '/api/v1/push/used', { endpoint: `${endpoint}x` })).status, 204)
  server.clock.now = later(13)
  assert.equal((await devicesOf(person.id)).length, 1)
  server.clock.now = later(2)
  assert.equal(await ask(), 'no device')
  assert.deepEqual((await push(person.id, 1)).instead.length, 1)
})

test('a push service that changes an address keeps the device, for whoever knows both halves of the old one', async () => {
  const { person, endpoint, auth } = await aSubscriber()
  const next = service.subscribe()
  const anyone = server.aStranger()
  const renew = async (old_endpoint: string, old_auth: string, subscription = next) =>
    (await anyone.call('POST', '/api/v1/push/renew', { old_endpoint, old_auth, ...subscription })).body.code
  assert.equal(await renew(endpoint, next.auth), 'not_subscribed')
  assert.equal(await renew(`${endpoint}x`, auth), 'not_subscribed')
  assert.equal(
    await renew(endpoint, auth, { ...next, endpoint: 'https://10.0.0.1/x' }),
    'unknown_push_service',
  )
  assert.equal(await renew(endpoint, auth), undefined)
  assert.deepEqual(
    (await devicesOf(person.id)).map((device) => device.endpoint),
    [next.endpoint],
  )
  assert.equal(await renew(endpoint, auth), 'not_subscribed')
})

test('names are in the message only on devices that may show them', async () => {
  const { person } = await aSubscriber()
  const other = await signedInAgain(person)
  await other.call('PUT', '/api/v1/push', service.subscribe())
  assert.equal((await other.call('PATCH', '/api/v1/push', { shows_names: true })).body.shows_names, true)
  const { instead } = await push(person.id, 1)
  assert.deepEqual(instead, [])
  assert.deepEqual(service.messages.map(({ message }) => message.notification.title).sort(), [
    'Did Maya’s class happen?',
    'Did the class happen?',
  ])
})

test('a subscription that ended is removed, and if no device is left the message goes another way', async () => {
  for (const status of [404, 410]) {
    const { person } = await aSubscriber()
    service.answers = [status]
    const { instead, failures } = await push(person.id, 6)
    assert.deepEqual([instead.length, failures], [1, 0])
    assert.deepEqual(await devicesOf(person.id), [])
    assert.deepEqual([(await stateOf(person)).is_on, service.messages], [true, []])
  }
})

test('a busy push service is tried again, and one that stays away leads to another way, once', async () => {
  const { person } = await aSubscriber()
  service.answers = [429, 503]
  const recovered = await push(person.id, 6)
  assert.deepEqual([recovered.failures, recovered.instead.length, service.messages.length], [2, 0, 1])
  assert.equal((await stateOf(person)).is_failing, false)
  service.answers = [500, 500, 429]
  const lost = await push(person.id, 3)
  assert.deepEqual([lost.failures, lost.instead.length], [2, 1])
  assert.equal((await stateOf(person)).is_failing, true)
  assert.equal((await push(person.id, 1)).instead.length, 0)
  assert.equal((await stateOf(person)).is_failing, false)
})

test('if one device took the message, the others are not tried again', async () => {
  const { person } = await aSubscriber()
  await (await signedInAgain(person)).call('PUT', '/api/v1/push', service.subscribe())
  service.answers = [201, 503]
  const { instead, failures } = await push(person.id, 6)
  assert.deepEqual([instead.length, failures, service.messages.length], [0, 0, 1])
})

test('a message that is no longer needed is neither sent nor said in another way', async () => {
  const { person } = await aSubscriber()
  const { instead } = await push(person.id, 1, { write: async () => undefined })
  assert.deepEqual([instead, service.messages], [[], []])
})

test('the queue runs the job, in the transaction that asked for it', async () => {
  const { person } = await aSubscriber()
  const ask = (kind: string) =>
    server.db.asSystem(async (tx) => {
      const answer = await pushTo(tx, { userId: person.id, kind, data: {} }, server.clock.now, `t:${kind}`)
      if (kind === 'rolled back') throw new Error('the cause is gone')
      return answer
    })
  await assert.rejects(ask('rolled back'))
  assert.equal(await ask('unknown'), 'queued')
  const { jobs } = await server.db.asSystem(waitingWork)
  assert.deepEqual(jobs.filter(({ task }) => task === SEND_PUSH).length, 1)
})

test('an offer that was dismissed stays dismissed, and a deleted account gets no messages', async () => {
  const { person } = await aSubscriber()
  await person.call('PATCH', '/api/v1/push', { is_offer_dismissed: true })
  assert.equal((await stateOf(person)).is_offer_dismissed, true)
  assert.equal((await person.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status < 300, true)
  assert.deepEqual(await devicesOf(person.id), [])
})
