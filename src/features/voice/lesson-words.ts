// Finds what was said about the lesson itself: what was covered and what the homework is. Both sides can read
// these.

const END = String.raw`(?=[.!?](?:\s+\p{Lu}|\s*$)|[;\n]|$)`
/**
 * Matches 'Homework: page 12', 'her homework is to read' and 'for homework do page 12' up to the end of the
 * sentence. Doesn't match 'help with homework'.
 */
const HOMEWORK = new RegExp(
  [
    String.raw`\b(?:and )?(?:(?:for |the |his |her |their )?homework)`,
    String.raw`(?:\s*[:-]\s*|,? (?:is|will be) (?:to )?(?:do )?|,? (?:to )?do |,? `,
    String.raw`(?=(?:pages?|chapters?|exercises?|problems?|questions?|worksheets?|read|finish|write|learn)\b))`,
    String.raw`(?<what>[^;\n]+?)${END}`,
  ].join(''),
  'iu',
)
/** Matches homework that was assigned earlier and has already been done. */
const DONE =
  /^(?:not |all |already |well )?(?:done|finished|complete|completed|ready|missing|late|none|over)\b/i
/** Matches 'We covered fractions' at the start of the remaining text. */
const DONE_TOGETHER = new RegExp(
  String.raw`^(?:we|they) (?:did|covered|went over|worked on|went through|reviewed|practiced) (?<what>[^;\n]+?)${END}`,
  'iu',
)

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
  const homework = HOMEWORK.exec(transcript)?.groups?.what?.trim() ?? ''
  const isSet = homework !== '' && !DONE.test(homework)
  const rest = tidy(isSet ? without(notes ?? '', homework) : (notes ?? ''))
  const together = DONE_TOGETHER.exec(rest)
  if (!isSet && !together) return { summary: null, homework: null, notes }
  const left = together ? tidy(rest.slice(together[0].length)) : rest
  return {
    summary: together?.groups?.what?.trim() || null,
    homework: isSet ? homework.slice(0, 500) : null,
    notes: left || null,
  }
}

/** Removes the homework from the notes, because it has a separate field. */
function without(notes: string, homework: string): string {
  const clause = HOMEWORK.exec(notes)
  const text = clause ? notes.replace(clause[0], '') : notes
  return tidy(text) === homework || homework.startsWith(tidy(text)) ? '' : text
}

function tidy(text: string): string {
  return text
    .replaceAll(/\s*\.(?:\s*\.)+/g, '.')
    .replaceAll(/^[\s,.;:-]+|[\s,.;:-]+$/g, '')
    .replace(/\s*\band$/i, '')
}
