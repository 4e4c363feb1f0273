// The forms for a child and for a student. They hold what the user typed, so the rate is a string.
import type { InputOf } from '#kernel/endpoint.ts'
import { amountInField, type Currency } from '#kernel/money.ts'
import { typedNumberOrNull } from '#kernel/typed-number.ts'
import type { AddStudent, Student } from './student.ts'

interface ChildFields {
  name: string
  grade: string
  notes: string
}

interface StudentFields extends ChildFields {
  hourly_rate: string
}

export type StudentInput = InputOf<typeof AddStudent>

/** The form's values for a child, or empty values for a new one. */
export function fieldsOfChild(child: Student | undefined): ChildFields {
  return { name: child?.name ?? '', grade: child?.grade ?? '', notes: child?.notes ?? '' }
}

/** The form's values for a student, or empty values for a new one. */
export function fieldsOfStudent(student: Student | undefined, currency: Currency): StudentFields {
  return { ...fieldsOfChild(student), hourly_rate: amountInField(student?.hourly_rate, currency) }
}

/** The request body for a child. It includes empty fields, so that their stored values are cleared. */
export function toChild({ name, grade, notes }: ChildFields): StudentInput {
  return { name, grade, notes }
}

/**
 * The request body for a student. If the rate was cleared, the stored rate is removed, and the tutor's own
 * rate applies again.
 */
export function toStudent(fields: StudentFields): StudentInput {
  return { ...toChild(fields), hourly_rate: typedNumberOrNull(fields.hourly_rate ?? '') }
}
