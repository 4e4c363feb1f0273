import { useState } from 'react'
import { Link } from 'react-router'
import { useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { useConnections } from '#features/connections/client.web.ts'
import { useClosedMonths } from '#features/months/client.web.ts'
import { MissedList } from '#features/schedules/MissedList.tsx'
import { missedInWords } from '#features/schedules/outcome.ts'
import { paths, personPage } from '#features/site/paths.ts'
import { monthLabel } from '#kernel/month.ts'
import { formatAmount } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Badge } from '#platform/ui/Badge.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { BOTH_SIDES, TickLine } from '#platform/ui/Ticks.tsx'
import type { Kind } from '../account.ts'
import { useMissedOf, usePersonMonths } from '../client.web.ts'
import { type PersonMonth, type PersonMonths, withMissed } from '../person-months.ts'

/** How many months to show at first: this one and those just before. */
const FIRST = 3

interface MonthsCardProps {
  kind: Kind
  id: string
}

/** A person's last twelve months, each with a link to its summary, and whom the lessons were with. */
export function MonthsCard({ kind, id }: MonthsCardProps) {
  const found = usePersonMonths(id)
  const missed = useMissedOf(kind, id)
  const closed = useClosed({ kind, id })
  const seesAmounts = useSeesAmounts()
  const [isWhole, setIsWhole] = useState(false)
  if (found.isLoading || missed.isLoading)
    return (
      <Loading label="Loading months...">
        <div className="card grid gap-3 p-5">
          <div className="sk h-4 w-2/5" />
          <div className="sk h-4 w-full" />
          <div className="sk h-4 w-full" />
        </div>
      </Loading>
    )
  if (!found.data) return <ListRetry list={found} plural="months" />
  if (!missed.data) return <ListRetry list={missed} plural="missed classes" />
  const months = withMissed(found.data.months, missed.data)
  if (months.length === 0) return null
  const shown = isWhole ? months : months.slice(0, FIRST)
  const amount = seesAmounts
    ? [{ key: 'amount' as const, header: 'Amount', numeric: true, strong: true }]
    : []
  const numbers = [
    { key: 'sessions' as const, header: 'Sessions', numeric: true },
    { key: 'hours' as const, header: 'Hours', numeric: true },
    ...amount,
  ]
  return (
    <>
      <section className="card overflow-hidden">
        <h2 className="px-4 pt-4 pb-1">Months</h2>
        <DataTable
          label="Months"
          columns={[{ key: 'name', header: 'Month' }, ...numbers]}
          rows={shown.map((one) => ({
            id: one.month,
            cells: {
              name: (
                <>
                  <Link
                    className="link inline-flex min-h-11 min-w-11 items-center"
                    to={summaryOf(kind, id, one.month)}
                  >
                    {monthLabel(one.month)}
                  </Link>
                  <State month={one} isClosed={closed.has(one.month)} />
                  {one.missed.length > 0 && (
                    <span className="num block pb-1 text-small font-normal text-ink-2">
                      {missedInWords(one.missed)}
                    </span>
                  )}
                </>
              ),
              ...numbersOf(one),
            },
          }))}
        />
        <MissedList
          className="border-t border-line px-4 py-1"
          missed={missed.data.filter(({ date }) => shown.some(({ month }) => month === date.slice(0, 7)))}
        />
        {!isWhole && months.length > FIRST && (
          <div className="px-2 pb-2 text-center">
            <Button tone="quiet" size="small" onClick={() => setIsWhole(true)}>
              All {months.length} months
            </Button>
          </div>
        )}
      </section>
      {found.data.with.length > 1 && (
        <section className="card overflow-hidden">
          <h2 className="px-4 pt-4 pb-1">{kind === 'tutor' ? 'Children' : 'Tutors'}</h2>
          <DataTable
            label={kind === 'tutor' ? 'Children' : 'Tutors'}
            columns={[{ key: 'name', header: 'Name' }, ...numbers]}
            rows={found.data.with.map((one) => ({
              id: one.id ?? 'unknown',
              cells: {
                name:
                  one.id && kind !== 'student' ? (
                    <Link
                      className="link inline-flex min-h-11 min-w-11 items-center"
                      to={personPage(kind === 'tutor' ? 'child' : 'tutor', one.id)}
                    >
                      {one.name}
                    </Link>
                  ) : (
                    one.name
                  ),
                ...numbersOf(one),
              },
            }))}
          />
        </section>
      )}
    </>
  )
}

function numbersOf({
  sessions,
  hours,
  amounts,
}: Pick<PersonMonths['with'][number], 'sessions' | 'hours' | 'amounts'>) {
  return {
    sessions,
    hours: hours.toFixed(1),
    amount: amounts.map(({ currency, amount }) => (
      <span key={currency} className="block">
        {formatAmount(amount, currency)}
      </span>
    )),
  }
}

function summaryOf(kind: Kind, id: string, month: string): string {
  return `${paths.summary}?${new URLSearchParams({ month, [kind === 'tutor' ? 'tutor' : 'child']: id }).toString()}`
}

/** How far both sides are with a month. Nothing if nobody else can confirm it. */
function State({ month: { state }, isClosed }: { month: PersonMonth; isClosed: boolean }) {
  if (state === 'own' && !isClosed) return null
  return (
    <span className="block pb-1 text-small font-normal">
      {isClosed ? (
        <TickLine by={BOTH_SIDES} words="Closed" />
      ) : state === 'agreed' ? (
        <TickLine by={BOTH_SIDES} words="Agreed" />
      ) : state === 'waiting' ? (
        <span className="text-ink-2">Waiting</span>
      ) : (
        <Badge tone="danger">Not right</Badge>
      )}
    </span>
  )
}

/** The months that are closed with the person's tutor or family. A child's months are closed per tutor. */
function useClosed({ kind, id }: MonthsCardProps): ReadonlySet<string> {
  const { has_all_students: hasAll, can_see_amounts: seesAmounts } = useMe()
  const isWanted = hasAll && seesAmounts && kind !== 'child'
  const own = new Set(
    (useConnections(isWanted).data ?? [])
      .filter(({ tutor_id: tutor, people }) =>
        kind === 'tutor' ? tutor === id : people.some((person) => person.student_id === id),
      )
      .map((connection) => connection.id),
  )
  const months = useClosedMonths(isWanted && own.size > 0).data?.months ?? []
  return new Set(
    months.filter((one) => one.state === 'closed' && own.has(one.connection_id)).map(({ month }) => month),
  )
}
