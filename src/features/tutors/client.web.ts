// React hooks for reading and changing tutors.
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { askFor, type WhichRows } from '#kernel/archived.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { AddTutor, DeleteTutor, ListTutors, type Tutor, UpdateTutor } from './tutor.ts'

export type TutorInput = InputOf<typeof AddTutor>

export function tutorsQuery(which: WhichRows = 'active') {
  return queryOptions({
    queryKey: ['tutors', which],
    queryFn: ({ signal }) => call(ListTutors, askFor(which), { signal }),
  })
}

export function useTutors(which: WhichRows = 'active') {
  return useQuery(tutorsQuery(which))
}

/** Adds a tutor, or changes the given one. */
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

/** In a tutor's workspace, the tutor's own row in the list; undefined while loading, and for parents. */
export function useOwnTutor(): Tutor | undefined {
  return useTutors().data?.find((tutor) => tutor.is_self)
}

/** Changes the rate in a tutor's own row. */
export function useSetOwnRate() {
  const tutors = useTutors()
  return useMutation({
    mutationFn: async (input: { hourly_rate: string | number | null }) => {
      const list = tutors.data ?? (await tutors.refetch({ throwOnError: true })).data
      const self = list?.find((tutor) => tutor.is_self)
      if (!self) throw new Error("the tutor's own row is missing")
      return call(UpdateTutor, input, { id: self.id, version: self.version })
    },
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** Archives or restores a tutor. */
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
