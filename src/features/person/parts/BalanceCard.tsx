import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { accountKey, dueLine, studentsOf } from '#features/payments/balance-text.ts'
import { paths, personPage } from '#features/site/paths.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { formatAmount } from '#kernel/money.ts'
import { isolated } from '#kernel/isolate.ts'
import { Figure } from '#platform/ui/Card.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { accountsOf, type Holder, type Owed, owedLabel } from '../account.ts'
import { useOwed, usePersonMonths } from '../client.web.ts'

/** What's owed on a person's accounts today. Nothing for people who may not see balances. */
export function BalanceCard({ holder }: { holder: Holder }) {
  const owed = useOwed()
  if (!owed.isEnabled) return null
  return (
    <Card isLoading={owed.isLoading}>
      <ListRetry list={owed} plural="balances" />
      {owed.data && accountsOf(owed.data, holder).map((one) => <Account key={accountKey(one)} of={one} />)}
    </Card>
  )
}

function Card({ isLoading, children }: { isLoading: boolean; children: ReactNode }) {
  return (
    <section className="card grid gap-3 px-5 py-4" aria-label="Balance">
      {isLoading ? (
        <Loading label="Loading balances...">
          <div className="sk h-4 w-1/4" />
          <div className="sk mt-2 h-8 w-1/2" />
        </Loading>
      ) : (
        children
      )}
    </section>
  )
}

function Account({ of }: { of: Owed }) {
  const side = useSide()
  return (
    <div>
      <div className="flex flex-wrap items-end justify-between gap-x-4">
        <dl className="min-w-0 flex-1 [container-type:inline-size]">
          <dt className="k">{owedLabel(of.balance, side)}</dt>
          <Figure>{formatAmount(Math.abs(of.balance), of.currency)}</Figure>
        </dl>
        <Link
          className="link inline-flex min-h-11 items-center"
          to={`${paths.payments}?${new URLSearchParams({ with: accountKey(of) }).toString()}`}
        >
          Payments
        </Link>
      </div>
      <Due of={of} />
      {of.students.length > 1 && (
        <p className="text-small wrap-anywhere text-ink-2">
          {isolated(of.name)}’s account, for {studentsOf(of.students)}
        </p>
      )}
      {of.is_only_yours && <p className="text-small text-ink-2">Only yours</p>}
    </div>
  )
}

/** What's due of it by the terms, and since when. */
function Due({ of: { due, currency } }: { of: Owed }) {
  const line = dueLine(due, currency, dayIn(new Date()))
  return line && <span className="num block text-small font-semibold">{line}</span>
}

/** For a child, what's owed to each of their tutors: a family's account covers all of its children. */
export function TutorBalances({ id }: { id: string }) {
  const side = useSide()
  const owed = useOwed()
  const months = usePersonMonths(id)
  if (!owed.isEnabled) return null
  const lines = (months.data?.with ?? []).flatMap((tutor) =>
    tutor.id && owed.data
      ? accountsOf(owed.data, { id: tutor.id }).map((account) => ({ account, tutorId: tutor.id ?? '' }))
      : [],
  )
  if (owed.data && months.isFetched && lines.length === 0) return null
  return (
    <Card isLoading={owed.isLoading || months.isLoading}>
      <ListRetry list={owed} plural="balances" />
      <ul className="grid gap-1">
        {lines.map(({ account, tutorId }) => (
          <li key={accountKey(account)} className="flex flex-wrap items-center justify-between gap-x-4">
            <Link
              className="link inline-flex min-h-11 min-w-11 items-center wrap-anywhere"
              to={personPage('tutor', tutorId)}
            >
              {account.name}
            </Link>
            <span className="num">
              {owedLabel(account.balance, side)}
              {account.balance !== 0 && (
                <b className="font-semibold"> {formatAmount(Math.abs(account.balance), account.currency)}</b>
              )}
              <Due of={account} />
            </span>
          </li>
        ))}
      </ul>
      <p className="text-small text-ink-2">For all your children together</p>
    </Card>
  )
}
