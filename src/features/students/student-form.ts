// The forms of a child and of a student as typed: the rate is text.
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

/** What's sent for a child: cleared fields are cleared. */
export function toChild({ name, grade, notes }: ChildFields): StudentInput {
  return { name, grade, notes }
}

/** What's sent for a student: a cleared rate is removed, and the tutor's own applies again. */
export function toStudent(fields: StudentFields): StudentInput {
  return { ...toChild(fields), hourly_rate: typedNumberOrNull(fields.hourly_rate ?? '') }
}
