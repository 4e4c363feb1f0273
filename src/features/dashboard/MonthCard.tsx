import { useState } from 'react'
import { Link } from 'react-router'
import { useCanWrite, useMe, useSide } from '#features/accounts/client.web.ts'
import type { Balance } from '#features/payments/balance.ts'
import { accountInOneLine, accountKey, dueOf, onItsWay } from '#features/payments/balance-text.ts'
import { useBalances } from '#features/payments/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { dayIn, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { formatAmount, formatMoney } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { late } from '#platform/ui/late.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { type Side, Ticks } from '#platform/ui/Ticks.tsx'
import { type MonthAmount, type MonthTotal, monthTotals, type Part } from './dashboard.ts'

const PaymentDialog = late(async () => (await import('#features/payments/PaymentDialog.tsx')).PaymentDialog)

/** How many amounts due to list before linking to the rest. */
const SHOWN = 5

/**
 * This month's money: the total, how much of it both sides agree on, and the amount due for each tutor or
 * family.
 */
export function MonthCard({ amounts }: { amounts: MonthAmount[] }) {
  const { currency } = useMe()
  const side = useSide()
  const month = formatDay(dayIn(new Date()), { month: 'long' })
  const [first, ...others] = monthTotals(amounts, currency)
  if (!first) return null
  return (
    <section className="card mt-5 overflow-hidden" aria-labelledby="month">
      <div className="grid gap-3 px-5 py-4">
        <div className="@container">
          <h2 id="month">
            <span className="block text-body font-semibold">
              {side === 'parent' ? month : `Earnings in ${month}`}:
            </span>{' '}
            <Total of={first} />
          </h2>
        </div>
        <Parts of={first} />
        {others.map((one) => (
          <div key={one.currency} className="@container grid gap-1.5 border-t border-line pt-3">
            <h3>
              <Total of={one} isSmall />
            </h3>
            <Parts of={one} />
          </div>
        ))}
        {[first, ...others].some(({ parts }) => parts.some(({ part }) => part === 'disputed')) && (
          <p className="text-small text-ink-2">
            Disputed amounts aren't due until you and the {side === 'parent' ? 'tutor' : 'family'} agree.
          </p>
        )}
      </div>
      <Due />
    </section>
  )
}

function Total({ of: { total, currency }, isSmall = false }: { of: MonthTotal; isSmall?: boolean }) {
  const text = formatMoney(total, currency)
  return (
    <span
      className={`${isSmall ? 'figure' : 'figure-lg mt-1'} block`}
      style={{ '--chars': text.length } as React.CSSProperties}
    >
      {text}
    </span>
  )
}

const TICKED: Record<Part, readonly Side[] | undefined> = {
  agreed: ['parent', 'tutor'],
  waiting: [],
  disputed: undefined,
  'only in your log': undefined,
}

/** The parts of a total, as text. Renders nothing if there's no other side to confirm any of the sessions. */
function Parts({ of: { parts, leaving, currency } }: { of: MonthTotal }) {
  if (parts.length === 0) return null
  return (
    <>
      <ul className="flex flex-wrap gap-x-5 gap-y-1.5 text-small leading-snug text-ink-2">
        {parts.map(({ part, amount }) => {
          const by = TICKED[part]
          return (
            <li
              key={part}
              className={`num flex items-center gap-1.5 ${part === 'disputed' ? 'text-danger' : ''}`}
            >
              {by && <Ticks by={by} />}
              {part} {formatMoney(amount, currency)}
            </li>
          )
        })}
      </ul>
      {leaving.sessions > 0 && (
        <p className="text-small text-ink-2">
          Not counted: {leaving.sessions === 1 ? '1 session' : `${leaving.sessions} sessions`} that may be
          deleted, {formatMoney(leaving.amount, currency)}.
        </p>
      )}
    </>
  )
}

/** Amounts due by tutor or family, largest first, each with a button to mark it as paid. */
function Due() {
  const canWrite = useCanWrite()
  const { has_all_students: hasAll } = useMe()
  const balances = useBalances(monthOf(dayIn(new Date())), hasAll)
  const [paying, setPaying] = useState<Balance | 'new'>()
  useReopen('payment', undefined, () => setPaying('new'))
  const rows = useRows(balances.data?.balances, balances.isFetching)
  return (
    <>
      {balances.isError && !balances.data && (
        <div className="border-t border-line py-1 pr-2 pl-5">
          <ListRetry list={balances} plural="balances" />
        </div>
      )}
      {rows.length > 0 && (
        <ul className="list border-t border-line">
          {rows.slice(0, SHOWN).map((one) => (
            <DueAmount
              key={accountKey(one)}
              balance={one}
              onPay={canWrite && dueOf(one) > 0 ? () => setPaying(one) : undefined}
            />
          ))}
          {rows.length > SHOWN && (
            <li className="px-5">
              <Link to={paths.summary} className="link inline-flex min-h-11 items-center text-small">
                All {rows.length} balances
              </Link>
            </li>
          )}
        </ul>
      )}
      {paying && (
        <PaymentDialog account={paying === 'new' ? undefined : paying} onClose={() => setPaying(undefined)} />
      )}
    </>
  )
}

/**
 * Accounts with an amount due, largest first. Once the data is up to date, the order stays fixed until you
 * leave the page, so that marking one as paid doesn't move the other buttons.
 */
function useRows(all: readonly Balance[] | undefined, isFetching: boolean): Balance[] {
  const [keys, setKeys] = useState<readonly string[]>()
  if (!all) return []
  if (keys) return keys.flatMap((key) => all.find((one) => accountKey(one) === key) ?? [])
  const rows = all
    .filter((one) => !one.is_only_yours && (dueOf(one) > 0 || one.on_its_way_amount > 0))
    .sort((one, other) => dueOf(other) - dueOf(one))
  if (!isFetching) setKeys(rows.map(accountKey))
  return rows
}

function DueAmount({ balance, onPay }: { balance: Balance; onPay: (() => void) | undefined }) {
  const due = dueOf(balance)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 pr-2 pl-5">
      <Link
        to={`${paths.payments}?${new URLSearchParams({ with: accountKey(balance), month: monthOf(dayIn(new Date())) }).toString()}`}
        className="group min-w-0 flex-[1_1_9rem] py-2.5"
        title={accountInOneLine(balance)}
      >
        <span className="line-clamp-2 leading-snug font-semibold wrap-anywhere group-hover:underline">
          {accountInOneLine(balance)}
        </span>{' '}
        <span className="num block text-small text-ink-2">
          {due > 0 && <b className="font-semibold text-ink">{formatAmount(due, balance.currency)} due</b>}
          {due > 0 && balance.on_its_way_amount > 0 && ', '}
          {onItsWay(balance, balance.currency) ?? (due === 0 && 'Nothing due')}
        </span>
      </Link>
      {onPay && (
        <Button
          tone="quiet"
          size="small"
          className="ml-auto"
          aria-label={`Mark as paid, ${balance.name}`}
          onClick={onPay}
        >
          Mark as paid
        </Button>
      )}
    </li>
  )
}
