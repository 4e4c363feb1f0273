// The session in what an engine heard, where the engine tells what else may have been said: of its readings the likeliest counts, and
// a value on which too few of the others agree is left out.
import { type Extraction, type ExtractionInput, extractSession, NO_SESSION } from './extraction.ts'

export interface Heard {
  text: string
  /** What may have been said, the text among it, and how probable each is. */
  hypotheses?: { text: string; probability: number }[]
  /** Noise lay behind the voice. */
  isNoisy?: boolean
}

/**
 * The least share of probability that must stand behind a value. On 351 clips of sessions with 15 dB of noise it keeps three right clips in
 * four and one wrong in four: there the readings are more often all wrong in the same way. Without noise few are wrong, and none is lost.
 */
export const LEAST_SHARE = { clear: 0.5, noisy: 0.9 } as const
/**
 * How much likelier a reading is for each of student and tutor that it names: most reports name both, and the engine, which
 * knows three words at a time, cannot know that. Of 351 clips three more are right, and none that was right is wrong; 2 to 8 do the same.
 */
const NAMED = 4
/** Characters of hypotheses that are read, some 0.1 s of work; long recordings are judged by fewer of them. */
const MOST_CHARACTERS = 8000

const VALUES = ['studentId', 'tutorId', 'day', 'minutes', 'rate'] as const
type Value = (typeof VALUES)[number]

/** Reads what was heard, and tells which text that was; a person of whom it is not sure is suggested. */
export function sessionHeard(
  heard: Heard,
  input: Omit<ExtractionInput, 'transcript'>,
): { text: string; found: Extraction } {
  let characters = 0
  const readings = (heard.hypotheses?.length ? heard.hypotheses : [{ text: heard.text, probability: 1 }])
    .filter(({ text }, index) => (characters += text.length) <= MOST_CHARACTERS || index === 0)
    .map(({ text, probability }) => {
      const found = extractSession({ ...input, transcript: text })
      return {
        text,
        found,
        weight: probability * NAMED ** [found.studentId, found.tutorId].filter((id) => id !== null).length,
      }
    })
  // Names are looked for only where the likeliest reading tells of a session: among enough readings of anything else somebody is named.
  const [likeliest, ...others] = readings
  if (!likeliest?.found.isSession) return { text: heard.text, found: likeliest?.found ?? NO_SESSION }
  const { text, found } = others.reduce(
    (best, other) => (other.weight > best.weight ? other : best),
    likeliest,
  )
  const total = readings.reduce((sum, { weight }) => sum + weight, 0)
  const least = heard.isNoisy ? LEAST_SHARE.noisy : LEAST_SHARE.clear
  const shareOf = (value: Value): number =>
    readings.reduce((sum, other) => sum + (other.found[value] === found[value] ? other.weight : 0), 0) / total
  return {
    text,
    found: without(
      VALUES.filter((value) => found[value] !== null && shareOf(value) < least),
      found,
      input,
    ),
  }
}

function without(
  doubted: readonly Value[],
  found: Extraction,
  { students, tutors }: Omit<ExtractionInput, 'transcript'>,
): Extraction {
  if (doubted.length === 0) return found
  const kept = { ...found, ...Object.fromEntries(doubted.map((value) => [value, null])) }
  const nameOf = (people: { id: string; name: string }[], id: string | null): string | null =>
    people.find((person) => person.id === id)?.name ?? null
  return {
    ...kept,
    suggestedStudentName:
      kept.studentId === null ? (found.suggestedStudentName ?? nameOf(students, found.studentId)) : null,
    suggestedTutorName:
      kept.tutorId === null ? (found.suggestedTutorName ?? nameOf(tutors, found.tutorId)) : null,
    start: kept.minutes === null ? null : found.start,
    isFuture: found.isFuture && kept.day !== null,
    confidence:
      kept.minutes === null ||
      (kept.studentId === null && kept.tutorId === null) ||
      found.confidence === 'low'
        ? 'low'
        : 'medium',
  }
}
