import { useState } from 'react'
import { useCanWrite, useMe, useSide } from '#features/accounts/client.web.ts'
import type { Balance } from '#features/payments/balance.ts'
import { OwedCard } from '#features/payments/OwedCard.tsx'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { formatMoney } from '#kernel/money.ts'
import { late } from '#platform/ui/late.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { type Side, Ticks } from '#platform/ui/Ticks.tsx'
import { type MonthAmount, type MonthTotal, monthTotals, type Part } from './dashboard.ts'

const PaymentDialog = late(async () => (await import('#features/payments/PaymentDialog.tsx')).PaymentDialog)

/** This month's total, and how much of it both sides agree on. */
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
        {[first, ...others].some(({ parts }) => parts.some(({ part }) => part === 'not right')) && (
          <p className="text-small text-ink-2">
            What’s not right isn’t counted until you and the {side === 'parent' ? 'tutor' : 'family'} agree.
          </p>
        )}
      </div>
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
  'not right': undefined,
  'only yours': undefined,
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
              className={`num flex items-center gap-1.5 ${part === 'not right' ? 'text-danger' : ''}`}
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

/** What is owed in all, with a button to mark each account's amount as paid. */
export function HomeFigure() {
  const canWrite = useCanWrite()
  const [paying, setPaying] = useState<Balance | 'new'>()
  useReopen('payment', undefined, () => setPaying('new'))
  return (
    <>
      <OwedCard onPay={canWrite ? setPaying : undefined} />
      {paying && (
        <PaymentDialog account={paying === 'new' ? undefined : paying} onClose={() => setPaying(undefined)} />
      )}
    </>
  )
}
