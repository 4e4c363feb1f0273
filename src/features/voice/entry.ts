// The entry of a tutor who keeps books, which has no verb: the student, the day, the time, and then perhaps what was done.
import {
  BESIDE,
  ELSE,
  GOES_ELSEWHERE,
  GOES_ON,
  LESSON,
  MANNER,
  MOOD,
  NEVER,
  REASON,
  TELLS,
  TOPIC,
  UNDONE,
} from './entry-words.ts'
import { find, phrase, type Token } from './spoken-line.ts'
import { tellsPast } from './telling.ts'

const FACT = /^@(?:person|minutes|day|money|subject|fix)$/
const PRACTICE = phrase(
  '(?:conversation|speaking|oral|exam|reading|writing|listening|test) practice|(?:exam|test|essay) prep',
)

/** Whether it says of the time that somebody else or nobody taught. */
export function isOfNoTutor(line: readonly Token[]): boolean {
  return find(line, NEVER).length > 0
}

/**
 * Whether the line names a student and a time, and nothing before or between them but a day, a price, a topic and small words; and the remark behind them tells of no other thing.
 * @param ownBooks whether one tutor alone is on the list; among several a topic is no sign of a lesson
 */
export function isEntry(line: readonly Token[], ownBooks = true): boolean {
  const core = coreOf(line)
  if (core === 0 || !isAllSmall(line.slice(0, core)) || isOfNoTutor(line) || isUndone(line)) return false
  const rest = line.slice(core)
  if (tellsOther(rest)) return false
  if (
    line.some(
      (token) => isOfLesson(token) && (ownBooks || token.text === '@money' || LESSON.test(token.text)),
    )
  )
    return true
  return (
    ownBooks &&
    line.slice(0, core).some(({ text }) => text === '@day') &&
    (isRemark(rest) || isOwnRemark(rest))
  )
}

function isUndone(line: readonly Token[]): boolean {
  return find(line, UNDONE).length > 0 && find(line, phrase('make up|makeup')).length === 0
}

/** Whether a remark names another thing that took the time. */
function tellsOther(rest: readonly Token[]): boolean {
  const opening = rest[0]?.text ?? ''
  if (/^(?:his|her|their|my|our)$/.test(opening) && !tellsPast(rest)) return true
  const other = find(rest, ELSE)[0]
  return (
    other !== undefined &&
    !REASON.test(opening) &&
    !TELLS.test(opening) &&
    !isBesideTheLesson(rest, other.from)
  )
}

/** Whether nothing is behind the facts, or a reason, a verb of the past, a mood. */
function isRemark(rest: readonly Token[]): boolean {
  const opening = rest[0]?.text ?? ''
  if (
    isAllSmall(rest) ||
    REASON.test(opening) ||
    (MANNER.test(opening) && rest.length < 6) ||
    find(rest, PRACTICE).length > 0
  )
    return true
  return TELLS.test(opening) && (tellsPast(rest) || find(rest, MOOD).length > 0)
}

/** Whether a short remark of any kind is parted from the facts: ', projectile motion'. */
function isOwnRemark(rest: readonly Token[]): boolean {
  const opening = rest[0]?.text ?? ''
  const isParted =
    rest[0]?.breaks !== '' ||
    (find(rest, ELSE).length === 0 && /^(?:(?:she|he|they)'(?:s|re)|instead)$/.test(opening))
  return (
    isParted &&
    !GOES_ELSEWHERE.test(opening) &&
    rest.length < 16 &&
    !rest.slice(0, 4).some(({ isPossessive }) => isPossessive)
  )
}

/** 'Trig, review before midterm', 'vectors, homework set': behind what was done it is no other thing. */
function isBesideTheLesson(rest: readonly Token[], place: number): boolean {
  const before = rest.slice(0, place)
  if (before.some(({ text }) => /^(?:before|for|because|towards|we|he|she|make|makeup)$/.test(text)))
    return true
  if (
    rest[place]?.text === 'homework' &&
    (before.at(-1)?.text === 'no' || (rest[place]?.breaks !== '' && place > 0))
  )
    return true
  return before.some(isOfLesson) && (rest[place]?.breaks !== '' || GOES_ON.test(rest[place]?.text ?? ''))
}

/** The words up to where the student, the time and, if one is named, the day are said; none where one of the first two is not. */
function coreOf(line: readonly Token[]): number {
  const at = (word: string): number => line.findIndex(({ text }) => text === word)
  const [person, minutes] = [at('@person'), at('@minutes')]
  return person < 0 || minutes < 0 ? 0 : Math.max(person, minutes, at('@day')) + 1
}

function isAllSmall(words: readonly Token[]): boolean {
  return words.every((token) => FACT.test(token.text) || BESIDE.test(token.text) || isOfLesson(token))
}

/** Whether a word speaks of a lesson: a subject, a topic, a price, 'online'. */
function isOfLesson({ text, said }: Token): boolean {
  const { kind, isKnown } = (said ?? {}) as { kind?: string; isKnown?: boolean }
  return (
    (text === '@money' && kind !== 'fee') ||
    (text === '@subject' && isKnown === true) ||
    LESSON.test(text) ||
    TOPIC.test(text)
  )
}
