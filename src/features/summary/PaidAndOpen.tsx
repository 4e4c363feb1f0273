import { Link } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import type { Balance } from '#features/payments/balance.ts'
import {
  accountKey,
  dueOf,
  explain,
  onItsWay,
  openLabel,
  prepaidWarning,
} from '#features/payments/balance-text.ts'
import type { useBalances } from '#features/payments/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'

interface PaidAndOpenProps {
  month: string
  header: 'Tutor' | 'Student'
  data: NonNullable<ReturnType<typeof useBalances>['data']>
  /** Records what is due with somebody; left out where payments cannot be recorded. */
  onPay?: (balance: Balance) => void
}

/** What was paid in a month and what is open at its end, with each tutor or student; the name leads to the lines behind it. */
export function PaidAndOpen({ month, header, data, onPay }: PaidAndOpenProps) {
  const { currency: own } = useMe()
  const { total, balances } = data
  return (
    <section className="card overflow-hidden">
      <h2 className="px-4 pt-4 pb-1">Paid and open</h2>
      <DataTable
        label="Paid and open"
        columns={[
          { key: 'name', header },
          { key: 'paid', header: 'Paid', numeric: true },
          { key: 'open', header: 'Open', numeric: true, strong: true },
        ]}
        rows={[
          ...balances.map((balance) => ({
            id: accountKey(balance),
            cells: {
              name: (
                <>
                  <Link
                    className="link inline-flex min-h-11 min-w-11 items-center"
                    to={`${paths.payments}?${new URLSearchParams({ with: accountKey(balance), month }).toString()}`}
                  >
                    {balance.name}
                  </Link>
                  {balance.is_only_yours && (
                    <span className="block min-w-26 text-small">Only in your records</span>
                  )}
                  <span className="block min-w-26 text-small font-normal text-ink-2">
                    {formatAmount(balance.carried_over, balance.currency)} carried over,{' '}
                    {formatAmount(balance.sessions_amount, balance.currency)} in sessions
                  </span>
                  {explain(balance, balance.currency) && (
                    <span className="block min-w-26 text-small font-normal text-ink-2">
                      {explain(balance, balance.currency)}
                    </span>
                  )}
                  {prepaidWarning(balance, balance.currency) && (
                    <span className="mt-1 block">
                      <Badge tone="warn">
                        {balance.prepaid === 'used_up' ? 'Prepaid hours used up' : 'Nearly used'}
                      </Badge>
                    </span>
                  )}
                </>
              ),
              paid: formatAmount(balance.paid_amount, balance.currency),
              open: (
                <>
                  <Open of={balance} currency={balance.currency} />
                  {onPay && dueOf(balance) > 0 && (
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
          })),
          ...(balances.length > 1
            ? [
                {
                  id: 'total',
                  cells: {
                    name: 'Together',
                    paid: formatAmount(total.paid_amount, own),
                    open: <Open of={total} currency={own} />,
                  },
                },
              ]
            : []),
        ]}
      />
    </section>
  )
}

/** What is open, or paid ahead, and what is on its way. */
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
