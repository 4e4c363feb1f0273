// Which of a practice's students a family's children are, or the other way round, before somebody says so.
import type { Connection, Person } from './connection.ts'

/** The newest connection in which somebody is a student: an open one before those that are over. */
export function newestWith(connections: readonly Connection[], studentId: string): Connection | undefined {
  return (
    openWith(connections, studentId) ??
    connections.find(({ people }) => people.some((person) => person.student_id === studentId))
  )
}

/** The open connection in which somebody is a student. */
export function openWith(connections: readonly Connection[], studentId: string): Connection | undefined {
  return connections.find(
    ({ state, people }) =>
      (state === 'asked' || state === 'active') && people.some((person) => person.student_id === studentId),
  )
}

interface Listed {
  id: string
  name: string
}

/** A name as it is compared: the first word, without capitals. */
function firstName(name: string): string {
  return (name.trim().split(/\s+/)[0] ?? '').toLocaleLowerCase('en')
}

/**
 * The student that is chosen for each child until the tutor chooses: the one it is matched with, else the one of its first name,
 * where neither side has that name twice. Empty for a child that becomes a new student. Two children are never guessed.
 */
export function likelyStudents(
  people: readonly Person[],
  students: readonly Listed[],
): Record<string, string> {
  const taken = new Set(people.flatMap(({ student_id: id }) => id ?? []))
  const free = students.filter(({ id }) => !taken.has(id))
  const open = people.filter(({ student_id: id }) => id === null)
  const likely = (child: Person): string => {
    const isSame = (name: string) => firstName(name) === firstName(child.first_name)
    const [found, ...others] = free.filter(({ name }) => isSame(name))
    const isOnly = open.filter(({ first_name: name }) => isSame(name)).length === 1
    return found && others.length === 0 && isOnly ? found.id : ''
  }
  return Object.fromEntries(people.map((child) => [child.id, child.student_id ?? likely(child)]))
}

/** The children for whom a student is chosen that another child has too. */
export function matchedTwice(chosen: Record<string, string>): string[] {
  const all = Object.entries(chosen)
  return all
    .filter(([child, student]) => student && all.some(([other, its]) => other !== child && its === student))
    .map(([child]) => child)
}
