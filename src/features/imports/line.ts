// What the plans of sessions and of charges have in common: whose a line is, and which lines are added, left out or
// rejected.
import type { ListedPrice } from '#features/prices/price.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Cents, Currency } from '#kernel/money.ts'
import { nameKey } from '#kernel/names.ts'
import { formatCount } from '#kernel/reader.ts'
import { isStorable, trimmed } from '#kernel/text.ts'
import { type DateOrders, dayOf, otherCurrencyIn } from './cell.ts'
import type { Columns, Field } from './import.ts'

/** Names that an export uses for deleted people. Their lines are imported without a student or tutor. */
const UNKNOWN = { student: UNKNOWN_STUDENT, tutor: UNKNOWN_TUTOR } as const

interface Known {
  id: string
  name: string
  archived: boolean
  /** The hourly rate for lines without one. */
  rate?: Cents | null
  /** A student's prices with each tutor. */
  prices?: readonly ListedPrice[]
}

export interface Books {
  students: readonly Known[]
  tutors: readonly Known[]
  /** The user's own row in the list of tutors. If the user is a tutor, every line uses it. */
  self?: Known
  /** The keys of all logged sessions, including repeats, one per line. */
  existing: string
  currency: Currency
  now: Date
}

/** The person on a line: an existing one (id), a new one (name), or a deleted one (null). */
export type Person = { id: string } | { name: string } | null

/** What every line that was understood has. */
export interface Planned {
  line: number
  student: Person
  tutor: Person
  studentName: string
  tutorName: string
  day: CalendarDay
  amount: Cents | null
  /** What to check before importing the line; null if it seems right. */
  toCheck: string | null
}

export interface RefusedLine {
  line: number
  problem: string
  /** The closed month that has to be reopened first. */
  closed?: { connection_id: string; month: string }
}

export interface Plan<Line extends Planned> {
  ready: Line[]
  existing: Line[]
  repeats: Line[]
  refused: RefusedLine[]
  newStudents: string[]
  newTutors: string[]
}

/** Which lines to leave out: those that exist already, and those that repeat an earlier line. */
export interface Skips {
  existing: boolean
  repeats: boolean
}

/**
 * Sorts lines into those to add, those to leave out, and those that can't be imported.
 * @param takeExisting whether what's on a line exists already. Each thing that exists stands for one line.
 * @param problemOf why a line that was understood still can't be added
 */
export function sortOut<Line extends Planned>(
  lines: readonly (Line | RefusedLine)[],
  takeExisting: (line: Line) => boolean,
  skips: Skips,
  problemOf: (line: Line) => Omit<RefusedLine, 'line'> | undefined = () => undefined,
): Plan<Line> {
  const plan: Plan<Line> = {
    ready: [],
    existing: [],
    repeats: [],
    refused: [],
    newStudents: [],
    newTutors: [],
  }
  const seen = new Set<string>()
  for (const read of lines) {
    if ('problem' in read) {
      plan.refused.push(read)
      continue
    }
    const exists = takeExisting(read)
    const whole = JSON.stringify({ ...read, line: 0 })
    const refused = exists && skips.existing ? undefined : problemOf(read)
    if (exists && skips.existing) plan.existing.push(read)
    else if (refused) plan.refused.push({ line: read.line, ...refused })
    else if (seen.has(whole) && skips.repeats) plan.repeats.push(read)
    else plan.ready.push(read)
    seen.add(whole)
  }
  plan.newStudents = newNames(plan.ready.map((line) => line.student))
  plan.newTutors = newNames(plan.ready.map((line) => line.tutor))
  return plan
}

function newNames(people: readonly Person[]): string[] {
  const names = new Map<string, string>()
  for (const person of people)
    if (person && 'name' in person && !names.has(nameKey(person.name)))
      names.set(nameKey(person.name), person.name)
  return [...names.values()]
}

interface Found extends Pick<Known, 'prices'> {
  person: Person
  name: string
  rate: Cents | null
}
export type Find = (name: string) => Found | { problem: string }
export type Finders = Record<'students' | 'tutors', Find>
const found = ({ id, name, rate = null, prices = [] }: Known): Found => ({
  person: { id },
  name,
  rate,
  prices,
})

/** Digits, possibly with signs around them, like an id. */
const IS_NUMBER = /^[\p{P}\p{Z}№]*\p{N}[\p{P}\p{Z}\p{N}]*$/u

/** Who all lines are for if no column says so, by id. */
export interface ForAll {
  student_id?: string | undefined
  tutor_id?: string | undefined
}

/** How to find a line's people by their names. */
export function findersOf({ students, tutors, self }: Books, columns: Columns, all: ForAll): Finders {
  const one = (kind: 'student' | 'tutor', known: readonly Known[]): Find => {
    const same = columns[kind] === undefined && known.find(({ id }) => id === all[`${kind}_id`])
    return same ? () => found(same) : finder(known, kind)
  }
  return { students: one('student', students), tutors: self ? () => found(self) : one('tutor', tutors) }
}

function finder(known: readonly Known[], kind: 'student' | 'tutor'): Find {
  const byName = Map.groupBy(known, (one) => nameKey(one.name))
  return (name) => {
    if (name === '') return { problem: `The ${kind} is missing` }
    const same = byName.get(nameKey(name)) ?? []
    const active = same.filter((one) => !one.archived)
    const [match, ...others] = active.length > 0 ? active : same
    if (others.length > 0)
      return { problem: `Two people on your list are named ${shortened(name)}. Rename one of them first.` }
    if (match) return found(match)
    if (name === UNKNOWN[kind]) return { person: null, name, rate: null }
    if (name.length > 120) return { problem: `The ${kind}'s name is longer than 120 characters` }
    if (IS_NUMBER.test(name)) return { problem: `“${shortened(name)}” is a number, not a ${kind}'s name` }
    return { person: { name }, name, rate: null }
  }
}

export function dateOf(text: string, orders: DateOrders): { day: CalendarDay } | { problem: string } {
  const day = dayOf(text, orders)
  if (day) return { day }
  return { problem: text === '' ? 'The date is missing' : `“${shortened(text)}” isn't a valid date` }
}

/** A line's cell with a field, as it is in the file. */
export type Cell = (field: Field) => string

export function cellsOf(cells: readonly string[], columns: Columns): Cell {
  return (field) => trimmed(cells[columns[field] ?? -1] ?? '')
}

/** The longest text that a field takes, and the verb after its name. */
type Longest = readonly [field: Field, most: number, verb: 'is' | 'are', name?: string]

/** Why the line's texts can't be saved; undefined if they can. */
export function whyNotSaved(
  cell: Cell,
  texts: readonly Longest[],
  names: readonly string[],
): string | undefined {
  const tooLong = texts.find(([field, most]) => cell(field).length > most)
  if (tooLong) {
    const [field, most, verb, name = `The ${field}`] = tooLong
    return `${name} ${verb} longer than ${formatCount(most)} characters`
  }
  return [...texts.map(([field]) => cell(field)), ...names].every(isStorable)
    ? undefined
    : "This line contains a character that can't be saved"
}

/**
 * What's wrong with amounts in another currency; undefined if these texts don't name one.
 * @param code what a column of currencies says
 */
export function inOtherCurrency(
  texts: readonly string[],
  currency: Currency,
  code: string | null = null,
): string | undefined {
  const named = texts.flatMap((text) => otherCurrencyIn(text, currency) ?? [])
  const [other] = code === null || code === currency ? named : [code]
  return other && `The amount is in ${other}, and yours are in ${currency}`
}

export function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
