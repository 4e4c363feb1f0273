// What is owed in all, as of a day. Home, the summary and Payments open with this figure, and files and emailed
// pages show it for their own connection.
import { type CalendarDay, daysOfMonth, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { type Cents, cents, type Currency } from '#kernel/money.ts'
import {
  type AccountName,
  countsInTotal,
  type Figures,
  figuresBetween,
  inDollars,
  isWorthALine,
  type Line,
  type Owed,
  toBalance,
  type Totals,
  totalOf,
} from './balance.ts'

type Counted = AccountName & { figures: Figures }

/** What the accounts in one currency come to. */
export interface InCurrency<Account extends Counted = Counted> {
  currency: Currency
  total: Totals
  accounts: Account[]
}

/** Accounts added up by currency, the workspace's own first. Leaves out those that don't count in a total. */
export function byCurrency<Account extends Counted>(
  accounts: readonly Account[],
  own: Currency,
): InCurrency<Account>[] {
  return [...new Set([own, ...accounts.map(({ currency }) => currency)])].flatMap((currency) => {
    const counted = accounts.filter((account) => countsInTotal(account, currency))
    return counted.length > 0
      ? [{ currency, total: totalOf(counted.map(({ figures }) => figures)), accounts: counted }]
      : []
  })
}

/**
 * What is owed as of a day, from its month's first day on: one figure per currency in which anything was ever
 * taught, paid or carried over. Nothing dated later counts yet.
 */
export function owedAsOf(
  ledgers: readonly (AccountName & { lines: readonly Line[] })[],
  today: CalendarDay,
  own: Currency,
): InCurrency[] {
  const { from } = daysOfMonth(monthOf(today))
  const accounts = ledgers
    .filter(({ lines }) => lines.some(({ entry }) => entry.day <= today))
    .map(({ lines, ...account }) => ({ ...account, figures: figuresBetween(lines, from, today) }))
  return byCurrency(accounts, own)
}

/** The same for the API. */
export function toOwed({ currency, total, accounts }: InCurrency): Owed {
  return {
    currency,
    total: inDollars(total),
    accounts: accounts
      .filter(({ figures }) => isWorthALine(figures))
      .map((account) => toBalance(account, account.figures)),
  }
}

/** The words in front of the figure, which is always shown as positive. */
export function owedLabel(balance: number, reader: 'parent' | 'tutor'): string {
  if (balance === 0) return 'Nothing owed'
  if (balance < 0) return 'Paid ahead'
  return reader === 'parent' ? 'You owe' : 'You’re owed'
}

/** Who owes whom, for a document that both sides read. One of them may be unnamed. */
export interface Direction {
  /** The tutor, if the document is about just one. */
  to: string | undefined
  /** Who owes it otherwise. */
  by: string
}

/** For example, "Owed to Ingrid Halvorsen as of Nov 27, 2026". */
export function owedOnPaper(balance: number, { to, by }: Direction, day: CalendarDay): string {
  const asOf = `as of ${formatDay(day, { month: 'short', day: 'numeric', year: 'numeric' })}`
  if (balance === 0) return `${OWED_ON_PAPER.nothing} ${asOf}`
  const whom = to === undefined ? `by ${by}` : `to ${to}`
  return balance < 0 ? `${OWED_ON_PAPER.ahead} ${whom} ${asOf}` : `${OWED_ON_PAPER.owed} ${whom} ${asOf}`
}

const OWED_ON_PAPER = { nothing: 'Nothing owed', ahead: 'Paid ahead', owed: 'Owed' } as const
const CLOSING_LINE = new RegExp(
  `^(?:${Object.values(OWED_ON_PAPER).join('|')}) (?:(?:to|by) .*)?as of \\w{3} \\d{1,2}, \\d{4}$`,
  's',
)

/** Whether a spreadsheet's line is the one that says what is owed, which isn't a session. */
export function isOwedLine(firstCell: string): boolean {
  return CLOSING_LINE.test(firstCell)
}

/** A figure and what it's about, for the first page of a document and the last lines of a spreadsheet. */
export interface OwedOnPaper {
  label: string
  amount: Cents
  currency: Currency
}

export function owedLines(
  owed: readonly Pick<InCurrency, 'currency' | 'total'>[],
  direction: Direction,
  day: CalendarDay,
): OwedOnPaper[] {
  return owed.map(({ currency, total: { balance } }) => ({
    label: owedOnPaper(balance, direction, day),
    amount: cents(Math.abs(balance)),
    currency,
  }))
}
