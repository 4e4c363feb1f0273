import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
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
