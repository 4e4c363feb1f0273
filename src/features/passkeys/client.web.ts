import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { canUsePasskeys, makePasskey } from './ceremony.web.ts'
import { AddPasskey, ReadWaysIn, RemovePasskey, RenamePasskey, StartPasskey } from './passkey.ts'

const WAYS_IN = ['ways-in']

const waysIn = queryOptions({
  queryKey: WAYS_IN,
  queryFn: ({ signal }) => call(ReadWaysIn, {}, { signal }),
})

export function useWaysIn() {
  return useQuery(waysIn)
}

/** Whether the account has a passkey and this browser can use it. */
export async function hasPasskey(): Promise<boolean> {
  if (!canUsePasskeys()) return false
  const ways = await queryClient.fetchQuery({ ...waysIn, retry: false }).catch(() => undefined)
  return (ways?.passkeys.length ?? 0) > 0
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
