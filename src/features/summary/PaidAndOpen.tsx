import { Link } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import type { Balance } from '#features/payments/balance.ts'
import {
  accountKey,
  dueOf,
  explain,
  keptWithLabel,
  leftOutOfTotal,
  onItsWay,
  openLabel,
  prepaidWarning,
  studentsOf,
} from '#features/payments/balance-text.ts'
import type { useBalances } from '#features/payments/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'

interface PaidAndOpenProps {
  month: string
  data: NonNullable<ReturnType<typeof useBalances>['data']>
  /** Records what is due with somebody; left out where payments cannot be recorded. */
  onPay?: (balance: Balance) => void
}

/**
 * What was paid in a month and what is due at its end, with each tutor or family; the name leads to the lines behind it. What only
 * this side knows of stands below the sum, and is not in it.
 */
export function PaidAndOpen({ month, data, onPay }: PaidAndOpenProps) {
  const { currency: own, role } = useMe()
  const { total, balances } = data
  const agreed = balances.filter((balance) => !balance.is_only_yours)
  const onlyYours = balances.filter((balance) => balance.is_only_yours)
  const row = (balance: Balance) => ({
    id: accountKey(balance),
    cells: {
      name: <AccountCell balance={balance} month={month} />,
      paid: formatAmount(balance.paid_amount, balance.currency),
      open: (
        <>
          <Open of={balance} currency={balance.currency} />
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
      ),
    },
  })
  const leftOut = leftOutOfTotal(agreed, own)
  const sum = {
    id: 'total',
    cells: {
      name: (
        <>
          Total
          {leftOut && <span className="block min-w-26 text-small font-normal text-ink-2">{leftOut}</span>}
        </>
      ),
      paid: formatAmount(total.paid_amount, own),
      open: <Open of={total} currency={own} />,
    },
  }
  const hasTotal = agreed.length > 1 && agreed.some(({ currency }) => currency === own)
  return (
    <section className="card overflow-hidden">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 px-4 pt-2">
        <h2>Paid and due</h2>
        <Link
          className="link inline-flex min-h-11 items-center"
          to={`${paths.payments}?${new URLSearchParams({ month }).toString()}`}
        >
          Payments
        </Link>
      </div>
      <DataTable
        label="Paid and due"
        columns={[
          { key: 'name', header: keptWithLabel(role === 'parent', balances) },
          { key: 'paid', header: 'Paid', numeric: true },
          { key: 'open', header: 'Due', numeric: true, strong: true },
        ]}
        rows={[...agreed.map(row), ...(hasTotal ? [sum] : []), ...onlyYours.map(row)]}
      />
    </section>
  )
}

/** Whom a balance is kept with, and how it came about. */
function AccountCell({ balance, month }: { balance: Balance; month: string }) {
  const { currency } = balance
  const details = [
    balance.students.length > 0 && studentsOf(balance.students),
    [
      balance.carried_over !== 0 && `${formatAmount(balance.carried_over, currency)} carried over`,
      balance.sessions_amount !== 0 && `${formatAmount(balance.sessions_amount, currency)} in sessions`,
    ]
      .filter(Boolean)
      .join(', '),
    explain(balance, currency),
  ]
  return (
    <>
      <Link
        className="link inline-flex min-h-11 min-w-11 items-center"
        to={`${paths.payments}?${new URLSearchParams({ with: accountKey(balance), month }).toString()}`}
      >
        {balance.name}
      </Link>
      {balance.is_only_yours && (
        <span className="block min-w-26 text-small">Only in your records, not in the total</span>
      )}
      {details.map(
        (detail) =>
          detail && (
            <span key={detail} className="block min-w-26 text-small font-normal text-ink-2">
              {detail}
            </span>
          ),
      )}
      {prepaidWarning(balance, currency) && (
        <span className="mt-1 block">
          <Badge tone="warn">{balance.prepaid === 'used_up' ? 'Prepaid hours used up' : 'Nearly used'}</Badge>
        </span>
      )}
    </>
  )
}

/** What is due, or paid ahead, and what is on its way. */
function Open({ of, currency }: { of: Pick<Balance, 'balance' | 'on_its_way_amount'>; currency: Currency }) {
  const notes = [of.balance < 0 ? openLabel(of.balance).toLowerCase() : undefined, onItsWay(of, currency)]
  return (
    <>
      {formatAmount(Math.abs(of.balance), currency)}
      {notes.map(
        (note) =>
          note && (
            <span key={note} className="block min-w-26 text-small font-normal text-ink-2">
              {note}
            </span>
          ),
      )}
    </>
  )
}
