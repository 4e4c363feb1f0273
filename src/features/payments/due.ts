// Money that's due under agreed terms: how much, and since which day. Both sides see the same, and reminders follow it.
import { applyingOn, type Version } from '#features/terms/terms.ts'
import { dueDayOf } from '#features/terms/due-day.ts'
import type { Rules } from '#features/terms/rules.ts'
import { addDays, type CalendarDay, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import { type Cents, cents } from '#kernel/money.ts'
import { addMonths } from '#kernel/month.ts'
import type { Entry, Line } from './balance.ts'

/** A version of an account's terms. */
export type TermsVersion = Version & { rules: Rules }

/** What's still owed of the money that is due on a day. */
interface DueMoney {
  day: CalendarDay
  amount: Cents
}

/**
 * The money that's due, by its day, earliest first. A month's money is due once the month is over, or in the month itself if
 * it's paid in advance. Payments and credits cover the oldest money first, and a payment covers it as soon as either
 * side says that it was made.
 * @param versions the account's terms, newest first. A month's last day decides which of them say when its money is due.
 */
export function moneyDue(
  lines: readonly Line[],
  versions: readonly TermsVersion[],
  today: CalendarDay,
): DueMoney[] {
  const now = lines.filter(({ entry }) => entry.day <= today)
  let covered = now.reduce((sum, { charged, paid }) => sum + Math.max(paid - charged, 0), 0)
  covered += lines.reduce((sum, { entry }) => sum + (isSaidPaid(entry) ? (entry.amount ?? 0) : 0), 0)
  const due = new Map<CalendarDay, number>()
  for (const { entry, charged, paid } of now) {
    const owed = Math.max(charged - paid, 0)
    const rest = Math.max(owed - covered, 0)
    covered -= owed - rest
    const day = rest > 0 ? dueFor(entry.day, versions) : undefined
    if (day && (monthOf(entry.day) < monthOf(today) || monthOf(entry.day) === monthOf(day)))
      due.set(day, (due.get(day) ?? 0) + rest)
  }
  return [...due]
    .map(([day, amount]) => ({ day, amount: cents(amount) }))
    .sort((one, other) => (one.day < other.day ? -1 : 1))
}

/** Whether one side says that money was paid, and the other hasn't answered yet. */
function isSaidPaid({ kind, counts, standing }: Entry): boolean {
  return kind === 'payment' && counts === false && standing === 'waiting'
}

/** The day on which what's owed since a day is due; undefined if the terms don't say. */
export function dueFor(day: CalendarDay, versions: readonly TermsVersion[]): CalendarDay | undefined {
  const month = monthOf(day)
  const due = dueInMonth(month, versions)
  // What comes after the day in a month that's paid in advance is due with the next month.
  return due && due < day ? dueInMonth(addMonths(month, 1), versions) : due
}

function dueInMonth(month: string, versions: readonly TermsVersion[]): CalendarDay | undefined {
  const applying = applyingOn(versions, daysOfMonth(month).to)
  return applying && dueDayOf(applying.rules, month)
}

/** After how many days Tutorlog reminds of money: on the day that it's due, and twice more. */
const REMINDED_AFTER = [0, 7, 14]

/**
 * The days on which money could be due of which an account is reminded on a day, if any of it is still owed.
 * @param isRepeated whether the account may be reminded again
 */
export function dueDaysRemindedOn(
  day: CalendarDay,
  versions: readonly TermsVersion[],
  isRepeated = true,
): CalendarDay[] {
  return REMINDED_AFTER.slice(0, isRepeated ? undefined : 1)
    .map((after) => addDays(day, -after))
    .filter((due) => isDueDay(due, versions))
}

/** Whether the terms make some month's money due on this day. */
function isDueDay(day: CalendarDay, versions: readonly TermsVersion[]): boolean {
  const month = monthOf(day)
  return [month, addMonths(month, -1)].some((one) => dueInMonth(one, versions) === day)
}
