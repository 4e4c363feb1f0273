// Finds every candidate fact in a text, and the text as the model sees it: words, with placeholders for what
// was found.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { plainSpelling } from '../name-spelling.ts'
import { dayCandidates } from './days.ts'
import { lineOf, type Word } from './line.ts'
import { moneyCandidates } from './money.ts'
import { type Person, personCandidates, strangerCandidates, withoutNear } from './people.ts'
import { isSubject } from './remarks.ts'
import { timeCandidates } from './times.ts'

export type Slot = 'child' | 'tutor' | 'day' | 'minutes' | 'rate' | 'stranger'

/** A possible fact: a span of words, [from, to), and what it may mean. */
export interface Candidate {
  slot: Slot
  from: number
  to: number
  /** An id, a calendar day, minutes, or cents; null for a name that matches nobody, or several people. */
  value: string | number | null
  /** How it was found; several ways are joined with '+'. */
  type: string
  /** For money: per hour, or for the whole lesson. */
  reading?: 'hour' | 'total'
  /** For a time range, the start time, HH:MM. */
  start?: string
  /** Whether two people on the list share this name. */
  isShared?: boolean
  /** The name as spoken. */
  said?: string
}

/** A token as the model sees it: a word, or a placeholder such as @child. */
export interface Piece {
  sign: string
  from: number
  to: number
}

export interface Task {
  /** The speaker's own date, used for words like 'yesterday'. */
  today: CalendarDay
  children: Person[]
  /** `rate` is the usual hourly price in cents. */
  tutors: (Person & { rate: number | null; subjects: string[] })[]
  text: string
}

export interface Found {
  task: Task
  line: Word[]
  pieces: Piece[]
  of: Record<Slot, Candidate[]>
}

/** Maximum candidates per slot; no realistic text has more. */
const MOST_CANDIDATES = 48

/** Finds all candidates in a text. */
export function found(task: Task): Found {
  const line = lineOf(task.text)
  const children = personCandidates(line, task.children, 'child')
  const tutors = personCandidates(line, task.tutors, 'tutor')
  const [child, tutor] = [withoutNear(children, tutors), withoutNear(tutors, children)]
  const isName = ({ from, to }: Candidate): boolean =>
    [...child, ...tutor].some(
      (name) =>
        name.from <= from &&
        name.to >= to &&
        /exact|full|fold|given|family/.test(name.type) &&
        line[name.from]?.isCapital,
    )
  const of: Record<Slot, Candidate[]> = {
    child,
    tutor,
    // 'Thư' written as a name isn't Thursday if someone has that name.
    day: dayCandidates(line, task.today).filter((one) => !isName(one)),
    minutes: timeCandidates(line),
    // Likewise, Penny isn't a coin if she's on the list.
    rate: moneyCandidates(line).filter(
      (one) =>
        one.type !== 'free' || ![...child, ...tutor].some((name) => name.from === one.from && isGiven(name)),
    ),
    stranger: strangerCandidates(line, [...child, ...tutor]),
  }
  for (const slot of Object.keys(of) as Slot[]) of[slot] = of[slot].slice(0, MOST_CANDIDATES)
  const subjects = new Set(task.tutors.flatMap((tutor) => tutor.subjects.map(plainSpelling)))
  return { task, line, of, pieces: piecesOf(line, of, subjects) }
}

const isGiven = ({ type }: Candidate): boolean => /^(exact|full|fold|given|family)$/.test(type)

const DAY_SIGNS: [RegExp, string][] = [
  [/^(yesterday|lastnight|ago|beside)/, '@before'],
  [/^(today|tonight)/, '@today'],
  [/^tomorrow/, '@ahead'],
  [/recent|same/, '@weekday'],
]

/**
 * Replaces what was found with placeholders: names first, then days, times, and money. Each word belongs to
 * one piece.
 */
function piecesOf(line: Word[], of: Record<Slot, Candidate[]>, subjects: Set<string>): Piece[] {
  const sign = new Map<number, Piece>()
  const put = (name: string, { from, to }: Candidate): void => {
    for (let at = from; at < to; at += 1) if (sign.has(at)) return
    const piece = { sign: name, from, to }
    for (let at = from; at < to; at += 1) sign.set(at, piece)
  }
  const signOf = ({ type, from }: Candidate): string => {
    const sign = DAY_SIGNS.find(([pattern]) => pattern.test(type))?.[1] ?? '@date'
    return sign === '@weekday' && line[from - 1]?.text === 'next' ? '@ahead' : sign
  }
  const isFirm = ({ type }: Candidate): boolean =>
    !/^(joined|blend|near\d|title|self|common|stem|letter|small-letter|role)$/.test(type)
  const both = (one: Candidate): boolean =>
    of.tutor.some(({ from, to }) => from === one.from && to === one.to)
  const long = (list: Candidate[]): Candidate[] =>
    [...list].sort((one, other) => other.to - other.from - (one.to - one.from))
  for (const one of long(of.child.filter(isFirm))) put(both(one) ? '@either' : '@child', one)
  for (const one of long(of.tutor.filter(isFirm))) put('@tutor', one)
  for (const one of long(of.day.filter(({ type }) => !/^(dash|dot|the|weekday-date|weekback)/.test(type))))
    put(signOf(one), one)
  for (const one of long(of.minutes.filter(({ type }) => type === 'range'))) put('@range', one)
  for (const one of long(
    of.minutes.filter(({ type }) => /^(bare-)?(hours|minutes|part|colon|open)$/.test(type)),
  ))
    put('@time', one)
  for (const one of long(of.rate.filter(({ type }) => type.startsWith('dollars')))) put('@money', one)
  for (const one of of.stranger) put('@stranger', one)
  const pieces: Piece[] = []
  for (let at = 0; at < line.length;) {
    const piece = sign.get(at) ?? { sign: plainSign(line[at] as Word, subjects), from: at, to: at + 1 }
    pieces.push(piece)
    at = piece.to
  }
  return pieces
}

function plainSign({ text, value, isOrdinal }: Word, subjects: Set<string>): string {
  if (isOrdinal) return '@ordinal'
  if (/^\d+:/.test(text)) return '@clock'
  // The model has never seen most listed subjects, such as '数学'; it treats them like math.
  if (value === null) return subjects.has(text) && !isSubject(text) ? 'math' : text
  return value <= 12 ? '@small' : '@number'
}
