// Searching sessions by what's written about them, their people and their day, and by where they stand. The server
// searches with SQL (search-queries.server.ts), the demo with matchesSearch; a test compares the two.
import { type Standing, standingOf } from '#features/agreements/answer.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { cents, centsOfDollars, type Currency, dollars } from '#kernel/money.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { WORDS_FIELDS } from './lesson-words.ts'
import type { FoundSessions, Session } from './session.ts'

/** Where sessions stand, as lists and searches tell them apart. To delete one waits for somebody, too. */
export const STATES = {
  verified: { label: 'Agreed', standings: ['verified'] },
  waiting: { label: 'Waiting', standings: ['waiting', 'leaving'] },
  disputed: { label: 'Not right', standings: ['disputed'] },
  own: { label: 'Only yours', standings: ['own'] },
} as const satisfies Record<string, { label: string; standings: readonly Standing[] }>
export type State = keyof typeof STATES
export const STATE_NAMES = Object.keys(STATES) as [State, ...State[]]

export function stateOf(session: Session): State {
  const standing = standingOf(session)
  return STATE_NAMES.find((state) => STATES[state].standings.some((one) => one === standing)) ?? 'own'
}

/** What sessions are searched for. Everything that's given has to match. */
export interface SessionSearch {
  /** All of them have to occur (searchedWords). */
  words: readonly string[]
  from?: CalendarDay | undefined
  to?: CalendarDay | undefined
  studentId?: string | undefined
  tutorId?: string | undefined
  state?: State | undefined
  /** Only those that the other side sent back and that nobody has answered since. */
  isSentBack?: boolean
}

/** Whether a request for a list asks for anything but a month or those sent back. */
export function isSearch(asked: Partial<Record<(typeof ASKED)[number], unknown>>): boolean {
  return ASKED.some((one) => asked[one] !== undefined && asked[one] !== '')
}
const ASKED = ['search', 'standing', 'from', 'to', 'student_id', 'tutor_id'] as const

/** The typed words in their plain spelling, so that "jose" finds José. */
export function searchedWords(typed = ''): string[] {
  return [...new Set(plainSpelling(typed).split(/[\s,]+/))].filter(Boolean)
}

const each = (count: number, nameOf: (nth: number) => CalendarDay, style: 'month' | 'weekday') =>
  Array.from({ length: count }, (_, nth) => formatDay(nameOf(nth), { [style]: 'long' }).toLowerCase())
const MONTHS = each(12, (nth) => `2026-${String(nth + 1).padStart(2, '0')}-01` as CalendarDay, 'month')
/** From Sunday on. */
const WEEKDAYS = each(7, (nth) => `2026-03-0${nth + 1}` as CalendarDay, 'weekday')
/** With fewer letters, "ma" for Maya would find all of March. */
const SHORTEST_NAME = 3

/** The days that a searched word may mean, besides its place in a text. Undefined if it means none. */
export interface MeantDays {
  year?: number
  dayOfMonth?: number
  /** The names that it begins: 1 to 12, and 0 for Sunday. */
  months?: number[]
  weekdays?: number[]
  /** The beginning of a date such as 2026-11-03, 11/3/2026 or 3.11.2026. */
  date?: string
}

/** What a word says about a day: "3", "nov", "tue", "2026-11", "11/3" and "3.11." do. */
export function meantDays(word: string): MeantDays | undefined {
  if (/^(19|20|21)[0-9]{2}$/.test(word)) return { year: Number(word) }
  if (/^[0-9]{1,2}$/.test(word)) return { dayOfMonth: Number(word) }
  if (/^[0-9]{1,4}[-/.][-/.0-9]*$/.test(word)) return { date: word }
  if (word.length < SHORTEST_NAME) return undefined
  const begun = (names: readonly string[]) => names.flatMap((name, at) => (name.startsWith(word) ? [at] : []))
  const [months, weekdays] = [begun(MONTHS).map((at) => at + 1), begun(WEEKDAYS)]
  return months.length + weekdays.length > 0 ? { months, weekdays } : undefined
}

/** A word that's a number has to be a whole one, so that 3 isn't 30. */
export const isNumber = (word: string) => /^[0-9]+$/.test(word)

export function matchesSearch(session: Session, search: SessionSearch): boolean {
  return (
    (!search.from || session.date >= search.from) &&
    (!search.to || session.date <= search.to) &&
    (!search.studentId || session.student_id === search.studentId) &&
    (!search.tutorId || session.tutor_id === search.tutorId) &&
    (!search.state || stateOf(session) === search.state) &&
    hasWords(session, search.words)
  )
}

function hasWords(session: Session, words: readonly string[]): boolean {
  const texts = [
    session.subject,
    ...WORDS_FIELDS.map((field) => session[field]),
    session.notes,
    session.student_name,
    session.tutor_name,
  ]
  const text = plainSpelling(texts.filter((one) => one !== null).join('\n'))
  return words.every(
    (word) =>
      (isNumber(word) ? new RegExp(`(^|[^0-9])${word}([^0-9]|$)`).test(text) : text.includes(word)) ||
      isMeant(session.date as CalendarDay, meantDays(word)),
  )
}

function isMeant(day: CalendarDay, meant: MeantDays | undefined): boolean {
  if (!meant) return false
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  if (meant.year !== undefined) return year === meant.year
  if (meant.dayOfMonth !== undefined) return date === meant.dayOfMonth
  if (meant.date !== undefined) {
    const { date: begun } = meant
    return [day, `${month}/${date}/${year}`, `${date}.${month}.${year}`].some((text) =>
      text.startsWith(begun),
    )
  }
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return Boolean(meant.months?.includes(month) || meant.weekdays?.includes(weekday))
}

/** A group of found sessions with the same standing and currency. The amount is null if none has one. */
export interface FoundPart {
  standing: Standing
  currency: Currency
  sessions: number
  minutes: number
  amount: number | null
}

/** What a search found in all (FoundSessions in session.ts). */
export function foundOf(parts: readonly FoundPart[]): FoundSessions {
  const countOf = (some: readonly FoundPart[]) => some.reduce((sum, { sessions }) => sum + sessions, 0)
  const counted = parts.filter(({ standing }) => standing !== 'disputed' && standing !== 'leaving')
  const amounts = new Map<Currency, number>()
  for (const { currency, amount } of counted)
    if (amount !== null) amounts.set(currency, (amounts.get(currency) ?? 0) + amount)
  return {
    sessions: countOf(parts),
    waiting: countOf(counted.filter(({ standing }) => standing === 'waiting')),
    left_out: countOf(parts) - countOf(counted),
    hours: hours(counted.reduce((sum, { minutes }) => sum + minutes, 0) as Minutes),
    amounts: [...amounts].map(([currency, amount]) => ({ currency, amount: dollars(cents(amount)) })),
  }
}

/** Each session as a part of its own. */
export function partsOf(sessions: readonly Session[]): FoundPart[] {
  return sessions.map((session) => ({
    standing: standingOf(session),
    currency: session.currency,
    sessions: 1,
    minutes: Math.round(session.duration * 60),
    amount: session.total_amount === null ? null : centsOfDollars(session.total_amount),
  }))
}
