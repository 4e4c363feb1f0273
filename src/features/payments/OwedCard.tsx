import { ChevronRight } from 'lucide-react'
import { type CSSProperties, useId, useState } from 'react'
import { Link } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { type CalendarDay, dayIn, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { formatAmount } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import type { Balance, Owed } from './balance.ts'
import {
  accountInOneLine,
  accountKey,
  dueLine,
  dueOf,
  explain,
  howItAddsUp,
  keptWithLabel,
  onItsWay,
  prepaidWarning,
} from './balance-text.ts'
import { useOwed } from './client.web.ts'
import { owedLabel } from './owed.ts'

/** With more accounts than this, the list starts out folded, so that it doesn't push down what waits below. */
const MOST_UNFOLDED = 3

interface OwedCardProps {
  /** Opens the form to record a payment of the amount due; omitted if payments can't be recorded here. */
  onPay?: ((account: Balance) => void) | undefined
  /** Whether even two or three accounts start out folded, because the page shows one of them below. */
  isBrief?: boolean
}

/**
 * What is owed in all as of today, one figure per currency, and how it adds up for each tutor or family. Renders
 * nothing until there's something to add up, and for members who get no balances.
 */
export function OwedCard({ onPay, isBrief = false }: OwedCardProps) {
  const reader = useSide()
  const id = useId()
  const owed = useOwed()
  const shown = useShown(owed.data?.owed, owed.isFetching)
  const [chosen, choose] = useState<boolean>()
  if (owed.isError && !owed.data)
    return (
      <div className="card mt-5 py-1 pr-2 pl-5">
        <ListRetry list={owed} plural="balances" />
      </div>
    )
  if (!owed.data || shown.length === 0) return null
  const day = owed.data.as_of as CalendarDay
  const count = shown.reduce((sum, { accounts }) => sum + accounts.length, 0)
  const keptWith = keptWithLabel(
    reader === 'parent',
    shown.flatMap(({ accounts }) => accounts),
  )
  const coming = shown.flatMap(({ total, currency }) => onItsWay(total, currency) ?? [])
  const isOpen = chosen ?? count <= (isBrief ? 1 : MOST_UNFOLDED)
  return (
    <section className="card mt-5 overflow-hidden" aria-labelledby={id}>
      <div className="grid gap-2 px-5 pt-4 pb-2">
        <h2 id={id} className="@container grid gap-3">
          {shown.map((one) => (
            <Total key={one.currency} of={one} label={owedLabel(one.total.balance, reader)} />
          ))}
        </h2>
        {coming.length > 0 && <p className="num text-small text-ink-2">{coming.join(', ')}</p>}
        {day !== dayIn(new Date()) && (
          <p className="text-small text-ink-2">As of {formatDay(day, { month: 'short', day: 'numeric' })}.</p>
        )}
        {count > 0 && (
          <button
            type="button"
            className="link flex min-h-11 items-center gap-1.5 justify-self-start text-left text-small"
            aria-expanded={isOpen}
            aria-controls={`${id}-list`}
            onClick={() => choose(!isOpen)}
          >
            <ChevronRight className={`i shrink-0 ${isOpen ? 'rotate-90' : ''}`} aria-hidden="true" />
            {count === 1 ? 'How it adds up' : `How it adds up by ${keptWith.toLowerCase()}`}
          </button>
        )}
      </div>
      <div id={`${id}-list`} hidden={!isOpen || count === 0} className="border-t border-line">
        {isOpen &&
          shown.map((one) => (
            <Accounts key={one.currency} of={one} day={day} isOnly={count === 1} onPay={onPay} />
          ))}
      </div>
    </section>
  )
}

/**
 * The figures with their accounts, largest first. Once the data is up to date, the order stays fixed until you
 * leave the page, so that marking one as paid doesn't move the other buttons.
 */
function useShown(all: readonly Owed[] | undefined, isFetching: boolean): Owed[] {
  const [order, setOrder] = useState<readonly string[]>()
  if (!all) return []
  const known = new Map(order?.map((key, at) => [key, at]))
  const placeOf = (one: Balance) => known.get(accountKey(one)) ?? known.size
  const sorted = all.map((one) => ({
    ...one,
    accounts: [...one.accounts].sort((a, b) => placeOf(a) - placeOf(b) || b.balance - a.balance),
  }))
  if (!order && !isFetching) setOrder(sorted.flatMap(({ accounts }) => accounts.map(accountKey)))
  return sorted
}

function Total({ of: { total, currency }, label }: { of: Owed; label: string }) {
  const text = formatAmount(Math.abs(total.balance), currency)
  return (
    <span className="block">
      <span className="block text-body font-semibold">{label}</span>{' '}
      {total.balance !== 0 && (
        <span className="figure-lg mt-1 block" style={{ '--chars': text.length } as CSSProperties}>
          {text}
        </span>
      )}
    </span>
  )
}

interface AccountsProps {
  of: Owed
  day: CalendarDay
  /** True if the figure is about one account, so its balance isn't said again. */
  isOnly: boolean
  onPay: OwedCardProps['onPay']
}

function Accounts({ of: { total, accounts, currency }, day, isOnly, onPay }: AccountsProps) {
  if (accounts.length === 0) return null
  return (
    <>
      {accounts.length > 1 && (
        <p className="num border-b border-line px-5 py-2.5 text-small text-ink-2">
          {howItAddsUp(total, currency, day)}
        </p>
      )}
      <ul className="list">
        {accounts.map((one) => (
          <Account key={accountKey(one)} of={one} day={day} isOnly={isOnly} onPay={onPay} />
        ))}
      </ul>
    </>
  )
}

function Account({ of, day, isOnly, onPay }: Omit<AccountsProps, 'of'> & { of: Owed['accounts'][number] }) {
  const { currency, balance } = of
  const warning = prepaidWarning(of, currency)
  const more = explain(of, currency)
  const due = dueLine(of.due, currency, day)
  // With just one account, the figure above says it.
  const coming = isOnly ? undefined : onItsWay(of, currency)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 pr-2 pl-5">
      <Link
        to={`${paths.payments}?${new URLSearchParams({ with: accountKey(of), month: monthOf(day) }).toString()}`}
        className="group min-w-0 flex-[1_1_9rem] py-2.5"
        title={accountInOneLine(of)}
      >
        <span className="line-clamp-2 leading-snug font-semibold wrap-anywhere group-hover:underline">
          {accountInOneLine(of)}
        </span>{' '}
        {!isOnly && (
          <span className="num block text-small">
            <b className="font-semibold">{formatAmount(Math.abs(balance), currency)}</b>{' '}
            {balance < 0 ? 'paid ahead' : 'due'}
          </span>
        )}{' '}
        {due && <span className="num block text-small font-semibold"> {due}</span>}{' '}
        <span className="num block text-small text-ink-2">{howItAddsUp(of, currency, day)}</span>
        {more && <span className="num block text-small text-ink-2"> {more}</span>}
        {coming && <span className="num block text-small text-ink-2"> {coming}</span>}
        {warning && <span className="num block text-small text-warn"> {warning}</span>}
      </Link>
      {onPay && dueOf(of) > 0 && (
        <Button
          tone="quiet"
          size="small"
          className="ml-auto"
          aria-label={`Mark as paid, ${of.name}`}
          onClick={() => onPay(of)}
        >
          Mark as paid
        </Button>
      )}
    </li>
  )
}
