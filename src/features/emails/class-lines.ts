// Text for the daily email about what the other side would like to change in a shared schedule.
import type { Side } from '#features/access/role.ts'
import type { Place } from '#features/schedules/occurrence.ts'
import { placeText, type RuleFacts, ruleText } from '#features/schedules/proposal-text.ts'
import { timesOfSchedule, WEEKDAYS } from '#features/schedules/schedule.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'

/** A rule or the place of one class that waits for the reader's answer. */
export type MailedClass = {
  connection_id: string
  /** The reader's side. */
  side: Side
  asked_at: Date
} & (
  | { day: CalendarDay; /** Null if the class should be as planned. */ place: Place | null }
  | { now: RuleFacts; rule: RuleFacts; currency: Currency }
)

/** The maximum number of them in an email; the button leads to the rest. */
const LISTED = 20

/** One paragraph for each. */
export function askingClasses(
  classes: readonly MailedClass[],
  nameOf: (connection: string) => string,
): string[] {
  const more = classes.length - LISTED
  return [
    ...classes.slice(0, LISTED).map((one) => paragraphOf(one, nameOf(one.connection_id))),
    ...(more > 0 ? [`Changes of ${more} more classes are waiting for you.`] : []),
  ]
}

function paragraphOf(one: MailedClass, other: string): string {
  if ('now' in one) {
    const { now, rule, currency } = one
    const classes = `${WEEKDAYS[now.day_of_week] ?? ''}s at ${timesOfSchedule(now)}`
    const said = ruleText(now, rule, (amount) => formatAmount(amount, currency))
    return `${other} proposes a change of your classes on ${classes}: ${said}. They stay as they are until you agree.`
  }
  const day = formatDay(one.day, { weekday: 'short', month: 'short', day: 'numeric' })
  return one.place
    ? `For the class on ${day}, ${other} proposes ${placeText(one.place)}. It stays as it is until you agree.`
    : `${other} would like the class on ${day} to be as planned.`
}

/** The subject of an email that's only about classes. */
export function classesSubject(classes: readonly MailedClass[], other: string): string {
  return classes.length === 1 && classes.some((one) => 'day' in one)
    ? `${other} proposes another time for a class`
    : `${other} proposes changes of your classes`
}
