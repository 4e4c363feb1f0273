import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { InviteFriend } from './invitation.ts'
import { ReadReferral } from './referral.ts'

export function useReferral() {
  return useQuery({ queryKey: ['referral'], queryFn: ({ signal }) => call(ReadReferral, {}, { signal }) })
}

export function useInviteFriend() {
  return useMutation({
    mutationFn: ({
      input,
      idempotencyKey,
    }: {
      input: InputOf<typeof InviteFriend>
      idempotencyKey: string
    }) => call(InviteFriend, input, { idempotencyKey }),
  })
}
