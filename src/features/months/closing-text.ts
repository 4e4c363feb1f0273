// Text about a month between two sides.
import { type CalendarDay, dayIn, daysOfMonth, formatDay } from '#kernel/calendar-day.ts'
import { formatAmount } from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import { inHours, openLabel } from '#features/payments/balance-text.ts'
import { capital, silence } from '#features/sessions/standing-text.ts'
import type { ClosedMonth } from './closing.ts'
import type { MonthPage } from './month-page.ts'

/** A month's name, with the year if it isn't the current one, such as "November" or "November 2025". */
export function monthName(month: string, today: CalendarDay = dayIn(new Date())): string {
  return month.slice(0, 4) === today.slice(0, 4)
    ? formatDay(daysOfMonth(month).from, { month: 'long' })
    : monthLabel(month)
}

/** The other side's name within a sentence. Without a name, it's "the tutor" or "the family". */
export function otherName(reader: 'parent' | 'tutor', name: string | null | undefined): string {
  return name ?? (reader === 'parent' ? 'the tutor' : 'the family')
}

/**
 * Says who asked to close the month and, past the deadline, how long there's been no answer.
 * @param other the other side's name within a sentence
 */
export function askedInWords(
  { state, month, asked_at, reminders, reminded_at }: Asked,
  other: string,
  now = new Date(),
): string {
  const question = {
    date: asked_at?.slice(0, 10) ?? month,
    asked_at,
    reminders,
    reminded_at,
    deletion_asked_by: null,
  }
  const silent = silence(question, now)
  const name = monthName(month, dayIn(now))
  if (state === 'asked_by_other')
    return `${capital(other)} asks to close ${name}${silent ? `. Waiting for you ${silent}` : ''}`
  return `You asked to close ${name}. ${silent ? `No answer ${silent}` : `Waiting for ${other}`}`
}

type Asked = Pick<ClosedMonth, 'state' | 'month' | 'asked_at' | 'reminders' | 'reminded_at'>

/** Formats a timestamp's date, such as "Nov 30, 2026". */
export function dayOf(moment: string): string {
  return formatDay(dayIn(new Date(moment)), { month: 'short', day: 'numeric', year: 'numeric' })
}

/**
 * Summarizes a month in one line, with amounts that add up: "3 sessions, $157.50 ($45.00 carried over, $60.00
 * paid).", followed by what is owed at the end. As in the totals, sessions that were sent back or that one
 * side asked to delete don't count.
 */
export function monthInWords(one: ClosedMonth): { sum: string; end: string } {
  const inMoney = (amount: number) => formatAmount(amount, one.currency)
  const out = one.in_the_way.filter(
    ({ what, why }) => what === 'session' && (why === 'sent_back' || why === 'deletion_asked'),
  )
  const count = one.sessions - out.reduce((sum, obstacle) => sum + obstacle.count, 0)
  const moved = [
    one.carried_over > 0 && `${inMoney(one.carried_over)} carried over`,
    one.carried_over < 0 && `${inMoney(-one.carried_over)} paid ahead before`,
    ...restOf(one, inMoney),
    one.paid_amount !== 0 && `${inMoney(one.paid_amount)} paid`,
  ].filter((part) => part !== false)
  const sessions = `${count === 1 ? '1 session' : `${count} sessions`}, ${inMoney(one.sessions_amount)}`
  return {
    sum:
      count === 0 && moved.length > 0
        ? `${moved.join(', ')}.`
        : `${sessions}${moved.length > 0 ? ` (${moved.join(', ')})` : ''}.`,
    end: `${inMoney(Math.abs(one.balance))} ${openLabel(one.balance).toLowerCase()}`,
  }
}

/** The amounts that a page's four figures don't show; empty if there aren't any. */
export function restOfPage(page: MonthPage): string {
  return [
    ...restOf(page, (amount) => formatAmount(amount, page.currency)),
    page.hours_left > 0 && `${inHours(page.hours_left)} of prepaid hours left`,
  ]
    .filter((part) => part !== false)
    .join(' · ')
}

function restOf(
  { covered_amount: covered, other_amount: other }: Pick<ClosedMonth, 'covered_amount' | 'other_amount'>,
  inMoney: (amount: number) => string,
) {
  return [
    other !== 0 && `${inMoney(other)} for prepaid hours and older debts`,
    covered > 0 && `${inMoney(covered)} of the sessions came from prepaid hours`,
  ]
}
