// A tutor whom a family pays or, in a tutor's workspace, the user.
import * as z from 'zod/mini'
import { namesToAdd, TOO_MANY_ROWS } from '#features/people/name-list.ts'
import { CHANGED, LIST_FULL, LONGEST_NAME } from '#features/people/person.ts'
import { ArchivedFilter } from '#kernel/archived.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { Rate } from '#kernel/money.ts'
import { optionalEmailAddress, optionalText, requiredText, trimmed } from '#kernel/text.ts'

/** The name shown in place of a deleted tutor (docs/product.md, section 2). */
export const UNKNOWN_TUTOR = 'Unknown Tutor'

/** The question before deleting a tutor (docs/product.md, section 9), and what stays. */
export const DELETION = {
  question: () => 'Are you sure you want to delete this tutor?',
  kept: ({ name }: { name: string }) =>
    `Sessions with ${name} will stay in your history under ${UNKNOWN_TUTOR}`,
}

export const Tutor = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** Dollars per hour. */
  hourly_rate: z.nullable(z.number()),
  subjects: z.array(z.string()),
  notes: z.nullable(z.string()),
  /** True if this tutor is the user, who is shown as 'You'. */
  is_self: z.boolean(),
  /** Hidden from lists and forms but kept in history. */
  archived: z.boolean(),
  version: z.number(),
})
export type Tutor = z.output<typeof Tutor>

/** More tutors than any family has. Limits how much one account can store (promise I17). */
export const MAX_TUTORS = 500

const subjects = z.optional(
  z
    .array(requiredText(60, 'Enter a name for each subject'))
    .check(z.maxLength(40, 'Use at most 40 subjects')),
)
const fields = {
  name: requiredText(LONGEST_NAME, 'Name is required'),
  email: optionalEmailAddress(),
  phone: optionalText(40),
  hourly_rate: z.optional(z.nullable(Rate)),
  subjects,
  notes: optionalText(4000),
}
export const NewTutor = z.strictObject(fields)
const TutorChanges = z.strictObject({
  ...fields,
  name: z.optional(fields.name),
  archived: z.optional(z.boolean()),
})

const ownRow = {
  own_row: { status: 409, title: "This is your own entry, so it can't be archived or deleted" },
} as const

export const ListTutors = endpoint({
  operation: 'ListTutors',
  summary: "List the user's tutors, by name",
  method: 'GET',
  path: '/api/v1/tutors',
  access: 'confirmed',
  input: z.strictObject({ archived: ArchivedFilter }),
  output: z.array(Tutor),
})
export const ReadTutor = endpoint({
  operation: 'ReadTutor',
  summary: 'Get a tutor',
  method: 'GET',
  path: '/api/v1/tutors/:id',
  access: 'confirmed',
  input: z.strictObject({}),
  output: Tutor,
})
export const AddTutor = endpoint({
  operation: 'AddTutor',
  summary: 'Add a tutor',
  method: 'POST',
  path: '/api/v1/tutors',
  access: ['parent'],
  needsAllStudents: true,
  creates: true,
  input: NewTutor,
  output: Tutor,
  refusals: LIST_FULL,
})
export const AddTutors = endpoint({
  operation: 'AddTutors',
  summary: 'Add several tutors by name, all or nothing',
  method: 'POST',
  path: '/api/v1/tutors/several',
  access: ['parent'],
  needsAllStudents: true,
  creates: true,
  input: z.strictObject({ names: namesToAdd(LONGEST_NAME) }),
  output: z.object({ tutors: z.array(Tutor) }),
  refusals: { too_many_rows: TOO_MANY_ROWS },
})
export const UpdateTutor = endpoint({
  operation: 'UpdateTutor',
  summary:
    'Change, archive or restore a tutor. Tutors set their hourly rate on their own row; logged sessions keep their rate',
  method: 'PATCH',
  path: '/api/v1/tutors/:id',
  access: ['parent', 'tutor', 'admin'],
  needsAllStudents: true,
  input: TutorChanges,
  output: Tutor,
  refusals: { ...CHANGED, ...ownRow },
})
export const DeleteTutor = endpoint({
  operation: 'DeleteTutor',
  summary: 'Delete a tutor; their sessions stay',
  method: 'DELETE',
  path: '/api/v1/tutors/:id',
  access: ['parent'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.undefined(),
  refusals: { ...CHANGED, ...ownRow },
})

/**
 * The subjects in a comma-separated string, trimmed, with empty ones left out (docs/product.md, section 5).
 */
export function subjectsOf(text: string): string[] {
  return text.split(',').map(trimmed).filter(Boolean)
}
