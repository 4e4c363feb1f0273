// The queue of sessions waiting on this device. Stored in IndexedDB, shown in every tab, and sent by one tab
// at a time.
import { createStore, del, get, update } from 'idb-keyval'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { type Me, ReadLogin } from '#features/accounts/account.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { type Ports, type Round, sendWaiting } from './sending.ts'
import { LogSession, LogSessions, type Session } from './session.ts'
import { type Answer, added, nextDue, retryDelayMs, shownIn, type WaitingSession } from './waiting.ts'

/** If the server hasn't responded within this time, the attempt counts as failed. */
const SEND_TIMEOUT_MS = 15_000
const NONE: WaitingSession[] = []

// Each user's queue is stored under their id, so that nobody reads or sends another user's sessions.
const store = createStore('tutorlog-waiting', 'queues')
const channel = new BroadcastChannel('waiting')
const shown = new Map<string, WaitingSession[]>()
const listeners = new Set<() => void>()

async function readQueue(userId: string): Promise<WaitingSession[]> {
  return (await get<WaitingSession[]>(userId, store)) ?? []
}

async function show(userId: string): Promise<void> {
  const queue = await readQueue(userId)
  // Uses the same empty list each time, so that screens don't rerender needlessly.
  shown.set(userId, queue.length > 0 ? queue : NONE)
  for (const listener of listeners) listener()
}

async function notifyTabs(userId: string): Promise<void> {
  channel.postMessage(userId)
  await show(userId)
}

channel.addEventListener('message', ({ data }) => void show(String(data)))

/** A user's waiting sessions in the current workspace, in the order they'll be sent. */
export function useWaiting({ id: userId, workspace }: Me): WaitingSession[] {
  useEffect(() => void show(userId), [userId])
  const queue = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown.get(userId) ?? NONE,
  )
  return useMemo(() => shownIn(queue, workspace?.id), [queue, workspace?.id])
}

/** How many of a user's sessions are waiting on this device, across all workspaces. */
export async function countWaiting(userId: string): Promise<number> {
  return (await readQueue(userId)).length
}

/** Adds a session to the queue. Resolves once it's stored on the device. */
export async function addWaiting(userId: string, item: WaitingSession): Promise<void> {
  await update<WaitingSession[]>(userId, (queue = []) => added(queue, item), store)
  await notifyTabs(userId)
}

/** Changes a queue atomically, even across tabs, and returns it. Doesn't re-create a queue that was deleted. */
export async function changeWaiting(
  userId: string,
  change: (queue: WaitingSession[]) => WaitingSession[],
): Promise<WaitingSession[]> {
  let after: WaitingSession[] | undefined
  await update<WaitingSession[] | undefined>(userId, (queue) => (after = queue && change(queue)), store)
  await notifyTabs(userId)
  return after ?? []
}

/** Deletes a user's waiting sessions from the device. */
export async function dropWaiting(userId: string): Promise<void> {
  await del(userId, store)
  await notifyTabs(userId)
}

async function logWaiting({ input, others, ...item }: WaitingSession): Promise<Partial<Session>[]> {
  const options = {
    idempotencyKey: item.id,
    workspace: item.workspace ?? null,
    timeoutMs: SEND_TIMEOUT_MS,
    // Sessions are sent in the background, so there's no user to ask.
    isSilent: true,
  }
  if (!others) return [await call(LogSession, input, options)]
  const several = {
    sessions: [input, ...others],
    ...(item.sharesOnePrice ? { shares_one_price: true } : {}),
  }
  return ((await call(LogSessions, several, options)) as { sessions?: Session[] }).sessions ?? []
}

const ports: Ports = {
  read: readQueue,
  change: async (userId, change) => void (await changeWaiting(userId, change)),
  now: () => Date.now(),
  async whoIsSignedIn() {
    try {
      return (await call(ReadLogin, {}, { signal: AbortSignal.timeout(SEND_TIMEOUT_MS) })).user.id
    } catch (error) {
      return error instanceof CallFailed && error.problem.status === 401 ? null : undefined
    }
  },
  async send(item): Promise<Answer> {
    try {
      const sessions: Partial<Session>[] = await logWaiting(item)
      // A Wi-Fi login page (captive portal) responds to every request with status 200 and its own content,
      // such as HTML.
      return sessions.length > 0 && sessions.every(({ id, is_held: isHeld }) => id && isHeld !== undefined)
        ? { status: 201, isHeld: sessions.some(({ is_held: isHeld }) => isHeld) }
        : { status: 0 }
    } catch (error) {
      return error instanceof CallFailed
        ? { status: error.problem.status, problem: error.problem, retryAfterSeconds: error.retryAfterSeconds }
        : { status: 0 }
    }
  },
}

let sender: { userId: string; onRound: (round: Round) => void } | undefined
let running: Promise<void> | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let failures = 0

/** Sends everything that's due. If sending is already in progress, returns the same promise. */
export function sendNow(): Promise<void> {
  running ??= sendOnce()
    .catch((error: unknown) => console.error('sending failed', error))
    .finally(() => {
      running = undefined
    })
  return running
}

async function sendOnce(): Promise<void> {
  clearTimeout(timer)
  const own = sender
  if (!own) return
  // Stops if the user signs out while sending is in progress.
  const work = () =>
    sendWaiting(own.userId, {
      ...ports,
      send: async (item) => (sender === own ? ports.send(item) : { status: 401 }),
    })
  // Only one tab needs to send. Locks require TLS. Without them, two tabs may send the same session, which is
  // harmless because of the idempotency key.
  const round = navigator.locks
    ? await navigator.locks.request('waiting', { ifAvailable: true }, async (lock) => lock && work())
    : await work()
  if (sender !== own) {
    timer = setTimeout(() => void sendNow(), 0)
    return
  }
  if (round && (round.stored.length > 0 || round.refused > 0)) {
    own.onRound(round)
    void queryClient.invalidateQueries()
  }
  failures = round?.end === 'done' ? 0 : failures + 1
  const next = nextDue(await readQueue(own.userId))
  if (next === undefined) return
  timer = setTimeout(
    () => void sendNow(),
    failures > 0 ? retryDelayMs(failures, round?.retryAfterSeconds) : Math.max(next - Date.now(), 1000),
  )
}

/**
 * Starts sending a user's waiting sessions: right away, whenever the network returns or the tab becomes
 * visible, and at regular intervals.
 */
export function startSending(userId: string, onRound: (round: Round) => void): () => void {
  sender = { userId, onRound }
  failures = 0
  const send = () => void sendNow()
  const events = ['online', 'focus', 'visibilitychange'] as const
  for (const event of events) addEventListener(event, send)
  send()
  return () => {
    sender = undefined
    clearTimeout(timer)
    for (const event of events) removeEventListener(event, send)
  }
}
