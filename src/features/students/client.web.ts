// React hooks for reading and changing students.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type PeopleCalls, useSavePerson } from '#features/people/client.web.ts'
import { askFor, type WhichRows } from '#kernel/archived.ts'
import { call } from '#platform/api.web.ts'
import type { StudentInput } from './student-form.ts'
import {
  AddStudent,
  AddStudents,
  DeleteStudent,
  ListStudents,
  type Student,
  UpdateStudent,
} from './student.ts'

export function studentsQuery(which: WhichRows = 'active') {
  return queryOptions({
    queryKey: ['students', which],
    queryFn: ({ signal }) => call(ListStudents, askFor(which), { signal }),
  })
}

export function useStudents(which: WhichRows = 'active') {
  return useQuery(studentsQuery(which))
}

export const studentCalls: PeopleCalls<Student, StudentInput> = {
  kind: 'student',
  add: (input, idempotencyKey) => call(AddStudent, input, { idempotencyKey }),
  addSeveral: (names, idempotencyKey) => call(AddStudents, { names }, { idempotencyKey }),
  change: ({ id, version }, input) => call(UpdateStudent, input, { id, version }),
  setArchived: (id, archived) => call(UpdateStudent, { archived }, { id }),
  remove: (id) => call(DeleteStudent, {}, { id }),
}

/** Adds a student, or changes the given one. */
export function useSaveStudent() {
  return useSavePerson(studentCalls)
}
