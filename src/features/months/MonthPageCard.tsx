import { KIND_LABELS, METHOD_LABELS } from '#features/payments/payment-form.ts'
import { inHours } from '#features/payments/balance-text.ts'
import { chargeDetail, chargeTitle } from '#features/payments/payment-words.ts'
import { priceInShort } from '#features/prices/price.ts'
import { useSessionLink } from '#features/sessions/client.web.ts'
import { capital } from '#features/sessions/standing-text.ts'
import { type CalendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import { LogRow } from '#platform/ui/LogRow.tsx'
import { BOTH_SIDES, TickLine } from '#platform/ui/Ticks.tsx'
import { type MonthPage, SIGNED } from './month-page.ts'
import { dayOf, restOfPage } from './closing-text.ts'
import { Stamp } from './Stamp.tsx'

export function MonthPageCard({ page }: { page: MonthPage }) {
  const linkTo = useSessionLink()
  const inMoney = (amount: number, currency = page.currency) => formatAmount(amount, currency)
  const cells = [
    ['Carried over', inMoney(page.carried_over)],
    ['Sessions', inMoney(page.sessions_amount)],
    ['Paid', inMoney(page.paid_amount)],
    [page.balance < 0 ? 'Paid ahead' : 'Due', inMoney(Math.abs(page.balance))],
  ] as const
  const day = (moment: string) => formatDay(dayIn(new Date(moment)), { month: 'short', day: 'numeric' })
  const confirmedBy = (row: { confirmed_by_family_at: string; confirmed_by_tutor_at: string }) => (
    <TickLine
      by={BOTH_SIDES}
      words={`Family ${day(row.confirmed_by_family_at)}, tutor ${day(row.confirmed_by_tutor_at)}`}
    />
  )
  const rest = restOfPage(page)
  const asks = page.asked_by === 'family' ? page.family_name : page.tutor_name
  const by = (side: MonthPage['asked_by']) => (page.handed_side === side ? ' by handed-over link' : '')
  const signed = (side: MonthPage['asked_by']) => (page.signed_by.includes(side) ? ` ${SIGNED}` : '')
  const confirmer = page.asked_by === 'family' ? 'tutor' : 'family'
  const confirms = page.asked_by === 'family' ? page.tutor_name : page.family_name
  return (
    <article className="sheet-of-month mt-4" aria-label={`Page for ${monthLabel(page.month)}`}>
      <div className="@container">
        <dl className="grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-x-6 gap-y-3 sm:pr-[12rem] @2xl:grid-cols-4">
          {cells.map(([label, amount]) => (
            <div key={label}>
              <dt className="k">{label}</dt>
              <dd className="num text-h3 font-semibold">{amount}</dd>
            </div>
          ))}
        </dl>
      </div>
      <Stamp closedAt={page.closed_at} />
      {rest && <p className="num mt-2 text-small text-ink-2">{rest}</p>}
      <h2 className="mt-6">Sessions</h2>
      {page.sessions.length === 0 && <p className="text-ink-2">No sessions in this month.</p>}
      <ul className="list -mx-5">
        {page.sessions.map((row) => (
          <LogRow
            key={row.id}
            day={row.date as CalendarDay}
            title={row.student_name ?? 'A child'}
            link={linkTo(row)}
            amount={row.total_amount === null ? '–' : inMoney(row.total_amount, row.currency)}
            detail={inOneLine([
              row.subject,
              row.is_make_up ? 'Make-up' : null,
              hoursInWords(row.duration),
              priceInShort(row, row.currency, '') || null,
            ])}
            note={confirmedBy(row)}
          />
        ))}
      </ul>
      {page.charges.length > 0 && (
        <>
          <h2 className="mt-6">Other charges</h2>
          <ul className="list -mx-5">
            {page.charges.map((row) => (
              <LogRow
                key={row.id}
                day={row.date as CalendarDay}
                title={chargeTitle(row)}
                amount={inMoney(row.amount, row.currency)}
                detail={inOneLine([chargeDetail(row), row.student_name])}
                note={confirmedBy(row)}
              />
            ))}
          </ul>
        </>
      )}
      {page.payments.length > 0 && (
        <>
          <h2 className="mt-6">Payments</h2>
          <ul className="list -mx-5">
            {page.payments.map((row) => (
              <LogRow
                key={row.id}
                day={row.date as CalendarDay}
                title={row.hours === null ? KIND_LABELS[row.kind] : `${inHours(row.hours)} prepaid`}
                amount={inMoney(row.amount, row.currency)}
                detail={inOneLine([row.method && METHOD_LABELS[row.method], row.student_name])}
                note={confirmedBy(row)}
              />
            ))}
          </ul>
        </>
      )}
      <p className="mt-6 text-small wrap-anywhere text-ink-2">
        {capital(asks)} asked to close the month{by(page.asked_by)} on {dayOf(page.asked_at)}.
        {signed(page.asked_by)} {capital(confirms)} confirmed it{by(confirmer)} on {dayOf(page.closed_at)}.
        {signed(confirmer)}
      </p>
      <p className="num mt-1 text-small wrap-anywhere text-ink-2">
        Code {page.code}. Anyone can check it at{' '}
        <a className="link" href={`/verify/${page.code}`}>
          {page.url}
        </a>
      </p>
    </article>
  )
}
