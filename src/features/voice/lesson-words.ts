// Finds what was said about the lesson itself: what was covered and what the homework is. Both sides can read
// these.

import languages from './lesson-words.json' with { type: 'json' }

const END = String.raw`(?=[.!?](?:\s+\p{Lu}|\s*$)|[;\n]|$)`

/** How a language says what was covered and what the homework is. */
const SAID = Object.values(languages).map(({ and, homework, is, do: does, first, done, together }) => ({
  /**
   * Matches 'Homework: page 12', 'her homework is to read' and 'for homework do page 12' up to the end of the
   * sentence. Doesn't match 'help with homework'.
   */
  homework: new RegExp(
    String.raw`\b(?:${and} )?${homework}(?:\s*[:-]\s*|,? ${is}|,? ${does}|,? (?=(?:${first})\b))(?<what>[^;\n]+?)${END}`,
    'iu',
  ),
  /** Matches homework that was assigned earlier and has already been done. */
  done: new RegExp(String.raw`^${done}\b`, 'i'),
  /** Matches 'We covered fractions' at the start of the remaining text. */
  together: new RegExp(String.raw`^${together} (?<what>[^;\n]+?)${END}`, 'iu'),
  and: new RegExp(String.raw`\s*\b${and}$`, 'i'),
}))

/** The text for both sides, plus the rest, which goes into the speaker's private notes. */
interface LessonTexts {
  summary: string | null
  homework: string | null
  notes: string | null
}

/**
 * Splits the words that aren't session facts into what was covered, the homework, and private notes.
 * @param notes the words that aren't facts
 */
export function lessonWordsIn(transcript: string, notes: string | null): LessonTexts {
  const said = SAID.find((one) => one.homework.test(transcript) || one.together.test(tidy(notes ?? '')))
  if (!said) return { summary: null, homework: null, notes }
  const homework = said.homework.exec(transcript)?.groups?.what?.trim() ?? ''
  const isSet = homework !== '' && !said.done.test(homework)
  const rest = tidy(isSet ? without(notes ?? '', homework, said.homework) : (notes ?? ''))
  const together = said.together.exec(rest)
  if (!isSet && !together) return { summary: null, homework: null, notes }
  const left = together ? tidy(rest.slice(together[0].length)) : rest
  return {
    summary: together?.groups?.what?.trim() || null,
    homework: isSet ? homework.slice(0, 500) : null,
    notes: left || null,
  }
}

/** Removes the homework from the notes, because it has a separate field. */
function without(notes: string, homework: string, pattern: RegExp): string {
  const clause = pattern.exec(notes)
  const text = clause ? notes.replace(clause[0], '') : notes
  return tidy(text) === homework || homework.startsWith(tidy(text)) ? '' : text
}

function tidy(text: string): string {
  const trimmed = text.replaceAll(/\s*\.(?:\s*\.)+/g, '.').replaceAll(/^[\s,.;:-]+|[\s,.;:-]+$/g, '')
  return SAID.reduce((left, { and }) => left.replace(and, ''), trimmed)
}
