// Listens for changes on a dedicated connection that reconnects automatically. Notifications contain ids,
// never rows.
import type pg from 'pg'
import { clientFor, takesWrites } from './connection.server.ts'

const CHANNEL = 'changes'
const RETRY_MS = 5000
/**
 * How often to check that the connected database still accepts writes. If it hangs or is demoted,
 * notifications just stop.
 */
const LOOK_MS = 5000
/** How long a notification is remembered for those who subscribe after it. */
const RECENT_MS = 10_000

interface Listener {
  /**
   * Calls back for each notification with this name. Returns a function that unsubscribes.
   * Notifications of the last ten seconds count: whoever subscribes has usually read the data a moment ago.
   * @param listening called as soon as notifications can no longer be missed. Called again after a lost
   * connection is restored, because some may have been missed while it was down.
   */
  subscribe(name: string, onChange: () => void, listening?: () => void): () => void
  close(): Promise<void>
}

/**
 * Connects when the first listener is added. If LISTEN isn't available, for example behind a pooler, the
 * callbacks are never called.
 */
export function openListener(url: string): Listener {
  const listeners = new Map<string, Set<() => void>>()
  const waiting = new Set<() => void>()
  /** When each name was last notified, in milliseconds, oldest first. */
  const recent = new Map<string, number>()
  let isListening = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let look: NodeJS.Timeout | undefined
  let isClosed = false

  function forgetOld(): void {
    for (const [name, at] of recent)
      if (at < performance.now() - RECENT_MS) recent.delete(name)
      else break
  }

  async function connect(): Promise<void> {
    const next = clientFor(url, {
      application_name: 'tutorlog-events',
      connectionTimeoutMillis: 4000,
      // In pipeline mode, a query that times out ends the connection.
      pipeline: true,
    } as pg.ClientConfig)
    client = next
    const lost = () => {
      if (client !== next) return
      client = undefined
      isListening = false
      clearInterval(look)
      next.end().catch(() => undefined)
      if (!isClosed && listeners.size > 0) retry = setTimeout(() => void connect(), RETRY_MS).unref()
    }
    next.on('error', lost)
    next.on('end', lost)
    next.on('notification', ({ payload: name = '' }) => {
      recent.delete(name)
      recent.set(name, performance.now())
      forgetOld()
      for (const onChange of listeners.get(name) ?? []) onChange()
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      isListening = true
      look = setInterval(
        () =>
          void takesWrites(next).then(
            (takes) => takes || lost(),
            () => lost(),
          ),
        LOOK_MS,
      ).unref()
      for (const listening of waiting) listening()
    } catch {
      lost()
    }
  }

  return {
    subscribe(name, onChange, listening) {
      const own = listeners.get(name) ?? new Set()
      listeners.set(name, own.add(onChange))
      if (listening) waiting.add(listening)
      if (isListening) listening?.()
      forgetOld()
      if (recent.has(name)) onChange()
      if (!client && !isClosed) {
        clearTimeout(retry)
        void connect()
      }
      return () => {
        own.delete(onChange)
        if (own.size === 0) listeners.delete(name)
        if (listening) waiting.delete(listening)
      }
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      clearInterval(look)
      const open = client
      client = undefined
      await open?.end().catch(() => undefined)
    },
  }
}
