// The choices about mails, and the stream that tells a screen to look again.
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { spokenWorkspace } from '#platform/workspace.web.ts'
import { type Notices, ReadNotices, StreamEvents, UpdateNotices } from './notice.ts'

/** The first load comes first: the stream starts when the page has been there for a moment. */
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
 * Reads anew what is on the screen each time the server says that something changed; the function returned ends it.
 * @param onPlace called when the account is something else in this workspace than before, or keeps other students
 * One tab of a browser holds the stream and tells the others. Without a stream, lists are read anew on focus, as ever.
 */
export function watchChanges(onPlace: () => void): () => void {
  const others = new BroadcastChannel('changes')
  const readAnew = () => void queryClient.invalidateQueries()
  others.addEventListener('message', ({ data }) => (data === 'place' ? onPlace() : readAnew()))
  const ended = new AbortController()
  const timer = setTimeout(() => {
    // Not offered on a page without TLS that is not this machine's: then there is no stream.
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

/** Holds the stream until it is ended; one that the server refused is tried again after a while. */
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
        // Why the server ended it, the next call says: perhaps one is no member any more.
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
