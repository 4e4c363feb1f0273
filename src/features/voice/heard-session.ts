// The session in what an engine heard, where the engine tells what else may have been said: a value on which too few of its readings
// agree is left out.
import { type Extraction, type ExtractionInput, extractSession } from './extraction.ts'

export interface Heard {
  text: string
  /** What may have been said, the text among it, and how probable each is. */
  readings?: { text: string; probability: number }[]
  /** Noise lay behind the voice. */
  isNoisy?: boolean
}

/**
 * The least share of probability that must stand behind a value. On 351 clips of sessions they leave out more than half of what is wrong,
 * and one right clip in thirty; with 15 dB of noise three quarters and one in four: there the readings are all wrong in the same way more often.
 */
export const LEAST_SHARE = { clear: 0.6, noisy: 0.9 } as const
/** Characters of readings that are looked into, some 30 ms of work; long recordings are judged by fewer of them. */
const MOST_CHARACTERS = 8000

const VALUES = ['studentId', 'tutorId', 'day', 'minutes', 'rate'] as const
type Value = (typeof VALUES)[number]

/** Reads what was heard; a person of whom it is not sure is suggested. */
export function sessionHeard(heard: Heard, input: Omit<ExtractionInput, 'transcript'>): Extraction {
  const found = extractSession({ ...input, transcript: heard.text })
  let characters = 0
  const others = (heard.readings ?? []).filter(({ text }, index) => (characters += text.length) <= MOST_CHARACTERS || index === 0)
    .map(({ text, probability }) => ({ probability, read: text === heard.text ? found : extractSession({ ...input, transcript: text }) }))
  const total = others.reduce((sum, { probability }) => sum + probability, 0)
  const least = heard.isNoisy ? LEAST_SHARE.noisy : LEAST_SHARE.clear
  const isDoubted = (value: Value): boolean => found[value] !== null && others.reduce((sum, { read, probability }) => sum + (read[value] === found[value] ? probability : 0), 0) < least * total
  const doubted = VALUES.filter(isDoubted)
  if (doubted.length === 0) return found

  const kept = { ...found, ...Object.fromEntries(doubted.map((value) => [value, null])) }
  const nameOf = (people: { id: string; name: string }[], id: string | null): string | null => people.find((person) => person.id === id)?.name ?? null
  return {
    ...kept,
    suggestedStudentName: kept.studentId === null ? (found.suggestedStudentName ?? nameOf(input.students, found.studentId)) : null,
    suggestedTutorName: kept.tutorId === null ? (found.suggestedTutorName ?? nameOf(input.tutors, found.tutorId)) : null,
    isFuture: found.isFuture && kept.day !== null,
    confidence: kept.minutes === null || (kept.studentId === null && kept.tutorId === null) || found.confidence === 'low' ? 'low' : 'medium',
  }
}
