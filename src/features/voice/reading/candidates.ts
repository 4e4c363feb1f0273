// Finds every candidate fact in a text, and builds the text that the model sees: words, with placeholders for
// what was found.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Cents } from '#kernel/money.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { dayCandidates } from './days.ts'
import { languageOf } from '../which-language.ts'
import { ENGLISH } from './language.ts'
import { covers, lineOf, overlaps, type Span, textAt, type Word } from './line.ts'
import { moneyCandidates } from './money.ts'
import { type Person, personCandidates, strangerCandidates, withoutNear } from './people.ts'
import { type Phrase, phrasesIn } from './phrases.ts'
import { isSubject } from './remarks.ts'
import { PLAIN_LENGTH, timeCandidates } from './times.ts'

export type Slot = 'child' | 'tutor' | 'day' | 'minutes' | 'rate' | 'stranger'

/** A possible fact: the words, and what they may mean. */
export interface Candidate extends Span {
  slot: Slot
  /** An id, a calendar day, minutes, or cents; null for a name that matches nobody or several people, or an unclear day. */
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
  written?: string
}

/** A token as the model sees it: a word, or a placeholder such as @child. */
export interface Piece extends Span {
  sign: string
}

export interface ReadingInput {
  transcript: string
  /** The speaker's own date, used for words like 'yesterday'. */
  today: CalendarDay
  students: Person[]
  /** `rate` is the usual hourly price in cents. */
  tutors: (Person & { rate: Cents | null; subjects: string[] })[]
}

export interface Found {
  task: ReadingInput
  line: Word[]
  pieces: Piece[]
  /** Whether it's in a language that isn't read. */
  isForeign: boolean
  of: Record<Slot, Candidate[]>
  /** What says that a class didn't take place. */
  missed: Phrase[]
}

/** Maximum candidates per slot; no realistic text has more. */
const MOST_CANDIDATES = 48

/** Finds all candidates in a text. */
export function found(task: ReadingInput): Found {
  const subjects = task.tutors.flatMap((tutor) => tutor.subjects)
  const names = [...task.students, ...task.tutors].map(({ name }) => name)
  const known = languageOf(task.transcript, [...names, ...subjects])
  const language = known ?? ENGLISH
  const line = lineOf(task.transcript, language)
  const phrases = phrasesIn(line, language)
  const children = personCandidates(line, task.students, 'child')
  const tutors = personCandidates(line, task.tutors, 'tutor')
  const [child, tutor] = [withoutNear(children, tutors), withoutNear(tutors, children)]
  const named = [...child, ...tutor].filter(({ type }) => /^(exact|full|given|family)$/.test(type))
  const capital = named.filter(({ from }) => line[from]?.isCapital)
  const of: Record<Slot, Candidate[]> = {
    child,
    tutor,
    // If someone on the list is named Thư or Penny, 'Thư' isn't Thursday and 'Penny' isn't a coin.
    day: dayCandidates(line, phrases, task.today).filter((one) => !capital.some((name) => covers(name, one))),
    minutes: timeCandidates(line, phrases),
    rate: moneyCandidates(phrases.amounts).filter(
      (one) => one.type !== 'free' || !named.some((name) => covers(name, one)),
    ),
    stranger: strangerCandidates(line, [...child, ...tutor]),
  }
  const dates = of.day.filter(({ type }) => /^(iso|impossible)/.test(type))
  const clear = SHOWN.slice(0, -1).flatMap(([slot, , shown]) =>
    of[slot].filter(({ type, value }) => shown.test(type) && value !== null),
  )
  of.day = of.day.filter(
    (one) =>
      !/^(open|unclear)/.test(one.type) ||
      !clear.some((fact) => overlaps(fact, one) && (fact.slot !== 'day' || one.type === 'open')),
  )
  for (const slot of Object.keys(of) as Slot[])
    of[slot] = of[slot]
      // 2025 isn't a time, and 31 isn't a price or another month's day, if they are part of a date.
      .filter((one) => !dates.some((date) => overlaps(date, one) && !covers(one, date)))
      .slice(0, MOST_CANDIDATES)
  const { missed } = phrases
  return { task, line, of, pieces: piecesOf(task, line, of), isForeign: known === undefined, missed }
}

/** Only clear name matches become placeholders; other names stay words. */
const CLEAR = /^(?!near\d|title|self|common|stem|letter|small-letter|role)/
/** Which candidates become placeholders, in this order. */
const SHOWN: [Slot, sign: string, type: RegExp][] = [
  ['child', '@child', CLEAR],
  ['tutor', '@tutor', CLEAR],
  ['day', '@date', /^(?!dash|dot|the|weekday-date|by-7)/],
  ['minutes', '@range', /^range$/],
  ['minutes', '@time', PLAIN_LENGTH],
  ['rate', '@money', /^dollars/],
  ['stranger', '@stranger', /./],
]

/** Replaces what was found with placeholders. Each word belongs to one piece. */
function piecesOf({ today, tutors }: ReadingInput, line: Word[], of: Found['of']): Piece[] {
  const subjects = new Set(tutors.flatMap((tutor) => tutor.subjects.map(plainSpelling)))
  const isEither = ({ slot, from, to }: Candidate): boolean =>
    slot === 'child' && of.tutor.some((tutor) => tutor.from === from && tutor.to === to)
  const taken = new Map<number, Piece>()
  for (const [slot, plain, shown] of SHOWN) {
    const list = of[slot].filter(({ type, value }) => shown.test(type) && (slot !== 'day' || value !== null))
    for (const one of list.sort((a, b) => b.to - b.from - (a.to - a.from))) {
      const places = Array.from({ length: one.to - one.from }, (_, index) => one.from + index)
      if (places.some((at) => taken.has(at))) continue
      const sign = slot === 'day' ? daySign(line, one, today) : isEither(one) ? '@either' : plain
      for (const at of places) taken.set(at, { sign, from: one.from, to: one.to })
    }
  }
  const pieces: Piece[] = []
  for (let at = 0; at < line.length; at = pieces.at(-1)?.to ?? line.length)
    pieces.push(taken.get(at) ?? { sign: plainSign(line[at] as Word, subjects), from: at, to: at + 1 })
  return pieces
}

function daySign(line: Word[], { type, value, from }: Candidate, today: CalendarDay): string {
  if (/recent|same/.test(type)) return textAt(line, from - 1) === 'next' ? '@ahead' : '@weekday'
  if (!/^(by|ago|beside)/.test(type)) return '@date'
  return String(value) < today ? '@before' : value === today ? '@today' : '@ahead'
}

function plainSign({ text, value, isOrdinal }: Word, subjects: Set<string>): string {
  if (isOrdinal) return '@ordinal'
  if (/^\d+:/.test(text)) return '@clock'
  // The model has never seen most listed subjects, such as '数学'; it treats them like math.
  if (value === null) return subjects.has(text) && !isSubject(text) ? 'math' : text
  return value <= 12 ? '@small' : '@number'
}
