// Text that explains how deleting somebody affects a connection, for the confirmation dialog.
import type { Connection } from './connection.ts'
import { isOpen } from './matching.ts'

interface Named {
  id: string
  name: string
}

/** A sentence about the connection that ends when a tutor is deleted; undefined if there isn't one. */
export function afterTutor(tutor: Named, connections: readonly Connection[]): string | undefined {
  const connection = connections.find((one) => one.tutor_id === tutor.id && isOpen(one))
  if (!connection) return undefined
  return connection.state === 'asked'
    ? `This withdraws your request to ${tutor.name}.`
    : `This ends the connection with ${tutor.name}. Each of you keeps a copy of the sessions.`
}

/** A sentence about what's left when a child with shared sessions is deleted; undefined if none are shared. */
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

/**
 * A sentence about what's left when a practice deletes a connected family's student; undefined if there's no
 * connection.
 */
export function afterStudent(student: Named, connections: readonly Connection[]): string | undefined {
  const shared = connections.filter((one) => one.state === 'active' && hasPerson(one, student.id))
  if (shared.length === 0) return undefined
  const names = shared.flatMap(({ other_name: name }) => name ?? [])
  const stay = `You stay connected with ${listed(names, 'the family')}.`
  // A family that was invited by email may not have an account, in which case it can't log sessions.
  return shared.some(({ email }) => !email) ? `${stay} Their next session adds the student again.` : stay
}

function hasPerson({ people }: Connection, id: string): boolean {
  return people.some(({ student_id: one }) => one === id)
}

function listed(names: string[], nobody: string): string {
  return names.length > 0 ? new Intl.ListFormat('en').format(names) : nobody
}
