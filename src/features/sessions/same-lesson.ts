// Which of the other side's sessions may be the lesson that somebody is about to log.
import type { SharedSession } from './confirmation.ts'

/** A lesson about to be logged, by the names of its people. */
interface Lesson {
  date: string
  student: string
  tutor: string
}

/** The sessions of a day that the other side logged and that wait for the own word: those with the same people where there are any. */
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

/** Whether what was typed agrees with a session in length and, where a rate was typed, in rate. */
export function saysTheSame(
  session: Pick<SharedSession, 'duration' | 'rate'>,
  typed: { duration: unknown; hourly_rate?: unknown },
): boolean {
  const rate = typed.hourly_rate ?? null
  return Number(typed.duration) === session.duration && (rate === null || Number(rate) === session.rate)
}

/** A lesson on a day with somebody, as long as it took. */
interface Timed {
  connection_id: string | undefined
  student_id: string | null
  day: string
  minutes: number
}

/**
 * For each of the own lessons the other side's one that it looks like: the same connection, child and day, the nearest length
 * first, and each at most once. Undefined for a lesson that nobody else logged.
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
