// The forms of a child and of a student as they are typed: the rate is text.
import type { InputOf } from '#kernel/endpoint.ts'
import { typedNumberOrNull } from '#kernel/typed-number.ts'
import type { AddStudent, Student } from './student.ts'

export interface ChildFields {
  name: string
  grade: string
  notes: string
}

export interface StudentFields extends ChildFields {
  hourly_rate: string
}

export type StudentInput = InputOf<typeof AddStudent>

/** A child as the form shows it; the empty form without one. */
export function fieldsOfChild(child: Student | undefined): ChildFields {
  return { name: child?.name ?? '', grade: child?.grade ?? '', notes: child?.notes ?? '' }
}

/** A student as the form shows it; the empty form without one. */
export function fieldsOfStudent(student: Student | undefined): StudentFields {
  return { ...fieldsOfChild(student), hourly_rate: student?.hourly_rate?.toFixed(2) ?? '' }
}

/** What is sent for a child: emptied fields are emptied. */
export function toChild({ name, grade, notes }: ChildFields): StudentInput {
  return { name, grade, notes }
}

/** What is sent for a student: an emptied rate is taken back, and the tutor's own applies again. */
export function toStudent(fields: StudentFields): StudentInput {
  return { ...toChild(fields), hourly_rate: typedNumberOrNull(fields.hourly_rate ?? '') }
}
