// Finds the sessions in a speech engine's output. If the engine returns alternatives, the most probable
// reading wins, and a value that too few of the other readings share is left out.
import { NOTHING_READ, type Reading, type ReadingInput, type ReadSession } from './reading/read.ts'

export interface Heard {
  text: string
  /** The possible transcripts, including `text`, with their probabilities. */
  hypotheses?: { text: string; probability: number }[]
  /** A second engine's text for the same recording. */
  other?: string
  /** Whether the recording has background noise. */
  isNoisy?: boolean
}

/**
 * The minimum combined probability of the readings that agree on a value. On 351 clips of sessions with 15 dB
 * of noise, the noisy threshold keeps three of four correct clips and one of four wrong ones, because with
 * noise the readings more often share a mistake. Without noise, few clips are wrong, and no correct ones are
 * lost.
 */
export const LEAST_SHARE = { clear: 0.5, noisy: 0.9 } as const
/**
 * How much more likely a reading becomes for naming the student, and again for naming the tutor. Most reports
 * name both, which the engine can't take into account because it looks at only three words at a time. Of 351
 * clips, three more are correct and none gets worse; any value from 2 to 8 has the same effect.
 */
const NAMED = 4
/**
 * The maximum number of characters to read in all hypotheses, about 0.1 s of work. Long recordings get fewer
 * hypotheses.
 */
const MOST_CHARACTERS = 3000

const VALUES = ['studentId', 'tutorId', 'day', 'minutes', 'rate'] as const
type Value = (typeof VALUES)[number]
type Lists = Pick<ReadingInput, 'students' | 'tutors'>

/**
 * Combines one or two engines' output. Values both agree on are kept, the second fills gaps in the first, and
 * where they differ the user has to choose. A session that only the second one heard is filled in with a
 * question.
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
  // If the engines heard different numbers of sessions, we can't tell which ones match.
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
 * Reads an engine's output and returns the text that was used. If the engine isn't sure about a person, the
 * name is only suggested.
 * @param read reads one text
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
  // Looks at the alternatives only if the most likely reading has a session. With enough alternatives, even a
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
