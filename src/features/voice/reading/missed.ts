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

const ABSENT = String.raw`(?:did(?:n't|nt| not)|never) (?:come|show|turn up|appear|make it)|no[- ]?show`
const CANCELED = String.raw`(?:just |has |had to |have to )*cancel|(?:just |has |had to )*call(?:ed)? (?:it |this |that )?off`
const NOT_COME = new RegExp(String.raw`\b(?:${ABSENT})`, 'i')
const BY_TUTOR = new RegExp(
  String.raw`\b(?:the|our|my|his|her|their) (?:tutor|teacher) (?:${ABSENT}|${CANCELED})|\bby the (?:tutor|teacher)\b`,
  'i',
)
const BY_ME = new RegExp(String.raw`\bi (?:${CANCELED})`, 'i')
const FOLLOWS = new RegExp(String.raw`^\s+(?:${ABSENT}|${CANCELED})`, 'i')
/** How clearly a name has to have been said. */
const CLEAR = /^(?:exact|full|given|family|nickname)/

/** Null if nothing says that a class of a child or tutor on the lists didn't take place. */
export function missedIn(text: Found, isCanceled: boolean): ReadMissed | null {
  const { transcript, tutors } = text.task
  const said = transcript.replaceAll('’', "'")
  const [studentId, tutorId] = [onlyOne(text.of.child, CLEAR), onlyOne(text.of.tutor, CLEAR)]
  const isAbsent = NOT_COME.test(said)
  const isByTutor = BY_TUTOR.test(said)
  // 'No-show' alone says it, too. In a longer text, it may be about anything.
  const isAlone = text.line.length <= 4 && (isAbsent || isByTutor)
  if (!isCanceled && !isAlone && !(isAbsent && studentId !== null)) return null
  const isTutors =
    isByTutor ||
    (tutors.some(({ isSelf }) => isSelf) && BY_ME.test(said)) ||
    text.of.tutor.some((one) => CLEAR.test(one.type) && FOLLOWS.test(said.slice(text.line[one.to - 1]?.end)))
  return {
    studentId,
    tutorId,
    day: onlyOne(text.of.day, /./) as CalendarDay | null,
    outcome: isTutors ? 'canceled_by_tutor' : isAbsent ? 'no_show' : null,
  }
}

/** The only value that was said clearly. */
function onlyOne(said: Candidate[], isClear: RegExp): string | null {
  const clear = said.filter(({ type, value, isShared }) => value !== null && isClear.test(type) && !isShared)
  const [value = null, other] = new Set(clear.map((one) => String(one.value)))
  return other === undefined ? value : null
}
