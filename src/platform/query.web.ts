import { QueryCache, QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CallFailed } from './api.web.ts'
import { useToast } from './ui/Toast.tsx'

/** How long loaded data counts as fresh. Other people's changes arrive through the event stream. */
const FRESH_MS = 30_000

export const queryClient = new QueryClient({
  // If reloading fails, the loaded data stays on screen. The offline message shows how old it is.
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.state.data !== undefined && error instanceof CallFailed && error.isRetryable)
        query.setState({ status: 'success', error: null })
    },
  }),
  defaultOptions: {
    // Calls are attempted even when offline, and fail right away. If they waited silently, the page would
    // seem to be loading. The offline copy is made from this cache, so data stays cached for a day. That way,
    // the copy includes the months you've opened.
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

/** Shows what a change returned. What was asked for before the change, and comes only now, doesn't replace it. */
export async function showStored<Data>(queryKey: readonly unknown[], stored: Data): Promise<void> {
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, stored)
}

/**
 * Returns a function for `staleTime` (ms). Empty data is reloaded on every visit, because even one entry from
 * another device changes an empty page completely.
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
 * Whether a query is loading for the first time. False after one failure, so that nothing waits for a failing
 * query.
 */
export function isComing({ isLoading, isFetched, failureCount }: Coming): boolean {
  // A failed query is loaded again whenever a row that uses it appears. Waiting for that would make the row
  // disappear over and over.
  return isLoading && !isFetched && failureCount === 0
}

interface Coming {
  isLoading: boolean
  /** Whether it has loaded or failed before. */
  isFetched: boolean
  failureCount: number
}
