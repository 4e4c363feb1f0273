// React hooks for the email choices, and the stream that tells screens when to reload.
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { spokenWorkspace } from '#platform/workspace.web.ts'
import { type Notices, ReadNotices, StreamEvents, UpdateNotices } from './notice.ts'

/** The stream starts this long after the page opens, so that it doesn't delay the first load. */
const START_MS = 3000
const RETRY_MS = 30_000

export function useNotices() {
  return useQuery({ queryKey: ['notices'], queryFn: ({ signal }) => call(ReadNotices, {}, { signal }) })
}

export function useUpdateNotices() {
  return useMutation({
    mutationFn: ({ notices, input }: { notices: Notices; input: InputOf<typeof UpdateNotices> }) =>
      call(UpdateNotices, input, { version: notices.version }),
    onSuccess: (notices) => queryClient.setQueryData(['notices'], notices),
    onError: () => queryClient.invalidateQueries({ queryKey: ['notices'] }),
  })
}

/**
 * Reloads the data on screen whenever the server says something changed. Returns a function that stops
 * watching. One tab per browser keeps the stream open and notifies the others. Without a stream, lists still
 * reload on focus.
 * @param onPlace called when the account's role in this workspace, or the list of students it sees, has
 * changed
 */
export function watchChanges(onPlace: () => void): () => void {
  const others = new BroadcastChannel('changes')
  const readAnew = () => void queryClient.invalidateQueries()
  others.addEventListener('message', ({ data }) => (data === 'place' ? onPlace() : readAnew()))
  const ended = new AbortController()
  const timer = setTimeout(() => {
    // Web Locks need a secure context (TLS or localhost). Without them, there's no stream.
    navigator.locks
      ?.request('changes', { signal: ended.signal }, () =>
        hold(
          ended.signal,
          () => {
            readAnew()
            others.postMessage('changed')
          },
          () => {
            onPlace()
            others.postMessage('place')
          },
        ),
      )
      .catch(() => undefined)
  }, START_MS)
  return () => {
    clearTimeout(timer)
    ended.abort()
    others.close()
  }
}

/** Keeps the stream open until it ends. If the server rejects it, tries again later. */
function hold(ended: AbortSignal, changed: () => void, placed: () => void): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    let wasOpen = false
    const workspace = spokenWorkspace()
    const open = () => {
      source = new EventSource(StreamEvents.path + (workspace ? `?workspace=${workspace}` : ''))
      source.addEventListener('changed', changed)
      source.addEventListener('place', placed)
      source.addEventListener('open', () => {
        wasOpen = true
      })
      source.addEventListener('error', () => {
        if (source?.readyState !== EventSource.CLOSED) return
        // The next call reports why the server ended the stream. The account may no longer be a member.
        if (wasOpen) changed()
        wasOpen = false
        retry = setTimeout(open, RETRY_MS)
      })
    }
    ended.addEventListener('abort', () => {
      clearTimeout(retry)
      source?.close()
      resolve()
    })
    open()
  })
}
