// Guesses which of a practice's students match a family's children. The guess applies until somebody confirms
// the match.
import { nameKey } from '#kernel/names.ts'
import type { Connection, Person } from './connection.ts'

/** Whether a connection is requested or active. */
export const isOpen = ({ state }: Pick<Connection, 'state'>): boolean =>
  state === 'asked' || state === 'active'

/** A student's open connection, else their newest one. */
export function newestWith(connections: readonly Connection[], studentId: string): Connection | undefined {
  return (
    openWith(connections, studentId) ??
    connections.find(({ people }) => people.some((person) => person.student_id === studentId))
  )
}

/** A student's open connection. */
export function openWith(connections: readonly Connection[], studentId: string): Connection | undefined {
  return connections.find(
    (connection) => isOpen(connection) && connection.people.some((person) => person.student_id === studentId),
  )
}

interface Listed {
  id: string
  name: string
}

function firstNameKey(name: string): string {
  return nameKey(name).split(' ')[0] ?? ''
}

/**
 * The student to suggest for each child: the current match, else the student with the same first name. The
 * name has to be unique on both sides, so this never guesses between two children with the same name. Empty
 * for a child who becomes a new student.
 */
export function likelyStudents(
  people: readonly Person[],
  students: readonly Listed[],
): Record<string, string> {
  const taken = new Set(people.flatMap(({ student_id: id }) => id ?? []))
  const free = students.filter(({ id }) => !taken.has(id))
  const open = people.filter(({ student_id: id }) => id === null)
  const likely = (child: Person): string => {
    const isSame = (name: string) => firstNameKey(name) === firstNameKey(child.first_name)
    const [found, ...others] = free.filter(({ name }) => isSame(name))
    const isOnly = open.filter(({ first_name: name }) => isSame(name)).length === 1
    return found && others.length === 0 && isOnly ? found.id : ''
  }
  return Object.fromEntries(people.map((child) => [child.id, child.student_id ?? likely(child)]))
}

/** Which of the reader's people each of the other side's is; null for someone who's added to the list. */
export type Matches = readonly { id: string; student_id: string | null }[]

/**
 * Whether an answer matches one of the reader's people twice. A practice may name a student who's still without
 * a match; only the database knows that.
 */
export function isMatchedTwice(
  before: readonly Person[],
  people: Matches,
  side: 'family' | 'practice',
): boolean {
  const others = before.filter(({ id }) => !people.some((person) => person.id === id))
  const named = [...people, ...(side === 'family' ? others : [])].flatMap(({ student_id: id }) => id ?? [])
  return new Set(named).size < named.length
}

/** The suggestions as an answer to a request; null for someone who's added to the list. */
export function likelyMatches(people: readonly Person[], students: readonly Listed[]): Matches {
  return Object.entries(likelyStudents(people, students)).map(([id, student]) => ({
    id,
    student_id: student || null,
  }))
}

/** Children matched to a student who is also chosen for another child. */
export function matchedTwice(chosen: Record<string, string>): string[] {
  const all = Object.entries(chosen)
  return all
    .filter(([child, student]) => student && all.some(([other, its]) => other !== child && its === student))
    .map(([child]) => child)
}

/** A note that sessions may be logged twice; undefined if none are. */
export function pairsInWords(pairs: number): string | undefined {
  return pairs > 0 ? `${pairs} ${pairs === 1 ? 'session' : 'sessions'} may be logged twice.` : undefined
}
