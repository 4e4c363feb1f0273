import { Link } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import { explain, openLabel, prepaidWarning } from '#features/payments/balance-text.ts'
import type { useBalances } from '#features/payments/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'

interface PaidAndOpenProps {
  month: string
  header: 'Tutor' | 'Student'
  data: NonNullable<ReturnType<typeof useBalances>['data']>
}

/** What was paid in a month and what is open at its end, with each tutor or student; the name leads to the lines behind it. */
export function PaidAndOpen({ month, header, data }: PaidAndOpenProps) {
  const { currency } = useMe()
  const inMoney = useMoney()
  const openCell = (balance: number) =>
    balance < 0 ? (
      <>
        {inMoney(-balance)}
        <span className="block min-w-26 text-small font-normal text-ink-2">
          {openLabel(balance).toLowerCase()}
        </span>
      </>
    ) : (
      inMoney(balance)
    )
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
            id: balance.id ?? 'unknown',
            cells: {
              name: (
                <>
                  <Link
                    className="link inline-flex min-h-11 min-w-11 items-center"
                    to={`${paths.payments}?${new URLSearchParams({ with: balance.id ?? 'unknown', month }).toString()}`}
                  >
                    {balance.name}
                  </Link>
                  <span className="block min-w-26 text-small font-normal text-ink-2">
                    {inMoney(balance.carried_over)} carried over, {inMoney(balance.sessions_amount)} in
                    sessions
                  </span>
                  {explain(balance, currency) && (
                    <span className="block min-w-26 text-small font-normal text-ink-2">
                      {explain(balance, currency)}
                    </span>
                  )}
                  {prepaidWarning(balance, currency) && (
                    <span className="mt-1 block">
                      <Badge tone="warn">
                        {balance.prepaid === 'used_up' ? 'Prepaid hours used up' : 'Nearly used'}
                      </Badge>
                    </span>
                  )}
                </>
              ),
              paid: inMoney(balance.paid_amount),
              open: openCell(balance.balance),
            },
          })),
          ...(balances.length > 1
            ? [
                {
                  id: 'total',
                  cells: {
                    name: 'Together',
                    paid: inMoney(total.paid_amount),
                    open: openCell(total.balance),
                  },
                },
              ]
            : []),
        ]}
      />
    </section>
  )
}
