// What's written about a lesson: either side writes it, both read it, and neither confirms it. Everything that
// stores, sends or shows these texts goes through this table, so a new one is a line here and a column.
import * as z from 'zod/mini'
import { optionalText } from '#kernel/text.ts'

/** The names of the texts, which are also their columns, and their labels. */
export const LESSON_WORDS = {
  summary: { label: 'Summary', asked: 'Lesson summary', placeholder: 'What you covered' },
  homework: { label: 'Homework', asked: 'Homework', placeholder: 'What to work on next' },
} as const

export type WordsField = keyof typeof LESSON_WORDS
export const WORDS_FIELDS = Object.keys(LESSON_WORDS) as WordsField[]

/** The texts as stored. */
export type StoredWords = Record<WordsField, string | null>
/** The texts that someone writes. Those left out stay as they are. */
export type LessonWords = Partial<StoredWords>

/** An object with a value for each text. */
export function eachWords<Value>(valueOf: (field: WordsField) => Value): Record<WordsField, Value> {
  return Object.fromEntries(WORDS_FIELDS.map((field) => [field, valueOf(field)])) as Record<WordsField, Value>
}

/** The maximum length of each text, in characters. */
export const LONGEST_WORDS = 500

/** The schemas of the texts in a request and in a response. */
export const lessonWords = eachWords(() => optionalText(LONGEST_WORDS))
export const storedWords = eachWords(() => z.nullable(z.string()))

export function hasWords(session: StoredWords): boolean {
  return WORDS_FIELDS.some((field) => Boolean(session[field]))
}

/** Appends text to stored text without losing any. Undefined if the result would be too long. */
export function joinedWords(
  stored: string | null,
  added: string | null | undefined,
): string | null | undefined {
  if (!added || added === stored) return stored
  const joined = stored ? `${stored}\n${added}` : added
  return joined.length > LONGEST_WORDS ? undefined : joined
}

/** Whether there's room for all of the added texts below the stored ones. */
export function canJoinWords(stored: StoredWords, added: LessonWords): boolean {
  return WORDS_FIELDS.every((field) => joinedWords(stored[field], added[field]) !== undefined)
}
