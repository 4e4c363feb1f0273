// Sorts a month's sessions by a column. The choice is stored in the page's URL.
import type { Session } from '#features/sessions/session.ts'
import { compareNames } from '#kernel/names.ts'

const COLUMNS = ['date', 'student', 'tutor', 'duration', 'subject', 'rate', 'amount'] as const
export type SortColumn = (typeof COLUMNS)[number]
export interface SessionOrder {
  column: SortColumn
  isDescending: boolean
}

/** The order of the server's list. It isn't in the URL. */
const NEWEST_FIRST: SessionOrder = { column: 'date', isDescending: true }
/** The columns that start with the largest value. The others start with A. */
const LARGEST_FIRST: readonly SortColumn[] = ['date', 'duration', 'rate', 'amount']
const PARAMETER = 'sort'

/** Reads the order from a URL: a column's name, after a minus if it's descending. */
export function orderIn(query: URLSearchParams): SessionOrder {
  const asked = query.get(PARAMETER) ?? ''
  const column = COLUMNS.find((one) => one === asked.replace('-', ''))
  return column ? { column, isDescending: asked.startsWith('-') } : NEWEST_FIRST
}

/** Whether the URL asks for another order than the server's. */
export function asksForOrder(query: URLSearchParams): boolean {
  return query.has(PARAMETER)
}

/** The URL after a column's header is pressed. Pressing it again reverses the order. */
export function afterSort(query: URLSearchParams, column: SortColumn): URLSearchParams {
  const now = orderIn(query)
  const isDescending = now.column === column ? !now.isDescending : LARGEST_FIRST.includes(column)
  const next = new URLSearchParams(query)
  if (column === NEWEST_FIRST.column && isDescending) next.delete(PARAMETER)
  else next.set(PARAMETER, `${isDescending ? '-' : ''}${column}`)
  return next
}

/**
 * The sessions in an order. Those without a value come last, and equal ones stay in the order they had.
 * @param studentName returns the name to show for a student
 */
export function sorted(
  sessions: readonly Session[],
  { column, isDescending }: SessionOrder,
  studentName: (session: Session) => string,
): Session[] {
  const value: Record<SortColumn, (session: Session) => string | number | null> = {
    date: ({ date, start_time: time }) => `${date} ${time ?? ''}`,
    student: studentName,
    tutor: (session) => session.tutor_name,
    duration: (session) => session.duration,
    subject: (session) => session.subject,
    rate: (session) => session.effective_rate,
    amount: (session) => session.total_amount,
  }
  if (column === NEWEST_FIRST.column && isDescending) return [...sessions]
  const sign = isDescending ? -1 : 1
  return sessions
    .map((session) => ({ session, by: value[column](session) }))
    .sort((one, other) => {
      if (one.by === null || other.by === null) return Number(one.by === null) - Number(other.by === null)
      return sign * compared(one.by, other.by)
    })
    .map(({ session }) => session)
}

function compared(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : compareNames(String(one), String(other))
}
