// Reading and changing students from a screen.
import { useMutation, useQuery } from '@tanstack/react-query'
import { askFor, type WhichRows } from '#kernel/archived.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { AddStudent, DeleteStudent, ListStudents, type Student, UpdateStudent } from './student.ts'

export interface StudentInput {
  name: string
  grade: string
  notes: string
}

export function useStudents(which: WhichRows = 'active') {
  return useQuery({ queryKey: ['students', which], queryFn: ({ signal }) => call(ListStudents, askFor(which), { signal }) })
}

/** Adds a student, or changes the one that is given. */
export function useSaveStudent() {
  return useMutation({
    mutationFn: ({ student, input, idempotencyKey }: { student?: Student; input: StudentInput; idempotencyKey: string }) =>
      student ? call(UpdateStudent, input, { id: student.id, version: student.version }) : call(AddStudent, input, { idempotencyKey }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** Puts a student away, or brings one back. */
export function useArchiveStudent() {
  return useMutation({
    mutationFn: ({ id, archived }: { id: string; archived: boolean }) => call(UpdateStudent, { archived }, { id }), onSuccess: () => queryClient.invalidateQueries(),
  })
}

export function useDeleteStudent() {
  return useMutation({ mutationFn: (student: Student) => call(DeleteStudent, {}, { id: student.id }), onSuccess: () => queryClient.invalidateQueries() })
}
