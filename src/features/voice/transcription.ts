// Finds the sessions in a speech engine's output. If the engine returns alternatives, this picks the most
// probable one and leaves out any value that too few of the others agree with.
import type { Transcription } from '#platform/speech/transcription.ts'
import { isNickname } from './nickname.ts'
import type { ReadingInput } from './reading/candidates.ts'
import type { Person } from './reading/people.ts'
import type { Fact } from './reading/choices.ts'
import { NOTHING_READ, type Reading, type ReadSession } from './reading/read.ts'
import { wordsOf } from './spoken-sentences.ts'

/** We keep a value only if the readings that agree on it have at least this combined probability. */
const LEAST_SHARE = 0.5
/**
 * With noise, readings make the same mistake more often, so a value that fewer agree on is marked for the user to
 * check. Measured on 351 recorded sessions at a 15 dB signal-to-noise ratio, three out of four correct results are
 * above it, and only one in four wrong ones. To leave out what's below would lose every tenth session that's right.
 */
const SURE_SHARE = 0.9
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
const FACTS = {
  studentId: 'child',
  tutorId: 'tutor',
  day: 'day',
  minutes: 'minutes',
  rate: 'rate',
} as const satisfies Record<Value, Fact>
/** What to do about the values of a session that not every reading agrees on. */
interface Doubts {
  leftOut: readonly Value[]
  /** Filled in, but the user should check them. */
  marked: readonly Value[]
}
const NO_DOUBTS: Doubts = { leftOut: [], marked: [] }
type Lists = Pick<ReadingInput, 'today' | 'students' | 'tutors'>

/**
 * Combines the output of one or two engines. A value that both heard counts, even if the first engine wasn't
 * sure of it. If they differ, the first engine's counts, because it knows the account's names. Gaps are filled
 * with what the second engine heard, unless there's noise or little of it was understood.
 *
 * If the first engine takes the recording for something else, but the second one heard sessions, they're filled
 * in along with a question, without any values that the engines disagree on.
 */
export function sessionsIn(
  transcription: Transcription,
  lists: Lists,
  read: (transcript: string) => Reading,
): { text: string; found: Reading } {
  const isOfThisKind = transcription.isOfThisKind ?? true
  const second = transcription.other === undefined ? NOTHING_READ : read(transcription.other)
  if (transcription.other === undefined || second.sessions.length === 0)
    return isOfThisKind
      ? sessionsOfOneEngine(transcription, lists, read)
      : { text: transcription.text, found: NOTHING_READ }
  const first = likeliestOf(transcription, lists, read)
  const own = first.found.sessions
  const isSure = isOfThisKind && own.length > 0
  // If the engines heard different numbers of sessions, we can't tell which ones belong together.
  const isPaired = own.length === second.sessions.length
  if (isSure && !isPaired) return sessionsOfOneEngine(transcription, lists, read)
  const sessions = second.sessions.map((other, index) => {
    const mine = isPaired ? own[index] : undefined
    return mine
      ? joined(mine, other, {
          doubts: first.doubts[index] ?? NO_DOUBTS,
          isSure,
          isNoisy: transcription.isNoisy,
          lists,
        })
      : other
  })
  if (isSure) return { text: first.text, found: { ...first.found, sessions: withValues(sessions, lists) } }
  const asked = sessions.map(onlyMaybe)
  return {
    text: transcription.other,
    found: { ...second, sounds: 'maybe', sessions: withValues(asked, lists) },
  }
}

/** A session that may not be one. A total divided by a length that wasn't understood is no rate. */
function onlyMaybe(session: ReadSession): ReadSession {
  const rate = session.minutes === null ? null : session.rate
  return { ...session, rate, confidence: 'low' }
}

interface Joining {
  /** What the first engine isn't sure of. */
  doubts: Doubts
  /** Whether the first engine is sure that there's a session. */
  isSure: boolean
  isNoisy: boolean | undefined
  lists: Lists
}

function joined(
  own: ReadSession,
  second: ReadSession,
  { doubts, isSure, isNoisy, lists }: Joining,
): ReadSession {
  const other = unsaidToday(second, lists)
  const differ = VALUES.filter(
    (value) => own[value] !== null && second[value] !== null && own[value] !== second[value],
  )
  const isVague = isNoisy || second.confidence === 'low' || differ.length > 0
  const gaps = VALUES.filter((value) => !isVague && own[value] === null && other[value] !== null)
  const filled: ReadSession = {
    ...own,
    ...Object.fromEntries(gaps.map((value) => [value, other[value]])),
    start: gaps.includes('minutes') ? other.start : own.start,
    suggestedStudentName: gaps.includes('studentId') ? null : own.suggestedStudentName,
    suggestedTutorName: gaps.includes('tutorId') ? null : own.suggestedTutorName,
    subject: isSure ? (own.subject ?? other.subject) : other.subject,
    notes: isSure ? (own.notes ?? other.notes) : other.notes,
    confidence: own.confidence === 'high' && differ.length > 0 ? 'medium' : own.confidence,
  }
  const isLeftOut = (value: Value): boolean =>
    own[value] !== second[value] && (doubts.leftOut.includes(value) || (!isSure && differ.includes(value)))
  const disputed = doubts.marked.filter((value) => own[value] !== second[value])
  return marked(disputed, without(VALUES.filter(isLeftOut), filled, lists))
}

/** A session without its day if that's today: it's the day if none was said, so it fills no gap. */
function unsaidToday(session: ReadSession, { today }: Lists): ReadSession {
  return session.day === today ? { ...session, day: null } : session
}

/** Drops sessions of which nothing is left. Keeps at least one. */
function withValues(sessions: ReadSession[], lists: Lists): ReadSession[] {
  const kept = sessions.filter((session) =>
    VALUES.some((value) => unsaidToday(session, lists)[value] !== null),
  )
  return kept.length > 0 ? kept : sessions.slice(0, 1)
}

/**
 * Reads an engine's output and returns the transcript that was used. If the engine isn't sure about a person,
 * only suggests the name.
 * @param read reads one transcript
 */
export function sessionsOfOneEngine(
  transcription: Transcription,
  lists: Lists,
  read: (transcript: string) => Reading,
): { text: string; found: Reading } {
  const { text, found, doubts } = likeliestOf(transcription, lists, read)
  const sessions = found.sessions.map((session, index) => {
    const own = doubts[index] ?? NO_DOUBTS
    return marked(own.marked, without(own.leftOut, session, lists))
  })
  return { text, found: { ...found, sessions: withValues(sessions, lists) } }
}

/** The names of the people that a value can mean. Undefined if it isn't a person. */
const PEOPLE: Partial<Record<Value, (lists: Lists) => Person[]>> = {
  studentId: ({ students }) => students,
  tutorId: ({ tutors }) => tutors,
}

/**
 * Whether a value is one of several people, though none of their names is in the transcript: words that only sound
 * similar. An engine that returns alternatives knows the names, and would have heard this one.
 */
function isGuess(value: Value, session: ReadSession, transcript: string, lists: Lists): boolean {
  const people = PEOPLE[value]?.(lists) ?? []
  const { name = '', alsoCalled = [] } = people.find(({ id }) => id === session[value]) ?? {}
  const words = transcript.split(' ').map((word) => word.replace(/'s$/, ''))
  return (
    people.length > 1 &&
    ![name, ...alsoCalled]
      .flatMap(wordsOf)
      .some((part) => words.some((word) => word === part || isNickname(word, part)))
  )
}

/** The likeliest of an engine's transcripts and, for each of its sessions, what too few others agree on. */
function likeliestOf(
  transcription: Transcription,
  lists: Lists,
  read: (transcript: string) => Reading,
): { text: string; found: Reading; doubts: Doubts[] } {
  let characters = 0
  const readings = (
    transcription.hypotheses?.length
      ? transcription.hypotheses
      : [{ text: transcription.text, probability: 1 }]
  )
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
    return { text: transcription.text, found: likeliest?.found ?? NOTHING_READ, doubts: [] }
  const { text, found } = others.reduce(
    (best, other) => (other.weight > best.weight && other.found.sessions.length > 0 ? other : best),
    likeliest,
  )
  const total = readings.reduce((sum, { weight }) => sum + weight, 0)
  const doubts = found.sessions.map((session, index): Doubts => {
    const shareOf = (value: Value): number =>
      readings
        .filter((other) => other.found.sessions[index]?.[value] === session[value])
        .reduce((sum, { weight }) => sum + weight, 0) / total
    const isLeftOut = (value: Value): boolean =>
      shareOf(value) < LEAST_SHARE ||
      (transcription.hypotheses !== undefined && isGuess(value, session, text, lists))
    const filled = VALUES.filter((value) => session[value] !== null)
    return {
      leftOut: filled.filter(isLeftOut),
      marked: transcription.isNoisy ? filled.filter((value) => shareOf(value) < SURE_SHARE) : [],
    }
  })
  return { text, found, doubts }
}

/** Asks the user to check these values, if they're filled in. */
function marked(values: readonly Value[], session: ReadSession): ReadSession {
  const facts = values.filter((value) => session[value] !== null).map((value) => FACTS[value])
  if (facts.length === 0) return session
  return { ...session, unsure: [...new Set([...session.unsure, ...facts])], confidence: 'low' }
}

function without(doubted: readonly Value[], session: ReadSession, { students, tutors }: Lists): ReadSession {
  if (doubted.length === 0) return session
  const kept: ReadSession = { ...session, ...Object.fromEntries(doubted.map((value) => [value, null])) }
  const nameOf = (people: { id: string; name: string }[], id: string | null): string | null =>
    people.find((person) => person.id === id)?.name ?? null
  const isLow =
    kept.minutes === null ||
    kept.day === null ||
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
