// Reading and changing tutors from a screen.
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { AddTutor, DeleteTutor, ListTutors, type Tutor, UpdateTutor } from './tutor.ts'

export type TutorInput = InputOf<typeof AddTutor>

export function useTutors() {
  return useQuery({ queryKey: ['tutors'], queryFn: ({ signal }) => call(ListTutors, {}, { signal }) })
}

/** Adds a tutor, or changes the one that is given. */
export function useSaveTutor() {
  return useMutation({
    mutationFn: ({ tutor, input, idempotencyKey }: { tutor?: Tutor; input: TutorInput; idempotencyKey: string }) =>
      tutor ? call(UpdateTutor, input, { id: tutor.id, version: tutor.version }) : call(AddTutor, input, { idempotencyKey }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

export function useDeleteTutor() {
  return useMutation({ mutationFn: (tutor: Tutor) => call(DeleteTutor, {}, { id: tutor.id }), onSuccess: () => queryClient.invalidateQueries() })
}
