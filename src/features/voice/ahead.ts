// What is still to come: the hours that are fixed for a lesson, or the day on which lessons begin again.
import { find, phrase, type Token } from './spoken-line.ts'

/** That somebody has a lesson at a time. */
const HAS = phrase(
  "has|have|sees|see|meets|goes to|(?:is|are|am|'s) (?:with|seeing|at|booked|on|down|in)|starts|begins|got|confirmed|comes|works with",
)
/** That lessons begin again. */
const RESUMES = phrase(
  '(?:open|opens|start|starts|restart|restarts|resume|resumes|begin|begins|continue|continues|back|return|returns|reopen|reopens|are on|is on)(?: (?:again|up|with|for|the|lessons?|classes|tutoring|sessions?|from|as|and|both|normal|usual|@person|@subject))* (?:@day|@aside)',
)

/** What is going on, or how long it still lasts. */
const GOING_ON = phrase(
  '(?:has|have|is with|are with|is in with) @person (?:right )?now|(?:right )?now (?:with|has|have) @person|another @minutes(?= |$)(?! (?:with|of|on|for|lesson|session|@))|@minutes (?:to (?:myself|ourselves|himself|herself|themselves|go|kill)|left|more(?! (?:with|of|on|for|than)))',
)
/** 'Theo is down to see Daniel', 'Poppy's next with her'. */
const FIXED = phrase(
  "timetable|rota|agenda|term dates|down (?:to (?:see|have|do|go)|for)|due (?:at|with|to|in|for)|next (?:with|at|for|up)|(?:it's|it is) @person (?:for|with) @person",
)
/** A day that nobody can take for one to come. */
const BEHIND = /yesterday|last|ago|this morning|\d/i

/** Whether a lesson is going on, or the hours on the clock, or the day on which lessons begin again, lie ahead; only for lines that tell nothing of the past. @param isFuture whether the day does */
export function isAhead(line: readonly Token[], transcript: string, isFuture: boolean): boolean {
  if (find(line, GOING_ON).length > 0 || find(line, FIXED).length > 0) return true
  if (isFuture && find(line, RESUMES).length > 0) return true
  const isRange = ({ said }: Token): boolean => (said as { isRange?: boolean } | undefined)?.isRange === true
  const isPast =
    !isFuture &&
    line.some(({ text, start, end }) => text === '@day' && BEHIND.test(transcript.slice(start, end)))
  return line.some(isRange) && !isPast && (isFuture || find(line, HAS).length > 0)
}
