// Text for the daily email about classes that the other side canceled. They hold without an answer.
import type { Side } from '#features/access/role.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { plainName } from '#kernel/plain-name.ts'

export interface CanceledClass {
  connection_id: string
  /** The reader's side. */
  side: Side
  /** The child's or student's. */
  first_name: string | null
  /** The day the class would have taken place. */
  day: CalendarDay
  /** The same for all classes that were canceled in one step. */
  recorded_at: Date
}

/** The maximum number of lines in an email; the button leads to the calendar. */
const LISTED = 20

/** One line for everything that was canceled in one step. @param classes in the order of their days */
export function tellingCanceled(
  classes: readonly CanceledClass[],
  nameOf: (connection: string) => string,
): string[] {
  const steps = [
    ...Map.groupBy(classes, (one) => `${one.connection_id} ${one.recorded_at.getTime()}`).values(),
  ]
  const more = steps.slice(LISTED).flat().length
  return [
    ...steps.slice(0, LISTED).map((step) => lineOf(step, nameOf)),
    ...(more > 0 ? [more === 1 ? '1 more class was canceled.' : `${more} more classes were canceled.`] : []),
  ]
}

function lineOf(step: readonly CanceledClass[], nameOf: (connection: string) => string): string {
  const [first, last] = [step[0], step.at(-1)]
  if (!first || !last) return ''
  const names = new Set(step.map((one) => plainName(one.first_name, '')).filter(Boolean))
  const who = names.size > 0 ? ` (${[...names].join(', ')})` : ''
  const what = step.length === 1 ? 'the class' : `${step.length} classes`
  const when =
    first.day === last.day
      ? `on ${shortDay(first.day)}`
      : `from ${shortDay(first.day)} to ${shortDay(last.day)}`
  return `${nameOf(first.connection_id)} canceled ${what} ${when}${who}.`
}

const shortDay = (day: CalendarDay) => formatDay(day, { weekday: 'short', month: 'short', day: 'numeric' })

/** The subject of an email that's only about canceled classes. */
export function canceledSubject(classes: readonly CanceledClass[], other: string): string {
  return classes.length === 1 ? `${other} canceled a class` : `${other} canceled ${classes.length} classes`
}
