// Reads which class a text says didn't take place. Anything that wasn't said in plain words stays empty, because the
// class is then chosen on the screen.
import type { Outcome } from '#features/terms/outcome.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Candidate, Found } from './candidates.ts'

/** A class that didn't take place. */
export interface ReadMissed {
  studentId: string | null
  tutorId: string | null
  /** The class's day. A weekday alone can mean the last one or the next one. */
  day: CalendarDay | null
  /** Null if it was canceled, and it depends on when. */
  outcome: Extract<Outcome, 'no_show' | 'canceled_by_tutor'> | null
}

/** How clearly a name has to have been said. */
const CLEAR = /^(?:exact|full|given|family|nickname)/

/** Null if nothing says that a class of a child or tutor on the lists didn't take place. */
export function missedIn(text: Found, isCanceled: boolean): ReadMissed | null {
  const [studentId, tutorId] = [onlyOne(clear(text.of.child)), onlyOne(clear(text.of.tutor))]
  const isSaid = (type: string): boolean => text.missed.some((phrase) => phrase.type === type)
  const [isAbsent, isByTutor] = [isSaid('absent'), isSaid('tutors')]
  // 'No-show' alone says it, too. In a longer text, it may be about anything.
  const isAlone = text.line.length <= 4 && (isAbsent || isByTutor)
  if (!isCanceled && !isAlone && !(isAbsent && studentId !== null)) return null
  const isTutors =
    isByTutor ||
    (text.task.tutors.some(({ isSelf }) => isSelf) && isSaid('mine')) ||
    text.of.tutor.some((one) => CLEAR.test(one.type) && text.missed.some(({ from }) => from === one.to))
  return {
    studentId,
    tutorId,
    day: onlyOne(text.of.day.filter(({ value }) => value !== null)) as CalendarDay | null,
    outcome: isTutors ? 'canceled_by_tutor' : isAbsent ? 'no_show' : null,
  }
}

const clear = (named: Candidate[]): Candidate[] =>
  named.filter(({ type, isShared }) => CLEAR.test(type) && !isShared)

/** What all of these mean, if it's the same. */
function onlyOne(all: Candidate[]): string | null {
  const [one, ...others] = new Set(all.map(({ value }) => value))
  return others.length === 0 && typeof one === 'string' ? one : null
}
