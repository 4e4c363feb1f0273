// The service worker. It caches the app's files, which are all public, so that the app opens offline, and shows push
// messages.
import { PUSH_PATHS } from '#features/push/push-paths.ts'
import type { PushMessage } from '#platform/push/push-message.ts'
import { type Build, cacheOf, kindOf, outdated, SHELL } from './shell.ts'

/** Filled in when the worker is built. */
declare const BUILD: Build

// The parts of the service worker API that are used here. TypeScript's DOM types cover only pages.
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends WorkerEvent {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface PushEvent extends WorkerEvent {
  data: { json(): PushMessage } | null
}
interface NotificationEvent extends WorkerEvent {
  action: string
  notification: Notification
}
interface SubscriptionEvent extends WorkerEvent {
  oldSubscription: PushSubscription | null
  newSubscription: PushSubscription | null
}
interface Tab {
  url: string
  focus(): Promise<unknown>
  postMessage(message: unknown): void
}
interface Worker {
  location: Location
  clients: {
    claim(): Promise<void>
    matchAll(options: { includeUncontrolled: boolean; type?: 'window' }): Promise<Tab[]>
    openWindow(url: string): Promise<unknown>
  }
  navigator: Partial<Pick<Navigator, 'setAppBadge'>>
  registration: ServiceWorkerRegistration
  skipWaiting(): Promise<void>
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void
  addEventListener(type: 'pushsubscriptionchange', listener: (event: SubscriptionEvent) => void): void
  addEventListener(type: 'install' | 'activate' | 'message', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}
const worker = globalThis as unknown as Worker
const { version, entry, files, pages, entryPages } = BUILD

/** How long to wait for a page from the network before using the cache. */
const NETWORK_TIMEOUT_MS = 3000

// Caches all files of a version or none of them, because mixed versions wouldn't work together.
async function fill(): Promise<void> {
  const cache = await caches.open(cacheOf(version))
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  await Promise.all(
    files
      .filter((file) => !kept.has(file))
      .map(async (file) =>
        cache.put(
          file,
          await whole(await fetch(file, { cache: file.startsWith('/assets/') ? 'default' : 'no-cache' })),
        ),
      ),
  )
  if (kept.has(SHELL)) return
  const shell = await whole(await fetch(SHELL, { cache: 'no-cache', credentials: 'omit' }))
  if (!(await shell.clone().text()).includes(entry)) throw new Error('the server has a different version now')
  await cache.put(SHELL, shell)
}

async function whole(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`)
  return response
}

// Tries the network first, so that the next page load picks up a new version.
async function page(request: Request): Promise<Response> {
  const shell = await (await caches.open(cacheOf(version))).match(SHELL, { ignoreVary: true })
  if (!shell) return fetch(request)
  const asked = fetch(request).then(
    (response) => (response.status >= 500 ? shell : response),
    () => shell,
  )
  return Promise.race([
    asked,
    new Promise<Response>((resolve) => setTimeout(resolve, NETWORK_TIMEOUT_MS, shell)),
  ])
}

async function file(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true, ignoreSearch: true })) ?? fetch(request)
}

worker.addEventListener('install', (event) => event.waitUntil(fill().then(() => worker.skipWaiting())))
worker.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      await worker.clients.claim()
      for (const name of outdated(await caches.keys(), version)) await caches.delete(name)
      for (const client of await worker.clients.matchAll({ includeUncontrolled: true }))
        client.postMessage({ entry })
    })(),
  ),
)
worker.addEventListener('message', (event) => event.waitUntil(fill()))
worker.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request, worker.location.origin, { files, pages })
  if (kind === 'page') event.respondWith(page(event.request))
  if (kind === 'file') event.respondWith(file(event.request))
})

// A browser that knows declarative push messages shows them by itself.
async function show({
  notification: { title, navigate, ...options },
  app_badge,
}: PushMessage): Promise<void> {
  const data = { ...options.data, navigate }
  await worker.registration.showNotification(title, { ...options, data })
  if (app_badge !== undefined) await worker.navigator.setAppBadge?.(app_badge)
}

// Nobody may be signed in here: what an answer carries, or the device's address, says who it is.
async function send(path: string, input: object): Promise<void> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
    credentials: 'omit',
  })
  if (answer.status === 409) throw new Refused(await answer.json().catch(() => ({})))
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
}

/** Something else happened meanwhile, such as another answer. The server's words for it are the message. */
class Refused extends Error {
  constructor({ title }: { title?: string }) {
    super(title)
  }
}

async function noteUsed(): Promise<void> {
  const subscription = await worker.registration.pushManager.getSubscription()
  if (subscription) await send(PUSH_PATHS.used, { endpoint: subscription.endpoint })
}

// An answer that isn't taken is asked again, on the page: a message there says what's the matter.
async function onClick({ action, notification }: NotificationEvent): Promise<void> {
  const { navigate, answers } = notification.data as PushMessage['notification']['data'] & {
    navigate: string
  }
  notification.close()
  const answer = action === '' ? undefined : answers?.[Number(action)]
  const used = noteUsed().catch(() => undefined)
  if (!answer) await open(navigate)
  else {
    await send(answer.path, answer.input).catch((error: unknown) =>
      worker.registration.showNotification('Your answer wasn’t saved', {
        body: (error instanceof Refused && error.message) || 'Tap to answer in the app.',
        tag: notification.tag,
        data: { navigate },
        ...(notification.icon && { icon: notification.icon }),
      }),
    )
  }
  await used
}

// An open tab of the app goes to the page by itself, so that nothing typed in it is lost.
async function open(url: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find((one) => one.url === url) ?? tabs.find((one) => isAppPage(one.url))
  if (!tab) return void (await worker.clients.openWindow(url))
  tab.postMessage({ goTo: url.slice(worker.location.origin.length) })
  await tab.focus()
}

function isAppPage(url: string): boolean {
  const request = { method: 'GET', mode: 'navigate', url }
  return (
    kindOf(request, worker.location.origin, { files, pages }) === 'page' &&
    !entryPages.includes(new URL(url).pathname)
  )
}

// The push service changed the device's address. If the browser doesn't say which one it had, the app saves the new one
// when it's opened.
async function renew({ oldSubscription, newSubscription }: SubscriptionEvent): Promise<void> {
  if (!oldSubscription) return
  const { endpoint: old_endpoint, keys: old } = oldSubscription.toJSON()
  const subscription =
    newSubscription ?? (await worker.registration.pushManager.subscribe(oldSubscription.options))
  const { endpoint, keys } = subscription.toJSON()
  await send(PUSH_PATHS.renew, {
    old_endpoint,
    old_auth: old?.auth,
    endpoint,
    p256dh: keys?.p256dh,
    auth: keys?.auth,
  })
}

worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json()))
})
worker.addEventListener('notificationclick', (event) => event.waitUntil(onClick(event)))
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))
