import { Link } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import type { Balance } from '#features/payments/balance.ts'
import {
  accountInOneLine,
  accountKey,
  explain,
  onItsWay,
  openLabel,
  prepaidWarning,
} from '#features/payments/balance-text.ts'
import { useBalances } from '#features/payments/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { WeekSection } from '#features/summary/WeekSection.tsx'
import { dayIn, monthOf } from '#kernel/calendar-day.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'

/** How many balances to list here. The summary lists them all. */
const SHOWN = 8

/** Shown next to the month on a wide screen: its chart, and a breakdown of each balance. */
export default function BesideMonth() {
  const month = monthOf(dayIn(new Date()))
  const { has_all_students: hasAll } = useMe()
  const balances = useBalances(month, hasAll).data?.balances ?? []
  return (
    <>
      <WeekSection month={month} />
      {balances.length > 0 && (
        <section>
          <SectionHeading
            action={
              <Link to={paths.payments} className="link inline-flex min-h-11 items-center text-[.9375rem]">
                Payments
              </Link>
            }
          >
            Balances
          </SectionHeading>
          <ul className="card list overflow-hidden">
            {balances.slice(0, SHOWN).map((balance) => (
              <BalanceLine key={accountKey(balance)} balance={balance} month={month} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function BalanceLine({ balance, month }: { balance: Balance; month: string }) {
  const { currency } = balance
  const amounts: [number, string][] = [
    [balance.carried_over, 'carried over'],
    [balance.sessions_amount, 'in sessions'],
    [balance.paid_amount, 'paid'],
  ]
  const how = inOneLine([
    ...amounts.map(([amount, what]) => (amount === 0 ? null : `${formatAmount(amount, currency)} ${what}`)),
    explain(balance, currency),
    onItsWay(balance, currency),
  ])
  const warning = prepaidWarning(balance, currency)
  return (
    <li className="flex items-center justify-between gap-4 px-5">
      <Link
        to={`${paths.payments}?${new URLSearchParams({ with: accountKey(balance), month }).toString()}`}
        className="group min-w-0 flex-1 py-2.5"
        title={accountInOneLine(balance)}
      >
        <span className="line-clamp-2 leading-snug font-semibold wrap-anywhere group-hover:underline">
          {accountInOneLine(balance)}
        </span>{' '}
        {how && <span className="num block text-small text-ink-2">{how}</span>}
        {warning && <span className="num block text-small text-warn">{warning}</span>}
      </Link>
      <p className="shrink-0 text-right">
        <b className="num block font-semibold">{formatAmount(Math.abs(balance.balance), currency)}</b>
        <span className="text-small text-ink-2">{openLabel(balance.balance)}</span>
      </p>
    </li>
  )
}
