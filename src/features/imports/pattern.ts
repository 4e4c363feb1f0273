// What someone answers about a calendar's events, and the lines of an import that come of it.
import type { Group, Occurrence } from './occurrence.ts'
import { type Guess, guesser, type Roster } from './title.ts'

/** Events with the same title, and what they probably are. */
export interface Pattern extends Group {
  /** Their usual length in minutes. */
  minutes: number
  guess: Guess
}

export interface Answer {
  isLesson: boolean
  /** Names; empty ones aren't chosen yet. */
  students: string[]
  /** Empty if none is chosen yet. */
  tutor: string
  /** How long each lesson was; undefined if as long as in the calendar. */
  minutes: number | undefined
}

/** The patterns, those most like lessons first. */
export function patternsOf(groups: readonly Group[], roster: Roster): Pattern[] {
  const rank = { sure: 0, likely: 1, unlikely: 2 }
  const guessOf = guesser(roster)
  return groups
    .map((group): Pattern => {
      const minutes = usualLength(group.occurrences)
      return { ...group, minutes, guess: guessOf(group.title, group.occurrences.length, minutes) }
    })
    .toSorted(
      (one, other) =>
        rank[one.guess.certainty] - rank[other.guess.certainty] ||
        other.occurrences.length - one.occurrences.length,
    )
}

function usualLength(occurrences: readonly Occurrence[]): number {
  const counts = Map.groupBy(occurrences, ({ minutes }) => minutes)
  return [...counts].reduce((one, other) => (other[1].length > one[1].length ? other : one))[0]
}

/** What the title says. Only sure ones are lessons without being asked about. */
export function answerFor({ guess }: Pattern): Answer {
  return {
    isLesson: guess.certainty === 'sure',
    students: guess.students.length > 0 ? guess.students : [''],
    tutor: guess.tutor ?? '',
    minutes: undefined,
  }
}

/** Whether lessons are in quarter hours; if not, someone has to say how long they were. */
export function needsLength({ occurrences }: Pattern): boolean {
  return occurrences.some(({ minutes }) => minutes % 15 !== 0)
}

export type Missing = 'student' | 'tutor' | 'minutes'

/** What has to be answered before a pattern's lessons can be imported; undefined if nothing. */
export function missingIn(pattern: Pattern, answer: Answer, isPractice: boolean): Missing | undefined {
  if (!answer.isLesson) return undefined
  if (answer.students.every((name) => name.trim() === '')) return 'student'
  if (!isPractice && answer.tutor.trim() === '') return 'tutor'
  return answer.minutes === undefined && needsLength(pattern) ? 'minutes' : undefined
}

/** How many lines of an import the lessons are: one for each child. */
export function lineCount(patterns: readonly Pattern[], answerOf: (pattern: Pattern) => Answer): number {
  return patterns.reduce((sum, pattern) => {
    const answer = answerOf(pattern)
    return sum + (answer.isLesson ? pattern.occurrences.length * namesIn(answer.students).length : 0)
  }, 0)
}

function namesIn(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.trim()).filter(Boolean))]
}

/** The lessons as a table that an import reads, by day and time. */
export function tableOf(
  patterns: readonly Pattern[],
  answerOf: (pattern: Pattern) => Answer,
  isPractice: boolean,
): string {
  const rows = patterns.flatMap((pattern) => {
    const { isLesson, students, tutor, minutes } = answerOf(pattern)
    if (!isLesson) return []
    return pattern.occurrences.flatMap(({ day, start, minutes: length }) =>
      namesIn(students).map((student) => [
        day,
        start,
        String(minutes ?? length),
        student,
        ...(isPractice ? [] : [tutor.trim()]),
        pattern.guess.subject ?? '',
      ]),
    )
  })
  const inOrder = rows.toSorted((one, other) => (`${one[0]} ${one[1]}` < `${other[0]} ${other[1]}` ? -1 : 1))
  const header = ['Date', 'Start time', 'Minutes', 'Student', ...(isPractice ? [] : ['Tutor']), 'Subject']
  return [header, ...inOrder].map((row) => row.map(quoted).join(',')).join('\n')
}

// A leading apostrophe, which spreadsheets write before formulas, is left out when the table is read.
function quoted(cell: string): string {
  return `"${(cell.startsWith("'") ? `'${cell}` : cell).replaceAll('"', '""')}"`
}
