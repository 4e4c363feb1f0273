import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { makePasskey } from './ceremony.web.ts'
import { AddPasskey, ReadWaysIn, RemovePasskey, RenamePasskey, StartPasskey } from './passkey.ts'

const WAYS_IN = ['ways-in']

export function useWaysIn() {
  return useQuery({ queryKey: WAYS_IN, queryFn: ({ signal }) => call(ReadWaysIn, {}, { signal }) })
}

export const refreshWaysIn = () => queryClient.invalidateQueries({ queryKey: WAYS_IN })

/** Has this device make a passkey, and adds it to the account. */
export function useAddPasskey() {
  return useMutation({
    mutationFn: async () => call(AddPasskey, { passkey: await makePasskey(await call(StartPasskey, {})) }),
    onSettled: refreshWaysIn,
  })
}

export function useRenamePasskey() {
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) => call(RenamePasskey, { name }, { id }),
    onSettled: refreshWaysIn,
  })
}

export function useRemovePasskey() {
  return useMutation({
    mutationFn: (id: string) => call(RemovePasskey, {}, { id }),
    onSettled: refreshWaysIn,
  })
}
