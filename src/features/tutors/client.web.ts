// Reading and changing tutors from a screen.
import { useMutation, useQuery } from '@tanstack/react-query'
import { askFor, type WhichRows } from '#kernel/archived.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { AddTutor, DeleteTutor, ListTutors, type Tutor, UpdateTutor } from './tutor.ts'

export type TutorInput = InputOf<typeof AddTutor>

export function useTutors(which: WhichRows = 'active') {
  return useQuery({
    queryKey: ['tutors', which],
    queryFn: ({ signal }) => call(ListTutors, askFor(which), { signal }),
  })
}

/** Adds a tutor, or changes the one that is given. */
export function useSaveTutor() {
  return useMutation({
    mutationFn: ({
      tutor,
      input,
      idempotencyKey,
    }: {
      tutor?: Tutor
      input: TutorInput
      idempotencyKey: string
    }) =>
      tutor
        ? call(UpdateTutor, input, { id: tutor.id, version: tutor.version })
        : call(AddTutor, input, { idempotencyKey }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** Puts a tutor away, or brings one back. */
export function useArchiveTutor() {
  return useMutation({
    mutationFn: ({ id, archived }: { id: string; archived: boolean }) =>
      call(UpdateTutor, { archived }, { id }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

export function useDeleteTutor() {
  return useMutation({
    mutationFn: (tutor: Tutor) => call(DeleteTutor, {}, { id: tutor.id }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}
