// Filters a month's sessions by child, tutor or state. The choice is stored in the page's URL.
import { standingOf } from '#features/agreements/answer.ts'
import type { Session } from '#features/sessions/session.ts'
import { type State, STATES, stateOf } from '#features/sessions/session-search.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { hours, hoursInWords, type Minutes } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { cents, centsOfDollars, type Currency, dollars, formatAmount } from '#kernel/money.ts'
import { compareNames } from '#kernel/names.ts'

const KINDS = ['state', 'child', 'tutor'] as const
type Kind = (typeof KINDS)[number]
/** At most one value per kind of filter. A session has to match all of them. */
export type SessionFilter = Partial<Record<Kind, string>>

export interface Choice {
  kind: Kind
  value: string
  label: string
}

/** The filter value that stands for all deleted people. */
const UNKNOWN = 'unknown'

/** Of a month, only those that need something are offered. */
const OFFERED = ['waiting', 'disputed'] as const satisfies readonly State[]

const VALUE: Record<Kind, (session: Session) => string | undefined> = {
  child: (session) => session.student_id ?? UNKNOWN,
  tutor: (session) => session.tutor_id ?? UNKNOWN,
  state: stateOf,
}

/**
 * The filters to offer: states that occur among the sessions, and people if there's more than one.
 * @param studentName returns the name to show for a student
 */
export function choicesOf(sessions: readonly Session[], studentName: (session: Session) => string): Choice[] {
  const states = OFFERED.filter((state) => sessions.some((session) => stateOf(session) === state)).map(
    (value): Choice => ({ kind: 'state', value, label: STATES[value].label }),
  )
  return [
    ...states,
    ...people(sessions, 'child', studentName),
    ...people(sessions, 'tutor', (session) => session.tutor_name ?? UNKNOWN_TUTOR),
  ]
}

function people(
  sessions: readonly Session[],
  kind: 'child' | 'tutor',
  nameOf: (session: Session) => string,
): Choice[] {
  const names = new Map<string, string>()
  for (const session of sessions) {
    const value = VALUE[kind](session)
    if (value !== undefined && !names.has(value)) names.set(value, nameOf(session))
  }
  if (names.size < 2) return []
  return [...names]
    .map(([value, label]) => ({ kind, value, label }))
    .sort((one, other) => compareNames(one.label, other.label))
}

/**
 * Reads the filter from a URL. Ignores values that aren't available, because the URL may come from a month
 * with different people.
 */
export function filterIn(query: URLSearchParams, choices: readonly Choice[]): SessionFilter {
  const filter: SessionFilter = {}
  for (const kind of KINDS) {
    const asked = query.get(kind)
    const choice = choices.find((one) => one.kind === kind && one.value === asked)
    if (choice) filter[kind] = choice.value
  }
  return filter
}

/** The URL after a filter chip is pressed. Pressing it again turns the filter off. */
export function afterPress(query: URLSearchParams, { kind, value }: Choice): URLSearchParams {
  const next = new URLSearchParams(query)
  if (next.get(kind) === value) next.delete(kind)
  else next.set(kind, value)
  return next
}

export function withoutFilter(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const kind of KINDS) next.delete(kind)
  return next
}

/** Whether the URL contains a filter. */
export function asksForSome(query: URLSearchParams): boolean {
  return KINDS.some((kind) => query.has(kind))
}

export function matches(session: Session, filter: SessionFilter): boolean {
  return KINDS.every((kind) => filter[kind] === undefined || filter[kind] === VALUE[kind](session))
}

/**
 * The sessions' total hours, and their total amounts by currency in dollars, rounded to the nearest cent. As
 * in the page's totals, sessions that were sent back or marked for deletion don't count, unless there aren't
 * any others. Sessions without a rate add no amount.
 */
export function sumOf(sessions: readonly Session[]): {
  hours: number
  amounts: { currency: Currency; amount: number }[]
} {
  const counted = sessions.filter((session) => !['disputed', 'leaving'].includes(standingOf(session)))
  const summed = counted.length > 0 ? counted : sessions
  const amounts = new Map<Currency, number>()
  let minutes = 0
  for (const { duration, total_amount: amount, currency } of summed) {
    minutes += Math.round(duration * 60)
    if (amount !== null) amounts.set(currency, (amounts.get(currency) ?? 0) + centsOfDollars(amount))
  }
  return {
    hours: hours(minutes as Minutes),
    amounts: [...amounts].map(([currency, amount]) => ({ currency, amount: dollars(cents(amount)) })),
  }
}

/** A count of sessions with their sums: "3 of 11 sessions, 4.5 h, $202.50". */
export function inWords(count: string, sessions: readonly Session[]): string {
  const { hours, amounts } = sumOf(sessions)
  return inOneLine([
    count,
    hoursInWords(hours),
    ...(amounts.length > 0 ? amounts.map(({ currency, amount }) => formatAmount(amount, currency)) : ['–']),
  ])
}
