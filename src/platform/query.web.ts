// The browser's query cache.
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CallFailed } from './api.web.ts'
import { useToast } from './ui/Toast.tsx'

/** How long loaded data counts as fresh. The event stream tells us about other people's changes. */
const FRESH_MS = 30_000

export const queryClient = new QueryClient({
  // If reloading fails, the loaded data stays on screen, and the offline message says how old it is.
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.state.data !== undefined && error instanceof CallFailed && error.isRetryable)
        query.setState({ status: 'success', error: null })
    },
  }),
  defaultOptions: {
    // Tries every call even when offline, and fails right away, because waiting silently would look like
    // loading. The offline copy is made from this cache, so the months you've opened stay in it for a day.
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      gcTime: 86_400_000,
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < 2 && error instanceof CallFailed && error.isRetryable,
      retryDelay: (attempt) => 200 * 2 ** attempt,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/**
 * Returns a function that gives `staleTime` in ms. Empty data is loaded again on every visit, because a
 * single entry from another device changes an empty page completely.
 */
export function freshUnless<Data>(isEmpty: (data: Data) => boolean) {
  return ({ state: { data } }: { state: { data: Data | undefined } }) =>
    data !== undefined && isEmpty(data) ? 0 : FRESH_MS
}

/** Shows the message once for each time a list fails to load. */
export function useFailureToast(error: Error | null, message: string): void {
  const toast = useToast()
  useEffect(() => {
    if (error) toast.error('Error', message)
  }, [error, message, toast])
}

/** Whether a query is running for the first time. A failed query doesn't count, so nothing waits for it. */
export function isComing({ isLoading, failureCount }: { isLoading: boolean; failureCount: number }): boolean {
  return isLoading && failureCount === 0
}
