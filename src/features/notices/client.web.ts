// React hooks for the email choices, and the stream that tells screens when to reload.
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient, showStored } from '#platform/query.web.ts'
import { spokenWorkspace } from '#platform/workspace.web.ts'
import { type Notices, ReadNotices, StreamEvents, UpdateNotices } from './notice.ts'

/** The stream starts this long after the page opens, so that it doesn't delay the first load. */
const START_MS = 3000
const RETRY_MS = 30_000
/** How often the server says that a stream is alive, at most. */
const BEAT_MS = 20_000
/** A stream that has been silent for this long is dead. */
const SILENT_MS = 30_000
/** The server repeats changes of this long ago to whoever opens a stream (platform/db/listen.server.ts). */
const REPEATED_MS = 10_000

export function useNotices() {
  return useQuery({ queryKey: ['notices'], queryFn: ({ signal }) => call(ReadNotices, {}, { signal }) })
}

export function useUpdateNotices() {
  return useMutation({
    mutationFn: ({ notices, input }: { notices: Notices; input: InputOf<typeof UpdateNotices> }) =>
      call(UpdateNotices, input, { version: notices.version }),
    onSuccess: (notices) => showStored(['notices'], notices),
    onError: () => queryClient.invalidateQueries({ queryKey: ['notices'] }),
  })
}

/** What a stream, or the tab that has it, tells the browser's tabs. A beat only says that the stream is alive. */
type Told = 'changed' | 'place' | 'beat'

/**
 * Reloads the data on screen whenever the server says something changed. Returns a function that stops
 * watching. One tab per browser has a stream and tells the others: the one that came to the front last, because
 * browsers suspend hidden tabs. Without a stream, lists still reload on focus.
 * @param onPlace called when the account's role in this workspace, or the list of students it sees, has
 * changed
 */
export function watchChanges(onPlace: () => void): () => void {
  const others = new BroadcastChannel('changes')
  let heardAt = Date.now()
  const hear = (told: Told) => {
    heardAt = Date.now()
    if (told === 'place') onPlace()
    if (told === 'changed') readAnew()
  }
  const tell = (told: Told) => {
    hear(told)
    others.postMessage(told)
  }
  others.addEventListener('message', ({ data }: MessageEvent<Told>) => hear(data))
  let stream: ReturnType<typeof openStream> | undefined
  const turns = takeTurns({
    start: () => {
      stream = openStream(tell, () => heardAt)
    },
    end: () => {
      stream?.close()
      stream = undefined
    },
  })
  const look = () => {
    if (document.visibilityState !== 'visible') return
    if (stream) stream.look({ isAwaited: true })
    else turns.queue({ isFirst: true })
  }
  const timer = setTimeout(() => {
    turns.queue({ isFirst: document.visibilityState === 'visible' })
    document.addEventListener('visibilitychange', look)
    addEventListener('online', look)
  }, START_MS)
  const watchdog = setInterval(() => stream?.look({ isAwaited: false }), BEAT_MS)
  return () => {
    clearTimeout(timer)
    clearInterval(watchdog)
    document.removeEventListener('visibilitychange', look)
    removeEventListener('online', look)
    turns.stop()
    others.close()
  }
}

/** Does something in one tab at a time. A tab's turn ends when another tab goes first, and comes again after that one. */
function takeTurns({ start, end }: { start: () => void; end: () => void }) {
  let turn = new AbortController()
  const take = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      start()
      signal.addEventListener('abort', () => {
        end()
        resolve()
      })
    })
  const queue = ({ isFirst }: { isFirst: boolean }) => {
    turn.abort()
    turn = new AbortController()
    const { signal } = turn
    // Web Locks need a secure context (TLS or localhost). Without them, there's no turn.
    navigator.locks
      ?.request('changes', isFirst ? { steal: true } : { signal }, () => take(signal))
      .catch(() => signal.aborted || queue({ isFirst: false }))
  }
  return { queue, stop: () => turn.abort() }
}

/** Reloads what's on screen. A hidden tab only notes that its data is old, and reloads it when it comes to the front. */
function readAnew(): void {
  const isInFront = document.visibilityState === 'visible'
  void queryClient.invalidateQueries({ refetchType: isInFront ? 'active' : 'none' })
}

/**
 * Keeps a stream open. If the server rejects it, tries again later.
 * @param heardAt when any tab last heard of the server
 */
function openStream(tell: (told: Told) => void, heardAt: () => number) {
  let source: EventSource
  let retry: ReturnType<typeof setTimeout> | undefined
  let wasOpen = false
  const workspace = spokenWorkspace()
  const open = () => {
    clearTimeout(retry)
    source = new EventSource(StreamEvents.path + (workspace ? `?workspace=${workspace}` : ''))
    for (const told of ['changed', 'place', 'beat'] as const) source.addEventListener(told, () => tell(told))
    source.addEventListener('open', () => {
      wasOpen = true
      tell(Date.now() - heardAt() > REPEATED_MS ? 'changed' : 'beat')
    })
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return
      // The next call reports why the server ended the stream. The account may no longer be a member.
      if (wasOpen) tell('changed')
      wasOpen = false
      retry = setTimeout(open, RETRY_MS)
    })
  }
  const close = () => {
    clearTimeout(retry)
    source.close()
  }
  open()
  return {
    close,
    /**
     * Opens the stream again if its connection is broken, which a browser doesn't notice after sleep.
     * @param isAwaited also if it's waiting to be opened
     */
    look({ isAwaited }: { isAwaited: boolean }) {
      const isOpen = source.readyState === EventSource.OPEN
      if (isOpen ? Date.now() - heardAt() < SILENT_MS : !isAwaited) return
      close()
      open()
    },
  }
}
