// Finds the other side's sessions that may be the lesson being logged.
import type { SharedSession } from './confirmation.ts'

/** A lesson about to be logged, with the names of the student and tutor. */
interface Lesson {
  date: string
  student: string
  tutor: string
}

/**
 * The other side's sessions on that day that are waiting for this side's answer. If any of them have the same
 * student and tutor, returns only those.
 */
export function sameDayOf(
  waiting: readonly SharedSession[],
  { date, student, tutor }: Lesson,
): SharedSession[] {
  const ofDay = waiting.filter(
    (session) => session.date === date && session.own_confirmation === 'none' && !session.deletion_asked_by,
  )
  const narrowed = (sessions: SharedSession[], fits: (session: SharedSession) => boolean) =>
    sessions.some(fits) ? sessions.filter(fits) : sessions
  const withStudent = narrowed(ofDay, ({ student_name: name }) => name === student)
  return narrowed(withStudent, ({ other_name: name }) => name === tutor)
}

/** Whether the entered duration, and the entered rate if there is one, match the session's. */
export function saysTheSame(
  session: Pick<SharedSession, 'duration' | 'rate'>,
  typed: { duration: unknown; hourly_rate?: unknown },
): boolean {
  const rate = typed.hourly_rate ?? null
  return Number(typed.duration) === session.duration && (rate === null || Number(rate) === session.rate)
}

/** The lesson fields used to find look-alikes. */
interface Timed {
  connection_id: string | undefined
  student_id: string | null
  day: string
  minutes: number
}

/**
 * For each of this side's lessons, finds the other side's look-alike (undefined if there isn't one). A
 * look-alike has the same connection, child and day, and the closest duration. Each of the other side's
 * lessons is used only once.
 */
export function lookAlikes<Theirs extends Timed>(
  own: readonly Timed[],
  theirs: readonly Theirs[],
): (Theirs | undefined)[] {
  const keyOf = ({ connection_id: connection, student_id: student, day }: Timed) =>
    `${connection} ${student} ${day}`
  const byKey = Map.groupBy(theirs, keyOf)
  const candidates = own.flatMap((lesson, at) =>
    lesson.connection_id === undefined
      ? []
      : (byKey.get(keyOf(lesson)) ?? []).map((other) => ({
          at,
          other,
          distance: Math.abs(lesson.minutes - other.minutes),
        })),
  )
  const found: (Theirs | undefined)[] = own.map(() => undefined)
  const taken = new Set<Theirs>()
  for (const { at, other } of candidates.sort((a, b) => a.distance - b.distance || a.at - b.at)) {
    if (found[at] || taken.has(other)) continue
    found[at] = other
    taken.add(other)
  }
  return found
}
