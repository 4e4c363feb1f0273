// Several tutors in one call, by name alone.
import * as z from 'zod/mini'
import { endpoint } from '#kernel/endpoint.ts'
import { requiredText } from '#kernel/text.ts'
import { LONGEST_NAME, Tutor } from './tutor.ts'

/** How many can be added with one call. */
export const MOST_AT_ONCE = 100

export const AddTutors = endpoint({
  operation: 'AddTutors',
  summary: 'Add several tutors by name: all or none',
  method: 'POST',
  path: '/api/v1/tutors/several',
  access: ['parent'],
  needsAllStudents: true,
  creates: true,
  input: z.strictObject({
    names: z
      .array(requiredText(LONGEST_NAME, 'Name is required'))
      .check(
        z.minLength(1, 'Enter at least one name'),
        z.maxLength(MOST_AT_ONCE, `Add at most ${MOST_AT_ONCE} at once`),
      ),
  }),
  output: z.object({ tutors: z.array(Tutor) }),
  refusals: {
    too_many_rows: {
      status: 422,
      title: 'This would exceed the limit of 500 on this list, so nobody was added',
    },
  },
})
