import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import type { Balance } from '#features/payments/balance.ts'
import {
  accountKey,
  dueOf,
  explain,
  leftOutOfTotal,
  onItsWay,
  openLabel,
  prepaidWarning,
  studentsOf,
} from '#features/payments/balance-text.ts'
import type { useBalances } from '#features/payments/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
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
  /** Opens the form to record a payment of the amount due; omitted if payments can't be recorded here. */
  onPay?: ((balance: Balance) => void) | undefined
}

/**
 * A month's sessions, hours and money by tutor or by student, including what was paid and what's due at the
 * end of the month. Names link to the people's pages, what's due to the ledgers. Accounts that only this side sees appear below the total,
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
  onPay,
}: AccountTableProps) {
  const { currency: own } = useMe()
  const money = useMoney()
  const lines = accountLines(groups, balances)
  const isOnlyYours = ({ balance }: AccountLine) => balance?.is_only_yours === true
  const row = (line: AccountLine) => ({ id: line.key, cells: cellsOf(line, { by, month, money, onPay }) })
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
          { key: 'due', header: 'Due', numeric: true, strong: true },
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
  {
    by,
    month,
    money,
    onPay,
  }: Pick<AccountTableProps, 'by' | 'month' | 'onPay'> & { money: (amount: number) => string },
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
    due: balance && <DueCell balance={balance} month={month} onPay={onPay} />,
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
      {balance.is_only_yours && <Detail>Only in your records, not included in the total</Detail>}
    </>
  )
}

interface DueCellProps {
  balance: Balance
  month: string
  onPay: ((balance: Balance) => void) | undefined
}

/** The amount due, linked to the account's ledger, its breakdown, and the button to record a payment. */
function DueCell({ balance, month, onPay }: DueCellProps) {
  const { currency } = balance
  const carried = balance.carried_over !== 0 && `${formatAmount(balance.carried_over, currency)} carried over`
  return (
    <>
      <Due of={balance} currency={currency} to={ledgerPage(balance, month)} />
      {carried && <Detail>{carried}</Detail>}
      {explain(balance, currency) && <Detail>{explain(balance, currency)}</Detail>}
      {prepaidWarning(balance, currency) && (
        <span className="mt-1 block">
          <Badge tone="warn">
            {balance.prepaid === 'used_up' ? 'Prepaid hours used up' : 'Nearly used up'}
          </Badge>
        </span>
      )}
      {onPay && dueOf(balance) > 0 && !balance.is_only_yours && (
        <span className="mt-1 flex justify-end">
          <Button
            tone="quiet"
            size="small"
            className="-mr-3"
            aria-label={`Mark as paid, ${balance.name}`}
            onClick={() => onPay(balance)}
          >
            Mark as paid
          </Button>
        </span>
      )}
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
