// Finds the sessions in a speech engine's output. If the engine returns alternatives, this picks the most
// probable one and leaves out any value that too few of the others agree with.
import type { ReadingInput } from './reading/candidates.ts'
import { NOTHING_READ, type Reading, type ReadSession } from './reading/read.ts'

export interface Heard {
  text: string
  /** The possible transcripts and their probabilities. Includes `text`. */
  hypotheses?: { text: string; probability: number }[]
  /** Text from a second engine for the same recording. */
  other?: string
  /** Whether there's background noise in the recording. */
  isNoisy?: boolean
}

/**
 * We keep a value only if the readings that agree on it have at least this combined probability. Measured on
 * 351 recorded sessions at a 15 dB signal-to-noise ratio, the noisy threshold keeps three out of four correct
 * results and only one in four wrong ones. It has to be higher than the clear one because readings make the
 * same mistake more often when there's noise. Without noise, few results are wrong, and the clear threshold
 * loses no correct ones.
 */
export const LEAST_SHARE = { clear: 0.5, noisy: 0.9 } as const
/**
 * Multiplies a reading's probability if it names the student, and again if it names the tutor. Most reports
 * name both, but the engine can't take that into account because it considers only three words at a time.
 * With this factor, three more of the 351 clips are correct and none gets worse. Any value from 2 to 8 has
 * the same effect.
 */
const NAMED = 4
/**
 * The maximum number of characters to read across all hypotheses. Reading that many takes about 0.1 s. Long
 * recordings get fewer hypotheses.
 */
const MOST_CHARACTERS = 3000

const VALUES = ['studentId', 'tutorId', 'day', 'minutes', 'rate'] as const
type Value = (typeof VALUES)[number]
type Lists = Pick<ReadingInput, 'today' | 'students' | 'tutors'>

/**
 * Combines the output of one or two engines. Fills gaps with the second engine's values. If the two differ,
 * keeps the first engine's values if it's sure of its session, because it knows the account's names: on the
 * 54 handed-out clips, leaving them out loses 14 correct sessions and no wrong one. Otherwise, the user has
 * to choose. If only the second engine heard a session, it's filled in along with a question.
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
  // If the engines heard different numbers of sessions, we can't tell which ones belong together.
  if (own.length !== theirs.length) return first
  const sessions = own.map((session, index) => joined(session, theirs[index] ?? session, lists))
  return { ...first, found: { ...first.found, sessions } }
}

function joined(own: ReadSession, other: ReadSession, lists: Lists): ReadSession {
  // An unsaid day means today anyway. The first engine may have heard a day that it wasn't sure about.
  const gaps = VALUES.filter(
    (value) => own[value] === null && other[value] !== null && other[value] !== lists.today,
  )
  const filled: ReadSession = {
    ...own,
    ...Object.fromEntries(gaps.map((value) => [value, other[value]])),
    start: own.minutes === null ? other.start : own.start,
    suggestedStudentName: other.studentId && !own.studentId ? null : own.suggestedStudentName,
    suggestedTutorName: other.tutorId && !own.tutorId ? null : own.suggestedTutorName,
    subject: own.subject ?? other.subject,
    notes: own.notes ?? other.notes,
  }
  const differ = VALUES.filter(
    (value) => own[value] !== null && other[value] !== null && own[value] !== other[value],
  )
  if (own.confidence !== 'high') return without(differ, filled, lists)
  return differ.length > 0 ? { ...filled, confidence: 'medium' } : filled
}

/**
 * Reads an engine's output and returns the transcript that was used. If the engine isn't sure about a person,
 * only suggests the name.
 * @param read reads one transcript
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
  // Considers alternatives only if the most likely transcript has a session. With enough alternatives, even a
  // sentence about something else would have one that names a person.
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
