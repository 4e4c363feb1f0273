// Email choices, and the stream that tells a screen to reload.
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { spokenWorkspace } from '#platform/workspace.web.ts'
import { type Notices, ReadNotices, StreamEvents, UpdateNotices } from './notice.ts'

/** The first load comes first: the stream starts once the page has been open for a moment. */
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
 * Reloads what's on the screen each time the server says something changed; returns a function that stops it.
 * @param onPlace called when the account's role in this workspace, or which students it sees, has changed
 * One tab per browser holds the stream and tells the others. Without a stream, lists still reload on focus.
 */
export function watchChanges(onPlace: () => void): () => void {
  const others = new BroadcastChannel('changes')
  const readAnew = () => void queryClient.invalidateQueries()
  others.addEventListener('message', ({ data }) => (data === 'place' ? onPlace() : readAnew()))
  const ended = new AbortController()
  const timer = setTimeout(() => {
    // Not available on a page without TLS, except on this machine: then there's no stream.
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

/** Holds the stream until it ends; if the server refuses it, tries again after a while. */
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
        // The next call says why the server ended it: perhaps you're no longer a member.
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
