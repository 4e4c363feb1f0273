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
