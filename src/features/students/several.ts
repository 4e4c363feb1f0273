// Adds several students in one call, by name only.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { namesToAdd, TOO_MANY_ROWS } from '#kernel/name-list.ts'
import { LONGEST_NAME, Student } from './student.ts'

export const AddStudents = endpoint({
  operation: 'AddStudents',
  summary: 'Add several children or students by name, all or nothing',
  method: 'POST',
  path: '/api/v1/students/several',
  access: ['parent', 'tutor', 'admin'],
  needsAllStudents: true,
  creates: true,
  input: z.strictObject({
    names: namesToAdd(LONGEST_NAME),
  }),
  output: z.object({ students: z.array(Student) }),
  refusals: {
    too_many_rows: TOO_MANY_ROWS,
  },
})
