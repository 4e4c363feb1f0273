import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import { type Balance, countsInTotal } from '#features/payments/balance.ts'
import {
  accountKey,
  explain,
  leftOutOfTotal,
  onItsWay,
  openLabel,
  studentsOf,
} from '#features/payments/balance-text.ts'
import type { useBalances } from '#features/payments/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { daysOfMonth, formatDay } from '#kernel/calendar-day.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import { Figure } from '#platform/ui/Card.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { useMoney } from '#platform/ui/money.web.ts'
import { type AccountLine, accountLines } from './accounts.ts'
import { FoldedSection } from './FoldedSection.tsx'
import { GroupName } from './GroupTable.tsx'
import type { Group, Summary } from './summary.ts'

interface AccountTableProps {
  title: string
  /** The heading of the name column: 'Tutor' or 'Student'. */
  header: string
  /** Whether these are tutors or students. */
  by: 'by_tutor' | 'by_student'
  month: string
  groups: Group[]
  summary: Summary
  balances: NonNullable<ReturnType<typeof useBalances>['data']>
  /** Whether to say what was due at the end of the month. What's due now is at the top of the page. */
  hasDue: boolean
}

/**
 * A month's sessions, hours and money by tutor or by student, including what was paid and, for a past month,
 * what was due at its end. Names link to the people's pages, what was due to the ledgers. Accounts that only this
 * side sees appear below the total,
 * which doesn't include them.
 */
export function AccountTable({
  title,
  header,
  by,
  month,
  groups,
  summary,
  balances: { balances, total },
  hasDue,
}: AccountTableProps) {
  const { currency: own } = useMe()
  const money = useMoney()
  const lines = accountLines(groups, balances)
  const isOnlyYours = ({ balance }: AccountLine) => balance?.is_only_yours === true
  const row = (line: AccountLine) => ({ id: line.key, cells: cellsOf(line, { by, month, money }) })
  const shared = balances.filter((balance) => !balance.is_only_yours)
  const leftOut = leftOutOfTotal(shared, own)
  const sum = {
    id: 'total',
    cells: {
      name: (
        <>
          Total
          {leftOut && <Detail>{leftOut}</Detail>}
        </>
      ),
      sessions: summary.total_sessions,
      hours: summary.total_hours.toFixed(1),
      amount: money(summary.total_amount),
      paid: formatAmount(total.paid_amount, own),
      due: <Due of={total} currency={own} />,
    },
  }
  const hasTotal =
    lines.filter((line) => !isOnlyYours(line)).length > 1 && shared.some(({ currency }) => currency === own)
  return (
    <FoldedSection title={title} action={<PaymentsLink month={month} />}>
      <DataTable
        label={title}
        columns={[
          { key: 'name', header },
          { key: 'sessions', header: 'Sessions', numeric: true },
          { key: 'hours', header: 'Hours', numeric: true },
          { key: 'amount', header: 'Amount', numeric: true, strong: true },
          { key: 'paid', header: 'Paid', numeric: true },
          ...(hasDue ? [{ key: 'due' as const, header: dueAtEnd(month), numeric: true, strong: true }] : []),
        ]}
        rows={[
          ...lines.filter((line) => !isOnlyYours(line)).map(row),
          ...(hasTotal ? [sum] : []),
          ...lines.filter(isOnlyYours).map(row),
        ]}
      />
    </FoldedSection>
  )
}

function PaymentsLink({ month }: { month: string }) {
  return (
    <Link
      className="link inline-flex min-h-11 items-center"
      to={`${paths.payments}?${new URLSearchParams({ month }).toString()}`}
    >
      Payments
    </Link>
  )
}

function cellsOf(
  { name, group, balance }: AccountLine,
  { by, month, money }: Pick<AccountTableProps, 'by' | 'month'> & { money: (amount: number) => string },
) {
  // A family account's row leaves these columns empty, because its students' rows already list the sessions.
  // Other accounts without sessions show zeros.
  const none = balance && balance.id === null && balance.connection_id !== null ? '' : undefined
  return {
    name: <NameCell name={name} group={group} balance={balance} by={by} month={month} />,
    sessions: group?.sessions ?? none ?? 0,
    hours: group?.hours.toFixed(1) ?? none ?? '0.0',
    amount: group ? money(group.amount) : (none ?? (balance && formatAmount(0, balance.currency))),
    paid: balance ? formatAmount(balance.paid_amount, balance.currency) : '',
    due: balance && <DueCell balance={balance} month={month} />,
  }
}

/** An account's ledger in a month. */
function ledgerPage(balance: Balance, month: string): string {
  return `${paths.payments}?${new URLSearchParams({ with: accountKey(balance), month }).toString()}`
}

interface NameCellProps extends Pick<AccountLine, 'name' | 'group' | 'balance'> {
  by: AccountTableProps['by']
  month: string
}

/** The person's name, linked to their page, or an account's name, linked to its ledger. */
function NameCell({ name, group, balance, by, month }: NameCellProps) {
  const person = group?.id ? group : balance?.id ? { id: balance.id, name } : undefined
  if (person && !balance) return <GroupName group={person} by={by} />
  if (!balance) return name
  return (
    <>
      {person ? (
        <GroupName group={person} by={by} />
      ) : (
        <Link className="link inline-flex min-h-11 min-w-11 items-center" to={ledgerPage(balance, month)}>
          {name}
        </Link>
      )}
      {name !== balance.name && <Detail>{balance.name}</Detail>}
      {name === balance.name && balance.students.length > 0 && (
        <Detail>{studentsOf(balance.students)}</Detail>
      )}
      {balance.is_only_yours && <Detail>Only yours, not included in the total</Detail>}
    </>
  )
}

/** For example, "Due on Oct 31". */
function dueAtEnd(month: string): string {
  return `Due on ${formatDay(daysOfMonth(month).to, { month: 'short', day: 'numeric' })}`
}

/** What was paid in a month and, for a past one, what was due at its end. */
export function MonthMoney({
  month,
  of: { total, balances },
  hasDue,
}: Pick<AccountTableProps, 'month' | 'hasDue'> & { of: AccountTableProps['balances'] }) {
  const { currency } = useMe()
  if (!balances.some((one) => countsInTotal(one, currency))) return null
  return (
    <>
      <div className={hasDue ? 'col-span-2' : 'col-span-full'}>
        <dt className="k">Paid</dt>
        <Figure>{formatAmount(total.paid_amount, currency)}</Figure>
      </div>
      {hasDue && (
        <div className="col-span-2">
          <dt className="k">
            {dueAtEnd(month)}
            {total.balance < 0 && ', paid ahead'}
          </dt>
          <Figure>{formatAmount(Math.abs(total.balance), currency)}</Figure>
        </div>
      )}
    </>
  )
}

/** The amount due at the end of the month, linked to the account's ledger, and its breakdown. */
function DueCell({ balance, month }: { balance: Balance; month: string }) {
  const { currency } = balance
  const carried = balance.carried_over !== 0 && `${formatAmount(balance.carried_over, currency)} carried over`
  return (
    <>
      <Due of={balance} currency={currency} to={ledgerPage(balance, month)} />
      {carried && <Detail>{carried}</Detail>}
      {explain(balance, currency) && <Detail>{explain(balance, currency)}</Detail>}
    </>
  )
}

/** The amount due or paid ahead, plus any unconfirmed payments. */
function Due({
  of,
  currency,
  to,
}: {
  of: Pick<Balance, 'balance' | 'on_its_way_amount'>
  currency: Currency
  to?: string
}) {
  const amount = formatAmount(Math.abs(of.balance), currency)
  const notes = [of.balance < 0 ? openLabel(of.balance).toLowerCase() : undefined, onItsWay(of, currency)]
  return (
    <>
      {to ? (
        <Link className="link inline-flex min-h-11 min-w-11 items-center justify-end" to={to}>
          {amount}
        </Link>
      ) : (
        amount
      )}
      {notes.map((note) => note && <Detail key={note}>{note}</Detail>)}
    </>
  )
}

function Detail({ children }: { children: ReactNode }) {
  return (
    <span className="block min-w-26 text-small font-normal whitespace-normal text-ink-2">{children}</span>
  )
}
