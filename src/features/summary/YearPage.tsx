import { FileText, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCanWrite, useMe } from '#features/accounts/client.web.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import { paths } from '#features/site/paths.ts'
import { type CalendarDay, dayIn, monthOf } from '#kernel/calendar-day.ts'
import { monthLabel } from '#kernel/month.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { BarLegend, BarList } from './BarList.tsx'
import { useYear } from './client.web.ts'
import type { StatementOf } from './SummaryPage.tsx'
import { GroupTable } from './GroupTable.tsx'
import { barOf, selectableMonths, sumOfAmounts } from './summary.ts'
import { type Measure, MeasureChoice } from './MeasureChoice.tsx'
import { Totals } from './Totals.tsx'
import type { Year, YearMonth } from './year.ts'

/** How many years to offer, including the current one. */
const YEARS = 6

export default function YearPage({ statement }: { statement: StatementOf }) {
  const current = monthOf(dayIn(new Date()))
  const years = Array.from({ length: YEARS }, (_, back) => String(Number(current.slice(0, 4)) - back))
  const [query, setQuery] = useSearchParams()
  const asked = query.get('year')
  const year = asked && years.includes(asked) ? asked : (years[0] ?? '')
  const data = useYear(year)
  const canWrite = useCanWrite()
  const { role } = useMe()
  const [isPrinting, setIsPrinting] = useState(false)
  useFailureToast(data.error, 'Failed to fetch sessions')
  return (
    <>
      <div className="lg:flex lg:items-center lg:justify-between">
        <PageTitle
          title="Year"
          tabTitle={`Year ${year}`}
          subtitle={
            <Link className="link inline-flex min-h-11 items-center" to={paths.summary}>
              Monthly Summary
            </Link>
          }
        />
        <div className="only-select mt-3 max-w-md lg:m-0 lg:w-48">
          <SelectField
            label="Year"
            value={year}
            onChange={(event) => setQuery({ year: event.target.value }, { replace: true })}
          >
            {years.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </SelectField>
        </div>
      </div>
      {data.isPending && (
        <div className="mt-5">
          <LoadingCards count={2} label="Loading year..." />
        </div>
      )}
      {data.isError && (
        <div className="mt-5">
          <LoadFailed title="The year didn’t load" onRetry={() => void data.refetch()} />
        </div>
      )}
      {data.isSuccess &&
        (data.data.total_sessions === 0 && data.data.paid_amount === 0 ? (
          <div className="mt-5">
            <Empty
              title={`No sessions in ${year}`}
              action={canWrite && <ButtonLink to={paths.addSession}>Add a session</ButtonLink>}
            />
          </div>
        ) : (
          <>
            <Totals summary={data.data} />
            <div className="mt-4 flex flex-wrap gap-2">
              <Button tone="secondary" size="small" onClick={() => setIsPrinting(true)}>
                <FileText className="i" aria-hidden="true" />
                Statement
              </Button>
              {role !== 'parent' && (
                <ButtonLink tone="secondary" size="small" to={paths.taxes}>
                  <ReceiptText className="i" aria-hidden="true" />
                  Taxes
                </ButtonLink>
              )}
            </div>
            <YearInMonths year={data.data} linked={new Set(selectableMonths(current))} />
          </>
        ))}
      {isPrinting &&
        statement({
          days: { from: `${year}-01-01` as CalendarDay, to: `${year}-12-31` as CalendarDay },
          onClose: () => setIsPrinting(false),
        })}
    </>
  )
}

/** A month's row, or the year's at the end. */
interface Row extends Pick<YearMonth, 'sessions' | 'hours' | 'paid_amount' | 'open_amount'> {
  id: string
  label: string
  amount: number
  to?: string | undefined
}

function YearInMonths({ year, linked }: { year: Year; linked: Set<string> }) {
  const [measure, setMeasure] = useState<Measure>('amount')
  const money = useMoney()
  const open = (amount: number) => (amount < 0 ? `${money(-amount)} ahead` : money(amount))
  const months = year.by_month.map((month) => ({
    ...month,
    id: month.month,
    label: monthLabel(month.month).split(' ')[0] ?? '',
    to: linked.has(month.month) ? `${paths.summary}?month=${month.month}` : undefined,
    amount: sumOfAmounts(month),
  }))
  const rows: Row[] = [
    ...months,
    {
      ...year,
      id: 'year',
      label: `${year.year} total`,
      sessions: year.total_sessions,
      hours: year.total_hours,
      amount: year.total_amount,
    },
  ]
  return (
    <div className="mt-4 grid gap-4 lg:mt-6 lg:grid-cols-2 lg:gap-6">
      <div className="grid content-start gap-4 lg:gap-6">
        <MeasureChoice measure={measure} onChange={setMeasure} />
        <BarList
          title="By month"
          note={measure === 'amount' && <BarLegend amounts={year} />}
          bars={months.map(({ id, label, hours, amount, ...parts }) =>
            measure === 'amount'
              ? { id, label, ...barOf(parts), value: amount ? money(amount) : '–' }
              : { id, label, solid: hours, value: hours ? `${hours.toFixed(1)} h` : '–' },
          )}
        />
      </div>
      <div className="grid content-start gap-4 lg:gap-6">
        <section className="card overflow-hidden">
          <h2 className="px-4 pt-4 pb-1">Monthly totals</h2>
          <MonthRows rows={rows} open={open} />
          <DataTable
            className="max-md:hidden"
            label="Monthly totals"
            columns={[
              { key: 'month', header: 'Month' },
              { key: 'sessions', header: 'Sessions', numeric: true },
              { key: 'hours', header: 'Hours', numeric: true },
              { key: 'amount', header: 'Amount', numeric: true, strong: true },
              { key: 'paid', header: 'Paid', numeric: true },
              { key: 'open', header: 'Due', numeric: true },
            ]}
            rows={rows.map((row) => ({
              id: row.id,
              cells: {
                month: row.to ? (
                  <Link className="link inline-flex min-h-11 min-w-11 items-center" to={row.to}>
                    {row.label}
                  </Link>
                ) : (
                  row.label
                ),
                sessions: row.sessions,
                hours: row.hours.toFixed(1),
                amount: money(row.amount),
                paid: money(row.paid_amount),
                open: open(row.open_amount),
              },
            }))}
          />
        </section>
        <GroupTable title="Sessions by Tutor" header="Tutor" by="by_tutor" groups={year.by_tutor} />
        <GroupTable title="Sessions by Student" header="Student" by="by_student" groups={year.by_student} />
      </div>
    </div>
  )
}

/** The phone layout: one row per month, with the amount on the right and everything else below. */
function MonthRows({ rows, open }: { rows: Row[]; open: (amount: number) => string }) {
  const money = useMoney()
  return (
    <ul className="list md:hidden" aria-label="Monthly totals">
      {rows.map((row) => {
        const isEmpty = row.sessions === 0 && row.paid_amount === 0 && row.open_amount === 0
        return (
          <li key={row.id} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
            {row.to ? (
              <Link className="link inline-flex min-h-11 min-w-11 flex-1 items-center" to={row.to}>
                {row.label}
              </Link>
            ) : (
              <span className="flex min-h-11 flex-1 items-center font-semibold">{row.label}</span>
            )}
            <b className="num font-semibold whitespace-nowrap">{isEmpty ? '–' : money(row.amount)}</b>
            {!isEmpty && (
              <p className="num flex basis-full flex-wrap gap-x-3 pb-1 text-small text-ink-2">
                <span>
                  {row.sessions === 1 ? '1 session' : `${row.sessions} sessions`}, {row.hours.toFixed(1)} h
                </span>
                <span className="whitespace-nowrap">Paid {money(row.paid_amount)}</span>
                <span className="whitespace-nowrap">Due {open(row.open_amount)}</span>
              </p>
            )}
          </li>
        )
      })}
    </ul>
  )
}
