// A student. Parents call them children; tutors call them students.
import * as z from 'zod/mini'
import { namesToAdd, TOO_MANY_ROWS } from '#features/people/name-list.ts'
import { CHANGED, LIST_FULL, LONGEST_NAME } from '#features/people/person.ts'
import { ListedPrice } from '#features/prices/price.ts'
import { ArchivedFilter } from '#kernel/archived.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { Rate } from '#kernel/money.ts'
import { optionalText, requiredText } from '#kernel/text.ts'

/** The name shown in place of a deleted student (docs/product.md, section 2). */
export const UNKNOWN_STUDENT = 'Unknown Student'

/** The question before deleting a child or student (docs/product.md, section 9), and what stays. */
export function deletionOf(what: 'child' | 'student') {
  return {
    question: ({ name }: { name: string }) =>
      what === 'child'
        ? 'Are you sure you want to delete this child?'
        : `Are you sure you want to delete ${name}? This action cannot be undone.`,
    kept: ({ name }: { name: string }) =>
      `${name}'s sessions will stay in your history under ${UNKNOWN_STUDENT}`,
  }
}

export const Student = z.object({
  id: z.string(),
  parent_user_id: z.string(),
  name: z.string(),
  grade: z.nullable(z.string()),
  notes: z.nullable(z.string()),
  /** The tutor's hourly rate for this student in dollars; null if the tutor's own rate applies. */
  hourly_rate: z.nullable(z.number()),
  /** Hidden from lists and forms but kept in history. */
  archived: z.boolean(),
  version: z.number(),
})
export type Student = z.output<typeof Student>

/**
 * A student in a list. In a practice, includes the families that share the student, newest first. In a
 * family, that list is empty.
 */
const ListedStudent = z.extend(Student, {
  families: z.array(z.object({ connection_id: z.string(), name: z.nullable(z.string()) })),
  /** What its pairs with tutors cost from a day on, the latest first. Empty for members who can't see amounts. */
  prices: z.array(ListedPrice),
})
export type ListedStudent = z.output<typeof ListedStudent>

/** More students than any family or tutor has. Limits how much one account can store (promise I17). */
export const MAX_STUDENTS = 500

const fields = {
  name: requiredText(LONGEST_NAME, 'Name is required'),
  grade: optionalText(60),
  notes: optionalText(4000),
  /** Only tutors can set this. */
  hourly_rate: z.optional(z.nullable(Rate)),
}
export const NewStudent = z.strictObject(fields)
const StudentChanges = z.strictObject({
  name: z.optional(fields.name),
  grade: fields.grade,
  notes: fields.notes,
  hourly_rate: fields.hourly_rate,
  archived: z.optional(z.boolean()),
})

const forTutors = {
  no_own_rate: {
    status: 422,
    title: "Children don't have rates. Set the tutor's rate instead.",
    field: 'hourly_rate',
  },
} as const
const Nothing = z.undefined()

export const ListStudents = endpoint({
  operation: 'ListStudents',
  summary: "List the user's children or students, by name",
  method: 'GET',
  path: '/api/v1/students',
  access: 'confirmed',
  input: z.strictObject({ archived: ArchivedFilter }),
  output: z.array(ListedStudent),
})
export const ReadStudent = endpoint({
  operation: 'ReadStudent',
  summary: 'Get a child or student',
  method: 'GET',
  path: '/api/v1/students/:id',
  access: 'confirmed',
  input: z.strictObject({}),
  output: Student,
})
export const AddStudent = endpoint({
  operation: 'AddStudent',
  summary: 'Add a child or student',
  method: 'POST',
  path: '/api/v1/students',
  access: ['parent', 'tutor', 'admin'],
  needsAllStudents: true,
  creates: true,
  input: NewStudent,
  output: Student,
  refusals: {
    ...forTutors,
    ...LIST_FULL,
  },
})
export const AddStudents = endpoint({
  operation: 'AddStudents',
  summary: 'Add several children or students by name, all or nothing',
  method: 'POST',
  path: '/api/v1/students/several',
  access: ['parent', 'tutor', 'admin'],
  needsAllStudents: true,
  creates: true,
  input: z.strictObject({ names: namesToAdd(LONGEST_NAME) }),
  output: z.object({ students: z.array(Student) }),
  refusals: { too_many_rows: TOO_MANY_ROWS },
})
export const UpdateStudent = endpoint({
  operation: 'UpdateStudent',
  summary: 'Change, archive or restore a child or student',
  method: 'PATCH',
  path: '/api/v1/students/:id',
  access: ['parent', 'tutor', 'admin'],
  input: StudentChanges,
  output: Student,
  refusals: { ...CHANGED, ...forTutors },
})
export const DeleteStudent = endpoint({
  operation: 'DeleteStudent',
  summary: 'Delete a child or student; their sessions stay',
  method: 'DELETE',
  path: '/api/v1/students/:id',
  access: ['parent', 'tutor', 'admin'],
  input: z.strictObject({}),
  output: Nothing,
  refusals: CHANGED,
})
