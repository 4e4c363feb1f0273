// Choosing which family a lesson is with when several families share a tutor's student.
import { nameKey } from '#kernel/names.ts'
import { type ListedStudent, UNKNOWN_STUDENT } from '#features/students/student.ts'

/** A family that the lesson can be with. */
export type Family = ListedStudent['families'][number]

/** The families to choose from for a student. Empty if there's at most one. */
export function familiesToAsk(students: readonly ListedStudent[], studentId: string): Family[] {
  // Lists stored on the device by an earlier version don't include families.
  const families = students.find(({ id }) => id === studentId)?.families as Family[] | undefined
  return families && families.length > 1 ? families : []
}

/** The error shown when a lesson is saved without choosing a family. */
export const CHOOSE_FAMILY = 'Choose the family for this lesson'

/** A label for each family: its name, plus a number if several families have the same name or no name. */
export function familyNames(families: readonly Family[]): string[] {
  const names = families.map(({ name }) => name ?? 'A family')
  return names.map((name, at) =>
    names.indexOf(name) === names.lastIndexOf(name)
      ? name
      : `${name} ${names.slice(0, at + 1).filter((other) => other === name).length}`,
  )
}

interface Told {
  student_id: string | null
  student_name: string | null
  connection_id: string | null
}

/**
 * A session's title: the student's name. Adds the family's name if several families share the student or two
 * students have the same name.
 */
export function studentTitle(
  { student_id: id, student_name: name, connection_id: connection }: Told,
  students: readonly ListedStudent[],
): string {
  const title = name ?? UNKNOWN_STUDENT
  const families = (students.find((one) => one.id === id)?.families as Family[] | undefined) ?? []
  const at = families.findIndex((one) => one.connection_id === connection)
  const isShared = families.length > 1
  const hasNamesake = students.some((one) => one.id !== id && nameKey(one.name) === nameKey(title))
  return at >= 0 && (isShared || hasNamesake) ? `${title} (${familyNames(families)[at]})` : title
}
