// Push: messages that a device shows even if the app is closed. This is about one device: the browser that asks.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { PUSH_PATHS } from './push-paths.ts'

/** How many days a device gets messages after something was last opened or answered on it. Then emails go instead. */
const UNUSED_DAYS = 14
/** How many devices an account may have. One more ends the one that was used longest ago. */
export const MOST_DEVICES = 10

/** The time since which a device must have been used to get messages. */
export function usedSince(now: Date): Date {
  return new Date(now.getTime() - UNUSED_DAYS * 86_400_000)
}

/** What the server knows about this device. */
export const PushDevice = z.object({
  /** The server's key, which the browser subscribes with. */
  public_key: z.string(),
  /** The person turned messages on here. */
  is_on: z.boolean(),
  /** The server can reach this device: is_on, and signed in since it subscribed. */
  is_subscribed: z.boolean(),
  shows_names: z.boolean(),
  is_offer_dismissed: z.boolean(),
  delivered_at: z.nullable(z.string()),
  /** Whether the last message didn't arrive. */
  is_failing: z.boolean(),
})
export type PushDevice = z.output<typeof PushDevice>

/** An address of a push service. Which ones are allowed is checked by the server. */
const Endpoint = z.string().check(z.minLength(1), z.maxLength(2000))
const base64url = (bytes: number) =>
  z.string().check(z.regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`)))
/** As browsers give it: the address, their public key (an uncompressed point) and their secret. */
const Subscription = { endpoint: Endpoint, p256dh: base64url(65), auth: base64url(16) }

const REFUSED_ADDRESS = {
  unknown_push_service: {
    status: 422,
    title: 'Your browser’s push service isn’t one we know, so messages can’t be sent to it.',
  },
} as const

export const ReadPush = endpoint({
  operation: 'ReadPush',
  summary: 'Get whether this device gets push messages',
  method: 'GET',
  path: '/api/v1/push',
  access: 'confirmed',
  input: z.strictObject({}),
  output: PushDevice,
})
export const TurnOnPush = endpoint({
  operation: 'TurnOnPush',
  summary: 'Get push messages on this device, at the address its browser got from a push service',
  method: 'PUT',
  path: '/api/v1/push',
  access: 'confirmed',
  isOwn: true,
  isFree: true,
  limit: { hits: 60, seconds: 600 },
  input: z.strictObject(Subscription),
  output: PushDevice,
  refusals: {
    ...REFUSED_ADDRESS,
    push_service_away: {
      status: 503,
      title: 'Your browser’s push service can’t be found right now. Please try again later.',
      retryAfterSeconds: 60,
    },
  },
})
export const TurnOffPush = endpoint({
  operation: 'TurnOffPush',
  summary: 'Get no more push messages on this device',
  method: 'DELETE',
  path: '/api/v1/push',
  access: 'confirmed',
  isOwn: true,
  isFree: true,
  input: z.strictObject({}),
  output: PushDevice,
})
export const UpdatePush = endpoint({
  operation: 'UpdatePush',
  summary: 'Choose what push messages on this device may show, or dismiss the offer to get them',
  method: 'PATCH',
  path: '/api/v1/push',
  access: 'confirmed',
  isOwn: true,
  isFree: true,
  input: z.strictObject({
    shows_names: z.optional(z.boolean()),
    is_offer_dismissed: z.optional(z.boolean()),
  }),
  output: PushDevice,
})
export const TestPush = endpoint({
  operation: 'TestPush',
  summary: 'Send a push message to this device now',
  method: 'POST',
  path: '/api/v1/push/test',
  access: 'confirmed',
  isOwn: true,
  isFree: true,
  limit: { hits: 10, seconds: 600 },
  input: z.strictObject({}),
  output: PushDevice,
  refusals: {
    not_subscribed: { status: 409, title: 'This device gets no messages. Turn them on first.' },
    not_delivered: { status: 503, title: 'The message couldn’t be delivered. Please try again later.' },
  },
})

/**
 * From the service worker, where nobody may be signed in. The address is the secret that shows it's this browser: only
 * the browser, its push service and the server know it.
 */
export const NotePushUsed = endpoint({
  operation: 'NotePushUsed',
  summary: 'Note that a push message was opened or answered on the device with this address',
  method: 'POST',
  path: PUSH_PATHS.used,
  access: 'anyone',
  limit: { hits: 120, seconds: 600 },
  input: z.strictObject({ endpoint: Endpoint }),
  output: z.void(),
})
export const RenewPush = endpoint({
  operation: 'RenewPush',
  summary: 'Replace the address of a device, after its push service changed it',
  method: 'POST',
  path: PUSH_PATHS.renew,
  access: 'anyone',
  limit: { hits: 60, seconds: 600 },
  input: z.strictObject({
    old_endpoint: Endpoint,
    old_auth: base64url(16),
    ...Subscription,
  }),
  output: z.void(),
  refusals: {
    ...REFUSED_ADDRESS,
    not_subscribed: { status: 409, title: 'There’s no device with this address.' },
  },
})

/** What a browser says about itself. */
export interface Browser {
  canPush: boolean
  isIos: boolean
  permission: 'default' | 'granted' | 'denied'
}

/**
 * 'unsupported': this browser has no push messages. 'home-screen': an iPhone or iPad has them only for apps on its home
 * screen. 'denied': the person didn't allow them, which only the browser's settings can change.
 */
export type DeviceState = 'unsupported' | 'home-screen' | 'denied' | 'off' | 'on' | 'failing'

/** Whether messages reach this device, from what the browser and the server say. */
export function deviceState(
  { canPush, isIos, permission }: Browser,
  { is_on, is_subscribed, is_failing }: Pick<PushDevice, 'is_on' | 'is_subscribed' | 'is_failing'>,
): DeviceState {
  if (!canPush) return isIos ? 'home-screen' : 'unsupported'
  if (permission === 'denied') return 'denied'
  if (permission === 'default' || !is_on) return 'off'
  return is_failing || !is_subscribed ? 'failing' : 'on'
}
