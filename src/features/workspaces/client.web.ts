import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import {
  ChangeMember,
  InviteMember,
  ListMembers,
  ListWorkspaces,
  type Member,
  RemoveMember,
  StartWorkspace,
} from './workspace.ts'

const WORKSPACES = ['workspaces']
const MEMBERS = ['members']

/**
 * The account's workspaces.
 * @param isWanted false to return only what's already loaded, without asking the server
 */
export function useWorkspaces(isWanted: boolean) {
  return useQuery({
    queryKey: WORKSPACES,
    enabled: isWanted,
    queryFn: ({ signal }) => call(ListWorkspaces, {}, { signal }),
  })
}

export function useStartWorkspace() {
  return useMutation({
    mutationFn: ({
      input,
      idempotencyKey,
    }: {
      input: InputOf<typeof StartWorkspace>
      idempotencyKey: string
    }) => call(StartWorkspace, input, { idempotencyKey }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: WORKSPACES }),
  })
}

/** @param isWanted false to return only what's already loaded, without asking the server */
export function useMembers(isWanted = true) {
  return useQuery({
    queryKey: MEMBERS,
    enabled: isWanted,
    queryFn: ({ signal }) => call(ListMembers, {}, { signal }),
  })
}

/** Invites an address. Sends a new link if the address was invited before. */
export function useInviteMember() {
  return useMutation({
    mutationFn: ({
      input,
      idempotencyKey,
    }: {
      input: InputOf<typeof InviteMember>
      idempotencyKey: string
    }) => call(InviteMember, input, { idempotencyKey }),
    onSettled: reloadMembers,
  })
}

export function useChangeMember() {
  return useMutation({
    mutationFn: ({ member, input }: { member: Member; input: InputOf<typeof ChangeMember> }) =>
      call(ChangeMember, input, { id: member.id }),
    onSettled: reloadMembers,
  })
}

/** Removes a member or withdraws an invitation. Members who remove themselves leave the workspace. */
export function useRemoveMember() {
  return useMutation({
    mutationFn: (member: Member) => call(RemoveMember, {}, { id: member.id }),
    onSettled: (_answer, _error, member) => (member.is_me ? undefined : reloadMembers()),
  })
}

function reloadMembers(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: MEMBERS })
}
