// Turns a file's cells into sessions to write. Each line is read and compared with the log, and then added,
// left out or rejected.
import { isOwedLine } from '#features/payments/owed.ts'
import { amountAt, type CountingPrice, pricesOfPair, priceThatCounts } from '#features/prices/price.ts'
import { eachWords, LONGEST_WORDS, type StoredWords, WORDS_FIELDS } from '#features/sessions/lesson-words.ts'
import { type SessionDay, sessionDay, TOO_FAR_AHEAD } from '#features/sessions/session.ts'
import { formatHours, MAX_HOURS, type Minutes } from '#kernel/duration.ts'
import {
  cents,
  type Cents,
  type Currency,
  formatMoney,
  leastAmountOf,
  MAX_RATE,
  partOf,
  priceOf,
} from '#kernel/money.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { clockOf, clockRangeOf, type DateOrders, minutesOf, moneyOf } from './cell.ts'
import type { Columns } from './import.ts'
import {
  type Books,
  type Cell,
  cellsOf,
  dateOf,
  type Finders,
  findersOf,
  type ForAll,
  inOtherCurrency,
  type Plan,
  type Planned,
  type RefusedLine,
  shortened,
  type Skips,
  sortOut,
  whyNotSaved,
} from './line.ts'

export interface PlannedSession extends StoredWords, Planned {
  day: SessionDay
  minutes: Minutes
  /** The line's hourly rate; null if it doesn't have one. */
  rate: Cents | null
  /** The price that counts if the line has no rate. */
  usual: CountingPrice | null
  subject: string | null
  /** HH:MM. */
  start: string | null
  notes: string | null
}

/**
 * The key that an import uses to detect duplicates. Sessions with the same student, tutor, day and duration
 * have the same key.
 */
export function sessionKey(session: {
  student: string | null
  tutor: string | null
  day: string
  minutes: number
}): string {
  return [session.day, session.minutes, session.student ?? '', session.tutor ?? ''].join('|')
}

/** The key without the duration: the same people on the same day. */
function withoutLength(key: string): string {
  const [day = '', , ...people] = key.split('|')
  return [day, ...people].join('|')
}

/** Marks a session to be checked if the same people had one that day, but none of this length. */
function comparedWith(logged: readonly string[]) {
  const keys = new Set(logged)
  const days = new Set(logged.map(withoutLength))
  return (line: PlannedSession | RefusedLine): PlannedSession | RefusedLine => {
    const key = 'problem' in line ? undefined : keyIn(line)
    if ('problem' in line || key === undefined || keys.has(key) || !days.has(withoutLength(key))) return line
    const note = 'You already logged a session of another length that day.'
    return { ...line, toCheck: [line.toCheck, note].filter(Boolean).join(' ') }
  }
}

/** Plans every line. Can leave out lines that are already in the log or repeat an earlier line. */
export function planImport(
  lines: readonly { line: number; cells: readonly string[] }[],
  columns: Columns,
  orders: DateOrders,
  books: Books,
  skips: Skips,
  header: readonly string[] = [],
  all: ForAll = {},
): Plan<PlannedSession> {
  const left = new Map<string, number>()
  for (const key of books.existing.split('\n')) left.set(key, (left.get(key) ?? 0) + 1)
  const priceColumns = [columns.rate, columns.amount].flatMap((at) => header[at ?? -1] ?? [])
  const finders = findersOf(books, columns, all)
  const compared = comparedWith([...left.keys()])
  return sortOut(
    lines
      // Our own spreadsheets end with what is owed.
      .filter(({ cells }) => !isOwedLine(cells[0] ?? ''))
      .map(({ line, cells }) =>
        compared(readLine(line, cellsOf(cells, columns), priceColumns, orders, books, finders)),
      ),
    (read) => {
      const inLog = keyIn(read)
      const spare = inLog === undefined ? 0 : (left.get(inLog) ?? 0)
      if (spare > 0 && inLog !== undefined) left.set(inLog, spare - 1)
      return spare > 0
    },
    skips,
  )
}

function keyIn({ student, tutor, day, minutes }: PlannedSession): string | undefined {
  if ((student && 'name' in student) || (tutor && 'name' in tutor)) return undefined
  return sessionKey({ student: student?.id ?? null, tutor: tutor?.id ?? null, day, minutes })
}

const TEXTS = [
  ['subject', 120, 'is'],
  ...WORDS_FIELDS.map((field) => [field, LONGEST_WORDS, 'is'] as const),
  ['notes', 4000, 'are'],
] as const

function readLine(
  line: number,
  cell: Cell,
  priceColumns: readonly string[],
  orders: DateOrders,
  books: Books,
  { students, tutors }: Finders,
): PlannedSession | RefusedLine {
  const refuse = (problem: string) => ({ line, problem })
  const date = dateOf(cell('date'), orders)
  if ('problem' in date) return refuse(date.problem)
  const day = sessionDay(date.day, books.now)
  if (!day) return refuse(TOO_FAR_AHEAD.too_far_ahead.title)
  const student = students(cell('student'))
  if ('problem' in student) return refuse(student.problem)
  const tutor = tutors(cell('tutor'))
  if ('problem' in tutor) return refuse(tutor.problem)
  const times = timesOf(cell('start_time'), cell('end_time'))
  if ('problem' in times) return refuse(times.problem)
  const duration = durationOf(cell('duration'), cell('minutes'), times)
  if ('problem' in duration) return refuse(duration.problem)
  const { minutes } = duration
  const priced = pricesOf(cell('rate'), cell('amount'), priceColumns, minutes, books.currency)
  if ('problem' in priced) return refuse(priced.problem)
  const unsaved = whyNotSaved(cell, TEXTS, [student.name, tutor.name])
  if (unsaved) return refuse(unsaved)
  const tutorId = tutor.person && 'id' in tutor.person ? tutor.person.id : ''
  const prices = pricesOfPair(student.prices ?? [], tutorId)
  const possible = { prices, student: student.rate, tutor: tutor.rate }
  const price = priceThatCounts({ override: priced.rate, ...possible }, date.day)
  return {
    line,
    student: student.person,
    tutor: tutor.person,
    studentName: student.name,
    tutorName: tutor.name,
    day,
    minutes,
    rate: priced.rate,
    usual: priceThatCounts(possible, date.day),
    amount: amountAt(price, minutes, books.currency),
    subject: cell('subject') || null,
    start: times.start,
    ...eachWords((field) => cell(field) || null),
    notes: cell('notes') || null,
    toCheck: duration.toCheck.join(' ') || null,
  }
}

interface Times {
  /** HH:MM. */
  start: string | null
  end: string | null
}

function timesOf(startCell: string, endCell: string): Times | { problem: string } {
  const range = clockRangeOf(startCell)
  if (range) return range
  const [start, end] = [clockOf(startCell), clockOf(endCell)]
  if (start === undefined) return { problem: `“${shortened(startCell)}” isn't a valid time` }
  if (end === undefined) return { problem: `“${shortened(endCell)}” isn't a valid time` }
  return { start, end }
}

/** Longer lessons are so rare that it's probably a mistake. */
const LONG_LESSON = 8 * 60
const HALF_DAY = 12 * 60

/** A line's duration: as given, otherwise from the start to the end. Says what to check about it. */
function durationOf(
  hoursCell: string,
  minutesCell: string,
  { start, end }: Times,
): { minutes: Minutes; toCheck: string[] } | { problem: string } {
  const length = [hoursCell, minutesCell].filter(Boolean).join(', ')
  const span = start !== null && end !== null ? spanOf(start, end) : undefined
  const minutes = length === '' ? span : givenMinutes(hoursCell, minutesCell)
  if (minutes === undefined)
    return {
      problem: length === '' ? 'The duration is missing' : `“${shortened(length)}” isn't a valid duration`,
    }
  if (minutes % 15 !== 0) return { problem: 'Use quarter hours, such as 0.75 or 1.5' }
  if (minutes > MAX_HOURS * 60) return { problem: `The duration can be at most ${MAX_HOURS} hours` }
  const toCheck: string[] = []
  if (start !== null && end !== null && span !== undefined) {
    const spanInWords = `${formatTime(start)} to ${formatTime(end)} is ${formatHours(span)} h.`
    if ((minutes - span) % HALF_DAY !== 0)
      toCheck.push(`The duration is ${formatHours(minutes)} h, but ${spanInWords}`)
    else if (length === '' && end < start) toCheck.push(`Check the duration: ${spanInWords}`)
  }
  if (minutes > LONG_LESSON)
    toCheck.push(`${formatHours(minutes)} h is long for a lesson. Check the duration.`)
  return { minutes, toCheck }
}

/** A duration from a column of hours, one of minutes, or both: 1 and 30, or 1.5 and 90. */
function givenMinutes(hoursCell: string, minutesCell: string): Minutes | undefined {
  const [long, short] = [minutesOf(hoursCell, 'hours'), minutesOf(minutesCell, 'minutes')]
  if (minutesCell === '' || long === short) return long
  if (hoursCell === '') return short
  const canBeAdded = long !== undefined && short !== undefined && long % 60 === 0 && short < 60
  return canBeAdded ? ((long + short) as Minutes) : undefined
}

/** The time between two times of day. Without AM and PM, "11:00 to 1:00" is two hours. */
function spanOf(start: string, end: string): Minutes {
  const [from, to] = [start, end].map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)))
  const span = (to ?? 0) - (from ?? 0)
  return (span < 0 ? (span + 2 * HALF_DAY) % HALF_DAY : span) as Minutes
}

/** A line's rate, from its cells. The headers of their columns may name a currency too. */
function pricesOf(
  rateCell: string,
  amountCell: string,
  headers: readonly string[],
  minutes: Minutes,
  currency: Currency,
): { rate: Cents | null } | { problem: string } {
  const [rate, amount] = [moneyOf(rateCell, currency), moneyOf(amountCell, currency)]
  if (rate === undefined) return { problem: `“${shortened(rateCell)}” isn't a rate` }
  if (amount === undefined) return { problem: `“${shortened(amountCell)}” isn't a valid amount` }
  if (rate === null && amount === null) return { rate }
  const problem = inOtherCurrency([rateCell, amountCell, ...headers], currency)
  return problem ? { problem } : priceLine(minutes, rate, amount, currency)
}

/**
 * A line's rate, either given or calculated from the amount. If no rate gives the exact amount, the line is
 * rejected, because importing it would change a total.
 */
export function priceLine(
  minutes: Minutes,
  rate: Cents | null,
  amount: Cents | null,
  currency: Currency,
): { rate: Cents | null } | { problem: string } {
  if (rate !== null && rate > MAX_RATE) return { problem: 'The rate can be at most 500,000 an hour' }
  if (amount === null) return { rate }
  if (rate !== null)
    return priceOf(rate, minutes, currency) === amount
      ? { rate }
      : {
          problem: `The amount is ${formatMoney(amount, currency)}, but the rate times the duration is ${formatMoney(priceOf(rate, minutes, currency), currency)}`,
        }
  if (minutes === 0)
    return amount === 0 ? { rate: null } : { problem: "A session without a duration can't have an amount" }
  const near = partOf(amount, 60, minutes, currency)
  const least = leastAmountOf(currency)
  const exact = [near, near - least, near + least].find(
    (one) => one >= 0 && one <= MAX_RATE && priceOf(cents(one), minutes, currency) === amount,
  )
  return exact === undefined
    ? { problem: `No hourly rate works out to ${formatMoney(amount, currency)} for this duration` }
    : { rate: cents(exact) }
}
