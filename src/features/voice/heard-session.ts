// The sessions in what an engine heard, where the engine tells what else may have been said: of its readings the
// likeliest counts, and a value on which too few of the others agree is left out.
import { NOTHING_READ, type Reading, type ReadingInput, type ReadSession } from './reading/read.ts'

export interface Heard {
  text: string
  /** What may have been said, the text among it, and how probable each is. */
  hypotheses?: { text: string; probability: number }[]
  /** What another engine heard in the same sound. */
  other?: string
  /** Noise lay behind the voice. */
  isNoisy?: boolean
}

/**
 * The least share of probability that must stand behind a value. On 351 clips of sessions with 15 dB of noise it
 * keeps three right clips in four and one wrong in four: there the readings are more often all wrong in the same way.
 * Without noise few are wrong, and none is lost.
 */
export const LEAST_SHARE = { clear: 0.5, noisy: 0.9 } as const
/**
 * How much likelier a reading is for each of student and tutor that it names: most reports name both, and the engine,
 * which knows three words at a time, cannot know that. Of 351 clips three more are right, and none that was right is
 * wrong; 2 to 8 do the same.
 */
const NAMED = 4
/** Characters of hypotheses that are read, some 0.1 s of work; long recordings are judged by fewer of them. */
const MOST_CHARACTERS = 3000

const VALUES = ['studentId', 'tutorId', 'day', 'minutes', 'rate'] as const
type Value = (typeof VALUES)[number]
type Lists = Pick<ReadingInput, 'students' | 'tutors'>

/**
 * Reads what one engine heard or two: what both say counts, a gap of the first is filled from the second, and where
 * they differ the user is left to say. What the second alone hears is filled in and asked about.
 */
export function sessionsHeard(
  heard: Heard & { isOfThisKind?: boolean },
  lists: Lists,
  read: (transcript: string) => Reading,
): { text: string; found: Reading } {
  const first =
    heard.isOfThisKind === false
      ? { text: heard.text, found: NOTHING_READ }
      : sessionHeard(heard, lists, read)
  const second = heard.other === undefined ? NOTHING_READ : read(heard.other)
  const [own, theirs] = [first.found.sessions, second.sessions]
  if (heard.other === undefined || theirs.length === 0) return first
  if (own.length === 0) {
    const sessions = theirs.map((session): ReadSession => ({ ...session, confidence: 'low' }))
    return { text: heard.other, found: { ...second, sounds: 'maybe', sessions } }
  }
  // Another number of sessions: nothing tells which of them are the same.
  if (own.length !== theirs.length) return first
  const sessions = own.map((session, index) => joined(session, theirs[index] ?? session, lists))
  return { ...first, found: { ...first.found, sessions } }
}

function joined(own: ReadSession, other: ReadSession, lists: Lists): ReadSession {
  const gaps = VALUES.filter((value) => own[value] === null && other[value] !== null)
  const filled: ReadSession = {
    ...own,
    ...Object.fromEntries(gaps.map((value) => [value, other[value]])),
    start: own.minutes === null ? other.start : own.start,
    suggestedStudentName: other.studentId && !own.studentId ? null : own.suggestedStudentName,
    suggestedTutorName: other.tutorId && !own.tutorId ? null : own.suggestedTutorName,
    subject: own.subject ?? other.subject,
    notes: own.notes ?? other.notes,
  }
  return without(
    VALUES.filter((value) => own[value] !== null && other[value] !== null && own[value] !== other[value]),
    filled,
    lists,
  )
}

/**
 * Reads what was heard, and tells which text that was; a person of whom it is not sure is suggested. @param read
 * reads one text
 */
export function sessionHeard(
  heard: Heard,
  lists: Lists,
  read: (transcript: string) => Reading,
): { text: string; found: Reading } {
  let characters = 0
  const readings = (heard.hypotheses?.length ? heard.hypotheses : [{ text: heard.text, probability: 1 }])
    .filter(({ text }, index) => (characters += text.length) <= MOST_CHARACTERS || index === 0)
    .map(({ text, probability }) => {
      const found = read(text)
      const [first] = found.sessions
      const named = [first?.studentId, first?.tutorId].filter((id) => id != null).length
      return { text, found, weight: probability * NAMED ** named }
    })
  // Names are looked for only where the likeliest reading tells of a session: among enough readings of anything else
  // somebody is named.
  const [likeliest, ...others] = readings
  if (!likeliest || likeliest.found.sessions.length === 0)
    return { text: heard.text, found: likeliest?.found ?? NOTHING_READ }
  const { text, found } = others.reduce(
    (best, other) => (other.weight > best.weight && other.found.sessions.length > 0 ? other : best),
    likeliest,
  )
  const total = readings.reduce((sum, { weight }) => sum + weight, 0)
  const least = heard.isNoisy ? LEAST_SHARE.noisy : LEAST_SHARE.clear
  const doubted = (session: ReadSession, index: number): Value[] =>
    VALUES.filter((value) => {
      const agree = readings.filter((other) => other.found.sessions[index]?.[value] === session[value])
      return session[value] !== null && agree.reduce((sum, { weight }) => sum + weight, 0) / total < least
    })
  return {
    text,
    found: {
      ...found,
      sessions: found.sessions.map((session, index) => without(doubted(session, index), session, lists)),
    },
  }
}

function without(doubted: Value[], session: ReadSession, { students, tutors }: Lists): ReadSession {
  if (doubted.length === 0) return session
  const kept: ReadSession = { ...session, ...Object.fromEntries(doubted.map((value) => [value, null])) }
  const nameOf = (people: { id: string; name: string }[], id: string | null): string | null =>
    people.find((person) => person.id === id)?.name ?? null
  const isLow =
    kept.minutes === null ||
    (kept.studentId === null && kept.tutorId === null) ||
    session.confidence === 'low'
  return {
    ...kept,
    suggestedStudentName:
      kept.studentId === null ? (session.suggestedStudentName ?? nameOf(students, session.studentId)) : null,
    suggestedTutorName:
      kept.tutorId === null ? (session.suggestedTutorName ?? nameOf(tutors, session.tutorId)) : null,
    start: kept.minutes === null ? null : session.start,
    isFuture: session.isFuture && kept.day !== null,
    confidence: isLow ? 'low' : 'medium',
  }
}
