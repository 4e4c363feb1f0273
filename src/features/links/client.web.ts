// Asking, answering and ending links from a screen.
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import {
  AnswerFamily,
  AskTutor,
  EndLink,
  type Family,
  LeaveFamily,
  type Link,
  ListFamilies,
  ListLinks,
  SetFamilyStudents,
} from './link.ts'

/** The family's links with its tutors. */
export function useLinks() {
  return useQuery({ queryKey: ['links'], queryFn: ({ signal }) => call(ListLinks, {}, { signal }) })
}

export function useAskTutor() {
  return useMutation({
    mutationFn: ({ tutorId, idempotencyKey }: { tutorId: string; idempotencyKey: string }) =>
      call(AskTutor, {}, { id: tutorId, idempotencyKey }),
    // Who is linked decides what every session says of verification.
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

export function useEndLink() {
  return useMutation({
    mutationFn: (link: Link) => call(EndLink, {}, { id: link.id }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** The families that asked this tutor or are linked. */
export function useFamilies() {
  return useQuery({ queryKey: ['families'], queryFn: ({ signal }) => call(ListFamilies, {}, { signal }) })
}

export function useAnswerFamily() {
  return useMutation({
    mutationFn: ({ family, state }: { family: Family; state: 'active' | 'declined' }) =>
      call(AnswerFamily, { state }, { id: family.id }),
    onSettled: () => queryClient.invalidateQueries(),
  })
}

export function useLeaveFamily() {
  return useMutation({
    mutationFn: (family: Family) => call(LeaveFamily, {}, { id: family.id }),
    onSettled: () => queryClient.invalidateQueries(),
  })
}

export function useSetFamilyStudents() {
  return useMutation({
    mutationFn: ({ family, studentIds }: { family: Family; studentIds: string[] }) =>
      call(SetFamilyStudents, { student_ids: studentIds }, { id: family.id }),
    onSettled: () => queryClient.invalidateQueries(),
  })
}
