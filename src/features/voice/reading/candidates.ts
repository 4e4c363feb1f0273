// Everything in a text that may be a fact of a lesson, and the text as the model sees it: words, and
// signs for what was found.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { dayCandidates } from './days.ts'
import { lineOf, type Word } from './line.ts'
import { moneyCandidates } from './money.ts'
import { type Person, personCandidates, strangerCandidates } from './people.ts'
import { timeCandidates } from './times.ts'

export type Slot = 'child' | 'tutor' | 'day' | 'minutes' | 'rate' | 'stranger'

/** A stretch of the line, [from, to) in words, with what it may mean. */
export interface Candidate {
  slot: Slot
  from: number
  to: number
  /** An id, a calendar day, minutes or cents; null for a name that is nobody's, or more than one person's. */
  value: string | number | null
  /** How it was found; two ways are joined by '+'. */
  type: string
  /** Of money: for an hour, or for the whole lesson. */
  reading?: 'hour' | 'total'
  /** Of a range of times, the wall clock at which it begins, HH:MM. */
  start?: string
  /** A name that two people of the list share. */
  isShared?: boolean
  /** A name as it was said. */
  said?: string
}

/** A piece of the line as the model sees it: a word, or a sign such as @child. */
export interface Piece {
  sign: string
  from: number
  to: number
}

export interface Task {
  /** The speaker's own date, which 'yesterday' counts from. */
  today: CalendarDay
  children: Person[]
  /** `rate` is what an hour usually costs, cents. */
  tutors: (Person & { rate: number | null; subjects: string[] })[]
  text: string
}

export interface Found {
  task: Task
  line: Word[]
  pieces: Piece[]
  of: Record<Slot, Candidate[]>
}

/** Candidates of one slot beyond these are left out: no text that people write has as many. */
const MOST_CANDIDATES = 48

/** Finds all candidates of a text. */
export function found(task: Task): Found {
  const line = lineOf(task.text)
  const child = personCandidates(line, task.children, 'child')
  const tutor = personCandidates(line, task.tutors, 'tutor')
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
    // 'Thư' is a name where somebody bears it and it is written as one, and no Thursday.
    day: dayCandidates(line, task.today).filter((one) => !isName(one)),
    minutes: timeCandidates(line),
    // Nor is Penny a coin where she is on the list.
    rate: moneyCandidates(line).filter(
      (one) =>
        one.type !== 'free' || ![...child, ...tutor].some((name) => name.from === one.from && isGiven(name)),
    ),
    stranger: strangerCandidates(line, [...child, ...tutor]),
  }
  for (const slot of Object.keys(of) as Slot[]) of[slot] = of[slot].slice(0, MOST_CANDIDATES)
  return { task, line, of, pieces: piecesOf(line, of) }
}

const isGiven = ({ type }: Candidate): boolean => /^(exact|full|fold|given|family)$/.test(type)

const DAY_SIGNS: [RegExp, string][] = [
  [/^(yesterday|lastnight|ago|beside)/, '@before'],
  [/^(today|tonight)/, '@today'],
  [/^tomorrow/, '@ahead'],
  [/recent|same/, '@weekday'],
]

/**
 * The line with what was found as signs: names first, then days, times and money; a word belongs to one
 * piece only.
 */
function piecesOf(line: Word[], of: Record<Slot, Candidate[]>): Piece[] {
  const sign = new Map<number, Piece>()
  const put = (name: string, { from, to }: Candidate): void => {
    for (let at = from; at < to; at += 1) if (sign.has(at)) return
    const piece = { sign: name, from, to }
    for (let at = from; at < to; at += 1) sign.set(at, piece)
  }
  const isFirm = ({ type }: Candidate): boolean =>
    !/^(joined|blend|title|self|common|stem|letter|small-letter|role)$/.test(type)
  const both = (one: Candidate): boolean =>
    of.tutor.some(({ from, to }) => from === one.from && to === one.to)
  const long = (list: Candidate[]): Candidate[] =>
    [...list].sort((one, other) => other.to - other.from - (one.to - one.from))
  for (const one of long(of.child.filter(isFirm))) put(both(one) ? '@either' : '@child', one)
  for (const one of long(of.tutor.filter(isFirm))) put('@tutor', one)
  for (const one of long(of.day.filter(({ type }) => !/^(dash|dot|the|weekday-date|weekback)/.test(type))))
    put(DAY_SIGNS.find(([pattern]) => pattern.test(one.type))?.[1] ?? '@date', one)
  for (const one of long(of.minutes.filter(({ type }) => type === 'range'))) put('@range', one)
  for (const one of long(
    of.minutes.filter(({ type }) => /^(bare-)?(hours|minutes|part|colon|open)$/.test(type)),
  ))
    put('@time', one)
  for (const one of long(of.rate.filter(({ type }) => type.startsWith('dollars')))) put('@money', one)
  for (const one of of.stranger) put('@stranger', one)
  const pieces: Piece[] = []
  for (let at = 0; at < line.length;) {
    const piece = sign.get(at) ?? { sign: plainSign(line[at] as Word), from: at, to: at + 1 }
    pieces.push(piece)
    at = piece.to
  }
  return pieces
}

function plainSign({ text, value, isOrdinal }: Word): string {
  if (isOrdinal) return '@ordinal'
  if (/^\d+:/.test(text)) return '@clock'
  if (value === null) return text
  return value <= 12 ? '@small' : '@number'
}
