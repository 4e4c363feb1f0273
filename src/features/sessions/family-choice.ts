// Which of several families a tutor's lesson is with, where they share one student.
import type { ListedStudent } from '#features/students/student.ts'

/** A family that a lesson can be with. */
export type Family = ListedStudent['families'][number]

/** The families to choose from for a student: none where there is nothing to choose. */
export function familiesToAsk(students: readonly ListedStudent[], studentId: string): Family[] {
  // A list that was kept on the device by an earlier version has none.
  const families = students.find(({ id }) => id === studentId)?.families as Family[] | undefined
  return families && families.length > 1 ? families : []
}

/** What to call each of several families: its name, counted where two have none or the same. */
export function familyNames(families: readonly Family[]): string[] {
  const names = families.map(({ name }) => name ?? 'A family')
  return names.map((name, at) =>
    names.indexOf(name) === names.lastIndexOf(name)
      ? name
      : `${name} ${names.slice(0, at + 1).filter((other) => other === name).length}`,
  )
}
