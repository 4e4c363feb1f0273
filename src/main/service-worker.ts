// The service worker. It caches the app's files, which are all public, so that the app opens offline.
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
interface Worker {
  location: Location
  clients: {
    claim(): Promise<void>
    matchAll(options: { includeUncontrolled: boolean }): Promise<{ postMessage(message: unknown): void }[]>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate' | 'message', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}
const worker = globalThis as unknown as Worker
const { version, entry, files, pages } = BUILD

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
