// Names that are on nobody's list, where a student's or a tutor's name must stand.
import { find, phrase, type Token } from './spoken-line.ts'
import { heardIn } from './spoken-name.ts'
import { canBeName, isEverydayWord, isFamilyName, isGivenName } from './word-list.ts'

/** Someone who was named and is on no list. */
export interface SaidStranger {
  slot: 'stranger'
  heard: string
  role: 'student' | 'tutor'
}

const LEARNS =
  '(?:had|did|has|took|got|gets|worked|works|met|studied|completed|finished|practiced|practised|attended|spent|was tutored|just had|just finished|also had|received|is having|will have|learned|saw|needs|reviewed|started)'
const TEACHES =
  '(?:taught|tutored|tutors|teaches|charged|charges|came|helped|gave|coached|worked with|went over|showed up)'
const NAME = "(?<name>[a-z']+(?: [a-z']+)?)"
const TITLED_STRANGER = phrase(`(?:mister|missus|miss|doctor|professor|coach|madam|senor|senora) ${NAME}`)
const TUTOR_STRANGER = phrase(`
  (?:with|by|tutored by|tutor|tutor named|tutor called|tutor is|tutor was|lesson from|session from|tutoring from|help from|guy named|lady named|woman named|man named|student named|
  student called) (?:a |the |her |his |our |new |tutor |sub |substitute |named |called |someone )*${NAME}|(?<name2>[a-z']+(?: [a-z']+)?)(?= ${TEACHES}(?= |$))`)
const STUDENT_STRANGER = phrase(
  `(?:for|my son|my daughter|my kid|my child|my nephew|my niece|child|student|taught|tutored|helped|son|daughter|my student|student named) ${NAME}|(?<name2>[a-z']+(?: [a-z']+)?)(?= ${LEARNS}(?= |$))`,
)

/** Marks names that are on no list, where a student's or a tutor's name must stand. */
export function claimStrangers<Said>(
  start: Token<Said | SaidStranger>[],
  speakerTeaches: boolean,
  known: { student: boolean; tutor: boolean },
): Token<Said | SaidStranger>[] {
  let line = start
  const mark = (pattern: RegExp, role: 'student' | 'tutor', afterTitle = false): void => {
    for (let again = true; again;) {
      again = false
      for (const { match, from, to } of find(line, pattern)) {
        const name = match.groups?.name ?? match.groups?.name2 ?? ''
        const first =
          match.groups?.name === undefined
            ? from
            : line.findIndex(
                (token, place) => place >= from && place < to && `${textFrom(line, place, to)}` === name,
              )
        const kept = first < 0 ? 0 : nameLength(line, first, name.split(' ').length, afterTitle)
        const skip = match.groups?.name === undefined && kept === 0 && name.includes(' ') ? 1 : 0
        const length = skip === 1 ? nameLength(line, first + 1, 1, afterTitle) : kept
        const at = first + skip
        const [one, last] = [line[at], line[at + length - 1]]
        if (
          length === 0 ||
          !one ||
          !last ||
          (afterTitle && line[from]?.isPossessive) ||
          (known[role] && !afterTitle && !one.isCapital && !isGivenName(one.text))
        )
          continue
        const begin = afterTitle ? from : at
        line = [
          ...line.slice(0, begin),
          {
            ...one,
            text: '@stranger',
            start: line[begin]?.start ?? one.start,
            end: last.end,
            isPossessive: last.isPossessive,
            said: {
              slot: 'stranger',
              role,
              heard: heardIn(line.slice(at, at + length)),
            },
          },
          ...line.slice(at + length),
        ]
        again = true
        break
      }
    }
  }
  mark(TITLED_STRANGER, 'tutor', true)
  if (speakerTeaches) mark(TUTOR_STRANGER, 'student')
  else mark(TUTOR_STRANGER, 'tutor')
  mark(STUDENT_STRANGER, 'student')
  return line
}

function textFrom(line: readonly Token[], from: number, to: number): string {
  return line
    .slice(from, to)
    .map((token) => token.text)
    .join(' ')
}

/** How many of the words from here are a name: none, one or two. */
function nameLength(line: readonly Token[], from: number, most: number, afterTitle: boolean): number {
  const [one, two] = [line[from], most > 1 ? line[from + 1] : undefined]
  if (!one || one.said !== undefined || !canBeName(one.text, afterTitle)) return 0
  if (isEverydayWord(one.text) && !one.isCapital && !afterTitle && !isGivenName(one.text)) return 0
  const goesOn =
    two !== undefined &&
    two.said === undefined &&
    two.breaks === '' &&
    !one.isPossessive &&
    canBeName(two.text) &&
    (isFamilyName(two.text) || (two.isCapital && one.isCapital))
  return goesOn ? 2 : 1
}
