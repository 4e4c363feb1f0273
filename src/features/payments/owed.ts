// What is owed in all, as of a day. Home, the summary and Payments open with this figure, and files and emailed
// pages show it for their own connection.
import { type CalendarDay, daysOfMonth, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { type Cents, cents, type Currency, dollars } from '#kernel/money.ts'
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
import { dueLine } from './balance-text.ts'
import { moneyDue, type TermsVersion } from './due.ts'

type Counted = AccountName & { figures: Figures }

type Ledger = AccountName & { lines: readonly Line[]; versions: readonly TermsVersion[] }
type CountedLedger = Ledger & Counted

/** What the accounts in one currency come to. */
interface InCurrency<Account extends Counted = Counted> {
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
  ledgers: readonly Ledger[],
  today: CalendarDay,
  own: Currency,
): InCurrency<CountedLedger>[] {
  const { from } = daysOfMonth(monthOf(today))
  const accounts = ledgers
    .filter(({ lines }) => lines.some(({ entry }) => entry.day <= today))
    .map((ledger) => ({ ...ledger, figures: figuresBetween(ledger.lines, from, today) }))
  return byCurrency(accounts, own)
}

/** The same for the API. */
export function toOwed({ currency, total, accounts }: InCurrency<CountedLedger>, today: CalendarDay): Owed {
  return {
    currency,
    total: inDollars(total),
    accounts: accounts
      .filter(({ figures }) => isWorthALine(figures))
      .map((account) => ({ ...toBalance(account, account.figures), due: dueInDollars(account, today) })),
  }
}

/** An account's money that's due, for the API. */
export function dueInDollars({ lines, versions }: Pick<Ledger, 'lines' | 'versions'>, today: CalendarDay) {
  return moneyDue(lines, versions, today).map(({ day, amount }) => ({ date: day, amount: dollars(amount) }))
}

/** The words in front of the figure, which is always shown as positive. */
export function owedLabel(balance: number, reader: 'parent' | 'tutor'): string {
  if (balance === 0) return 'Nothing owed'
  if (balance < 0) return 'Paid ahead'
  return reader === 'parent' ? 'You owe' : 'You’re owed'
}

const ON_PAPER = { none: 'Nothing owed', ahead: 'Paid ahead', owed: 'Owed' } as const
const CLOSING_LINE = new RegExp(
  `^(?:${Object.values(ON_PAPER).join('|')}) (?:(?:to|by) .*)?as of \\w{3} \\d{1,2}, \\d{4}(?:, .+ due .+)?(?:: .+)?$`,
  's',
)

/** Whether a spreadsheet's line is the one that says what is owed, which isn't a session. */
export function isOwedLine(firstCell: string): boolean {
  return CLOSING_LINE.test(firstCell)
}

/** A figure and what it's about, for the first page of a document and the last lines of a spreadsheet. */
export interface OwedOnPaper {
  /** For example, "Owed to Ingrid Halvorsen as of Nov 27, 2026, $45.00 due since Nov 5". */
  label: string
  amount: Cents
  currency: Currency
}

/**
 * What is owed on the day a file is made. Either side may read the file, so it says to whom: to the tutor, or
 * by the family if it has several.
 */
export function owedOnPaper(
  ledgers: Parameters<typeof owedAsOf>[0],
  maker: { side: 'parent' | 'tutor'; name: string },
  madeOn: CalendarDay,
  own: Currency,
): OwedOnPaper[] {
  const day = formatDay(madeOn, { month: 'short', day: 'numeric', year: 'numeric' })
  return owedAsOf(ledgers, madeOn, own).map(({ currency, total: { balance }, accounts }) => {
    const [only, ...others] = accounts
    const tutor = maker.side === 'tutor' ? maker.name : others.length === 0 ? only?.name : undefined
    const whom = tutor === undefined ? `by ${maker.name}` : `to ${tutor}`
    const label = balance === 0 ? ON_PAPER.none : `${balance < 0 ? ON_PAPER.ahead : ON_PAPER.owed} ${whom}`
    // Of several accounts, each may be due on other days.
    const due =
      only && others.length === 0 ? dueLine(dueInDollars(only, madeOn), currency, madeOn) : undefined
    return {
      label: [`${label} as of ${day}`, due].filter(Boolean).join(', '),
      amount: cents(Math.abs(balance)),
      currency,
    }
  })
}
