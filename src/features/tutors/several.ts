// Adds several tutors in one call, by name only.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { namesToAdd, TOO_MANY_ROWS } from '#kernel/name-list.ts'
import { LONGEST_NAME, Tutor } from './tutor.ts'

export const AddTutors = endpoint({
  operation: 'AddTutors',
  summary: 'Add several tutors by name, all or nothing',
  method: 'POST',
  path: '/api/v1/tutors/several',
  access: ['parent'],
  needsAllStudents: true,
  creates: true,
  input: z.strictObject({
    names: namesToAdd(LONGEST_NAME),
  }),
  output: z.object({ tutors: z.array(Tutor) }),
  refusals: {
    too_many_rows: TOO_MANY_ROWS,
  },
})
