// Routes for this device's push messages, and for what its service worker reports.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OUTSIDE, serve } from '#features/access/operation.server.ts'
import { type AccountServices, knownBrowserHash } from '#features/accounts/login.server.ts'
import { done, refused } from '#kernel/outcome.ts'
import type { PushSender } from '#platform/push/send-push.server.ts'
import { NotePushUsed, ReadPush, RenewPush, TestPush, TurnOffPush, TurnOnPush, UpdatePush } from './push.ts'
import {
  type DeviceKey,
  noteDelivery,
  noteUsed,
  reachableDevices,
  readDevice,
  renewAddress,
  subscribeDevice,
  turnOffDevice,
  updateDevice,
} from './queries.server.ts'

const TEST_TTL_SECONDS = 300

export function addPushRoutes(app: FastifyInstance, services: AccountServices, sender: PushSender): void {
  const { db, now } = services

  serve(app, services, ReadPush, OUTSIDE, async ({ user, request }) => {
    const key = deviceOf(request, user.id)
    return done(await stateOf(key))
  })

  serve(app, services, TurnOnPush, OUTSIDE, async ({ user, request, input }) => {
    const key = deviceOf(request, user.id)
    const reason = key ? await whyUnreachable(input.endpoint) : 'unknown_push_service'
    if (!key || reason) return refused(reason ?? 'unknown_push_service')
    await db.asSystem((tx) => subscribeDevice(tx, key, user.loginId, input, now()))
    return done(await stateOf(key))
  })

  serve(app, services, TurnOffPush, OUTSIDE, async ({ user, request }) => {
    const key = deviceOf(request, user.id)
    if (key) await db.asMember({ accountId: user.id }, (tx) => turnOffDevice(tx, key))
    return done(await stateOf(key))
  })

  serve(app, services, UpdatePush, OUTSIDE, async ({ user, request, input }) => {
    const key = deviceOf(request, user.id)
    if (key) await db.asMember({ accountId: user.id }, (tx) => updateDevice(tx, key, input))
    return done(await stateOf(key))
  })

  serve(app, services, TestPush, OUTSIDE, async ({ user, request }) => {
    const key = deviceOf(request, user.id)
    const devices = await db.readAsSystem((tx) => reachableDevices(tx, user.id, now()))
    const device = devices.find(({ browser }) => key?.browser.equals(browser))
    if (!key || !device) return refused('not_subscribed')
    const delivery = await sender.send(device, {
      title: 'Messages are on',
      body: 'This is how Tutorlog asks you about a class on this device.',
      path: '/account',
      tag: 'test',
      ttlSeconds: TEST_TTL_SECONDS,
    })
    await db.asSystem((tx) => noteDelivery(tx, device, delivery, now()))
    if (delivery === 'gone') return refused('not_subscribed')
    return delivery === 'accepted' ? done(await stateOf(key)) : refused('not_delivered')
  })

  serve(app, services, NotePushUsed, async ({ tx, input }) => {
    await noteUsed(tx, input.endpoint, now())
    return done(undefined)
  })

  serve(app, services, RenewPush, OUTSIDE, async ({ input }) => {
    const { old_endpoint: endpoint, old_auth: auth, ...subscription } = input
    if (await whyUnreachable(subscription.endpoint)) return refused('unknown_push_service')
    const isRenewed = await db.asSystem((tx) => renewAddress(tx, { endpoint, auth }, subscription))
    return isRenewed ? done(undefined) : refused('not_subscribed')
  })

  function deviceOf(request: FastifyRequest, userId: string): DeviceKey | undefined {
    const browser = knownBrowserHash(services, request, userId)
    return browser && { userId, browser }
  }

  async function stateOf(key: DeviceKey | undefined) {
    const { publicKey } = await sender.readKey()
    const member = key && { accountId: key.userId }
    const device = member
      ? await db.readAsMember(member, (tx) => readDevice(tx, key))
      : await db.readAsSystem((tx) => readDevice(tx, undefined))
    return { public_key: publicKey, ...device }
  }

  async function whyUnreachable(endpoint: string) {
    try {
      return (await sender.mayReach(endpoint)) ? undefined : 'unknown_push_service'
    } catch {
      return 'push_service_away'
    }
  }
}
