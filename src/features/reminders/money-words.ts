// What reminders say about money that's due.
import { dueLine } from '#features/payments/balance-text.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Currency } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'

/** The money that's due to a tutor, in dollars, by its day. */
export interface DueTo {
  connectionId: string
  tutor: string
  currency: Currency
  due: { date: string; amount: number }[]
}

/** The subject names nobody: it may be read on a lock screen. */
export const MONEY_DUE = 'Money is due'

/** For example, "Ingrid: $45.00 due Dec 5". Without the name for a lock screen. */
export function moneyLine({ tutor, currency, due }: DueTo, today: CalendarDay, showsNames = true): string {
  const money = dueLine(due, currency, today) ?? ''
  return showsNames ? `${plainName(tutor, 'Your tutor')}: ${money}` : money
}
