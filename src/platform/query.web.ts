// The browser's copy of what the server holds.
import { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CallFailed } from './api.web.ts'
import { useToast } from './ui/Toast.tsx'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: (failures, error) => failures < 2 && error instanceof CallFailed && error.isRetryable, retryDelay: (attempt) => 200 * 2 ** attempt },
    mutations: { retry: false },
  },
})

/** Shows the catalogue's error once each time a list fails to load. */
export function useFailureToast(error: Error | null, message: string): void {
  const toast = useToast()
  useEffect(() => {
    if (error) toast.error('Error', message)
  }, [error, message, toast])
}
