// Reading and answering proposals from a screen.
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { AcceptProposal, DeclineProposal, ListProposals, type Proposal } from './proposal.ts'

/** What linked tutors logged for this family. @param isWanted whether to ask at all */
export function useProposals(isWanted = true) {
  return useQuery({
    queryKey: ['proposals'],
    enabled: isWanted,
    queryFn: ({ signal }) => call(ListProposals, {}, { signal }),
  })
}

export function useAcceptProposal() {
  return useMutation({
    mutationFn: ({ proposal, input }: { proposal: Proposal; input: InputOf<typeof AcceptProposal> }) =>
      call(AcceptProposal, input, { id: proposal.id }),
    onSettled: () => queryClient.invalidateQueries(),
  })
}

export function useDeclineProposal() {
  return useMutation({
    mutationFn: (proposal: Proposal) => call(DeclineProposal, {}, { id: proposal.id }),
    onSettled: () => queryClient.invalidateQueries(),
  })
}
