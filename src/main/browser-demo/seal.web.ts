// Runs first in each side's frame. It has to run before the app's modules, some of which open a
// BroadcastChannel when they load. Redirects server requests to the demo's page, and keeps stored data only
// until the frame is closed. The frame's Content-Security-Policy also blocks all network requests
// (main/static.server.ts).
import type { Host } from './host.web.ts'
import type { Side } from './record.ts'

declare global {
  interface Window {
    /** The side that this frame shows, set once the frame is sealed. Undefined on the demo's main page. */
    demoSide?: { host: Host; side: Side; basename: string }
  }
}

/** In-memory Web Storage. */
class Memory {
  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? ((this as Record<string, unknown>)[key] as string) : null
  }
  setItem(key: string, value: string): void {
    ;(this as Record<string, unknown>)[key] = String(value)
  }
  removeItem(key: string): void {
    delete (this as Record<string, unknown>)[key]
  }
  clear(): void {
    for (const key of Object.keys(this)) this.removeItem(key)
  }
}

/** A BroadcastChannel that doesn't reach any other tab. */
class NoChannel extends EventTarget {
  postMessage(): void {}
  close(): void {}
}

/** An IndexedDB request that finds nothing and stores nothing. */
function emptyRequest(result?: unknown): object {
  const request: { result: unknown; onsuccess?: () => void; oncomplete?: () => void } = { result }
  queueMicrotask(() => (request.onsuccess ?? request.oncomplete)?.call(request))
  return request
}
const EMPTY_STORE = {
  get: () => emptyRequest(),
  put: () => emptyRequest(),
  delete: () => emptyRequest(),
  clear: () => emptyRequest(),
  get transaction() {
    return emptyRequest()
  },
}
const NO_DATABASE = {
  open: () => emptyRequest({ transaction: () => ({ objectStore: () => EMPTY_STORE }) }),
}
const NO_CACHES = { keys: async () => [], match: async () => undefined }

/**
 * Replaces fetch, storage and channels in this frame. Calls then go to the demo's page, and nothing gets
 * stored.
 */
function seal(host: Host, side: Side): void {
  const put = (target: object, name: string, value: unknown) =>
    Object.defineProperty(target, name, { configurable: true, value })
  put(window, 'localStorage', new Memory())
  put(window, 'sessionStorage', new Memory())
  put(window, 'indexedDB', NO_DATABASE)
  put(window, 'caches', NO_CACHES)
  put(window, 'BroadcastChannel', NoChannel)
  for (const name of ['locks', 'serviceWorker', 'sendBeacon']) put(navigator, name, undefined)
  put(window, 'fetch', async (url: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    const version = new Headers(headers).get('if-match')?.replaceAll('"', '')
    const { status, body: answer } = host.answer(side, {
      method,
      url,
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
      version: version === undefined ? undefined : Number(version),
    })
    return new Response(answer === undefined ? null : JSON.stringify(answer), { status })
  })
}

const name = location.pathname.split('/')[2]
const host = window.parent === window ? undefined : window.parent.demoHost
if (host && (name === 'parent' || name === 'tutor')) {
  const side = name === 'parent' ? 'family' : 'practice'
  seal(host, side)
  window.demoSide = { host, side, basename: `/demo/${name}` }
}
