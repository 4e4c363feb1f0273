import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { type CalendarDay, calendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { formatAmount } from '#kernel/money.ts'
import { problemTitle } from '#platform/api.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Figure } from '#platform/ui/Card.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { Field } from '#platform/ui/Field.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { downloadPayments, useTaxPeriod } from './client.web.ts'
import { PERIOD_KINDS, PERIOD_LABELS, type PeriodKind, periodsOf, type TaxPeriod } from './tax-period.ts'

type Days = { from: CalendarDay; to: CalendarDay }

/** What a practice received and taught in a year, a quarter or any days, for its tax return. */
export default function TaxPage() {
  const { days, ...choice } = usePeriod()
  const found = useTaxPeriod(days, days.from <= days.to)
  useFailureToast(found.error, 'Failed to fetch payments')
  return (
    <>
      <PageTitle
        title="Taxes"
        subtitle={
          <Link className="link inline-flex min-h-11 items-center" to={paths.summary}>
            Monthly Summary
          </Link>
        }
      />
      <PeriodChoice days={days} {...choice} />
      <div className="mt-5">
        {found.isLoading && <LoadingCards count={2} label="Loading payments..." />}
        {found.isError && (
          <LoadFailed title="Your payments didn’t load" onRetry={() => void found.refetch()} />
        )}
        {found.data && days.from <= days.to && (
          <div className="grid gap-4 lg:grid-cols-2 lg:items-start lg:gap-6">
            <Received of={found.data} days={days} />
            <Taught of={found.data} />
          </div>
        )}
      </div>
    </>
  )
}

/** The period in the URL, or this year. */
function usePeriod() {
  const today = dayIn(new Date())
  const [query, setQuery] = useSearchParams()
  const kind = PERIOD_KINDS.find((one) => one === query.get('by')) ?? 'year'
  const periods = periodsOf(kind, today)
  const chosen = periods.find(({ id }) => id === query.get('period')) ?? periods[0]
  const days: Days = chosen
    ? { from: chosen.from, to: chosen.to }
    : {
        from: calendarDay(query.get('from') ?? '') ?? (`${today.slice(0, 4)}-01-01` as CalendarDay),
        to: calendarDay(query.get('to') ?? '') ?? today,
      }
  const show = (next: Record<string, string>) =>
    setQuery({ by: kind, ...(kind === 'range' ? days : {}), ...next }, { replace: true })
  return { kind, periods, chosen, days, show }
}

type Choice = ReturnType<typeof usePeriod>

function PeriodChoice({ kind, periods, chosen, days, show }: Choice) {
  return (
    <div className="mt-3 grid max-w-2xl gap-x-3 gap-y-4 sm:grid-cols-2">
      <SelectField
        label="Period"
        value={kind}
        onChange={({ target }) => {
          const by = target.value as PeriodKind
          show({ by, ...(by === 'range' ? days : {}) })
        }}
      >
        {PERIOD_KINDS.map((one) => (
          <option key={one} value={one}>
            {PERIOD_LABELS[one]}
          </option>
        ))}
      </SelectField>
      {chosen ? (
        <SelectField
          label="Which one"
          value={chosen.id}
          onChange={({ target }) => show({ period: target.value })}
        >
          {periods.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
      ) : (
        <div className="grid grid-cols-2 gap-3">
          <DayField label="From" value={days.from} onChange={(from) => show({ from })} />
          <DayField
            label="To"
            value={days.to}
            error={days.to < days.from ? 'The last day can’t be before the first' : undefined}
            onChange={(to) => show({ to })}
          />
        </div>
      )}
      <p className="num text-small text-ink-2 sm:col-span-2">
        {dayInWords(days.from)} to {dayInWords(days.to)}
      </p>
    </div>
  )
}

const dayInWords = (day: CalendarDay) => formatDay(day, { month: 'short', day: 'numeric', year: 'numeric' })

interface DayFieldProps {
  label: string
  value: string
  error?: string | undefined
  onChange: (day: string) => void
}

function DayField({ label, value, error, onChange }: DayFieldProps) {
  return (
    <Field label={label} error={error}>
      {(wiring) => (
        <input
          {...wiring}
          type="date"
          className="in"
          defaultValue={value}
          onChange={({ target }) => target.value && onChange(target.value)}
        />
      )}
    </Field>
  )
}

type Sums = TaxPeriod['received']

function Received({ of, days }: { of: TaxPeriod; days: Days }) {
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const download = async () => {
    setIsBusy(true)
    try {
      await downloadPayments(days)
    } catch (error) {
      toast.error('Error', problemTitle(error, 'Failed to create the statement'))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Part title="Received" note="By the day it was paid.">
      <Amounts sums={of.received} noun="payment" none="No payments in these days" />
      {of.refunded.length > 0 && (
        <p className="num text-small text-ink-2">After refunds of {inWords(of.refunded, 'refund')}.</p>
      )}
      {of.on_its_way.length > 0 && (
        <p className="num text-small text-ink-2">
          On its way, not included: {inWords(of.on_its_way, 'payment')}
        </p>
      )}
      {of.received.length > 0 && (
        <div>
          <Button
            tone="secondary"
            size="small"
            busy={isBusy}
            busyText="Creating..."
            onClick={() => void download()}
          >
            <Download className="i" aria-hidden="true" />
            Payments as CSV
          </Button>
        </div>
      )}
    </Part>
  )
}

function Taught({ of: { taught, charges, credits } }: { of: TaxPeriod }) {
  const counted = taught.sessions - taught.left_out
  const { waiting, left_out: leftOut } = taught
  return (
    <Part title="Taught" note="By the day of the lesson, paid or not.">
      {counted === 0 ? (
        <p className="text-ink-2">No sessions in these days</p>
      ) : (
        <div>
          {taught.amounts.map(({ currency, amount }) => (
            <Figure key={currency}>{formatAmount(amount, currency)}</Figure>
          ))}
          <p className="num text-ink-2">
            {counted} {counted === 1 ? 'session' : 'sessions'}, {hoursInWords(taught.hours)}
          </p>
        </div>
      )}
      {waiting > 0 && <p className="num text-small text-ink-2">Includes {waiting} waiting.</p>}
      {leftOut > 0 && (
        <p className="num text-small text-ink-2">
          Leaves out {leftOut} that {leftOut === 1 ? 'isn’t' : 'aren’t'} right or that someone asked to
          delete.
        </p>
      )}
      {charges.length + credits.length > 0 && (
        <dl className="grid gap-1 border-t border-line pt-3">
          <Line label="Other charges" sums={charges} noun="charge" />
          <Line label="Credits" sums={credits} noun="credit" />
        </dl>
      )}
    </Part>
  )
}

function Line({ label, sums, noun }: { label: string; sums: Sums; noun: string }) {
  if (sums.length === 0) return null
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt>{label}</dt>
      <dd className="num font-semibold">{inWords(sums, noun)}</dd>
    </div>
  )
}

function Part({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section className="card grid gap-3 px-5 py-4" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="text-small text-ink-2">{note}</p>
      </div>
      {children}
    </section>
  )
}

function Amounts({ sums, noun, none }: { sums: Sums; noun: string; none: string }) {
  if (sums.length === 0) return <p className="text-ink-2">{none}</p>
  return (
    <div className="grid gap-2">
      {sums.map(({ currency, count, amount }) => (
        <div key={currency}>
          <Figure>{formatAmount(amount, currency)}</Figure>
          <p className="num text-ink-2">{counted(count, noun)}</p>
        </div>
      ))}
    </div>
  )
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
const inWords = (sums: Sums, noun: string) =>
  sums
    .map(({ currency, count, amount }) => `${formatAmount(amount, currency)} (${counted(count, noun)})`)
    .join(', ')
