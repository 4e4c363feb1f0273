// Text about a month that two sides share.
import { type CalendarDay, dayIn, daysOfMonth, formatDay } from '#kernel/calendar-day.ts'
import { formatAmount } from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import { inHours, openLabel, otherInWords } from '#features/payments/balance-text.ts'
import { capital, silence } from '#features/sessions/standing-text.ts'
import type { ClosedMonth } from './closing.ts'
import type { MonthPage } from './month-page.ts'

/** A month's name, such as "November". Includes the year if it isn't the current one: "November 2025". */
export function monthName(month: string, today: CalendarDay = dayIn(new Date())): string {
  return month.slice(0, 4) === today.slice(0, 4)
    ? formatDay(daysOfMonth(month).from, { month: 'long' })
    : monthLabel(month)
}

/** What to call the other side within a sentence: its name, or "the tutor" or "the family" if it has none. */
export function otherName(reader: 'parent' | 'tutor', name: string | null | undefined): string {
  return name ?? (reader === 'parent' ? 'the tutor' : 'the family')
}

/**
 * Says who asked to close the month and, past the deadline, how long the request has gone unanswered.
 * @param other what to call the other side within a sentence
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
    return `${capital(other)} asked to close ${name}${silent ? `. Waiting for you ${silent}` : ''}`
  return `You asked to close ${name}. ${silent ? `No answer ${silent}` : `Waiting for ${other}`}`
}

type Asked = Pick<ClosedMonth, 'state' | 'month' | 'asked_at' | 'reminders' | 'reminded_at'>

/** Formats a timestamp's date, such as "Nov 30, 2026". */
export function dayOf(moment: string): string {
  return formatDay(dayIn(new Date(moment)), { month: 'short', day: 'numeric', year: 'numeric' })
}

/**
 * Summarizes a month in one line with amounts that add up, such as "3 sessions, $157.50 ($45.00 carried over,
 * $60.00 paid).", and gives the amount owed at the end separately. Sessions that were sent back or that one
 * side asked to delete aren't included in the count or the totals.
 */
export function monthInWords(one: ClosedMonth): { sum: string; end: string } {
  const inMoney = (amount: number) => formatAmount(amount, one.currency)
  const out = one.in_the_way.filter(
    ({ what, why }) => what === 'session' && (why === 'sent_back' || why === 'deletion_asked'),
  )
  const count = one.sessions - out.reduce((sum, obstacle) => sum + obstacle.count, 0)
  const moved = [
    one.carried_over > 0 && `${inMoney(one.carried_over)} carried over`,
    one.carried_over < 0 && `${inMoney(-one.carried_over)} previously prepaid`,
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

/** The amounts that aren't part of a page's four figures; empty if there are none. */
export function restOfPage(page: MonthPage): string {
  const total = (rows: readonly { amount: number; currency: string }[]) =>
    rows.filter(({ currency }) => currency === page.currency).reduce((sum, { amount }) => sum + amount, 0)
  const debts_amount = total(page.payments.filter(({ kind }) => kind === 'opening'))
  const charges_amount = total(page.charges)
  return [
    ...restOf({ ...page, debts_amount, charges_amount }, (amount) => formatAmount(amount, page.currency)),
    page.hours_left > 0 && `${inHours(page.hours_left)} of prepaid time left`,
  ]
    .filter((part) => part !== false)
    .join(' · ')
}

function restOf(
  one: Pick<ClosedMonth, 'covered_amount' | 'other_amount' | 'debts_amount' | 'charges_amount'>,
  inMoney: (amount: number) => string,
) {
  return [
    ...otherInWords(one, inMoney),
    one.covered_amount > 0 && `${inMoney(one.covered_amount)} covered by prepaid hours`,
  ]
}
