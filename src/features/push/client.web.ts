// This device's push messages: what the browser says, and the calls that turn them on and off.
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient, showStored } from '#platform/query.web.ts'
import {
  type Browser,
  type DeviceState,
  deviceState,
  type PushDevice,
  ReadPush,
  TestPush,
  TurnOffPush,
  TurnOnPush,
  UpdatePush,
} from './push.ts'

const PUSH = ['push']

export interface ThisDevice {
  state: DeviceState
  device: PushDevice
}

function thisBrowser(): Browser {
  // iPads call themselves Macs, but no Mac has a touch screen.
  const isIos =
    /iP(hone|ad|od)/.test(navigator.userAgent) ||
    (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  const canPush = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  return { canPush, isIos, permission: canPush ? Notification.permission : 'default' }
}

const withState = (device: PushDevice): ThisDevice => ({ state: deviceState(thisBrowser(), device), device })

/** Loaded again when the person comes back, for example from the browser's settings. */
export function usePush() {
  return useQuery({
    queryKey: PUSH,
    queryFn: async ({ signal }) => withState(await call(ReadPush, {}, { signal })),
  })
}

function usePushChange<Input>(change: (input: Input) => Promise<PushDevice | undefined>) {
  return useMutation({
    mutationFn: async (input: Input) => {
      const device = await change(input)
      if (device) await showStored(PUSH, withState(device))
      return device
    },
    onError: () => queryClient.invalidateQueries({ queryKey: PUSH }),
  })
}

/**
 * Turns messages on here, after the browser has asked the person. Undefined if they didn't allow it. Must be called in
 * a tap: browsers ask only then.
 */
export function useTurnOn() {
  return usePushChange(async ({ public_key }: PushDevice) => {
    if ((await Notification.requestPermission()) === 'granted') return subscribe(public_key)
    await queryClient.invalidateQueries({ queryKey: PUSH })
    return undefined
  })
}

export function useTurnOff() {
  return usePushChange(async () => {
    const device = await call(TurnOffPush, {})
    await unsubscribe().catch(() => undefined)
    return device
  })
}

export function useUpdatePush() {
  return usePushChange((input: InputOf<typeof UpdatePush>) => call(UpdatePush, input))
}

export function useTestPush() {
  return usePushChange(() => call(TestPush, {}))
}

async function subscribe(publicKey: string): Promise<PushDevice> {
  const { pushManager } = await navigator.serviceWorker.ready
  const existing = await pushManager.getSubscription()
  if (existing && keyOf(existing) !== publicKey) await existing.unsubscribe()
  const { endpoint = '', keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  ).toJSON()
  return call(TurnOnPush, { endpoint, p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' })
}

/** The server's key that a subscription was made with, in base64url. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? [])
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

/**
 * Tells the server that the app was opened here, and subscribes again if signing out had ended that. If somebody else
 * had turned messages on in this browser, theirs end.
 */
export async function keepSubscribed(): Promise<void> {
  const { canPush, permission } = thisBrowser()
  if (!canPush || permission !== 'granted') return
  const device = await call(ReadPush, {})
  if (device.is_on) await subscribe(device.public_key)
  else await unsubscribe()
  await navigator.clearAppBadge?.()
}
