// React hooks for reading and changing students.
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { askFor, type WhichRows } from '#kernel/archived.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import type { StudentInput } from './student-form.ts'
import { AddStudent, DeleteStudent, ListStudents, type Student, UpdateStudent } from './student.ts'

export function studentsQuery(which: WhichRows = 'active') {
  return queryOptions({
    queryKey: ['students', which],
    queryFn: ({ signal }) => call(ListStudents, askFor(which), { signal }),
  })
}

export function useStudents(which: WhichRows = 'active') {
  return useQuery(studentsQuery(which))
}

/** Adds a student, or changes the given one. */
export function useSaveStudent() {
  return useMutation({
    mutationFn: ({
      student,
      input,
      idempotencyKey,
    }: {
      student?: Student
      input: StudentInput
      idempotencyKey: string
    }) =>
      student
        ? call(UpdateStudent, input, { id: student.id, version: student.version })
        : call(AddStudent, input, { idempotencyKey }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/**
 * Archives or restores a student, with an option to undo.
 * @param noun the word this screen uses for a student
 */
export function useArchiveStudent(noun: 'Child' | 'Student') {
  const toast = useToast()
  const { mutateAsync } = useMutation({
    mutationFn: ({ id, archived }: { id: string; archived: boolean }) =>
      call(UpdateStudent, { archived }, { id }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  return async function archive(student: Student): Promise<void> {
    const archived = !student.archived
    try {
      await mutateAsync({ id: student.id, archived })
      toast.success(
        archived ? `${noun} archived` : `${noun} restored`,
        archived ? 'Their sessions stay in your history, and their schedules become inactive.' : undefined,
        { label: 'Undo', run: () => void archive({ ...student, archived }) },
      )
    } catch {
      toast.error('Error', `Failed to update ${noun.toLowerCase()}`)
    }
  }
}

export function useDeleteStudent() {
  return useMutation({
    mutationFn: (student: Student) => call(DeleteStudent, {}, { id: student.id }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}
