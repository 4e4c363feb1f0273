// What deleting somebody does to a connection, for the question that is asked before.
import type { Connection } from './connection.ts'

interface Named {
  id: string
  name: string
}

const isOpen = ({ state }: Connection) => state === 'asked' || state === 'active'

/** What deleting a tutor ends; undefined where the family is not connected with the tutor. */
export function afterTutor(tutor: Named, connections: readonly Connection[]): string | undefined {
  const connection = connections.find((one) => one.tutor_id === tutor.id && isOpen(one))
  if (!connection) return undefined
  return connection.state === 'asked'
    ? `This withdraws your request to ${tutor.name}.`
    : `This ends the connection with ${tutor.name}. Each of you keeps a copy of the sessions.`
}

/** What stays when a child is deleted whose sessions are shared with tutors; undefined where none are. */
export function afterChild(
  child: Named,
  connections: readonly Connection[],
  tutors: readonly Named[],
): string | undefined {
  const shared = connections.filter((one) => one.state === 'active' && hasPerson(one, child.id))
  if (shared.length === 0) return undefined
  const names = shared.flatMap(({ tutor_id: id }) => tutors.find((tutor) => tutor.id === id)?.name ?? [])
  return `You stay connected with ${listed(names, 'the tutor')}, and the shared sessions stay in both logs.`
}

/** What stays when a practice deletes a student of connected families; undefined where there is none. */
export function afterStudent(student: Named, connections: readonly Connection[]): string | undefined {
  const shared = connections.filter((one) => one.state === 'active' && hasPerson(one, student.id))
  if (shared.length === 0) return undefined
  const names = shared.flatMap(({ other_name: name }) => name ?? [])
  const stay = `You stay connected with ${listed(names, 'the family')}.`
  // A family that was asked by email may have no account to log with.
  return shared.some(({ email }) => !email) ? `${stay} Their next session adds the student again.` : stay
}

function hasPerson({ people }: Connection, id: string): boolean {
  return people.some(({ student_id: one }) => one === id)
}

function listed(names: string[], nobody: string): string {
  return names.length > 0 ? new Intl.ListFormat('en').format(names) : nobody
}
