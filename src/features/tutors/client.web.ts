// React hooks for reading and changing tutors.
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { noteRate, type PeopleCalls, useSavePerson } from '#features/people/client.web.ts'
import { askFor, type WhichRows } from '#kernel/archived.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import type { TutorInput } from './tutor-form.ts'
import { AddTutor, AddTutors, DeleteTutor, ListTutors, type Tutor, UpdateTutor } from './tutor.ts'

export function tutorsQuery(which: WhichRows = 'active') {
  return queryOptions({
    queryKey: ['tutors', which],
    queryFn: ({ signal }) => call(ListTutors, askFor(which), { signal }),
  })
}

export function useTutors(which: WhichRows = 'active') {
  return useQuery(tutorsQuery(which))
}

export const tutorCalls: PeopleCalls<Tutor, TutorInput> = {
  kind: 'tutor',
  add: (input, idempotencyKey) => call(AddTutor, input, { idempotencyKey }),
  addSeveral: (names, idempotencyKey) => call(AddTutors, { names }, { idempotencyKey }),
  change: ({ id, version }, input) => call(UpdateTutor, input, { id, version }),
  setArchived: (id, archived) => call(UpdateTutor, { archived }, { id }),
  remove: (id) => call(DeleteTutor, {}, { id }),
}

/** Adds a tutor, or changes the given one. */
export function useSaveTutor() {
  return useSavePerson(tutorCalls)
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
      return { self, saved: await call(UpdateTutor, input, { id: self.id, version: self.version }) }
    },
    onSuccess: async ({ self, saved }) => {
      await queryClient.invalidateQueries()
      noteRate('tutor', self, saved)
    },
  })
}
