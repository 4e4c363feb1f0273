// A search over all sessions, as the page's URL has it, so that it's still there after Back and a reload.
import type { InputOf } from '#kernel/endpoint.ts'
import { type Outcome, OUTCOMES } from '#features/terms/outcome.ts'
import type { MissedClass } from '#features/schedules/outcome.ts'
import { type ListSessions, LONGEST_SEARCH, type FoundSessions } from '#features/sessions/session.ts'
import { searchedWords, type State, STATE_NAMES } from '#features/sessions/session-search.ts'
import { addDays, type CalendarDay, calendarDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'

/** What's searched for. The names are those in the URL; a month's filters have some of them, too. */
export interface Search {
  q: string
  child: string
  tutor: string
  state: State | ''
  /** Classes that ended this way instead of sessions; 'missed' for any way but taking place. */
  outcome: Outcome | 'missed' | ''
  from: CalendarDay | ''
  to: CalendarDay | ''
}
const FIELDS = ['q', 'child', 'tutor', 'state', 'outcome', 'from', 'to'] as const

/** Whether the URL asks for a search: from the first letter on, or with the filters open and nothing typed. */
export function asksForSearch(query: URLSearchParams): boolean {
  return query.has('q')
}

/** Reads the search from a URL. What can't be searched for is left out. */
export function searchIn(query: URLSearchParams): Search {
  const value = (name: string) => query.get(name) ?? ''
  const day = (name: string) => calendarDay(value(name)) ?? ''
  return {
    q: value('q').slice(0, LONGEST_SEARCH),
    child: value('child'),
    tutor: value('tutor'),
    state: STATE_NAMES.find((state) => state === value('state')) ?? '',
    outcome: (['missed', ...OUTCOMES] as const).find((outcome) => outcome === value('outcome')) ?? '',
    from: day('from'),
    to: day('to'),
  }
}

/** The URL after part of a search changed. A search without anything stays one until it's ended. */
export function withSearch(query: URLSearchParams, changes: Partial<Search>): URLSearchParams {
  const next = new URLSearchParams(query)
  if (!next.has('q')) next.set('q', '')
  for (const [name, value] of Object.entries(changes))
    if (value || name === 'q') next.set(name, value)
    else next.delete(name)
  return next
}

/** The URL of the page without a search. */
export function withoutSearch(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const name of FIELDS) next.delete(name)
  return next
}

/** How many filters there are besides the words. */
export function filterCount({ q: _words, ...filters }: Search): number {
  return Object.values(filters).filter(Boolean).length
}

export function isEmpty(search: Search): boolean {
  return search.q.trim() === '' && filterCount(search) === 0
}

/** Whether the range ends before it begins, so that nothing can be in it. */
export function isBackwards({ from, to }: Pick<Search, 'from' | 'to'>): boolean {
  return from !== '' && to !== '' && to < from
}

/** What the server is asked for. A page about one person names them. */
export function askedFor(
  { q, child, tutor, state, from, to }: Search,
  scope: { student_id?: string; tutor_id?: string } = {},
): Omit<InputOf<typeof ListSessions>, 'limit' | 'cursor' | 'month'> {
  return {
    ...(q.trim() && { search: q.trim() }),
    ...(child && { student_id: child }),
    ...(tutor && { tutor_id: tutor }),
    ...(state && { standing: state }),
    ...(from && { from }),
    ...(to && { to }),
    ...scope,
  }
}

/** Missed classes can be listed for two years at most. */
const MISSED_DAYS = 730

/** The days of which missed classes are searched: those asked for, but no more than two years. */
export function missedDays({ from, to }: Search, today: CalendarDay): { from: CalendarDay; to: CalendarDay } {
  const last = to || (from ? addDays(from, MISSED_DAYS) : today)
  const first = addDays(last, -MISSED_DAYS)
  return { from: from && from > first ? from : first, to: last }
}

/** Whether a missed class is among those searched for. */
export function findsMissed(
  missed: MissedClass,
  { q, child, tutor, outcome }: Search,
  scope: { student_id?: string; tutor_id?: string } = {},
): boolean {
  const [student, teacher] = [scope.student_id ?? child, scope.tutor_id ?? tutor]
  const text = plainSpelling([missed.subject, missed.student_name, missed.tutor_name].join('\n'))
  return (
    (outcome === 'missed' || missed.outcome === outcome) &&
    (!student || missed.student_id === student) &&
    (!teacher || missed.tutor_id === teacher) &&
    searchedWords(q).every((word) => text.includes(word))
  )
}

/** "12 sessions found, 18 h, $810.00", with what the hours and amounts include below. */
export function foundInWords(
  { sessions, hours, amounts, waiting, left_out: leftOut }: FoundSessions,
  isSearch = true,
): { total: string; note: string } {
  const counted = sessions - leftOut
  const sums = [hoursInWords(hours), ...amounts.map(({ currency, amount }) => formatAmount(amount, currency))]
  const count = `${sessions} ${sessions === 1 ? 'session' : 'sessions'}${isSearch ? ' found' : ''}`
  const included = waiting > 0 && `Includes ${waiting} waiting.`
  const excluded =
    leftOut > 0 &&
    counted > 0 &&
    `Leaves out ${leftOut} that ${leftOut === 1 ? 'isn’t' : 'aren’t'} right or that someone asked to delete.`
  return {
    total: inOneLine([count, ...(counted > 0 ? sums : [])]),
    note: [included, excluded].filter(Boolean).join(' '),
  }
}
