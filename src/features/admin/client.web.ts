import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import {
  type AccountLine,
  ListAccounts,
  ReadOverview,
  ReadRecord,
  ResendFor,
  RetryJobs,
  SetDisabled,
} from './admin.ts'
import { ForgetFormer, GoBack, PreviewRestore, ReadBackups, RestoreBackup } from './backup.ts'

const refresh = () => queryClient.invalidateQueries({ queryKey: ['admin'] })

export function useOverview() {
  return useQuery({
    queryKey: ['admin', 'overview'],
    queryFn: ({ signal }) => call(ReadOverview, {}, { signal }),
  })
}

/** Searches for people by part of their name or address, one page at a time. */
export function usePeople(search: string) {
  return useInfiniteQuery({
    queryKey: ['admin', 'people', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        ListAccounts,
        { ...(search ? { search } : {}), ...(pageParam ? { before: pageParam } : {}) },
        { signal },
      ),
    getNextPageParam: (page) => (page.has_more ? page.people.at(-1)?.created_at : undefined),
  })
}

export function useSetDisabled() {
  return useMutation({
    mutationFn: ({ person, disabled }: { person: AccountLine; disabled: boolean }) =>
      call(SetDisabled, { disabled }, { id: person.id }),
    onSuccess: refresh,
  })
}

export function useResendFor() {
  return useMutation({ mutationFn: (person: AccountLine) => call(ResendFor, {}, { id: person.id }) })
}

export function useReadRecord() {
  return useMutation({
    mutationFn: ({ person, purpose }: { person: AccountLine; purpose: string }) =>
      call(ReadRecord, { purpose }, { id: person.id }),
  })
}

export function useRetryJobs() {
  return useMutation({ mutationFn: () => call(RetryJobs, {}), onSuccess: refresh })
}

export function useBackups() {
  return useQuery({
    queryKey: ['admin', 'backups'],
    queryFn: ({ signal }) => call(ReadBackups, {}, { signal }),
  })
}

export function usePreviewRestore() {
  return useMutation({ mutationFn: (input: InputOf<typeof PreviewRestore>) => call(PreviewRestore, input) })
}

export function useRestoreBackup() {
  return useMutation({ mutationFn: (input: InputOf<typeof RestoreBackup>) => call(RestoreBackup, input) })
}

export function useGoBack() {
  return useMutation({ mutationFn: () => call(GoBack, {}) })
}

export function useForgetFormer() {
  return useMutation({ mutationFn: () => call(ForgetFormer, {}), onSuccess: refresh })
}

export interface Progress {
  step: string
  share: number
}

const ASK_MS = 700

/**
 * Follows a restore until the server serves again. Returns a function that stops following.
 * @param onEnd gets the reason if nothing was restored
 */
export function watchRestore(
  onProgress: (progress: Progress) => void,
  onEnd: (failure: string | null) => void,
): () => void {
  let isStopped = false
  const ask = async () => {
    // While one server takes over from the other, nobody answers for a moment.
    const answer = await fetch('/healthz')
      .then(async (response) => (await response.json()) as Progress & { status: string })
      .catch(() => undefined)
    if (isStopped) return
    if (answer?.status === 'maintenance') onProgress(answer)
    if (answer?.status === 'ok') {
      const ended = await call(ReadBackups, {}).catch(() => undefined)
      if (ended && !isStopped) {
        await queryClient.invalidateQueries()
        return onEnd(ended.last_failure)
      }
    }
    setTimeout(() => void ask(), ASK_MS)
  }
  setTimeout(() => void ask(), ASK_MS)
  return () => {
    isStopped = true
  }
}
