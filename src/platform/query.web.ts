// The browser's query cache.
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CallFailed } from './api.web.ts'
import { useToast } from './ui/Toast.tsx'

/** How long loaded data counts as fresh. The event stream reports other people's changes. */
const FRESH_MS = 30_000

export const queryClient = new QueryClient({
  // If reloading fails, the loaded data stays on screen, and the offline message shows how old it is.
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.state.data !== undefined && error instanceof CallFailed && error.isRetryable)
        query.setState({ status: 'success', error: null })
    },
  }),
  defaultOptions: {
    // Calls are tried even when offline, and then fail right away, because silently waiting would look like
    // loading. The offline copy is made from this cache, so data stays in the cache for a day to include the
    // months you've opened.
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
 * Returns a function that computes `staleTime` in ms. Empty data is loaded again on every visit, because a
 * single entry from another device changes an empty page completely.
 */
export function freshUnless<Data>(isEmpty: (data: Data) => boolean) {
  return ({ state: { data } }: { state: { data: Data | undefined } }) =>
    data !== undefined && isEmpty(data) ? 0 : FRESH_MS
}

/** Shows the message once each time a list fails to load. */
export function useFailureToast(error: Error | null, message: string): void {
  const toast = useToast()
  useEffect(() => {
    if (error) toast.error('Error', message)
  }, [error, message, toast])
}

/**
 * Whether a query is loading for the first time. After one failure this is false, so that nothing waits for a
 * failing query.
 */
export function isComing({ isLoading, failureCount }: { isLoading: boolean; failureCount: number }): boolean {
  return isLoading && failureCount === 0
}
